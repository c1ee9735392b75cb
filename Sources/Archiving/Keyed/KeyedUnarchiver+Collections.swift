import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    let made = try objects(type, forKey: key)?.values
    try settle()
    return try shown(made, key)
  }

  /// The element of an array that stands in the array itself; `nil` for what is no value there.
  func inlineElement<Object: Coding>(
    _ type: Object.Type, _ reference: PropertyListReference
  ) throws -> Object? {
    try inlineValue(reference).flatMap { try inlineObject(type, $0) }
  }

  /// The objects of an array inside the object being made.
  func decodePlaces<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Elements<Object> {
    if type == String.self, !showsValues,
      let made = same(try present(strings(forKey: key), key), as: Elements<Object>.self)
    {
      return made
    }
    return try present(objects(type, forKey: key), key)
  }

  /// The objects of an array.
  private func objects<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Elements<Object>? {
    if !showsValues, let standard = type as? any StandardElement.Type {
      guard let made = try standard.elements(in: self, forKey: key) else { return nil }
      if let made = made as? Elements<Object> { return made }
    }
    return try elements(
      key, of: Object.self, inline: { try self.inlineElement(type, $0) },
      { try object(type, $0) })
  }

  private func strings(forKey key: String) throws -> Elements<String>? {
    try elements(
      key, of: String.self, inline: { try self.inlineElement(Cocoa.Object.self, $0)?.text },
      { try shownString(ofNode: $0) })
  }

  public func decodeObjectsIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    let made = try elements(key, of: Slot.self) { try object(in: classes, $0) }?.values
    try settle()
    return try shown(made, key, as: MixedArray.self, admits: classes.table)
  }

  public func decodeObjectSetIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    let made = try elements(key, of: Object.self, .set) { try object(type, $0) }?.values
    try settle()
    return try shown(made, key, as: MixedSet.self)
  }

  public func decodeObjectSetIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    let made = try elements(key, of: Slot.self, .set) { try object(in: classes, $0) }?.values
    try settle()
    return try shown(made, key, as: MixedSet.self, admits: classes.table)
  }

  public func decodeStringSetIfPresent(forKey key: String) throws -> Set<String>? {
    let strings = try elements(key, of: String.self, .set) { try shownString(ofNode: $0) }
    let made = try strings.map(\.values).map { strings in
      let set = Set(strings)
      // What a delegate hands out may be the same for several.
      guard showsValues || set.count == strings.count else {
        throw fault(.corrupt, nil, "a string is there twice in a set")
      }
      return set
    }
    return try shown(made, key)
  }

  public func decodeStringsIfPresent(forKey key: String) throws -> [String]? {
    try shown(strings(forKey: key)?.values, key)
  }

  public func decodeIntsIfPresent(forKey key: String) throws -> [Int]? {
    let made = try elements(
      key, of: Int.self, inline: { try self.number($0) { Int(exactly: $0) } },
      head: { row in numbers(row) { Int(exactly: $0) } },
      { node in try shown(number(body(of: node)) { Int(exactly: $0) }, node) })
    return try shown(made?.values, key)
  }

  public func decodeDoublesIfPresent(forKey key: String) throws -> [Double]? {
    let made = try elements(
      key, of: Double.self, inline: { try self.number($0) { $0.realValue } },
      head: { row in numbers(row) { $0.realValue } },
      { node in try shown(number(body(of: node)) { $0.realValue }, node) })
    return try shown(made?.values, key)
  }

  public func decodeDictionaryIfPresent<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object]? {
    let made = try pairs(key) { try object(type, $0) }.map { try unique($0, key) }
    try settle()
    return try shown(made, key)
  }

  public func decodeDictionaryIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [String: Slot]? {
    let made = try pairs(key) { try object(in: classes, $0) }
    try settle()
    return try shown(made, key, admits: classes.table).map { try unique($0, key) }
  }

  public func decodeStringDictionaryIfPresent(forKey key: String) throws -> [String: String]? {
    let made = try pairs(key) { try shownString(ofNode: $0) }.map { try unique($0, key) }
    return try shown(made, key)
  }

  public func decodeStringPairsIfPresent(
    forKey key: String
  ) throws -> [(key: String, value: String)]? {
    let made = try pairs(key) { try shownString(ofNode: $0) }
    guard let pairs = try shown(made, key) else { return nil }
    if let twice = firstDuplicate(pairs) { throw doubleKey(twice) }
    return pairs
  }

  // MARK: Steps

  /// The elements of a collection without those that are replaced by nothing.
  struct Elements<Element> {
    var values: [Element]
    /// The places of those that are left out.
    var gaps: [Int] = []

    /// How many the collection has in the archive.
    var count: Int { values.count + gaps.count }

    /// The elements outside of some places.
    func values(outside places: Set<Int>) -> [Element] {
      if places.isEmpty { return values }
      let gaps = Set(gaps)
      let standing = (0..<count).filter { !gaps.contains($0) }
      return zip(standing, values).filter { !places.contains($0.0) }.map(\.1)
    }
  }

  /// The elements of an array object, or of a set object.
  ///
  /// `head` makes the first elements of a row, as many as it can, `inline` one of a value inside
  /// the collection, `element` one of the object of any node.
  func elements<Element>(
    _ key: String, of type: Element.Type, _ expected: FoundationClass = .array,
    inline: (PropertyListReference) throws -> Element? = { _ in nil },
    head: (PropertyListReferences) -> [Element] = { _ in [] },
    _ element: (UInt32) throws -> Element
  ) throws -> Elements<Element>? {
    guard let reference = try find(key) else { return nil }
    do {
      if case .array(let row) = try list.object(reference) {
        return try elements(row, at: reference, inline, head, element)
      }
      guard let node = try nodeNumber(reference) else { return nil }
      let objects = try rows(of: node, expected) { try row("NS.objects") }
      return try whileOpen(node) {
        try elements(objects.row, at: objects.reference, inline, head, element)
      }
    } catch {
      throw locatedError(error)
    }
  }

  private func elements<Element>(
    _ row: PropertyListReferences, at reference: PropertyListReference,
    _ inline: (PropertyListReference) throws -> Element?,
    _ head: (PropertyListReferences) -> [Element], _ element: (UInt32) throws -> Element
  ) throws -> Elements<Element> {
    try charge(row.count * MemoryLayout<Element>.stride)
    var elements = showsValues ? [] : head(row)
    var gaps: [Int] = []
    elements.reserveCapacity(row.count)
    for index in elements.count..<row.count {
      frame.element = index
      guard let value = list.entry(index, of: row) else {
        throw fault(.corrupt, reference, "a bad reference")
      }
      // As other writers have it: the value itself in the place of a reference.
      if list.shortUID(value) == nil, !(try isUID(value)), let element = try inline(value) {
        elements.append(element)
        continue
      }
      guard let node = try nodeNumber(value) else {
        throw fault(.valueNotFound, reference, "an array holds none where an object belongs")
      }
      if let element = try unlessNothing({ try element(node) }) {
        elements.append(element)
      } else {
        gaps.append(index)
      }
    }
    frame.element = -1
    return Elements(values: elements, gaps: gaps)
  }

  /// The numbers of a row up to the first reference to anything but a number of up to eight bytes.
  @inline(__always)
  func numbers<Number>(
    _ row: PropertyListReferences, _ number: (PropertyListObject) -> Number?
  ) -> [Number] {
    // Not looked up for each number.
    let (list, nodes) = (list, objects)
    var numbers: [Number] = []
    numbers.reserveCapacity(row.count)
    for index in 0..<row.count {
      guard let value = list.entry(index, of: row), let node = list.shortUID(value),
        let body = list.entry(Int(node), of: nodes), let place = list.place(of: body),
        let object = list.shortNumber(at: place), let number = number(object)
      else { break }
      numbers.append(number)
    }
    return numbers
  }

  private func isUID(_ reference: PropertyListReference) throws -> Bool {
    if case .uid = try list.resolved(reference) { true } else { false }
  }

  /// The pairs of a dictionary object whose keys are strings, in order.
  private func pairs<Value>(
    _ key: String, _ value: (UInt32) throws -> Value
  ) throws -> [(key: String, value: Value)]? {
    guard let reference = try find(key) else { return nil }
    do {
      guard let node = try nodeNumber(reference) else { return nil }
      let (keys, values) = try rows(of: node, .dictionary) {
        (try row("NS.keys"), try row("NS.objects"))
      }
      guard keys.row.count == values.row.count else {
        throw fault(
          .corrupt, values.reference, "\(keys.row.count) keys for \(values.row.count) values")
      }
      return try whileOpen(node) { try pairs(keys, values, value) }
    } catch {
      throw locatedError(error)
    }
  }

  private func pairs<Value>(
    _ keys: Row, _ values: Row, _ value: (UInt32) throws -> Value
  ) throws -> [(key: String, value: Value)] {
    try charge(keys.row.count * MemoryLayout<(String, Value)>.stride)
    var pairs: [(key: String, value: Value)] = []
    pairs.reserveCapacity(keys.row.count)
    for index in 0..<keys.row.count {
      frame.element = index
      guard let keyValue = list.entry(index, of: keys.row), let name = try nodeNumber(keyValue),
        let entry = list.entry(index, of: values.row), let node = try nodeNumber(entry)
      else {
        throw fault(.valueNotFound, keys.reference, "a dictionary holds none as key or value")
      }
      let key = try unlessNothing { try shownString(ofNode: name) }
      // What is replaced by nothing is left out.
      if let value = try unlessNothing({ try value(node) }), let key { pairs.append((key, value)) }
    }
    frame.element = -1
    return pairs
  }

  private func unique<Value>(
    _ pairs: [(key: String, value: Value)], _ key: String
  ) throws -> [String: Value] {
    var dictionary: [String: Value] = [:]
    dictionary.reserveCapacity(pairs.count)
    for pair in pairs {
      guard dictionary.updateValue(pair.value, forKey: pair.key) == nil else {
        throw fault(.corrupt, nil, doubleKeyReason(pair.key, pairs.map(\.key)))
      }
    }
    return dictionary
  }

  private func doubleKey(_ name: String) -> ArchiveError {
    fault(.corrupt, nil, "the key \(name) is there twice")
  }

  private typealias Row = (row: PropertyListReferences, reference: PropertyListReference)

  /// The rows of references that a collection object holds.
  private func rows<Rows>(
    of node: UInt32, _ expected: FoundationClass, _ read: () throws -> Rows
  ) throws -> Rows {
    if case .underConstruction = Memo(made[Int(node)]) {
      throw fault(.cycle, try? body(of: node), "a collection that holds itself")
    }
    return try foundationObject(node, of: expected, read)
  }

  /// The row of references under a key of a collection object.
  private func row(_ key: String) throws -> Row {
    guard let reference = try find(key) else { throw valueNotFound(forKey: key) }
    if let row = list.shortArray(reference) { return (row, reference) }
    let object = try list.object(reference)
    guard case .array(let row) = object else {
      throw fault(.typeMismatch, reference, "expected an array, found \(object.kindName)")
    }
    return (row, reference)
  }

  /// Reads the elements of a collection, which counts as being made, so that it cannot hold itself.
  ///
  /// The elements belong to the field of the owner, so that paths read `layers[3]` and not
  /// `layers.NS.objects[3]`.
  private func whileOpen<Result>(_ node: UInt32, _ read: () throws -> Result) throws -> Result {
    let former = made[Int(node)]
    made[Int(node)] = Memo.underConstruction.word
    defer { made[Int(node)] = former }
    return try read()
  }
}
