import PropertyLists

// Points, sizes, rectangles and ranges. A keyed archive has them as text under a key, and as real
// numbers without one; a sequential archive has them as structures.

extension EncodingCoder {
  /// Encodes a point.
  public func encodePoint(_ point: Cocoa.Point, forKey key: String) throws {
    guard allowsKeyedCoding else { return try encodePoint(point) }
    try encodeString(point.description, forKey: key)
  }

  /// Encodes a size.
  public func encodeSize(_ size: Cocoa.Size, forKey key: String) throws {
    guard allowsKeyedCoding else { return try encodeSize(size) }
    try encodeString(size.description, forKey: key)
  }

  /// Encodes a rectangle.
  public func encodeRect(_ rect: Cocoa.Rect, forKey key: String) throws {
    guard allowsKeyedCoding else { return try encodeRect(rect) }
    try encodeString(rect.description, forKey: key)
  }

  /// Encodes a range.
  public func encodeRange(_ range: Cocoa.Range, forKey key: String) throws {
    guard allowsKeyedCoding else { return try encodeRange(range) }
    try encodeString(range.description, forKey: key)
  }

  /// Encodes a point without a key.
  public func encodePoint(_ point: Cocoa.Point) throws {
    try encodeReals([point.x, point.y], as: "{CGPoint=dd}") { .structure($0) }
  }

  /// Encodes a size without a key.
  public func encodeSize(_ size: Cocoa.Size) throws {
    try encodeReals([size.width, size.height], as: "{CGSize=dd}") { .structure($0) }
  }

  /// Encodes a rectangle without a key.
  public func encodeRect(_ rect: Cocoa.Rect) throws {
    let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
    try encodeReals(numbers, as: "{CGRect={CGPoint=dd}{CGSize=dd}}") {
      .structure([.structure(Array($0[..<2])), .structure(Array($0[2...]))])
    }
  }

  /// Encodes a range without a key.
  public func encodeRange(_ range: Cocoa.Range) throws {
    guard !allowsKeyedCoding else {
      try encodeInt(range.location)
      return try encodeInt(range.length)
    }
    try encodeValues(
      [.structure([.integer(Int64(range.location)), .integer(Int64(range.length))])],
      ofTypes: "{_NSRange=QQ}")
  }

  private func encodeReals(
    _ numbers: [Double], as type: String, _ structure: ([TypedValue]) -> TypedValue
  ) throws {
    if allowsKeyedCoding {
      for number in numbers { try encodeDouble(number) }
      return
    }
    try encodeValues([structure(numbers.map { .double($0) })], ofTypes: type)
  }
}

extension DecodingCoder {
  /// Decodes a point.
  public func decodePointIfPresent(forKey key: String) throws -> Cocoa.Point? {
    guard allowsKeyedCoding else { return try decodePoint() }
    return try parsed(key, "a point") { Cocoa.Point($0) }
  }

  /// Decodes a size.
  public func decodeSizeIfPresent(forKey key: String) throws -> Cocoa.Size? {
    guard allowsKeyedCoding else { return try decodeSize() }
    return try parsed(key, "a size") { Cocoa.Size($0) }
  }

  /// Decodes a rectangle.
  public func decodeRectIfPresent(forKey key: String) throws -> Cocoa.Rect? {
    guard allowsKeyedCoding else { return try decodeRect() }
    return try parsed(key, "a rectangle") { Cocoa.Rect($0) }
  }

  /// Decodes a range.
  public func decodeRangeIfPresent(forKey key: String) throws -> Cocoa.Range? {
    guard allowsKeyedCoding else { return try decodeRange() }
    return try parsed(key, "a range") { Cocoa.Range(text: $0) }
  }

  /// Decodes a point; throws when it is absent.
  public func decodePoint(forKey key: String) throws -> Cocoa.Point {
    try present(decodePointIfPresent(forKey: key), key)
  }

  /// Decodes a size; throws when it is absent.
  public func decodeSize(forKey key: String) throws -> Cocoa.Size {
    try present(decodeSizeIfPresent(forKey: key), key)
  }

  /// Decodes a rectangle; throws when it is absent.
  public func decodeRect(forKey key: String) throws -> Cocoa.Rect {
    try present(decodeRectIfPresent(forKey: key), key)
  }

  /// Decodes a range; throws when it is absent.
  public func decodeRange(forKey key: String) throws -> Cocoa.Range {
    try present(decodeRangeIfPresent(forKey: key), key)
  }

  /// Decodes a point without a key.
  public func decodePoint() throws -> Cocoa.Point {
    let numbers = try decodeReals(2, as: ["{CGPoint=dd}", "{_NSPoint=ff}", "{_NSPoint=dd}"])
    return Cocoa.Point(x: numbers[0], y: numbers[1])
  }

  /// Decodes a size without a key.
  public func decodeSize() throws -> Cocoa.Size {
    let numbers = try decodeReals(2, as: ["{CGSize=dd}", "{_NSSize=ff}", "{_NSSize=dd}"])
    return Cocoa.Size(width: numbers[0], height: numbers[1])
  }

  /// Decodes a rectangle without a key.
  public func decodeRect() throws -> Cocoa.Rect {
    let numbers = try decodeReals(
      4,
      as: [
        "{CGRect={CGPoint=dd}{CGSize=dd}}", "{_NSRect={_NSPoint=ff}{_NSSize=ff}}",
        "{_NSRect={_NSPoint=dd}{_NSSize=dd}}",
      ])
    return Cocoa.Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Decodes a range without a key.
  public func decodeRange() throws -> Cocoa.Range {
    var numbers: [Int]
    if allowsKeyedCoding {
      numbers = [try decodeInt(), try decodeInt()]
    } else {
      let values = try decodeStructure(["{_NSRange=QQ}", "{_NSRange=II}"])
      numbers = values.compactMap {
        if case .integer(let number) = $0 { Int(exactly: number) } else { nil }
      }
    }
    guard numbers.count == 2, let range = Cocoa.Range(location: numbers[0], length: numbers[1])
    else { throw notGeometry("a range of such numbers cannot be") }
    return range
  }

  private func decodeReals(_ count: Int, as types: [String]) throws -> [Double] {
    guard !allowsKeyedCoding else { return try (0..<count).map { _ in try decodeDouble() } }
    let numbers = try decodeStructure(types).map {
      switch $0 {
      case .double(let number): number
      case .float(let number): Double(number)
      default: Double.nan
      }
    }
    guard numbers.count == count else { throw notGeometry("not \(counted(count, "number"))") }
    return numbers
  }

  /// The fields of the structure that comes next, which is of one of some types.
  private func decodeStructure(_ types: [String]) throws -> [TypedValue] {
    var first: (any Error)?
    for type in types {
      do {
        // A group of other types is left where it is.
        let values = try decodeValues(ofTypes: type)
        return values.flatMap { $0.fields.flatMap(\.fields) }
      } catch let error as ArchiveError where error.code == .typeMismatch {
        first = first ?? error
      }
    }
    throw first ?? valueNotFound()
  }

  private func notGeometry(_ reason: String) -> ArchiveError {
    ArchiveError(.invalidValue, path: valueNotFound().path, reason)
  }

  private func parsed<Value>(
    _ key: String, _ name: String, _ parse: (String) -> Value?
  ) throws -> Value? {
    guard let text = try decodeStringIfPresent(forKey: key) else { return nil }
    guard let value = parse(text) else {
      throw invalidValue("a text that is not \(name)", forKey: key)
    }
    return value
  }
}

extension TypedValue {
  /// The fields of a structure; the value itself where it is none.
  fileprivate var fields: [TypedValue] {
    if case .structure(let fields) = self { fields } else { [self] }
  }
}

extension Cocoa.Range {
  /// Reads `{location, length}`; a number that is missing is zero.
  init?(text: String) {
    var numbers: [Int] = []
    for part in text.utf8.split(whereSeparator: { !(0x30...0x39).contains($0) }) {
      guard numbers.count < 2, let number = Int(Substring(part)) else { return nil }
      numbers.append(number)
    }
    guard text.utf8.allSatisfy({ "{}, 0123456789\t\n".utf8.contains($0) }) else { return nil }
    self.init(location: numbers.first ?? 0, length: numbers.count > 1 ? numbers[1] : 0)
  }
}
