extension Cocoa {
  /// A pattern of text: Foundation's `NSRegularExpression`. It is never compiled.
  public struct RegularExpression: Coding, FoundationValue {
    /// The pattern.
    public var pattern: String
    /// Foundation's options, a bit for each.
    public var options: Int

    /// Makes a regular expression.
    public init(_ pattern: String, options: Int = 0) {
      self.pattern = pattern
      self.options = options
    }
  }

  /// Where a regular expression was found: `NSTextCheckingResult`.
  public struct TextCheckingResult: Coding, FoundationValue {
    /// The pattern.
    public let expression: RegularExpression
    /// The whole match, then the groups; a group that took no part is at `Int.max`.
    public let ranges: [Range]

    /// Makes a result; `nil` without a range.
    public init?(_ expression: RegularExpression, ranges: [Range]) {
      guard !ranges.isEmpty else { return nil }
      self.expression = expression
      self.ranges = ranges
    }
  }
}

extension Cocoa.RegularExpression {
  public static var archivedClass: ArchivedClass { "NSRegularExpression" }

  var asObject: Cocoa.Object { .regularExpression(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(pattern, forKey: "NSPattern")
    try coder.encodeInt(options, forKey: "NSOptions")
  }

  public init(coder: any DecodingCoder) throws {
    pattern = try coder.decodeString(forKey: "NSPattern")
    options = try coder.decodeIntIfPresent(forKey: "NSOptions") ?? 0
  }
}

extension Cocoa.TextCheckingResult {
  private static let simple = "NSSimpleRegularExpressionCheckingResult"
  private static let extended = "NSExtendedRegularExpressionCheckingResult"
  private static let complex = "NSComplexRegularExpressionCheckingResult"
  private static let parent = ArchivedClass(
    "NSRegularExpressionCheckingResult", superclass: "NSTextCheckingResult")

  public static var archivedClass: ArchivedClass {
    ArchivedClass(simple, superclass: parent, formerNames: [extended, complex])
  }

  var asObject: Cocoa.Object { .textCheckingResult(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    let name =
      ranges.count < 4 ? Self.simple : ranges.count < 8 ? Self.extended : Self.complex
    return ArchivedClass(name, superclass: Self.parent)
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(ranges[0].location, forKey: "NSRangeLocation")
    try coder.encodeInt(ranges[0].length, forKey: "NSRangeLength")
    try coder.encodeObject(expression, forKey: "NSRegularExpression")
    try coder.encodeObjects(ranges.map { Cocoa.Value.range($0) }, forKey: "NSRangeArray")
  }

  public init(coder: any DecodingCoder) throws {
    let location = try coder.decodeInt(forKey: "NSRangeLocation")
    let length = try coder.decodeInt(forKey: "NSRangeLength")
    let expression = try coder.decodeObject(
      Cocoa.RegularExpression.self, forKey: "NSRegularExpression")
    let values = try coder.decodeObjects(Cocoa.Value.self, forKey: "NSRangeArray")
    let ranges = values.compactMap { value -> Cocoa.Range? in
      if case .range(let range) = value { range } else { nil }
    }
    guard ranges.count == values.count, ranges.first?.location == location,
      ranges.first?.length == length,
      let result = Cocoa.TextCheckingResult(expression, ranges: ranges)
    else { throw coder.invalidValue("not the ranges of a match", forKey: "NSRangeArray") }
    self = result
  }
}
