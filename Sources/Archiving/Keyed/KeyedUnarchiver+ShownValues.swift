import PropertyLists

// Values inside objects, for a delegate that sees them (`seesDecodedValues`). They are read as
// always, and what the delegate hands out takes their place.
extension KeyedUnarchiver {
  /// What the delegate handed out for the values that it saw.
  final class ShownValues {
    /// The node of a value, and the type that it was read as.
    struct Place: Hashable {
      var node: UInt32
      var type: ObjectIdentifier
    }

    /// What was handed out; `nil` for nothing.
    var finals: [Place: (any Coding)?] = [:]
  }

  /// Whether the delegate sees the values inside objects.
  @inline(__always)
  var showsValues: Bool { shownValues != nil }

  /// What the delegate hands out for the value of a node, of which it is told once.
  ///
  /// Throws `ReplacedByNothing` when that is nothing.
  private func handedOut<Value: Coding>(_ value: Value, _ node: UInt32) throws -> any Coding {
    guard let shownValues else { return value }
    let place = ShownValues.Place(node: node, type: ObjectIdentifier(Value.self))
    if let known = shownValues.finals[place] {
      guard let known else { throw ReplacedByNothing() }
      return known
    }
    guard let delegate else { return value }
    let final = try delegate.unarchiver(self, didDecode: value)
    if isOther(final, than: value) { delegate.unarchiver(self, willReplace: value, with: final) }
    shownValues.finals.updateValue(final, forKey: place)
    guard let final else { throw ReplacedByNothing() }
    return final
  }

  /// Notes what the delegate handed out as it was told of an object, so that it is not told again.
  func noteShown<Value: Coding>(_ final: Value, _ node: UInt32) {
    let place = ShownValues.Place(node: node, type: ObjectIdentifier(Value.self))
    shownValues?.finals.updateValue(final, forKey: place)
  }

  /// A value of a node, or what the delegate hands out for it.
  @inline(__always)
  func shown<Value: Coding>(_ value: Value, _ node: UInt32) throws -> Value {
    showsValues ? try admitted(handedOut(value, node)) : value
  }

  /// The same in a place of another type than that of the value.
  func handedOut<Value: Coding, Other>(
    _ value: Value, _ node: UInt32, as type: Other.Type
  ) throws -> Other {
    try admitted(handedOut(value, node))
  }

  /// The same in a place that admits the classes of a list.
  func shown<Value: Coding, Slot>(
    _ value: Value, _ node: UInt32, in classes: ClassList<Slot>
  ) throws -> Slot? {
    guard showsValues else { return value as? Slot }
    let final = try handedOut(value, node)
    guard classes.table.holds(type(of: final)) else { throw misfit(final, Slot.self) }
    return try admitted(final)
  }

  /// The value behind a reference, or what the delegate hands out for it, if it is an object of its
  /// own.
  func shown<Value: Coding>(_ value: Value?, at reference: PropertyListReference) throws -> Value? {
    guard showsValues, let value, case .uid = try list.resolved(reference),
      let node = try nodeNumber(reference)
    else { return value }
    return try unlessNothing { try admitted(handedOut(value, node)) }
  }

  /// The same for the value under a key.
  @inline(__always)
  func shown<Value: Coding>(_ value: Value?, _ key: String) throws -> Value? {
    showsValues ? try located { try shown(value, under: key) } : value
  }

  @inline(never)
  private func shown<Value: Coding>(_ value: Value?, under key: String) throws -> Value? {
    guard value != nil, let reference = try find(key) else { return value }
    return try shown(value, at: reference)
  }

  /// Data, which delegates see as an object.
  func shown(_ data: ArchivedData, at reference: PropertyListReference) throws -> ArchivedData? {
    guard showsValues, let final = try shown(Cocoa.Object.data(data.bytes), at: reference) else {
      return showsValues ? nil : data
    }
    guard let bytes = final.bytes else { throw misfit(final, Cocoa.MutableData.self) }
    return ArchivedData(bytes)
  }

  /// Objects of a list or a set, which delegates see as a collection of several types.
  func shown<Slot, Form: MixedElements>(
    _ objects: [Slot]?, _ key: String, as form: Form.Type, admits table: ClassTable? = nil
  ) throws -> [Slot]? {
    guard showsValues, let objects else { return objects }
    let elements = objects.compactMap { $0 as? any Coding }
    guard elements.count == objects.count else { return objects }
    return try shown(Form(elements), key)?.elements.map {
      try admitted($0, among: elements, table)
    }
  }

  /// Pairs of a dictionary, which delegates see as one of several types.
  func shown<Value>(
    _ pairs: [(key: String, value: Value)]?, _ key: String, admits table: ClassTable? = nil
  ) throws -> [(key: String, value: Value)]? {
    guard showsValues, let pairs else { return pairs }
    let values = pairs.compactMap { $0.value as? any Coding }
    guard values.count == pairs.count else { return pairs }
    let form = MixedDictionary(zip(pairs, values).map { (key: $0.key, value: $1) })
    return try shown(form, key)?.pairs.map {
      (key: $0.key, value: try admitted($0.value, among: values, table))
    }
  }

  /// An element of a collection, if its place admits it: as a listed class, or as it stood there.
  private func admitted<Slot>(
    _ final: any Coding, among former: [any Coding], _ table: ClassTable?
  ) throws -> Slot {
    if let table, !table.holds(type(of: final)),
      !former.contains(where: { type(of: $0) == type(of: final) })
    {
      throw misfit(final, Slot.self)
    }
    return try admitted(final)
  }

  private func admitted<Slot>(_ final: any Coding) throws -> Slot {
    guard let value = final as? Slot else { throw misfit(final, Slot.self) }
    return value
  }

  private func misfit<Slot>(_ final: any Coding, _ slot: Slot.Type) -> ArchiveError {
    fault(.classNotAllowed, nil, "expected \(slot), the delegate gave \(type(of: final))")
  }
}
