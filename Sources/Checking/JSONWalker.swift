/// A fault that ends the check of a text.
struct ScanStop: Error {
  var code: FaultCode
  var offset: Int
  var message: String
}

/// The kind of a JSON value.
enum ValueKind: UInt8 {
  case null, bool, number, string, array, object

  var words: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A fault of the text that the walker passed over.
struct TextFault {
  var code: FaultCode
  var offset: Int
  var message: String
  var edit: TextEdit?
  /// The way to its object from the value that was being skipped.
  var path = ""
}

/// Walks over JSON text, and over much that is nearly JSON.
///
/// It never recurses and reads no byte beyond the end. Unmistakable faults
/// (commas, NaN, odd numbers, bytes that are not UTF-8) are noted in `faults` and passed over; all
/// others stop it.
struct JSONWalker {
  let base: UnsafePointer<UInt8>
  let count: Int
  var position = 0
  /// The faults that were passed over, to be taken by the checker.
  var faults: [TextFault] = []
  /// How many faults of each code were passed over without being noted: there were too many.
  var unnoted: [FaultCode: Int] = [:]
  /// The names of the members of the objects around the position.
  var keys = KeyTable()
  /// The most faults that are noted before they are taken.
  var notedMax = 2_000

  /// The deepest nesting of values.
  static let depthMax = 1000

  /// - Parameter bytes: the text; it must live as long as the walker.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return nil }
    self.base = base
    count = bytes.count
  }

  /// The byte here; 0 at the end.
  @inline(__always)
  var current: UInt8 { position < count ? base[position] : 0 }

  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset >= 0 && offset < count ? base[offset] : 0 }

  @inline(__always)
  var isAtEnd: Bool { position >= count }

  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let range = range.clamped(to: 0..<count)
    return UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes(range), as: UTF8.self) }

  @inline(__always)
  mutating func skipWhitespace() {
    while position < count {
      let byte = base[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
    }
  }

  /// The kind of the value that begins here; `nil` if none does.
  @inline(__always)
  var kindHere: ValueKind? {
    switch current {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "-"), 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "."): .number
    case UInt8(ascii: "N"), UInt8(ascii: "I"): .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): byte(at: position + 1) == UInt8(ascii: "a") ? .number : .null
    default: nil
    }
  }

  mutating func note(
    _ code: FaultCode, at offset: Int, _ message: String, _ edit: TextEdit? = nil
  ) {
    guard faults.count < notedMax else {
      unnoted[code, default: 0] += 1
      return
    }
    faults.append(TextFault(code: code, offset: offset, message: message, edit: edit))
  }

  /// The stop at an unexpected byte.
  func unexpected(_ wanted: String) -> ScanStop {
    if isAtEnd {
      return ScanStop(code: .cut, offset: count, message: "the text ends where \(wanted) should be")
    }
    let mark = bytes(position..<min(count, position + 7))
    if mark.count == 7, let first = mark.first,
      [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")].contains(first),
      mark.allSatisfy({ $0 == first })
    {
      return ScanStop(
        code: .conflictMarks, offset: position, message: "a mark of a git conflict is here")
    }
    let detail =
      switch current {
      case UInt8(ascii: "'"): "; strings stand in double quotes"
      case UInt8(ascii: "/"), UInt8(ascii: "#"): "; JSON has no comments"
      default: ""
      }
    return ScanStop(
      code: .syntax, offset: position, message: "\(wanted) should be here\(detail)")
  }

  // MARK: Strings

  /// Scans a string; the position is at its opening quote.
  ///
  /// - Returns: the range between the quotes.
  @inline(__always)
  mutating func scanString() throws(ScanStop) -> Range<Int> {
    let open = position
    var at = position + 1
    var high: UInt8 = 0
    while at < count {
      let byte = base[at]
      if byte == UInt8(ascii: "\"") {
        position = at + 1
        if high >= 0x80 { checkUTF8(open + 1..<at) }
        return open + 1..<at
      }
      if byte == UInt8(ascii: "\\") || byte < 0x20 {
        at = try passOdd(at, open)
      } else {
        high |= byte
        at += 1
      }
    }
    throw ScanStop(code: .cut, offset: open, message: "the string is not closed")
  }

  /// Passes an escape or a control character within a string; returns the offset after it.
  private mutating func passOdd(_ at: Int, _ open: Int) throws(ScanStop) -> Int {
    let byte = base[at]
    if byte < 0x20 {
      if byte == 0x0A || byte == 0x0D {
        throw ScanStop(code: .syntax, offset: open, message: "the string is not closed in its line")
      }
      note(
        .syntax, at: at, "a control character in a string",
        TextEdit(at..<at + 1, Self.escape(of: byte)))
      return at + 1
    }
    switch self.byte(at: at + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return at + 2
    case UInt8(ascii: "u"):
      guard let code = codeUnit(at + 2) else {
        note(.syntax, at: at, "\\u takes 4 hexadecimal digits")
        return at + 2
      }
      if code & 0xFC00 == 0xD800, self.byte(at: at + 6) == UInt8(ascii: "\\"),
        self.byte(at: at + 7) == UInt8(ascii: "u"), let low = codeUnit(at + 8),
        low & 0xFC00 == 0xDC00
      {
        return at + 12
      }
      if code & 0xF800 == 0xD800 {
        note(.loneSurrogate, at: at, "half of a surrogate pair stands alone")
      }
      return at + 6
    case 0: throw ScanStop(code: .cut, offset: open, message: "the string is not closed")
    default:
      note(.syntax, at: at, "there is no such escape in JSON")
      return at + 2
    }
  }

  func codeUnit(_ at: Int) -> UInt32? {
    var code: UInt32 = 0
    for offset in 0..<4 {
      let byte = byte(at: at + offset)
      switch byte {
      case 0x30...0x39: code = code << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: code = code << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: code = code << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return code
  }

  private static func escape(of byte: UInt8) -> [UInt8] {
    if byte == 9 { return Array("\\t".utf8) }
    let digits = Array("0123456789abcdef".utf8)
    return Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  // MARK: Members and elements

  enum Separation { case next, end }

  /// Passes the comma before the next element of a container, or its closing bracket.
  @inline(__always)
  mutating func separate(close: UInt8, isFirst: Bool) throws(ScanStop) -> Separation {
    skipWhitespace()
    let byte = current
    if byte == close {
      position += 1
      return .end
    }
    if isFirst {
      if byte == UInt8(ascii: ","), position < count { try passCommas(close: close) }
      return current == close ? try endHere() : .next
    }
    if byte == UInt8(ascii: ",") {
      let comma = position
      position += 1
      skipWhitespace()
      if current == close || current == UInt8(ascii: ",") {
        note(
          .comma, at: comma, "a comma without a value after it",
          TextEdit(comma..<comma + 1, []))
        if current != close { return try separate(close: close, isFirst: false, again: true) }
        position += 1
        return .end
      }
      return .next
    }
    return try withoutComma(close: close)
  }

  private mutating func endHere() throws(ScanStop) -> Separation {
    position += 1
    return .end
  }

  /// After one comma too many: passes the others.
  private mutating func separate(
    close: UInt8, isFirst: Bool, again: Bool
  ) throws(ScanStop) -> Separation {
    while current == UInt8(ascii: ","), position < count {
      let comma = position
      position += 1
      skipWhitespace()
      guard current == UInt8(ascii: ",") || current == close else { return .next }
      note(
        .comma, at: comma, "a comma without a value after it", TextEdit(comma..<comma + 1, []))
    }
    guard current == close else { return .next }
    return try endHere()
  }

  private mutating func passCommas(close: UInt8) throws(ScanStop) {
    while current == UInt8(ascii: ","), position < count {
      note(
        .comma, at: position, "a comma without a value before it",
        TextEdit(position..<position + 1, []))
      position += 1
      skipWhitespace()
    }
  }

  /// An element without a comma before it: passed over where a value clearly begins.
  private mutating func withoutComma(close: UInt8) throws(ScanStop) -> Separation {
    let isClear =
      close == UInt8(ascii: "}")
      ? current == UInt8(ascii: "\"")
      : current == UInt8(ascii: "[") || current == UInt8(ascii: "{")
        || current == UInt8(ascii: "\"")
    let last = lastOfValueBefore
    guard isClear, last >= 0 else {
      throw unexpected(close == UInt8(ascii: "}") ? "a comma or }" : "a comma or ]")
    }
    note(
      .comma, at: position, "a comma is missing before this",
      TextEdit(last + 1..<last + 1, [UInt8(ascii: ",")]))
    return .next
  }

  /// The last byte before the white space before the position.
  private var lastOfValueBefore: Int {
    var at = position - 1
    while at >= 0, base[at] <= 0x20 { at -= 1 }
    return at
  }

  /// Passes a name and its colon; the position is then at the value.
  @discardableResult
  mutating func skipKey() throws(ScanStop) -> Range<Int> {
    guard current == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
    let key = try scanString()
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected("a colon") }
    position += 1
    skipWhitespace()
    return key
  }

  @inline(__always)
  mutating func skipScalar(_ kind: ValueKind) throws(ScanStop) {
    switch kind {
    case .string: _ = try scanString()
    case .number: _ = try scanNumber()
    case .null: try skipWord("null")
    case .bool: try skipWord(current == UInt8(ascii: "t") ? "true" : "false")
    case .array, .object: throw unexpected("a value")
    }
  }

  private mutating func skipWord(_ word: StaticString) throws(ScanStop) {
    for index in 0..<word.utf8CodeUnitCount
    where byte(at: position + index) != word.utf8Start[index] {
      throw unexpected("a value")
    }
    position += word.utf8CodeUnitCount
  }
}
