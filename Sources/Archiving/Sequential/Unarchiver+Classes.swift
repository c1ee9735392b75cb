extension Unarchiver {
  /// The type to make for a class in a place of type `Object`; throws when it is not admitted.
  @inline(__always)
  func resolve<Object: Coding>(_ index: Int, _ type: Object.Type) throws -> any Coding.Type {
    if records[index].slot == ObjectIdentifier(type), let known = records[index].type {
      return known
    }
    return try lookUp(index, type)
  }

  @inline(never)
  private func lookUp<Object: Coding>(
    _ index: Int, _ type: Object.Type
  ) throws -> any Coding.Type {
    let name = records[index].name
    let found: any Coding.Type
    if let listed = table.type(named: name) {
      found = listed
    } else {
      let own = type.archivedClass
      guard own.name == name || own.formerNames.contains(name) else {
        throw classFault(class: index, own.name)
      }
      found = type
    }
    guard found == type || found is Object.Type else {
      throw classFault(class: index, type.archivedClass.name)
    }
    note(index, slot: ObjectIdentifier(type), found)
    return found
  }

  /// The type to make for a class in a place of a list; `nil` when it is not listed.
  func resolve<Slot>(_ index: Int, _ classes: ClassList<Slot>) -> (any Coding.Type)? {
    let slot = ObjectIdentifier(classes.table)
    if records[index].slot == slot { return records[index].type }
    let found = classes.table.type(named: records[index].name)
    note(index, slot: slot, found)
    return found
  }

  private func note(_ index: Int, slot: ObjectIdentifier, _ type: (any Coding.Type)?) {
    records[index].slot = slot
    records[index].type = type
    records[index].traits.isObject = type is AnyObject.Type
    let isSpecial = type is any SpecialCoding.Type
    records[index].traits.isAwaking = isSpecial && type is any AwakingCoding.Type
    records[index].traits.isIdentified = isSpecial && type is any IdentifiedCoding.Type
  }

  /// The error for an object whose class is not admitted at its place.
  @inline(never)
  func classFault(_ number: Int, _ expected: String) -> ArchiveError {
    guard number >= 0, case .object(let index)? = cursor.tables.entry(number) else {
      return fault(.classNotAllowed, "expected \(expected), found no object")
    }
    return classFault(class: index, expected)
  }

  @inline(never)
  func classFault(class index: Int, _ expected: String) -> ArchiveError {
    fault(
      .classNotAllowed,
      "expected \(expected), found an object of class \(records[index].name)")
  }
}
