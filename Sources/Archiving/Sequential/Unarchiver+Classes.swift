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
    if checkedNames.insert(ObjectIdentifier(type)).inserted,
      let reason = table.nameFault
        ?? ArchivedName.inherited(by: type, isSpecial: type is any SpecialCoding.Type)
    {
      throw fault(.misuse, reason)
    }
    let name = records[index].name
    let own = type.archivedClass
    let found =
      classNames.type(forName: name) ?? table.type(named: name)
      ?? (own.isNamed(name) ? type : nil)
    guard let found,
      found == type || found is Object.Type || found is any AwakingCoding.Type
    else {
      if let found, let reason = ArchivedName.clash(of: found, inPlaceOf: type) {
        throw fault(.misuse, reason)
      }
      throw classFault(class: index, own.name, isUnknown: found == nil)
    }
    try note(index, slot: ObjectIdentifier(type), found)
    return found
  }

  /// The type to make for a class in a place of a list; `nil` when it is not listed.
  func resolve<Slot>(_ index: Int, _ classes: ClassList<Slot>) throws -> (any Coding.Type)? {
    let slot = ObjectIdentifier(classes.table)
    if records[index].slot == slot { return records[index].type }
    if let reason = classes.table.nameFault { throw fault(.misuse, reason) }
    let name = records[index].name
    let found =
      classNames.type(forName: name) ?? classes.table.type(named: name)
      ?? table.type(named: name, under: classes.table)
    if let found, !classes.table.admits(found) { throw classFault(class: index, classes.expected) }
    try note(index, slot: slot, found)
    records[index].slotTable = classes.table
    return found
  }

  private func note(_ index: Int, slot: ObjectIdentifier, _ type: (any Coding.Type)?) throws {
    let isSpecial = type is any SpecialCoding.Type
    if isSpecial, let type, let error = ArchiveError.refusal(of: type, by: self, .sequential) {
      throw fault(error.code, error.reason)
    }
    records[index].slot = slot
    records[index].type = type
    records[index].traits = TypeTraits(of: type, isSpecial: isSpecial)
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
  func classFault(
    class index: Int, _ expected: String, isUnknown: Bool = false
  ) -> ArchiveError {
    let parents = stream.chainWithVersions(ofClass: index).dropFirst().map(\.name)
    // A subclass of what is expected, by the stream's own words.
    let hint = isUnknown && parents.contains(expected) ? "; list it in `classes:`" : ""
    return fault(
      .classNotAllowed,
      "expected \(expected), found an object of class \(records[index].name)\(hint)")
  }
}
