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
    let archived = type.archivedClass
    var entry = ClassEntry(type: identity, name: archived.name, ancestors: archived.ancestors)
    entry.isObject = type is AnyObject.Type
    if type is any SpecialCoding.Type {
      entry.isIdentified = type is any IdentifiedCoding.Type
      entry.isSubstituting = type is any SubstitutingCoding.Type
      entry.isUnknown = type is UnknownObject.Type
    }
    return append(entry)
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
    where other != index && classes[other].node != 0 && classes[other].ancestors == ancestors {
      classes[index].node = classes[other].node
      return classes[index].node
    }
    let body = writer.reserve()
    let names = ([name] + ancestors).map { writer.addString($0) }
    let list = writer.reserve()
    writer.setArray(list, names)
    writer.setDictionary(
      body, keys: [writer.addString("$classname"), writer.addString("$classes")],
      values: [names[0], list])
    let node = addNode(body: body)
    classes[index].node = node
    return node
  }
}
