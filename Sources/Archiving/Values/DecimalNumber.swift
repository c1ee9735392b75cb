import PropertyLists

extension Cocoa {
  /// A decimal number of up to 38 digits, exact: Foundation's `NSDecimalNumber`.
  ///
  /// Its value is the mantissa times ten to the exponent. The text is plain decimal, without an
  /// exponent: `-12.345`.
  public struct DecimalNumber: Coding, FoundationValue, LosslessStringConvertible {
    /// The digits as a whole number; 0 for "not a number".
    public let mantissa: UInt128
    /// The power of ten, from -128 to 127.
    public let exponent: Int
    /// Whether it is below zero.
    public let isNegative: Bool
    /// Whether it is "not a number".
    public let isNaN: Bool
    /// Whether the mantissa is known to have no factor of ten.
    let isCompact: Bool

    /// Makes a number; `nil` when the exponent is out of range.
    public init?(mantissa: UInt128, exponent: Int = 0, isNegative: Bool = false) {
      self.init(
        mantissa: mantissa, exponent: exponent, isNegative: isNegative, isCompact: false)
    }

    init?(mantissa: UInt128, exponent: Int, isNegative: Bool, isCompact: Bool) {
      guard Self.exponents.contains(exponent) else { return nil }
      self.mantissa = mantissa
      self.exponent = exponent
      self.isNegative = isNegative && mantissa != 0
      self.isCompact = isCompact
      isNaN = false
    }

    private init(isNaN: Bool) {
      (mantissa, exponent, isNegative, isCompact) = (0, 0, false, false)
      self.isNaN = isNaN
    }

    /// Not a number.
    public static let nan = DecimalNumber(isNaN: true)

    private static let exponents = -128...127
  }
}

extension Cocoa.DecimalNumber {
  /// Reads a decimal number such as `-12.345` or `6.02e23`, or `NaN`.
  ///
  /// `nil` for any other text, and when the digits or the exponent are too many to be exact.
  public init?(_ description: String) {
    if description == "NaN" {
      self = .nan
      return
    }
    var text = Substring(description)[...]
    let isNegative = text.first == "-"
    if isNegative || text.first == "+" { text = text.dropFirst() }
    let parts = text.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    guard let number = parts.first, !number.isEmpty, number != "." else { return nil }
    var exponent = 0
    if parts.count == 2 {
      guard parts[1].utf8.count <= 5, let power = Int(parts[1]) else { return nil }
      exponent = power
    }
    let halves = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    var digits = halves.joined().utf8.map { $0 }
    // Zeros in front count for nothing, those at the end for the exponent only.
    digits = [UInt8](digits.drop { $0 == 0x30 })
    guard digits.count <= 300, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    if halves.count == 2 { exponent -= halves[1].utf8.count }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    var mantissa: UInt128 = 0
    for digit in digits {
      let (product, tooLarge) = mantissa.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(UInt128(digit - 0x30))
      guard !tooLarge, !overflow else { return nil }
      mantissa = sum
    }
    if mantissa == 0 { exponent = 0 }
    // A power that is too high can be taken by the digits where they leave room.
    while exponent > 127 {
      let (product, overflow) = mantissa.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      mantissa = product
      exponent -= 1
    }
    self.init(mantissa: mantissa, exponent: exponent, isNegative: isNegative, isCompact: true)
  }

  public var description: String {
    if isNaN { return "NaN" }
    let sign = isNegative ? "-" : ""
    let digits = String(mantissa)
    if mantissa == 0 { return "0" }
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    let places = -exponent
    let padded =
      digits.utf8.count <= places
      ? String(repeating: "0", count: places + 1 - digits.utf8.count) + digits : digits
    var fraction = padded.suffix(places)
    while fraction.last == "0" { fraction = fraction.dropLast() }
    let whole = padded.dropLast(places)
    return sign + whole + (fraction.isEmpty ? "" : "." + fraction)
  }

  /// The nearest real number.
  public var asDouble: Double {
    if isNaN { return .nan }
    return Double("\(isNegative ? "-" : "")\(mantissa)e\(exponent)") ?? 0
  }
}

extension Cocoa.DecimalNumber {
  public static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSDecimalNumberPlaceholder",
      superclass: ArchivedClass(
        "NSDecimalNumber",
        superclass: ArchivedClass("NSNumber", superclass: ArchivedClass("NSValue"))),
      formerNames: ["NSDecimalNumber"])
  }

  var asObject: Cocoa.Object { .decimalNumber(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    isKeyed ? Self.archivedClass : "NSDecimalNumberPlaceholder"
  }

  /// The mantissa in words of 16 bits, the least significant first, as many as are needed.
  private var words: [UInt16] {
    var words: [UInt16] = []
    var rest = mantissa
    while rest > 0 {
      words.append(UInt16(truncatingIfNeeded: rest))
      rest >>= 16
    }
    return words
  }

  public func encode(with coder: any EncodingCoder) throws {
    let words = self.words
    let all = words + [UInt16](repeating: 0, count: 8 - words.count)
    // "Not a number" is a negative one without digits.
    let isNegative = self.isNegative || isNaN
    guard coder.allowsKeyedCoding else {
      try coder.encodeValues([.integer(Int64(exponent))], ofTypes: "i")
      try coder.encodeValues([.integer(Int64(words.count))], ofTypes: "S")
      try coder.encodeValues([.integer(isNegative ? 1 : 0)], ofTypes: "C")
      try coder.encodeValues([.integer(isCompact ? 1 : 0)], ofTypes: "C")
      try coder.encodeValues([.integer(8)], ofTypes: "I")
      return try coder.encodeValues([.array(all.map { .integer(Int64($0)) })], ofTypes: "[8S]")
    }
    try coder.encodeInt(exponent, forKey: "NS.exponent")
    try coder.encodeInt(words.count, forKey: "NS.length")
    try coder.encodeBool(isNegative, forKey: "NS.negative")
    try coder.encodeBool(isCompact, forKey: "NS.compact")
    try coder.encodeInt(1, forKey: "NS.mantissa.bo")
    try coder.encodeBytes(
      all.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
      forKey: "NS.mantissa")
  }

  public init(coder: any DecodingCoder) throws {
    if try coder.isPositional(insteadOf: "NS.exponent") {
      let text = try coder.decodeString()
      guard let number = Cocoa.DecimalNumber(text) else {
        throw coder.invalidValue("\(text.prefix(50)) is not a decimal number", forKey: "$0")
      }
      self = number
      return
    }
    let parts = try coder.allowsKeyedCoding ? Parts(from: coder) : Parts(inOrderFrom: coder)
    guard parts.length >= 0, parts.length <= 8, parts.length <= parts.words.count else {
      throw coder.invalidValue(
        "a mantissa of \(counted(parts.length, "word"))", forKey: "NS.length")
    }
    if parts.length == 0, parts.isNegative {
      self = .nan
      return
    }
    let mantissa = parts.words[..<parts.length].reversed().reduce(UInt128(0)) {
      $0 << 16 | UInt128($1)
    }
    guard
      let number = Cocoa.DecimalNumber(
        mantissa: mantissa, exponent: parts.exponent, isNegative: parts.isNegative,
        isCompact: parts.isCompact)
    else {
      throw coder.invalidValue("an exponent of \(parts.exponent)", forKey: "NS.exponent")
    }
    self = number
  }
}

/// The fields of a decimal number as archives have them.
private struct Parts {
  var exponent: Int
  var length: Int
  var isNegative: Bool
  var isCompact: Bool
  var words: [UInt16]

  init(from coder: any DecodingCoder) throws {
    exponent = try coder.decodeInt(forKey: "NS.exponent")
    length = try coder.decodeInt(forKey: "NS.length")
    isNegative = try coder.decodeBoolIfPresent(forKey: "NS.negative") ?? false
    isCompact = try coder.decodeBoolIfPresent(forKey: "NS.compact") ?? false
    let order = try coder.decodeIntIfPresent(forKey: "NS.mantissa.bo") ?? 1
    let bytes = try coder.decodeBytes(forKey: "NS.mantissa")
    guard bytes.count == 16, order == 1 || order == 2 else {
      throw coder.invalidValue("a mantissa has 16 bytes in order 1 or 2", forKey: "NS.mantissa")
    }
    words = stride(from: 0, to: 16, by: 2).map { place in
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      return order == 1 ? second << 8 | first : first << 8 | second
    }
  }

  init(inOrderFrom coder: any DecodingCoder) throws {
    func integer(_ type: String) throws -> Int {
      guard case .integer(let value) = try coder.decodeValues(ofTypes: type).first else {
        throw coder.valueNotFound()
      }
      return Int(value)
    }
    exponent = try integer("i")
    length = try integer("S")
    isNegative = try integer("C") != 0
    isCompact = try integer("C") != 0
    guard try integer("I") == 8,
      case .array(let values) = try coder.decodeValues(ofTypes: "[8S]").first
    else { throw coder.invalidValue("a mantissa has 8 words", forKey: "mantissa") }
    words = values.map {
      if case .integer(let value) = $0 { UInt16(truncatingIfNeeded: value) } else { 0 }
    }
  }
}
