import PortolanDocuments
import PortolanGraphics

/// Writes the rows of a `.dbf`, its texts in UTF-8; see `ShapefileTable` for the layout.
struct ShapeTableWriter {
  /// The most columns that other programs read.
  private static let columnsMax = 255
  /// The longest text and the longest name, in bytes.
  private static let (textMax, nameMax) = (254, 10)
  /// The longest number; longer ones become text.
  private static let numberMax = 31

  private struct Column {
    /// `nil` is the number of the row.
    var attribute: String?
    var isIdentifier = false
    var name: String
    var type: UInt8
    var width = 1
    var decimals = 0
  }

  private var columns: [Column] = []
  private var rows: [UInt8] = []
  private var rowCount = 0
  private var renamed: [String] = []
  private var mixed: [String] = []
  private var cutTexts = 0
  private var oddTexts = 0
  private var zeroTexts = 0

  /// - Parameter rows: those of each block to write.
  /// - Throws: `ExportError` if there are too many columns.
  init(_ layer: any FeatureHolding, _ rows: [[Int]]) throws(ExportError) {
    var used: Set<String> = []
    func survey(_ name: String, _ column: (FeatureBlock) -> AttributeColumn?) -> Survey {
      var survey = Survey()
      for (block, rows) in zip(layer.blocks, rows) {
        guard let values = column(block) else { continue }
        for row in rows { survey.add(values, row) }
      }
      return survey
    }
    for field in layer.fieldNames {
      let survey = survey(field) { $0.column(field) }
      let name = Self.name(field, &used)
      if name != field { renamed.append("\(field.isEmpty ? "“”" : field) → \(name)") }
      if survey.isMixed { mixed.append(field) }
      let declared = layer.declared.types[field].flatMap(WrittenType.init(declared:))
      columns.append(survey.column(field, name, declared))
    }
    let identifiers = survey("id") { $0.identifiers }
    if identifiers.hasValues {
      var column = identifiers.column("id", Self.name("id", &used), nil)
      column.isIdentifier = true
      columns.append(column)
    }
    if columns.isEmpty {
      let digits = String(max(1, layer.count)).count
      columns.append(Column(attribute: nil, name: "FID", type: UInt8(ascii: "N"), width: digits))
    }
    if columns.count > Self.columnsMax {
      throw ExportError(.tooManyFields, "\(columns.count)")
    }
  }

  /// The kinds and the widths of the values of one column.
  private struct Survey {
    private var kinds: Set<AttributeKind> = []
    private var (textWidth, numberWidth, decimals) = (1, 1, 0)
    private var (areFinite, areDates) = (true, true)

    mutating func add(_ column: AttributeColumn, _ row: Int) {
      let kind = column.kind(row)
      if kind == .missing || kind == .null { return }
      kinds.insert(kind)
      let text = column.bytes[column.textRange(row)]
      textWidth = max(textWidth, kind == .yes ? 4 : kind == .no ? 5 : text.count)
      if kind == .string, areDates { areDates = WrittenType(ofText: text, .dates) == .date }
      guard kind == .number else { return }
      numberWidth = max(numberWidth, text.count)
      if DoubleText.fit(text) == .beyond { areFinite = false }
      if let point = text.firstIndex(of: UInt8(ascii: ".")) {
        decimals = max(decimals, text[point...].dropFirst().prefix { $0 &- 0x30 < 10 }.count)
      } else if text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
        decimals = max(decimals, 1)
      }
    }

    var hasValues: Bool { !kinds.isEmpty }

    /// Whether its values have no type of a table in common.
    var isMixed: Bool {
      !kinds.isSubset(of: [.yes, .no]) && kinds.count > 1 || kinds == [.number] && isLong
    }

    /// Whether a number is too long for a table, or beyond every double.
    private var isLong: Bool { numberWidth > ShapeTableWriter.numberMax || !areFinite }

    /// - Parameter declared: the type of a column without values.
    func column(_ attribute: String, _ name: String, _ declared: WrittenType?) -> Column {
      func typed(_ type: Unicode.Scalar, _ width: Int = 1, _ decimals: Int = 0) -> Column {
        Column(
          attribute: attribute, name: name, type: UInt8(ascii: type), width: width,
          decimals: decimals)
      }
      if !hasValues {
        // The usual widths of GDAL.
        switch declared {
        case .boolean: return typed("L")
        case .date: return typed("D", 8)
        case .shortInteger: return typed("N", 9)
        case .integer: return typed("N", 18)
        case .real: return typed("N", 24, 15)
        case .text, .time, nil: return typed("C")
        }
      }
      if kinds.isSubset(of: [.yes, .no]) {
        return typed("L")
      }
      if kinds == [.number], !isLong {
        return typed("N", numberWidth, min(decimals, max(0, numberWidth - 2)))
      }
      if kinds == [.string], areDates { return typed("D", 8) }
      return typed("C", min(textWidth, ShapeTableWriter.textMax))
    }
  }

  /// A name of at most ten bytes that no other column has, whatever its capitals.
  private static func name(_ field: String, _ used: inout Set<String>) -> String {
    let plain = field.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
    func cut(_ count: Int) -> String {
      var text = ""
      for character in String(String.UnicodeScalarView(plain)) {
        if text.utf8.count + character.utf8.count > count { break }
        text.append(character)
      }
      return text.isEmpty ? "column" : text
    }
    var (name, number) = (cut(nameMax), 0)
    while !used.insert(name.lowercased()).inserted {
      number += 1
      name = cut(nameMax - 1 - String(number).count) + "_\(number)"
    }
    return name
  }

  var remarks: [String] {
    var remarks: [String] = []
    if !renamed.isEmpty {
      let more = renamed.count > 5 ? " and \(renamed.count - 5) more" : ""
      remarks.append(
        "columns have names of ten bytes at most: " + renamed.prefix(5).joined(separator: ", ")
          + more)
    }
    if !mixed.isEmpty {
      remarks.append(
        "values of several types, longer than \(Self.numberMax) digits or beyond 1.8e308 become "
          + "text: " + mixed.prefix(5).joined(separator: ", ") + (mixed.count > 5 ? ", …" : ""))
    }
    if cutTexts > 0 {
      remarks.append(
        CountText.text(cutTexts, "text is", "texts are")
          + " longer than \(Self.textMax) bytes and cut: GeoPackage (-o NAME.gpkg) keeps them")
    }
    if zeroTexts > 0 { remarks.append(ExportReport.zeroNote(zeroTexts)) }
    if oddTexts > 0 {
      remarks.append(
        CountText.text(oddTexts, "text is", "texts are")
          + " empty, or blank at the beginning or end: a Shapefile reads these as null, or without "
          + "the blanks")
    }
    return remarks
  }

  // MARK: Rows

  /// - Throws: `ExportError` if the table becomes too long.
  mutating func append(_ block: FeatureBlock, _ list: [Int]) throws(ExportError) {
    let values = columns.map { column in
      column.isIdentifier ? block.identifiers : column.attribute.flatMap { block.column($0) }
    }
    for row in list {
      rowCount += 1
      rows.append(0x20)
      for (column, values) in zip(columns, values) {
        if column.attribute == nil {
          appendRight(Array(String(rowCount).utf8)[...], column.width)
        } else {
          append(values, row, column)
        }
      }
    }
    if rowCount > Int(Int32.max) { throw ExportError(.tooLong, "\(rowCount) rows") }
  }

  private mutating func append(_ values: AttributeColumn?, _ row: Int, _ column: Column) {
    let kind = values?.kind(row) ?? .missing
    guard let values, kind != .missing, kind != .null else {
      let blank = column.type == UInt8(ascii: "L") ? UInt8(ascii: "?") : 0x20
      rows.append(contentsOf: repeatElement(blank, count: column.width))
      return
    }
    let text = values.bytes[values.textRange(row)]
    switch column.type {
    case UInt8(ascii: "L"):
      rows.append(kind == .yes ? UInt8(ascii: "T") : UInt8(ascii: "F"))
    case UInt8(ascii: "N"): appendRight(text, column.width)
    case UInt8(ascii: "D"): rows.append(contentsOf: text.filter { $0 != UInt8(ascii: "-") })
    default:
      let word = kind == .yes ? "true" : kind == .no ? "false" : nil
      appendLeft(word.map { Array($0.utf8)[...] } ?? text, column.width)
    }
  }

  private mutating func appendRight(_ text: ArraySlice<UInt8>, _ width: Int) {
    rows.append(contentsOf: repeatElement(0x20, count: max(0, width - text.count)))
    rows.append(contentsOf: text.prefix(width))
  }

  private mutating func appendLeft(_ text: ArraySlice<UInt8>, _ width: Int) {
    if text.isEmpty || text.first == 0x20 || text.last == 0x20 { oddTexts += 1 }
    var end = min(text.count, width)
    if end < text.count {
      cutTexts += 1
      // Not within a character.
      while end > 0, text[text.startIndex + end] & 0xC0 == 0x80 { end -= 1 }
    }
    let start = rows.count
    rows.append(contentsOf: text.prefix(end))
    if rows[start...].contains(0) {
      zeroTexts += 1
      for place in start..<rows.count where rows[place] == 0 { rows[place] = 0x20 }
    }
    rows.append(contentsOf: repeatElement(0x20, count: width - end))
  }

  /// The whole table; its date is a fixed one, so that equal layers give equal bytes.
  var bytes: [UInt8] {
    let start = 32 + 32 * columns.count + 1
    let width = columns.reduce(1) { $0 + $1.width }
    var head: [UInt8] = [0x03, 70, 1, 1]
    head.appendLittle(Int32(clamping: rowCount))
    for number in [start, width] {
      head += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
    head += [UInt8](repeating: 0, count: 20)
    for column in columns {
      let name = Array(column.name.utf8.prefix(Self.nameMax))
      head += name + [UInt8](repeating: 0, count: 11 - name.count) + [column.type, 0, 0, 0, 0]
      head += [UInt8(clamping: column.width), UInt8(clamping: column.decimals)]
      head += [UInt8](repeating: 0, count: 14)
    }
    return head + [0x0D] + rows + [0x1A]
  }
}
