import PortolanMemory
import PropertyLists

extension KeyedUnarchiver {
  public func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    if isStandard(type) { return try standardObjects(type, forKey: key) }
    guard try beginRow(key) else { return nil }
    return try handedOver(makeElements(type), key)
  }

  @inline(never)
  private func handedOver<Object: Coding>(_ made: [Object], _ key: String) throws -> [Object]? {
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
    if isText(type) || isStandard(type) { return try standardPlaces(type, forKey: key) }
    try beginRequiredRow(key)
    let values = try makeElements(type)
    return Elements(values: values, gaps: lastGaps)
  }

  func isText<Object: Coding>(_ type: Object.Type) -> Bool {
    type == String.self && !showsValues
  }

  /// Whether objects of a type are read in a loop of that type; a delegate has to see each.
  func isStandard<Object: Coding>(_ type: Object.Type) -> Bool {
    !showsValues && type is any StandardElement.Type
  }

  @inline(never)
  func standardElements<Object: Coding>(_ type: Object.Type) throws -> [Object] {
    try standardPlaces(type, forKey: "NS.objects").values
  }

  private func standardPlaces<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> Elements<Object> {
    let made =
      try isText(type)
      ? same(present(strings(forKey: key), key), as: Elements<Object>.self)
      : (type as? any StandardElement.Type)?.elements(in: self, forKey: key) as? Elements<Object>
    return try present(made, key)
  }

  @inline(never)
  private func standardObjects<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    let made = try (type as? any StandardElement.Type)?.elements(in: self, forKey: key)
    try settle()
    return try shown((made as? Elements<Object>)?.values, key)
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
    guard try beginRow(key, .set) else { return nil }
    let made = try makeElements(type)
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
    guard var open = try openRow(key, expected) else { return nil }
    do {
      var elements = Elements(values: try begin(&open, head))
      while let node = try next(
        of: &open,
        inline: { value in try inline(value).map { elements.values.append($0) } != nil })
      {
        do {
          elements.values.append(try element(node))
        } catch {
          try passNothing(error)
          elements.gaps.append(open.place)
        }
      }
      close(open.collection)
      return elements
    } catch {
      throw closed(open.collection, error)
    }
  }

  /// A collection whose elements are being read.
  ///
  /// It counts as being made, so that it cannot hold itself. The elements belong to the field of
  /// the owner, so that paths read `layers[3]` and not `layers.NS.objects[3]`.
  struct OpenCollection: BitwiseCopyable {
    /// Its node; 0 for one that stands inside its owner.
    var node: UInt32 = 0
    /// What was noted for the node before.
    var former: UInt32 = 0
  }

  private func open(_ node: UInt32) -> OpenCollection {
    defer { made[Int(node)] = Memo.underConstruction.word }
    return OpenCollection(node: node, former: made[Int(node)])
  }

  func close(_ collection: OpenCollection) {
    if collection.node != 0 { made[Int(collection.node)] = collection.former }
    frame.element = -1
  }

  /// Closes a collection that could not be read.
  @inline(never)
  func closed(_ collection: OpenCollection, _ error: any Error) -> any Error {
    let located = locatedError(error)
    if collection.node != 0 { made[Int(collection.node)] = collection.former }
    return located
  }

  /// An array or a set, and the place of the element that is being read.
  struct OpenRow: BitwiseCopyable {
    var row: PropertyListReferences
    var reference: PropertyListReference
    var collection = OpenCollection()
    var place = -1
    /// How many objects are being made around it.
    var depth = 0
    /// Where those of its elements begin that wait.
    var firstWaiting = 0
  }

  /// Opens the collection under a key; `nil` when there is none.
  @inline(never)
  func openRow(_ key: String, _ expected: FoundationClass) throws -> OpenRow? {
    guard let reference = try find(key) else { return nil }
    do {
      if case .array(let row) = try list.object(reference) {
        return OpenRow(row: row, reference: reference)
      }
      guard let node = try nodeNumber(reference) else { return nil }
      let objects = try rows(of: node, expected) { try row("NS.objects") }
      return OpenRow(row: objects.row, reference: objects.reference, collection: open(node))
    } catch {
      throw locatedError(error)
    }
  }

  @inline(never)
  private func begin<Element>(
    _ open: inout OpenRow, _ head: (PropertyListReferences) -> [Element]
  ) throws -> [Element] {
    try charge(open.row.count * MemoryLayout<Element>.stride)
    var elements = showsValues ? [] : head(open.row)
    elements.reserveCapacity(open.row.count)
    open.place = elements.count - 1
    return elements
  }

  /// The node of the next element; `nil` behind the last.
  ///
  /// As other writers have it, a value may stand in the place of a reference: `inline` adds it.
  @inline(never)
  func next(
    of open: inout OpenRow, inline: (PropertyListReference) throws -> Bool
  ) throws -> UInt32? {
    while open.place + 1 < open.row.count {
      open.place += 1
      frame.element = open.place
      guard let value = list.entry(open.place, of: open.row) else {
        throw fault(.corrupt, open.reference, "a bad reference")
      }
      if list.shortUID(value) == nil, !(try isUID(value)), try inline(value) { continue }
      guard let node = try nodeNumber(value) else {
        throw fault(.valueNotFound, open.reference, "an array holds none where an object belongs")
      }
      return node
    }
    return nil
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
    guard var open = try openPairs(key) else { return nil }
    do {
      var pairs: [(key: String, value: Value)] = []
      try reserve(&pairs, open)
      while let node = try next(of: &open) {
        do {
          let value = try value(node)
          if let name = open.name { pairs.append((name, value)) }
        } catch {
          try passNothing(error)
        }
      }
      close(open.collection)
      return pairs
    } catch {
      throw closed(open.collection, error)
    }
  }

  /// A dictionary, and the pair that is being read.
  private struct OpenPairs {
    var keys: Row
    var values: Row
    var collection: OpenCollection
    var place = -1
    /// The key of the pair; `nil` when it is replaced by nothing.
    var name: String?
  }

  /// Opens the dictionary under a key; `nil` when there is none.
  @inline(never)
  private func openPairs(_ key: String) throws -> OpenPairs? {
    guard let reference = try find(key) else { return nil }
    do {
      guard let node = try nodeNumber(reference) else { return nil }
      let (keys, values) = try rows(of: node, .dictionary) {
        (try row("NS.keys"), try row("NS.objects"))
      }
      guard keys.row.count == values.row.count else {
        throw fault(
          .corrupt, values.reference,
          "\(counted(keys.row.count, "key")) for \(counted(values.row.count, "value"))")
      }
      return OpenPairs(keys: keys, values: values, collection: open(node))
    } catch {
      throw locatedError(error)
    }
  }

  private func reserve<Value>(
    _ pairs: inout [(key: String, value: Value)], _ open: OpenPairs
  ) throws {
    try charge(open.keys.row.count * MemoryLayout<(String, Value)>.stride)
    pairs.reserveCapacity(open.keys.row.count)
  }

  /// The node of the next value; `nil` behind the last.
  @inline(never)
  private func next(of open: inout OpenPairs) throws -> UInt32? {
    guard open.place + 1 < open.keys.row.count else { return nil }
    open.place += 1
    frame.element = open.place
    guard let key = list.entry(open.place, of: open.keys.row), let name = try nodeNumber(key),
      let value = list.entry(open.place, of: open.values.row), let node = try nodeNumber(value)
    else {
      throw fault(.valueNotFound, open.keys.reference, "a dictionary holds none as key or value")
    }
    open.name = try unlessNothing { try shownString(ofNode: name) }
    return node
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
}
