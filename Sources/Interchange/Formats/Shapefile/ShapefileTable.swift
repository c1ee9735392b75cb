import PortolanDocuments
import PortolanFiles
import PropertyLists

/// The rows of a .dbf (dBASE III and its relatives).
///
///      0   1   version
///      4   4   number of rows, least significant byte first
///      8   2   where the rows begin
///     10   2   bytes of a row
///     29   1   language driver: the encoding of texts, as a number
///     32  32   for each column its name (11, NUL ends it), its type (1), at 16 its width in bytes,
///              at 17 its decimals; 0D ends the list
///
/// A row is a mark, blank or * for a deleted one, then the columns, all as text.
struct ShapefileTable {
  let names: [String]
  let rowCount: Int
  private let bytes: [UInt8]
  private let start: Int
  private let width: Int
  private let columns: [Column]
  private let encoding: ShapeEncoding

  private struct Column {
    var type: UInt8
    var decimals: UInt8
    /// From the beginning of a row.
    var range: Range<Int>
  }

  /// - Parameters:
  ///   - told: the encoding that a person says its texts have.
  ///   - codepage: the text of the .cpg.
  init(
    _ bytes: [UInt8], told: TextEncoding?, codepage: String?,
    _ notes: inout [ImportNoteCode: Int]
  ) {
    self.bytes = bytes
    let head = ByteReader(bytes)
    func number(_ place: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(head.byte(at: place + $1) ?? 0) << (8 * $1) }
    }
    (start, width) = (number(8, 2), number(10, 2))
    let stated = number(4, 4)
    let room = width > 0 && start > 32 ? max(0, bytes.count - start) / width : 0
    rowCount = min(stated, room)
    if stated > room { notes[.cutRows] = stated - room }
    var (columns, labels): ([Column], [[UInt8]]) = ([], [])
    var (place, offset) = (32, 1)
    while place + 32 <= min(start, bytes.count), bytes[place] != 0x0D {
      let size = Int(bytes[place + 16])
      let type = bytes[place + 11]
      if offset + size > width {
        notes[.oddColumns, default: 0] += 1
        break
      }
      if "CNFDL".utf8.contains(type) {
        columns.append(
          Column(type: type, decimals: bytes[place + 17], range: offset..<offset + size))
        labels.append(Array(bytes[place..<place + 11].prefix { $0 != 0 }))
      } else {
        notes[.oddColumns, default: 0] += 1
      }
      offset += size
      place += 32
    }
    self.columns = columns
    var encoding = ShapeEncoding(
      told: told, codepage: codepage, driver: head.byte(at: 29) ?? 0, &notes)
    if encoding.isOpen {
      let texts = Self.texts(bytes, columns, start, width, rowCount)
      encoding.settle(labels + texts, &notes)
    }
    self.encoding = encoding
    names = CSVReader.unique(
      labels.map { String(decoding: encoding.text($0[...]).utf8, as: UTF8.self) })
  }

  /// Some texts of the table that are not ASCII, at most 100,000.
  private static func texts(
    _ bytes: [UInt8], _ columns: [Column], _ start: Int, _ width: Int, _ rowCount: Int
  ) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    for row in 0..<rowCount where texts.count < 100_000 {
      let place = start + row * width
      guard bytes[place..<place + width].contains(where: { $0 >= 0x80 }) else { continue }
      for column in columns where column.type == UInt8(ascii: "C") {
        let text = bytes[place + column.range.lowerBound..<place + column.range.upperBound]
        if text.contains(where: { $0 >= 0x80 }) { texts.append(Array(text)) }
      }
    }
    return texts
  }

  /// The types of columns but those of texts, as SQL names them.
  var declaredTypes: [String: String] {
    let types = columns.map { column -> String? in
      switch column.type {
      case UInt8(ascii: "L"): "BOOLEAN"
      case UInt8(ascii: "D"): "DATE"
      case UInt8(ascii: "N"): column.decimals == 0 ? "INTEGER" : "DOUBLE"
      case UInt8(ascii: "F"): "DOUBLE"
      default: nil
      }
    }
    return zip(names, types).reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  func isDeleted(_ row: Int) -> Bool {
    row < rowCount && bytes[start + row * width] == UInt8(ascii: "*")
  }

  /// Sets the attributes of a row; `false` if there is no such row.
  func append(
    _ row: Int, to builder: inout FeatureBlockBuilder, _ notes: inout [ImportNoteCode: Int]
  ) -> Bool {
    guard row < rowCount else { return false }
    let place = start + row * width
    for (index, column) in columns.enumerated() {
      let field = Self.trimmed(
        bytes[place + column.range.lowerBound..<place + column.range.upperBound])
      let (kind, text) = value(field, column.type, &notes)
      text.withUnsafeBufferPointer { builder.setAttribute(index, kind, utf8: $0) }
    }
    return true
  }

  /// Without blanks and NULs behind it, and blanks before it.
  private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let text = field.prefix { $0 != 0 }
    let end = text.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? text.startIndex
    return text[..<end]
  }

  private func value(
    _ field: ArraySlice<UInt8>, _ type: UInt8, _ notes: inout [ImportNoteCode: Int]
  ) -> (AttributeKind, [UInt8]) {
    let text = field.drop { $0 == 0x20 }
    if text.isEmpty { return (.null, []) }
    switch type {
    case UInt8(ascii: "N"), UInt8(ascii: "F"):
      if let number = Self.number(text) { return (.number, number) }
      // Stars fill the place of a number that was too wide for it; GDAL writes null so.
      let hasStars = text.allSatisfy { $0 == UInt8(ascii: "*") }
      notes[hasStars ? .starNumbers : .lostNumbers, default: 0] += 1
      return (.null, [])
    case UInt8(ascii: "L"):
      if "TtYy".utf8.contains(text[text.startIndex]) { return (.yes, []) }
      if "FfNn".utf8.contains(text[text.startIndex]) { return (.no, []) }
      return (.null, [])
    case UInt8(ascii: "D"):
      let digits = Array(text)
      if digits.allSatisfy({ $0 == 0x30 }) { return (.null, []) }
      guard digits.count == 8, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
        return (.string, Array(encoding.text(text).utf8))
      }
      let dash = [UInt8(ascii: "-")]
      return (.string, digits[..<4] + dash + digits[4..<6] + dash + digits[6...])
    default:
      let read = encoding.text(field)
      if read.isOdd { notes[.oddTexts, default: 0] += 1 }
      return (.string, Array(read.utf8))
    }
  }

  /// A number as JSON has it: without a plus sign, zeros before it and a point at an end.
  private static func number(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    func isValid(_ text: [UInt8]) -> Bool {
      text.withUnsafeBufferPointer { NumberText.isValid($0) }
    }
    if isValid(Array(text)) { return Array(text) }
    var rest = text.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    rest = rest.drop { $0 == 0x30 }
    if rest.first.map({ $0 &- 0x30 < 10 }) != true { rest = [0x30] + rest }
    if rest.last == UInt8(ascii: ".") { rest = rest.dropLast() }
    let number = (isNegative ? [UInt8(ascii: "-")] : []) + rest
    return text.contains { $0 &- 0x30 < 10 } && isValid(number) ? number : nil
  }
}
