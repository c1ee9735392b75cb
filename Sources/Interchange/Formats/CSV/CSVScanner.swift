/// Splits a table's text into records and fields.
struct CSVScanner {
  /// A field's bytes; of a quoted one, the bytes between the quotes.
  struct Field {
    var range: Range<Int>
    var isQuoted = false
    /// The range of the whole field, including its quotes.
    var rawRange: Range<Int> { isQuoted ? range.lowerBound - 1..<range.upperBound + 1 : range }
    /// Whether it contains doubled quotes.
    var hasQuotes = false
  }

  /// The most fields of a record: as many columns as the widest spreadsheet has.
  static let fieldsMax = 16_384

  /// The possible separators; of equally frequent ones the first.
  static let separators = Array(",;\t|".utf8)

  let bytes: [UInt8]
  let separator: UInt8
  private(set) var position: Int

  init(_ bytes: [UInt8], separator: UInt8) {
    self.bytes = bytes
    self.separator = separator
    position = Self.preamble(of: bytes).count
  }

  /// The text before the first line: a byte order mark, and a line such as `sep=;`, which tells
  /// the separator to spreadsheets.
  private static func preamble(of bytes: [UInt8]) -> (count: Int, separator: UInt8?) {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let line = bytes[start...].prefix(5)
    guard line.count == 5, line.prefix(4).elementsEqual("sep=".utf8), let byte = line.last,
      separators.contains(byte), start + 5 < bytes.count,
      bytes[start + 5] == 0x0A || bytes[start + 5] == 0x0D
    else { return (start, nil) }
    let isPair = bytes[(start + 5)...].starts(with: [0x0D, 0x0A])
    return (start + (isPair ? 7 : 6), byte)
  }

  /// Moves to the beginning of a record, or to an empty line before it.
  mutating func go(to position: Int) { self.position = position }

  /// The separator that is told before the first line, else the most frequent one in it, outside
  /// quotes.
  static func separator(of bytes: [UInt8]) -> UInt8 {
    if let told = preamble(of: bytes).separator { return told }
    let candidates = separators
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    for byte in bytes.prefix(1 << 20) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, byte == 0x0A || byte == 0x0D { break }
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
    }
    let best = counts.indices.max { counts[$0] < counts[$1] || counts[$0] == counts[$1] && $0 > $1 }
    return candidates[best ?? 0]
  }

  /// The next record that is not an empty line; `nil` at the end.
  ///
  /// - Throws: `.badTable` at a quote that is never closed, `.tooManyColumns`.
  mutating func nextRecord() throws(ScanFault) -> [Field]? {
    var fields: [Field] = []
    return try nextRecord(into: &fields) ? fields : nil
  }

  /// The same into an array whose memory is used again; false at the end.
  mutating func nextRecord(into fields: inout [Field]) throws(ScanFault) -> Bool {
    fields.removeAll(keepingCapacity: true)
    while position < bytes.count, bytes[position] == 0x0A || bytes[position] == 0x0D {
      position += 1
    }
    guard position < bytes.count else { return false }
    while true {
      if fields.count == Self.fieldsMax {
        throw ScanFault(.tooManyColumns, at: position, "more than \(Self.fieldsMax)")
      }
      fields.append(try nextField())
      guard position < bytes.count else { return true }
      let byte = bytes[position]
      position += 1
      if byte == separator {
        if position == bytes.count {
          fields.append(Field(range: position..<position))
          return true
        }
        continue
      }
      if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
      return true
    }
  }

  @inline(__always)
  private mutating func nextField() throws(ScanFault) -> Field {
    let start = position
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      skipPlain()
      return Field(range: start..<position)
    }
    return try quotedField()
  }

  private mutating func quotedField() throws(ScanFault) -> Field {
    let start = position
    position += 1
    var field = Field(range: position..<position, isQuoted: true)
    while true {
      let quote = place(from: position) { $0 == UInt8(ascii: "\"") }
      guard quote < bytes.count else {
        throw ScanFault(.badTable, at: start, "a quote is not closed")
      }
      position = quote + 1
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        field.hasQuotes = true
        position += 1
        continue
      }
      field.range = (start + 1)..<quote
      if position < bytes.count, bytes[position] != separator, bytes[position] != 0x0A,
        bytes[position] != 0x0D
      {
        // Text after a closing quote: the quotes were ordinary characters.
        skipPlain()
        return Field(range: start..<position)
      }
      return field
    }
  }

  @inline(__always)
  private mutating func skipPlain() {
    let separator = separator
    position = place(from: position) { $0 == separator || $0 == 0x0A || $0 == 0x0D }
  }

  /// The first place of a byte from a place on; the end if there is none.
  @inline(__always)
  private func place(from start: Int, of isWanted: (UInt8) -> Bool) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while place < bytes.count, !isWanted(bytes[place]) { place &+= 1 }
      return place
    }
  }

  /// A field's value as bytes.
  func value(_ field: Field) -> [UInt8] {
    let raw = bytes[field.range]
    guard field.hasQuotes else { return Array(raw) }
    var value: [UInt8] = []
    value.reserveCapacity(raw.count)
    var isSecond = false
    for byte in raw {
      isSecond = byte == UInt8(ascii: "\"") && !isSecond
      if !isSecond { value.append(byte) }
    }
    return value
  }

  /// The name of a column: quoted text unchanged.
  func name(_ field: Field) -> String {
    field.isQuoted ? String(decoding: value(field), as: UTF8.self) : text(field)
  }

  /// A field's value without spaces around it.
  func text(_ field: Field) -> String {
    let value = value(field)
    let start = value.firstIndex { $0 > 0x20 } ?? value.endIndex
    let end = value.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? start
    return String(decoding: value[start..<end], as: UTF8.self)
  }
}
