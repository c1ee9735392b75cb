import PortolanMemory
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
    if kind == .port, isReference(record) {
      try note(record, slot: ObjectIdentifier(type), PortReference.self, isSpecial: true)
      return PortReference.self
    }
    let isSpecial = type is any SpecialCoding.Type
    try checkName(type, isSpecial: isSpecial)
    let own = type.archivedClass
    let found = knownType(record) { name in
      table.type(named: name)
        ?? (own.isNamed(name) ? type : nil)
    }
    guard let found else { throw classFault(node, own.name, chain(record)) }
    guard found == type || isSubclass(found, of: type) || isCheckedLater(found) else {
      if let reason = ArchivedName.clash(of: found, inPlaceOf: type) {
        throw fault(.misuse, nil, reason)
      }
      throw classFault(node, own.name)
    }
    try note(
      record, slot: ObjectIdentifier(type), found,
      isSpecial: found == type ? isSpecial : found is any SpecialCoding.Type)
    return found
  }

  /// The type to make for a class in a place of a list; `nil` when it is not listed.
  func resolve<Slot>(
    _ record: Int, _ classes: ClassList<Slot>, _ node: UInt32
  ) throws -> (any Coding.Type)? {
    let slot = ObjectIdentifier(classes.table)
    if records[record].slot == slot { return records[record].type }
    if let reason = classes.table.nameFault { throw fault(.misuse, nil, reason) }
    if kind == .port, isReference(record) {
      try note(record, slot: slot, PortReference.self, isSpecial: true)
      return PortReference.self
    }
    let found = knownType(record) {
      classes.table.type(named: $0) ?? table.type(named: $0, under: classes.table)
    }
    if let found, !classes.table.admits(found) { throw classFault(node, classes.expected) }
    try note(record, slot: slot, found, isSpecial: found is any SpecialCoding.Type)
    records[record].slotTable = classes.table
    return found
  }

  /// The type for the names of a class, in the order of Cocoa: the other names of this unarchiver,
  /// the types' own names, the names that the archive suggests if they are followed, the delegate.
  private func knownType(
    _ record: Int, _ ownType: (String) -> (any Coding.Type)?
  ) -> (any Coding.Type)? {
    // Without a copy of the record.
    let name = records.withUnsafeBufferPointer { $0[record].name }
    if let known = otherNames.type(forName: name) ?? ownType(name) { return known }
    if followsClassHints {
      let hints = (try? graph.classHints(NodeID(rawValue: records[record].node))) ?? []
      for name in hints {
        if let known = otherNames.type(forName: name) ?? ownType(name) { return known }
      }
    }
    return delegate?.unarchiver(
      self, cannotDecodeObjectOfClassName: name, originalClasses: chain(record))
  }

  /// The names of a class and its superclasses.
  private func chain(_ record: Int) -> [String] {
    // It was looked at for its faults when the record was met.
    (try? graph.classChain(NodeID(rawValue: records[record].node))) ?? [records[record].name]
  }

  /// Whether the class of a node is listed.
  func isListed(_ node: UInt32) -> Bool {
    let chain = try? graph.node(NodeID(rawValue: node)).classChain
    return chain?.first.map { isListed($0) } ?? false
  }

  /// Throws when a type or one of the listed classes has the name of another; asked once each.
  private func checkName(_ type: any Coding.Type, isSpecial: Bool) throws {
    // A program has few types: going through them costs less than a set.
    for place in 0..<checkedNames.count where checkedNames[place] == ObjectIdentifier(type) {
      return
    }
    if let reason = table.nameFault ?? ArchivedName.inherited(by: type, isSpecial: isSpecial) {
      throw fault(.misuse, nil, reason)
    }
    checkedNames.append(ObjectIdentifier(type))
  }

  /// Whether objects of a class are references to objects of this or another program.
  private func isReference(_ record: Int) -> Bool {
    records[record].name == PortReference.archivedClass.name
  }

  private func note(
    _ record: Int, slot: ObjectIdentifier, _ type: (any Coding.Type)?, isSpecial: Bool
  ) throws {
    if isSpecial, let type, var error = ArchiveError.refusal(of: type, by: self, kind) {
      error.path = path()
      throw error
    }
    records[record].slot = slot
    records[record].type = type
    records[record].traits = TypeTraits(of: type, isSpecial: isSpecial)
  }

  /// Forgets which types the classes of the archive are taken for.
  func forgetTypes() {
    for record in records.indices { records[record].slot = nil }
  }

  /// Whether another object may be handed out for an instance, so that the place is checked then.
  private func isCheckedLater(_ type: any Coding.Type) -> Bool {
    type is any AwakingCoding.Type || (asksDelegate && table.holds(type))
  }

  private func isSubclass<Object>(_ candidate: Any.Type, of type: Object.Type) -> Bool {
    candidate is Object.Type
  }

  /// The error for an object whose class is not admitted at its place.
  @inline(never)
  func classFault(
    _ node: UInt32, _ expected: String, _ chain: [String] = []
  ) -> ArchiveError {
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
    // A subclass of what is expected, by the archive's own words.
    let hint = chain.dropFirst().contains(expected) ? "; list it in `classes:`" : ""
    return fault(.classNotAllowed, reference, "expected \(expected), found \(found)\(hint)")
  }
}
