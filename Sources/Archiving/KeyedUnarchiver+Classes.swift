import PropertyLists

extension KeyedUnarchiver {
  /// The type to make for a class in a place of type `Object`; throws when it is not admitted.
  @inline(__always)
  func resolve<Object: Coding>(
    _ record: Int, _ type: Object.Type, _ node: UInt32
  ) throws -> any Coding.Type {
    if records[record].slot == ObjectIdentifier(type), let known = records[record].type {
      return known
    }
    return try lookUp(record, type, node)
  }

  @inline(never)
  private func lookUp<Object: Coding>(
    _ record: Int, _ type: Object.Type, _ node: UInt32
  ) throws -> any Coding.Type {
    let name = records[record].chain[0]
    let found: any Coding.Type
    if let listed = table.type(named: name) {
      found = listed
    } else {
      let own = type.archivedClass
      guard own.name == name || own.formerNames.contains(name) else {
        throw classFault(node, "\(own.name)")
      }
      found = type
    }
    guard found == type || isSubclass(found, of: type) else {
      throw classFault(node, type.archivedClass.name)
    }
    note(record, slot: ObjectIdentifier(type), found)
    return found
  }

  /// The type to make for a class in a place of a list; `nil` when it is not listed.
  func resolve<Slot>(_ record: Int, _ classes: ClassList<Slot>) -> (any Coding.Type)? {
    let slot = ObjectIdentifier(classes.table)
    if records[record].slot == slot { return records[record].type }
    let found = classes.table.type(named: records[record].chain[0])
    note(record, slot: slot, found)
    return found
  }

  private func note(_ record: Int, slot: ObjectIdentifier, _ type: (any Coding.Type)?) {
    records[record].slot = slot
    records[record].type = type
    records[record].traits.isObject = type is AnyObject.Type
    let isSpecial = type is any SpecialCoding.Type
    records[record].traits.isAwaking = isSpecial && type is any AwakingCoding.Type
    records[record].traits.isIdentified = isSpecial && type is any IdentifiedCoding.Type
  }

  private func isSubclass<Object>(_ candidate: Any.Type, of type: Object.Type) -> Bool {
    candidate is Object.Type
  }

  /// The error for an object whose class is not admitted at its place.
  @inline(never)
  func classFault(_ node: UInt32, _ expected: String) -> ArchiveError {
    let reference = try? body(of: node)
    let found: String
    if let graphNode = try? graph.node(NodeID(rawValue: node)),
      let name = graphNode.classChain.first
    {
      found = "an object of class \(name)"
    } else if let reference, let object = try? list.object(reference) {
      found = object.kindName
    } else {
      found = "something else"
    }
    return fault(.classNotAllowed, reference, "expected \(expected), found \(found)")
  }
}
