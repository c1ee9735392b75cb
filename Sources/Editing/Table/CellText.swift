import PortolanDocuments
import PortolanTerminals

/// The text of a cell, which tells null, nothing and empty text apart: `null`, no text, `""`.
///
/// Texts that look like null, true or false, and those that begin or end with a blank, stand in
/// quotes.
struct CellText {
  let text: String
  let kind: AttributeKind

  /// Whether it stands for null or for an empty text.
  var isNothing: Bool { kind == .null || kind == .string && text == "\"\"" }

  /// No cell shows more of a value than this many bytes.
  private static let bytesMax = 4096

  /// - Precondition: `row` is below the rows of the column.
  init(_ column: AttributeColumn, _ row: Int) {
    kind = column.kind(row)
    switch kind {
    case .missing: text = ""
    case .null: text = "null"
    case .no: text = "false"
    case .yes: text = "true"
    case .number, .json: text = Self.start(column, row)
    case .string:
      let value = Self.start(column, row)
      let isPlain =
        value.first?.isWhitespace == false && value.last?.isWhitespace == false
        && !["null", "true", "false"].contains(value)
      text = isPlain ? value : "\"\(value)\""
    }
  }

  private static func start(_ column: AttributeColumn, _ row: Int) -> String {
    let range = column.textRange(row)
    let bytes = column.bytes[range].prefix(bytesMax)
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.count < range.count ? text + "…" : text
  }
}
