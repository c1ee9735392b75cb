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
    if type is any SpecialCoding.Type {
      entry.isSpecial = true
      entry.isIdentified = type is any IdentifiedCoding.Type
      entry.isSubstituting = type is any SubstitutingCoding.Type
      entry.isClassSubstituting = type is any ClassSubstitutingCoding.Type
      entry.isRestricted = type is any RestrictedCoding.Type
      entry.isUnknown = type is UnknownObject.Type
      entry.isFoundation = type is any FoundationValue.Type || type == Cocoa.Object.self
    }
    return append(entry)
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
    for index in classes(named: wanted.name)
    where classes[index].ancestors == wanted.ancestors
      && classes[index].isRenamed == wanted.isRenamed
    {
      return index
    }
    return append(wanted)
  }

  /// The entry of a class that is known by its names only.
  func classIndex(named name: String, ancestors: [String]) -> Int {
    for index in classes(named: name) where classes[index].ancestors == ancestors {
      return index
    }
    return append(ClassEntry(type: nil, name: name, ancestors: ancestors))
  }

  private func classes(named name: String) -> [Int] {
    guard classes.count <= Self.listedClasses else { return classesByName[name] ?? [] }
    return classes.indices.filter { classes[$0].name == name && !classes[$0].isUnknown }
  }

  private func append(_ entry: ClassEntry) -> Int {
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
    for other in classes(named: name)
    where other != index && classes[other].node != 0 && classes[other].ancestors == ancestors
      && classes[other].isRenamed == classes[index].isRenamed
    {
      classes[index].node = classes[other].node
      return classes[index].node
    }
    let body = writer.reserve()
    let names = ([name] + ancestors).map { writer.addString($0) }
    let list = classes[index].isRenamed ? nil : array(names)
    var keys = [writer.addString("$classname")]
    var values = [names[0]]
    if let list {
      keys.append(writer.addString("$classes"))
      values.append(list)
    }
    let fallbackNames = classes[index].fallbackNames
    if !fallbackNames.isEmpty {
      keys.append(writer.addString("$classhints"))
      values.append(array(fallbackNames.map { writer.addString($0) }))
    }
    writer.setDictionary(body, keys: keys, values: values)
    let node = addNode(body: body)
    classes[index].node = node
    return node
  }

  private func array(_ elements: [PropertyListReference]) -> PropertyListReference {
    let list = writer.reserve()
    writer.setArray(list, elements)
    return list
  }
}
