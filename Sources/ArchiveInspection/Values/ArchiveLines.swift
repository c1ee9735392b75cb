import PortolanTexts
import PropertyLists

/// Archives that stand one a line as characters, as databases print them: each becomes one JSON
/// object on a line.
///
/// What stands before the last tab, comma or `|` of a line is its key. A line that is no archive
/// becomes `{"line":3,"error":"…"}`, and the next one is read. Memory does not grow with the number
/// of lines.
package struct ArchiveLines {
  /// The characters that stand for the bytes.
  package enum Encoding: String, CaseIterable, Sendable {
    case hex, base64
  }

  /// What becomes of each archive.
  package enum Form: Sendable {
    case values, text
  }

  /// The longest line, in bytes.
  package static let lengthMax = 16 << 20
  /// The most that is written about one line, in bytes.
  static let outputMax = 64 << 20

  private let encoding: Encoding
  private let form: Form
  private let options: ValueOptions
  private let path: InspectionPath
  private var output: TextOutput
  private var sink: ValueSink
  private let held: HeldText
  /// The beginning of a line whose end is still to come.
  private var waiting: [UInt8] = []
  private var isTooLong = false
  private var number = 0
  /// How many lines were bad or have broken parts, and the first of them in words.
  package private(set) var badCount = 0
  package private(set) var firstBad: String?

  /// - Parameters:
  ///   - path: where in each archive the value is.
  ///   - send: takes the lines of JSON, in pieces.
  package init(
    _ encoding: Encoding, _ form: Form, _ options: ValueOptions, at path: InspectionPath,
    send: @escaping ([UInt8]) throws -> Void
  ) {
    self.encoding = encoding
    self.form = form
    self.options = options
    self.path = path
    output = TextOutput(inputCount: .max, send: send)
    let held = HeldText(send: send)
    self.held = held
    sink = ValueSink(TextOutput(inputCount: .max) { try held.take($0) }, byteCount: 0)
  }

  /// Reads a piece of the lines.
  package mutating func add(_ piece: UnsafeRawBufferPointer) throws {
    var rest = piece[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = rest[(end + 1)...]
      if waiting.isEmpty, !isTooLong, line.count <= Self.lengthMax {
        try write(line)
      } else {
        keep(line)
        try writeWaiting()
      }
    }
    keep(UnsafeRawBufferPointer(rebasing: rest))
  }

  /// Reads the last line if nothing ends it, and sends what waits.
  package mutating func finish() throws {
    if !waiting.isEmpty || isTooLong { try writeWaiting() }
    try output.flush()
  }

  private mutating func keep(_ part: UnsafeRawBufferPointer) {
    guard !isTooLong, waiting.count + part.count <= Self.lengthMax else {
      if !part.isEmpty { isTooLong = true }
      waiting.removeAll(keepingCapacity: false)
      return
    }
    waiting.append(contentsOf: part)
  }

  private mutating func writeWaiting() throws {
    defer {
      waiting.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    guard !isTooLong else {
      number += 1
      return try writeError(
        "the line is longer than \(InspectionText.count(Self.lengthMax)) bytes", key: nil)
    }
    let line = waiting
    try line.withUnsafeBytes { try write($0) }
  }

  // MARK: One line

  private mutating func write(_ line: UnsafeRawBufferPointer) throws {
    number += 1
    let end = line.lastIndex { !Self.isSpace($0) }.map { $0 + 1 } ?? 0
    let mark = line[..<end].lastIndex { Self.isSeparator($0) }
    let key = mark.map { String(decoding: line[..<$0], as: UTF8.self) }
    let digits = UnsafeRawBufferPointer(rebasing: line[(mark.map { $0 + 1 } ?? 0)..<end])
    do {
      guard let bytes = LineBytes.decode(digits, encoding) else {
        throw InspectionError(.unreadable, "no \(encoding.rawValue) digits")
      }
      guard !bytes.isEmpty else { throw InspectionError(.unreadable, "there are no digits") }
      try writeArchive(bytes, key: key)
    } catch let error as InspectionError {
      try writeError(error.description, key: key)
    }
  }

  private mutating func writeArchive(_ bytes: [UInt8], key: String?) throws {
    let archive = try InspectedArchive(graphOf: bytes)
    held.begin()
    try writeWhole(archive, byteCount: bytes.count, key: key)
    if held.isMeasuring {
      // It is whole, so that it can leave in pieces.
      try output.flush()
      held.pass()
      try writeWhole(archive, byteCount: bytes.count, key: key)
    } else {
      try output.write(held.bytes)
    }
    if let broken = archive.firstBroken ?? sink.firstBroken { note(broken) }
  }

  private mutating func writeWhole(
    _ archive: InspectedArchive, byteCount: Int, key: String?
  ) throws {
    sink.output.restart(byteCountMax: Self.outputMax)
    sink.restart(byteCount: byteCount)
    var head = "{\"line\":\(number)"
    if let key { head += ",\"key\":\(SafeJSON.string(key))" }
    try sink.output.write(head)
    switch form {
    case .values: try writeValues(archive)
    case .text:
      let text = try archive.texts(at: path, noting: &sink).joined(separator: "\n")
      try sink.output.write(",\"text\":\(SafeJSON.string(text))")
    }
    if let broken = archive.firstBroken ?? sink.firstBroken {
      try sink.output.write(",\"error\":\(SafeJSON.string(broken))")
    }
    try sink.output.write("}\n")
    try sink.output.flush()
  }

  private mutating func writeValues(_ archive: InspectedArchive) throws {
    try archive.requireObjects()
    let root = try archive.value(at: path)
    var writer = try ValueWriter(archive, options, root: root)
    if path.steps.isEmpty {
      try sink.output.write(",\"roots\":")
      try writer.writeRoots(to: &sink)
    } else {
      try sink.output.write(",\"value\":")
      try writer.write(root, to: &sink)
    }
  }

  private mutating func writeError(_ reason: String, key: String?) throws {
    note(reason)
    let tail = key.map { ",\"key\":\(SafeJSON.string($0))" } ?? ""
    try output.write("{\"line\":\(number),\"error\":\(SafeJSON.string(reason))\(tail)}\n")
  }

  private mutating func note(_ reason: String) {
    badCount += 1
    if firstBad == nil { firstBad = "line \(number): \(reason)" }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0D }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\t") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "|")
  }
}

/// What is written about one line until it is known to be whole.
///
/// A long one is not held but measured, and written a second time.
private final class HeldText {
  private(set) var bytes: [UInt8] = []
  private(set) var isMeasuring = false
  private var isPassing = false
  private let send: ([UInt8]) throws -> Void

  /// The longest text that is held, in bytes.
  private static let heldMax = 2 << 20

  init(send: @escaping ([UInt8]) throws -> Void) { self.send = send }

  /// Begins with another line.
  func begin() {
    bytes.removeAll(keepingCapacity: bytes.count < 1 << 18)
    (isMeasuring, isPassing) = (false, false)
  }

  /// Sends what comes from now on.
  func pass() { isPassing = true }

  func take(_ piece: [UInt8]) throws {
    if isPassing { return try send(piece) }
    if bytes.count + piece.count > Self.heldMax {
      isMeasuring = true
      bytes = []
    }
    if !isMeasuring { bytes += piece }
  }
}

/// The bytes that characters of a line stand for.
enum LineBytes {
  /// Quotation marks around them, `0x` or `\x` before them and `X'…'` around them are left out.
  ///
  /// - Returns: `nil` for other characters and for half a byte.
  static func decode(
    _ text: UnsafeRawBufferPointer, _ encoding: ArchiveLines.Encoding
  ) -> [UInt8]? {
    var digits = text[...].drop { $0 == 0x20 }
    if let first = digits.first, first == 0x22 || first == 0x27, digits.count >= 2,
      digits.last == first
    {
      digits = digits.dropFirst().dropLast()
    }
    guard encoding == .hex else {
      return Base64.decode(UnsafeRawBufferPointer(rebasing: digits))
    }
    if digits.count >= 3, digits.last == 0x27, digits[digits.startIndex + 1] == 0x27,
      digits.first.map({ $0 | 0x20 }) == UInt8(ascii: "x")
    {
      digits = digits.dropFirst(2).dropLast()
    } else if digits.starts(with: "0x".utf8) || digits.starts(with: "\\x".utf8) {
      digits = digits.dropFirst(2)
    }
    return hexadecimal(UnsafeRawBufferPointer(rebasing: digits))
  }

  private static func hexadecimal(_ digits: UnsafeRawBufferPointer) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 2) { buffer, count in
      count = digits.count / 2
      for place in 0..<count {
        let (high, low) = (value(digits[2 * place]), value(digits[2 * place + 1]))
        if high | low > 15 { isValid = false }
        buffer[place] = high << 4 | low & 15
      }
    }
    return isValid ? bytes : nil
  }

  /// The number of a digit; 255 for other characters.
  private static func value(_ byte: UInt8) -> UInt8 {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: 255
    }
  }
}
