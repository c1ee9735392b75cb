extension Cocoa {
  /// A text with attributes on its parts: `NSAttributedString` and `NSMutableAttributedString`.
  public struct AttributedString: Coding, FoundationValue {
    /// A part of the text and its attributes.
    public struct Run: Hashable, Sendable {
      /// How many UTF-16 units it covers, at least one.
      public var length: Int
      /// The attributes by their names.
      public var attributes: Dictionary

      /// Makes a run.
      public init(length: Int, attributes: Dictionary) {
        self.length = length
        self.attributes = attributes
      }
    }

    /// The text.
    public let text: String
    /// The runs, which cover the text; none when it has no attributes at all.
    public let runs: [Run]
    /// Whether it is archived as `NSMutableAttributedString`.
    public let isMutable: Bool

    /// Makes a text without attributes.
    public init(_ text: String, isMutable: Bool = false) {
      self.text = text
      runs = []
      self.isMutable = isMutable
    }

    /// Makes a text with attributes; `nil` unless the runs cover it exactly.
    public init?(_ text: String, runs: [Run], isMutable: Bool = false) {
      var rest = text.utf16.count
      for run in runs {
        guard run.length > 0, run.length <= rest else { return nil }
        rest -= run.length
      }
      guard rest == 0 || runs.isEmpty else { return nil }
      self.text = text
      self.runs = runs.allSatisfy(\.attributes.pairs.isEmpty) ? [] : runs
      self.isMutable = isMutable
    }
  }
}

extension Cocoa.AttributedString {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSAttributedString", formerNames: ["NSMutableAttributedString"])
  }

  var asObject: Cocoa.Object { .attributedString(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isMutable
      ? ArchivedClass("NSMutableAttributedString", superclass: "NSAttributedString")
      : "NSAttributedString"
  }

  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else { return try encodeGroups(with: coder) }
    if isMutable {
      try coder.encodeObject(Cocoa.MutableString(text), forKey: "NSString")
    } else {
      try coder.encodeString(text, forKey: "NSString")
    }
    guard let first = runs.first else { return }
    if runs.count == 1 { return try coder.encodeObject(first.attributes, forKey: "NSAttributes") }
    var numbers: [Cocoa.Dictionary: Int] = [:]
    var table: [Cocoa.Object] = []
    var info: [UInt8] = []
    for run in runs {
      let number = numbers[run.attributes] ?? table.count
      if number == table.count {
        numbers[run.attributes] = number
        table.append(.dictionary(run.attributes))
      }
      Varints.append(run.length, to: &info)
      Varints.append(number, to: &info)
    }
    try coder.encodeObject(Cocoa.Array(table, isMutable: true), forKey: "NSAttributes")
    try coder.encodeObject(Cocoa.MutableData(info), forKey: "NSAttributeInfo")
  }

  /// The string, then for each run its number and length, and new attributes with their first use.
  private func encodeGroups(with coder: any EncodingCoder) throws {
    if isMutable {
      try coder.encodeObject(Cocoa.MutableString(text))
    } else {
      try coder.encodeString(text)
    }
    var numbers: [Cocoa.Dictionary: Int] = [:]
    let length = text.utf16.count
    let all =
      runs.isEmpty && length > 0
      ? [Run(length: length, attributes: [:])] : runs
    for run in all {
      let number = numbers[run.attributes] ?? numbers.count + 1
      try coder.encodeValues(
        [.integer(Int64(number)), .integer(Int64(run.length))], ofTypes: "iI")
      if number == numbers.count + 1 {
        numbers[run.attributes] = number
        try coder.encodeObject(run.attributes)
      }
    }
  }

  public init(coder: any DecodingCoder) throws {
    let isMutable = coder.isCurrentClass("NSMutableAttributedString")
    let text: String
    let runs: [Run]
    if coder.allowsKeyedCoding {
      text = try coder.decodeString(forKey: "NSString")
      runs = try Self.runs(of: text, from: coder)
    } else {
      text = try coder.decodeString()
      runs = try Self.runs(of: text, inOrderFrom: coder)
    }
    guard let value = Cocoa.AttributedString(text, runs: runs, isMutable: isMutable) else {
      throw coder.invalidValue("the runs do not cover the string", forKey: "NSAttributeInfo")
    }
    self = value
  }

  private static func runs(of text: String, from coder: any DecodingCoder) throws -> [Run] {
    let table: [Cocoa.Object]
    switch try coder.decodeAnyValueIfPresent(forKey: "NSAttributes") {
    case nil: return []
    case .dictionary(let attributes):
      let length = text.utf16.count
      return length > 0 ? [Run(length: length, attributes: attributes)] : []
    case .array(let array): table = array.elements
    default:
      throw coder.invalidValue("expected a dictionary or an array", forKey: "NSAttributes")
    }
    let info = try coder.decodeData(forKey: "NSAttributeInfo")
    guard let numbers = Varints.numbers(in: info), numbers.count.isMultiple(of: 2) else {
      throw coder.invalidValue("expected pairs of numbers", forKey: "NSAttributeInfo")
    }
    return try stride(from: 0, to: numbers.count, by: 2).map { place in
      let number = numbers[place + 1]
      guard number < table.count, case .dictionary(let attributes) = table[number] else {
        throw coder.invalidValue("no attributes with number \(number)", forKey: "NSAttributeInfo")
      }
      return Run(length: numbers[place], attributes: attributes)
    }
  }

  private static func runs(
    of text: String, inOrderFrom coder: any DecodingCoder
  ) throws -> [Run] {
    var runs: [Run] = []
    var table: [Cocoa.Dictionary] = []
    var rest = text.utf16.count
    while rest > 0 {
      let values = try coder.decodeValues(ofTypes: "iI")
      guard values.count == 2, case .integer(let number) = values[0],
        case .integer(let length) = values[1], length > 0, length <= Int64(rest), number > 0,
        number <= Int64(table.count) + 1
      else { throw coder.invalidValue("the runs do not cover the string", forKey: "runs") }
      if number == Int64(table.count) + 1 {
        table.append(try coder.decodeObject(Cocoa.Dictionary.self))
      }
      runs.append(Run(length: Int(length), attributes: table[Int(number) - 1]))
      rest -= Int(length)
    }
    return runs
  }
}
