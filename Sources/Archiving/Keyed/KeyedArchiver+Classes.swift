import PortolanMemory
import PropertyLists

extension KeyedArchiver {
  /// The entry of a type, made when it is met first.
  @inline(__always)
  func classIndex(of type: any Coding.Type) -> Int {
    let identity = ObjectIdentifier(type)
    if lastType.identity == identity { return lastType.index }
    return findClass(type, identity)
  }

  private func findClass(_ type: any Coding.Type, _ identity: ObjectIdentifier) -> Int {
    let index = knownClass(identity) ?? addClass(type, identity)
    lastType = (identity, index)
    return index
  }

  /// Up to this many classes are searched one by one.
  private static let listedClasses = 16

  private func knownClass(_ identity: ObjectIdentifier) -> Int? {
    guard classes.count <= Self.listedClasses else { return classOfType[identity] }
    for index in classes.indices where classes[index].type == identity { return index }
    return nil
  }

  private func addClass(_ type: any Coding.Type, _ identity: ObjectIdentifier) -> Int {
    var entry = entry(for: type.archivedClass)
    entry.type = identity
    entry.isObject = type is AnyObject.Type
    let isSpecial = type is any SpecialCoding.Type
    if isSpecial {
      entry.isSpecial = true
      entry.isIdentified = type is any IdentifiedCoding.Type
      entry.isSubstituting = type is any SubstitutingCoding.Type
      entry.isClassSubstituting = type is any ClassSubstitutingCoding.Type
      entry.isRestricted = type is any RestrictedCoding.Type
      entry.isUnknown = type is UnknownObject.Type
      entry.isFoundation = type is any FoundationValue.Type || type == Cocoa.Object.self
    }
    if ArchivedName.isOwn(type, isSpecial: isSpecial) {
      entry.claimant = type
      entry.nameFault =
        ArchivedName.inherited(by: type, isSpecial: isSpecial) ?? sharedName(type, entry.name)
      if entry.nameFault != nil { entry.isSpecial = true }
    }
    return append(entry)
  }

  /// Why a type cannot have its name in this archive; `nil` unless another type has it.
  private func sharedName(_ type: any Coding.Type, _ name: String) -> String? {
    let other = firstClass(named: name) { classes[$0].claimant != nil }
    return other.flatMap { classes[$0].claimant }.map { ArchivedName.clash(of: $0, type) }
  }

  /// An entry under the name that the class has in this archive.
  private func entry(for archived: ArchivedClass) -> ClassEntry {
    var entry = ClassEntry(type: nil, name: archived.name, ancestors: archived.ancestors)
    entry.fallbackNames = archived.fallbackNames
    if let other = classNames.name(forClassNamed: archived.name) {
      (entry.name, entry.ancestors) = (other, [])
      entry.isRenamed = true
    }
    return entry
  }

  /// The entry of a class under which an instance of another type is archived.
  func classIndex(of archived: ArchivedClass) -> Int {
    let wanted = entry(for: archived)
    let known = firstClass(named: wanted.name) {
      classes[$0].ancestors == wanted.ancestors && classes[$0].isRenamed == wanted.isRenamed
    }
    return known ?? append(wanted)
  }

  /// The entry of a class that is known by its names only.
  func classIndex(named name: String, ancestors: [String]) -> Int {
    let known = firstClass(named: name) { classes[$0].ancestors == ancestors }
    return known ?? append(ClassEntry(type: nil, name: name, ancestors: ancestors))
  }

  /// The first entry of a name that is as wanted.
  private func firstClass(named name: String, where isWanted: (Int) -> Bool) -> Int? {
    guard classes.count <= Self.listedClasses else {
      return classesByName[name]?.first(where: isWanted)
    }
    for index in classes.indices
    where classes[index].name == name && !classes[index].isUnknown && isWanted(index) {
      return index
    }
    return nil
  }

  private func append(_ entry: consuming ClassEntry) -> Int {
    classes.append(entry)
    if classes.count == Self.listedClasses + 1 {
      for index in classes.indices { list(index) }
    } else if classes.count > Self.listedClasses {
      list(classes.count - 1)
    }
    return classes.count - 1
  }

  private func list(_ index: Int) {
    if let type = classes[index].type { classOfType[type] = index }
    if !classes[index].isUnknown { classesByName[classes[index].name, default: []].append(index) }
  }

  /// The node of a class's record, written when the first instance is complete, as Apple does.
  @inline(__always)
  func classRecord(_ index: Int) -> UInt32 {
    let node = classes[index].node
    return node != 0 ? node : addClassRecord(index)
  }

  private func addClassRecord(_ index: Int) -> UInt32 {
    let (name, ancestors) = (classes[index].name, classes[index].ancestors)
    // Two types may be archived under one name (a class cluster); they share the record.
    let other = firstClass(named: name) {
      $0 != index && classes[$0].node != 0 && classes[$0].ancestors == ancestors
        && classes[$0].isRenamed == classes[index].isRenamed
    }
    if let other {
      classes[index].node = classes[other].node
      return classes[index].node
    }
    let body = writer.reserve()
    let first = pending.count
    let nameReference = writer.addString(name)
    // The texts come before the lists that name them, the way Apple numbers them.
    let list = classes[index].isRenamed ? nil : array(of: ancestors, after: nameReference)
    addPending(writer.addString("$classname"), nameReference)
    if let list { addPending(writer.addString("$classes"), list) }
    let fallbackNames = classes[index].fallbackNames
    if !fallbackNames.isEmpty {
      addPending(writer.addString("$classhints"), array(of: fallbackNames))
    }
    writer.setDictionary(body, pending, from: first)
    pending.truncate(to: first)
    let node = addNode(body: body)
    classes[index].node = node
    return node
  }

  /// An array of names, after a first one that has its reference.
  private func array(
    of names: [String], after head: PropertyListReference? = nil
  ) -> PropertyListReference {
    let first = pending.count
    // Elements lie in the same row as pending fields, which need a key: 0 is never read.
    if let head { addPending(0, head) }
    for name in names { addPending(0, writer.addString(name)) }
    let list = writer.reserve()
    writer.setArray(list, count: pending.count &- first) { pending[first &+ $0].value }
    pending.truncate(to: first)
    return list
  }
}
