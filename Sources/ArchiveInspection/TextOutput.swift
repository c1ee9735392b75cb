import PortolanTexts
import PropertyLists

/// Text that leaves in pieces, so that no output is ever in memory as a whole.
package struct TextOutput {
  private var waiting: [UInt8] = []
  private let send: ([UInt8]) throws -> Void
  /// How many bytes may still be sent.
  private var bytesLeft: Int

  /// Long texts as they were written: they may be referred to again and again.
  private var longTexts: [Int: LongText] = [:]
  private var longTextsLeft: Int

  private struct LongText {
    var range: Range<Int>
    var bytes: [UInt8]
    var fault: String?
  }

  /// How many bytes wait before they are sent.
  private static let pieceSize = 1 << 16
  /// How many bytes of long texts are kept at most.
  private static let longTextsMax = 1 << 26
  /// From how many bytes on a text is long.
  private static let longCount = 256

  /// Output about a file, or two, of so many bytes together.
  package init(
    inputCount: Int, limits: InspectionLimits = InspectionLimits(),
    send: @escaping ([UInt8]) throws -> Void
  ) {
    self.send = send
    bytesLeft = limits.textByteCountMax(inputCount: inputCount)
    longTextsLeft = min(4 * min(inputCount, 1 << 40), Self.longTextsMax)
    waiting.reserveCapacity(Self.pieceSize + 1_024)
  }

  /// Drops what waits, and begins anew with another limit in bytes.
  mutating func restart(byteCountMax: Int) {
    waiting.removeAll(keepingCapacity: true)
    bytesLeft = byteCountMax
    longTexts = [:]
    longTextsLeft = min(byteCountMax / 16, Self.longTextsMax)
  }

  package mutating func write(_ text: String) throws {
    var text = text
    text.withUTF8 { waiting.append(contentsOf: $0) }
    if waiting.count >= Self.pieceSize { try flush() }
  }

  package mutating func write(_ bytes: [UInt8]) throws {
    waiting.append(contentsOf: bytes)
    if waiting.count >= Self.pieceSize { try flush() }
  }

  package mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    waiting.append(contentsOf: bytes)
    if waiting.count >= Self.pieceSize { try flush() }
  }

  /// Writes a text of an archive as a string of JSON.
  ///
  /// - Returns: what is wrong with the text; `nil` for nothing.
  mutating func writeJSON(
    _ value: InspectedValue, of archive: InspectedArchive
  ) throws -> String? {
    if let plain = archive.plainRange(of: value) {
      try write("\"")
      try archive.reader.withBytes(in: plain) { try write($0) }
      try write("\"")
      return nil
    }
    let range = archive.textRange(of: value)
    let isLong = range.count >= Self.longCount
    if isLong, let known = longTexts[range.lowerBound], known.range == range {
      try write(known.bytes)
      return known.fault
    }
    let text = archive.text(of: value)
    let bytes = SafeJSON.bytes(text?.text ?? "")
    if isLong, bytes.count <= longTextsLeft {
      longTextsLeft -= bytes.count
      longTexts[range.lowerBound] = LongText(range: range, bytes: bytes, fault: text?.fault)
    }
    try write(bytes)
    return text?.fault
  }

  /// Sends what waits; the last call of every writer.
  package mutating func flush() throws {
    guard !waiting.isEmpty else { return }
    bytesLeft -= waiting.count
    guard bytesLeft >= 0 else {
      throw InspectionError(
        .unreadable, "the same names are used over and over: far more text than bytes")
    }
    try send(waiting)
    waiting.removeAll(keepingCapacity: true)
  }
}

/// One line for people: parts with a look, made safe for a terminal, and their width.
struct InspectionLine {
  enum Look: String {
    case plain = ""
    case className = "1"
    case key = "36"
    case text = "32"
    case number = "33"
    case faint = "2"
    case broken = "31"
    case added = "92"
    case removed = "91"
  }

  /// The line in UTF-8.
  private(set) var bytes: [UInt8] = []
  private(set) var columns = 0
  let hasColours: Bool

  init(hasColours: Bool) { self.hasColours = hasColours }

  /// The line as a text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a part; nothing in it can act on a terminal.
  mutating func add(_ part: String, _ look: Look = .plain) {
    let isColoured = hasColours && look != .plain
    if isColoured { append("\u{1B}[\(look.rawValue)m") }
    var part = part
    let isPlain = part.withUTF8 { text in
      guard text.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return false }
      bytes.append(contentsOf: text)
      columns += text.count
      return true
    }
    if !isPlain {
      let safe = DisplayWidth.sanitised(part)
      columns += DisplayWidth.of(safe)
      append(safe)
    }
    if isColoured { append("\u{1B}[0m") }
  }

  /// Adds visible ASCII as it stands in a file.
  mutating func add(visible text: UnsafeRawBufferPointer, _ look: Look) {
    let isColoured = hasColours && look != .plain
    if isColoured { append("\u{1B}[\(look.rawValue)m") }
    bytes.append(contentsOf: text)
    columns += text.count
    if isColoured { append("\u{1B}[0m") }
  }

  /// Adds a text of our own, of which each character takes one column.
  mutating func add(own text: String, _ look: Look) {
    let isColoured = hasColours && look != .plain
    if isColoured { append("\u{1B}[\(look.rawValue)m") }
    append(text)
    columns += text.utf8.count { $0 & 0xC0 != 0x80 }
    if isColoured { append("\u{1B}[0m") }
  }

  /// Adds a place of the file, with two blanks behind it.
  mutating func add(offset: Int) {
    add("0x" + InspectionText.hexadecimal(UInt64(clamping: offset), digits: 6), .faint)
    add("  ")
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds the end of the line.
  mutating func end() { bytes.append(0x0A) }

  /// A text in which nothing can act on a terminal.
  static func plain(_ text: String) -> String { DisplayWidth.sanitised(text) }

  /// Adds blanks up to a column.
  mutating func pad(to column: Int) {
    guard column > columns else { return }
    bytes.append(contentsOf: repeatElement(0x20, count: column - columns))
    columns = column
  }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    columns = 0
  }
}

/// How numbers, dates and texts are shown.
enum InspectionText {
  /// A whole number with commas between thousands.
  static func count(_ value: Int) -> String {
    if value.magnitude < 1_000 { return String(value) }
    let digits = Array(String(value.magnitude).utf8)
    var bytes: [UInt8] = value < 0 ? [UInt8(ascii: "-")] : []
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(digit)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A count with its noun.
  static func count(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? one : many ?? one + "s")"
  }

  /// Seconds since 2001 as ISO 8601 in UTC; `nil` beyond the years 0 to 9999.
  static func date(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds.magnitude < 4e11 else { return nil }
    var whole = Int64(seconds.rounded(.down))
    var milliseconds = Int64(((seconds - Double(whole)) * 1_000).rounded())
    if milliseconds == 1_000 { (whole, milliseconds) = (whole + 1, 0) }
    guard let text = XMLDate.text(Double(whole)), text.utf8.count == 20 else { return nil }
    if milliseconds == 0 { return text }
    let digits = String(milliseconds)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
  }

  /// The text with what a string literal escapes.
  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A text in quotes, cut to some columns with its length behind.
  static func quoted(_ text: InspectedArchive.Text, columns: Int) -> String {
    let escaped = escaped(text.text)
    if !text.isCut, DisplayWidth.of(escaped) + 2 <= columns { return "\"\(escaped)\"" }
    let length = " " + count(text.count, "character")
    let room = max(8, columns - 3 - length.count)
    return "\"" + DisplayWidth.prefix(of: escaped, columns: room).text + "…\"" + length
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// Bytes in hexadecimal digits.
  static func hexadecimal(_ bytes: some Collection<UInt8>, groups: Int = 0) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for (place, byte) in bytes.enumerated() {
      if groups > 0, place > 0, place % groups == 0 { text.append(UInt8(ascii: " ")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// A number in so many hexadecimal digits, or more where it needs them.
  static func hexadecimal(_ value: UInt64, digits count: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  /// A real number as short as it reads back.
  static func number(_ value: Double) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      return whole == 0 && value.sign == .minus ? "-0" : String(whole)
    }
    return value.description
  }

  static func number(_ value: Float) -> String {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 24 {
      return whole == 0 && value.sign == .minus ? "-0" : String(whole)
    }
    return value.description
  }
}
