import PortolanMemory
import PropertyLists

extension Unarchiver {
  public func decodeObjectsIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    guard try beginRow(key, .array) else { return nil }
    return try handedOver(makeElements(type))
  }

  public func decodeObjectsIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    let made = try elements(key, of: Slot.self) { try objectInPlace(in: classes) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeObjectSetIfPresent<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object]? {
    guard try beginRow(key, .set) else { return nil }
    return try handedOver(makeElements(type))
  }

  public func decodeObjectSetIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [Slot]? {
    let made = try elements(key, of: Slot.self, in: .set) { try objectInPlace(in: classes) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeStringSetIfPresent(forKey key: String) throws -> Set<String>? {
    try elements(key, of: String.self, in: .set) { try stringInPlace() }.map { Set($0) }
  }

  public func decodeStringsIfPresent(forKey key: String) throws -> [String]? {
    try elements(key, of: String.self) { try stringInPlace() }
  }

  public func decodeIntsIfPresent(forKey key: String) throws -> [Int]? {
    try elements(key, of: Int.self) {
      guard let number = try numberInPlace() else { return nil }
      guard let whole = number.whole else { throw wrongNumber(number, "a whole number") }
      return whole
    }
  }

  public func decodeDoublesIfPresent(forKey key: String) throws -> [Double]? {
    try elements(key, of: Double.self) { try numberInPlace()?.real }
  }

  public func decodeDictionaryIfPresent<Object: Coding>(
    of type: Object.Type, forKey key: String
  ) throws -> [String: Object]? {
    let made = try pairs(key) {
      let slot = try makingSlot(for: type)
      return slot.number < 0 ? nil : try object(type, in: slot)
    }.map { try unique($0) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeDictionaryIfPresent<Slot>(
    in classes: ClassList<Slot>, forKey key: String
  ) throws -> [String: Slot]? {
    let made = try pairs(key) { try objectInPlace(in: classes) }.map { try unique($0) }
    if outerFrames.isEmpty { try settle() }
    return made
  }

  public func decodeStringDictionaryIfPresent(forKey key: String) throws -> [String: String]? {
    try pairs(key) { try stringInPlace() }.map { try unique($0) }
  }

  public func decodeStringPairsIfPresent(
    forKey key: String
  ) throws -> [(key: String, value: String)]? {
    guard let pairs = try pairs(key, { try stringInPlace() }) else { return nil }
    if let twice = firstDuplicate(pairs) { throw doubleKey(twice) }
    return pairs
  }

  // MARK: Steps

  public func decodeObjects<Object: Coding>(
    _ type: Object.Type, forKey key: String
  ) throws -> [Object] {
    guard try beginsRow(key) else { return try requiredObjects(type, key) }
    var elements: [Object] = []
    do {
      while true {
        let beginning = try beginElement(&elements)
        if beginning == .none { return elements }
        if beginning == .plain {
          try endElement(Object(coder: self), in: &elements)
        } else {
          try addOther(&elements)
        }
      }
    } catch {
      throw abandonRow(error)
    }
  }

  /// Begins the array in the place of the next value, if its elements are handed out so.
  private func beginsRow(_ key: String) throws -> Bool {
    try !outerFrames.isEmpty && beginRow(key, .array)
  }

  @inline(never)
  private func requiredObjects<Object: Coding>(
    _ type: Object.Type, _ key: String
  ) throws -> [Object] {
    guard outerFrames.isEmpty, let made = try decodeObjectsIfPresent(type, forKey: key) else {
      throw valueNotFound(forKey: key)
    }
    return made
  }

  @inline(never)
  private func handedOver<Object>(_ made: [Object]) throws -> [Object]? {
    try settle()
    return made
  }

  /// The elements of an array object.
  private func elements<Element>(
    _ key: String, of type: Element.Type, in collection: FoundationObject = .array,
    _ element: () throws -> Element?
  ) throws -> [Element]? {
    guard try beginGroup(UInt8(ascii: "@"), key), let open = try open(collection) else {
      return nil
    }
    do {
      var elements: [Element] = []
      for place in 0..<(try begin(&elements, in: collection)) {
        try nextElement(place)
        do {
          guard let value = try element() else { throw noElement }
          elements.append(value)
        } catch {
          try passNothing(error)
        }
      }
      try endCollection(open)
      return elements
    } catch {
      throw closed(open, error)
    }
  }

  /// The number of elements of a collection; makes room for them.
  @inline(never)
  private func begin<Element>(
    _ elements: inout [Element], in collection: FoundationObject
  ) throws -> Int {
    let count = try elementCount(of: collection)
    try charge(count * MemoryLayout<Element>.stride)
    elements.reserveCapacity(count)
    return count
  }

  func elementCount(of collection: FoundationObject) throws -> Int {
    try count(bytesEach: 2, collection == .set ? UInt8(ascii: "I") : UInt8(ascii: "i"))
  }

  @inline(__always)
  func nextElement(_ place: Int) throws {
    frame.element = place
    try requireGroup(UInt8(ascii: "@"))
  }

  @inline(__always)
  func endCollection(_ open: OpenObject) throws {
    frame.element = -1
    try close(open)
  }

  var noElement: ArchiveError {
    fault(.valueNotFound, "an array holds none where an object belongs")
  }

  /// The pairs of a dictionary object whose keys are strings, in order.
  private func pairs<Value>(
    _ key: String, _ value: () throws -> Value?
  ) throws -> [(key: String, value: Value)]? {
    guard try beginGroup(UInt8(ascii: "@"), key), let open = try open(.dictionary) else {
      return nil
    }
    do {
      let pairs = try pairsInside(value)
      try close(open)
      return pairs
    } catch {
      throw closed(open, error)
    }
  }

  /// The pairs of strings of the dictionary object that is being read, in order.
  func stringPairsInside() throws -> [(key: String, value: String)] {
    try pairsInside { try stringInPlace() }
  }

  /// The pairs of the dictionary object that is being read.
  private func pairsInside<Value>(
    _ value: () throws -> Value?
  ) throws -> [(key: String, value: Value)] {
    var pairs: [(key: String, value: Value)] = []
    for place in 0..<(try begin(&pairs)) {
      let name = try nextName(place)
      do {
        guard let value = try value() else { throw noPart }
        if let name { pairs.append((name, value)) }
      } catch {
        try passNothing(error)
      }
    }
    frame.element = -1
    return pairs
  }

  /// The number of pairs of a dictionary; makes room for them.
  @inline(never)
  private func begin<Value>(_ pairs: inout [(key: String, value: Value)]) throws -> Int {
    let count = try self.count(bytesEach: 4)
    try charge(count * MemoryLayout<(String, Value)>.stride)
    pairs.reserveCapacity(count)
    return count
  }

  /// Reads the next key, and goes to its value; `nil` when it is replaced by nothing.
  @inline(never)
  private func nextName(_ place: Int) throws -> String? {
    frame.element = place
    try requireGroup(UInt8(ascii: "@"))
    let name = try unlessNothing {
      guard let name = try stringInPlace() else { throw noPart }
      return name
    }
    try requireGroup(UInt8(ascii: "@"))
    return name
  }

  private var noPart: ArchiveError {
    fault(.valueNotFound, "a dictionary holds none as key or value")
  }

  /// The number of elements, each of which takes some bytes at least.
  func count(bytesEach minimum: Int, _ type: UInt8 = UInt8(ascii: "i")) throws -> Int {
    try requireGroup(type)
    let count = Int(Int32(truncatingIfNeeded: try located { try cursor.integer() }))
    let left = cursor.reader.count - cursor.offset
    guard count >= 0, count <= left / minimum else {
      throw fault(
        .corrupt, "a collection of \(counted(count, "element")), with \(counted(left, "byte")) left"
      )
    }
    return count
  }

  private func unique<Value>(_ pairs: [(key: String, value: Value)]) throws -> [String: Value] {
    var dictionary: [String: Value] = [:]
    dictionary.reserveCapacity(pairs.count)
    for pair in pairs {
      guard dictionary.updateValue(pair.value, forKey: pair.key) == nil else {
        throw fault(.corrupt, doubleKeyReason(pair.key, pairs.map(\.key)))
      }
    }
    return dictionary
  }

  private func doubleKey(_ name: String) -> ArchiveError {
    fault(.corrupt, "the key \(name) is there twice")
  }

  // MARK: Numbers

  /// The value of a number object.
  enum Number {
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)

    /// The value, where it is whole and fits.
    var whole: Int? {
      switch self {
      case .integer(let value): Int(exactly: value)
      case .unsigned(let value): Int(exactly: value)
      case .double(let value): Int(exactly: value)
      }
    }

    /// The value, rounded where need be.
    var real: Double {
      switch self {
      case .integer(let value): Double(value)
      case .unsigned(let value): Double(value)
      case .double(let value): value
      }
    }
  }

  /// The number object in a place; `nil` for none.
  func numberInPlace() throws -> Number? {
    try foundation(.number) {
      try requireGroup(UInt8(ascii: "*"))
      let (slot, string) = try cursor.cString()
      let type = slot == .none ? [] : cursor.bytes(ofString: string)
      guard type.count == 1, let code = type.first,
        "cCBsSiIlLqQfd".utf8.contains(code)
      else {
        throw fault(
          .corrupt, "a number of the type \(String(decoding: type.prefix(64), as: UTF8.self))")
      }
      try requireGroup(code)
      return try numberValue(code)
    }
  }

  /// Reads a number of a type.
  private func numberValue(_ code: UInt8) throws -> Number {
    switch code {
    case UInt8(ascii: "f"): return .double(Double(try cursor.float().value))
    case UInt8(ascii: "d"): return .double(try cursor.double().value)
    default:
      let value = try integer(code)
      if code == UInt8(ascii: "Q"), value < 0 { return .unsigned(UInt64(bitPattern: value)) }
      return .integer(value)
    }
  }

  /// Reads a whole number of a type, cut to its width.
  func integer(_ code: UInt8) throws -> Int64 {
    switch code {
    case UInt8(ascii: "c"): Int64(Int8(bitPattern: try cursor.head()))
    case UInt8(ascii: "C"), UInt8(ascii: "B"): Int64(try cursor.head())
    default: TypedstreamCursor.cut(try cursor.integer(), to: code)
    }
  }

  private func wrongNumber(_ number: Number, _ expected: String) -> ArchiveError {
    fault(.typeMismatch, "expected \(expected), found \(number.real)")
  }
}
