import PortolanDocuments
import PortolanInterchange
import PortolanTerminals
import PortolanTexts

/// The forms in which a query's result is written.
enum TableForm: String, CaseIterable, Sendable {
  case table, csv, tsv, markdown, json, ndjson, count

  /// Whether spreadsheets open it.
  var isForSpreadsheets: Bool { self == .csv || self == .tsv }

  /// For help and errors.
  static var words: String {
    allCases.dropLast().map(\.rawValue).joined(separator: ", ") + " or count"
  }
}

extension LayerTable {
  /// The widest column of a table for people; the whole text is in the other forms.
  private static let widthMax = 60

  /// Lines for people: columns side by side, numbers to the right, null shown as such.
  var lines: [String] {
    let cells = rows.map { $0.map(Self.cell) }
    let isNumeric = names.indices.map { column in
      rows.contains { $0[column].kind == .number }
        && rows.allSatisfy { [.number, .null, .missing].contains($0[column].kind) }
    }
    let heads = names.map { Self.cut($0) }
    let widths = names.indices.map { column in
      cells.reduce(DisplayWidth.of(heads[column])) { max($0, DisplayWidth.of($1[column])) }
    }
    func line(_ cells: [String]) -> String {
      var text = ""
      for (column, cell) in cells.enumerated() {
        if column > 0 { text += "  " }
        let blanks = String(repeating: " ", count: widths[column] - DisplayWidth.of(cell))
        text += isNumeric[column] ? blanks + cell : cell + blanks
      }
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return [line(heads), rule] + cells.map { line($0) }
  }

  private static func cell(_ value: AttributeValue) -> String {
    switch value {
    case .missing: ""
    case .null: "null"
    case .bool, .number, .string, .json: cut(value.text)
    }
  }

  /// A text of one line that is not too wide.
  private static func cut(_ text: String) -> String {
    let safe = DisplayWidth.sanitised(text)
    let part = DisplayWidth.prefix(of: safe, columns: widthMax)
    if part.text == safe { return safe }
    return DisplayWidth.prefix(of: safe, columns: widthMax - 1).text + "…"
  }

  /// The table as text for programs.
  ///
  /// - Parameter hasSafeCells: whether an apostrophe comes before the texts of a table that a
  ///   spreadsheet would run.
  func text(_ form: TableForm, hasSafeCells: Bool = false) -> String {
    switch form {
    case .table: lines.map { $0 + "\n" }.joined()
    case .count: "\(limit.map { min($0, count) } ?? count)\n"
    case .csv, .tsv: separated(by: form == .csv ? "," : "\t", hasSafeCells: hasSafeCells)
    case .markdown: markdown
    case .json where rows.isEmpty: "[]\n"
    case .json: "[" + rows.map { "\n  " + object($0) }.joined(separator: ",") + "\n]\n"
    case .ndjson: rows.map { object($0) + "\n" }.joined()
    }
  }

  /// A table of Markdown: numbers to the right, what would end a cell escaped.
  private var markdown: String {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    func cell(_ text: String) -> String {
      let safe = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\n", "\r", "\t": " "
        case "|", "\\": "\\" + String(Character(scalar))
        default: String(Character(scalar))
        }
      }
      return safe.joined()
    }
    let rule = names.indices.map { column in
      rows.allSatisfy { [.number, .null, .missing].contains($0[column].kind) } ? "--:" : "---"
    }
    let lines = rows.map { row in line(row.map { cell($0.text) }) }
    return line(names.map(cell)) + line(rule) + lines.joined()
  }

  /// The headings and texts that a spreadsheet would run as formulas.
  var formulas: Int {
    let texts = rows.joined().lazy.compactMap { value -> String? in
      switch value {
      case .string(let text), .json(let text): text
      case .missing, .null, .bool, .number: nil
      }
    }
    return names.count(where: Self.isFormula) + texts.count(where: Self.isFormula)
  }

  private static func isFormula(_ text: String) -> Bool { Formula.begins(Array(text.utf8)) }

  private func separated(by mark: Character, hasSafeCells: Bool) -> String {
    func quoted(_ text: String) -> String {
      Self.quoted(hasSafeCells && Self.isFormula(text) ? "'" + text : text, mark)
    }
    let heads = names.map { quoted($0) }
    let lines = rows.map { row in
      row.map { value in
        switch value {
        case .missing, .null: ""
        case .bool, .number: value.text
        // An empty text is no null.
        case .string(let text), .json(let text): text.isEmpty ? "\"\"" : quoted(text)
        }
      }
    }
    return ([heads] + lines).map { $0.joined(separator: String(mark)) + "\n" }.joined()
  }

  private static func quoted(_ text: String, _ mark: Character) -> String {
    let needs = text.unicodeScalars.contains { scalar in
      scalar == "\"" || scalar == "\n" || scalar == "\r" || Character(scalar) == mark
    }
    return needs ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  private func object(_ row: [AttributeValue]) -> String {
    var members: [String] = []
    for (name, value) in zip(names, row) where value != .missing {
      members.append("\(SafeJSON.string(name)): \(Self.json(value))")
    }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private static func json(_ value: AttributeValue) -> String {
    switch value {
    case .missing, .null: "null"
    case .bool, .number, .json: value.text
    case .string(let text): SafeJSON.string(text)
    }
  }
}
