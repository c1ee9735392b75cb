import PropertyLists

extension KeyedArchiver {
  /// The entry of a type, made when it is met first.
  func classIndex(of type: any Coding.Type) -> Int {
    let identity = ObjectIdentifier(type)
    if let index = classOfType[identity] { return index }
    var entry = ClassEntry(type: identity, chain: type.archivedClass.chain)
    entry.isObject = type is AnyObject.Type
    entry.isIdentified = type is any IdentifiedCoding.Type
    entry.isSubstituting = type is any SubstitutingCoding.Type
    entry.isUnknown = type is UnknownObject.Type
    classes.append(entry)
    classOfType[identity] = classes.count - 1
    if !entry.isUnknown, namedClasses[entry.chain] == nil {
      namedClasses[entry.chain] = classes.count - 1
    }
    return classes.count - 1
  }

  /// The entry of a class that is known by its names only.
  func classIndex(chain: [String]) -> Int {
    if let index = namedClasses[chain] { return index }
    classes.append(ClassEntry(type: nil, chain: chain))
    namedClasses[chain] = classes.count - 1
    return classes.count - 1
  }

  /// The node of a class's record, written when the first instance is complete, as Apple does.
  func classRecord(_ index: Int) -> UInt32 {
    if classes[index].node != 0 { return classes[index].node }
    let chain = classes[index].chain
    // Two types may be archived under one name (a class cluster); they share the record.
    if let first = namedClasses[chain], first != index {
      let node = classRecord(first)
      classes[index].node = node
      return node
    }
    let body = writer.reserve()
    let names = chain.map { writer.addString($0) }
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
