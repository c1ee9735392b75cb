import PortolanFiles

/// The layout of a source table, as words in `CollectionSource.whitespace`.
///
///     csv sep=3B newline=rn quote=all decimal=2C bom x=2:lon y=3:lat
///
/// Bytes are in hexadecimal; a column is its place and its name, with `%` and hexadecimal for
/// spaces and other bytes that would end a word. `point=` is a column of pairs, latitude first,
/// `form=` the signs around and between their numbers; `shape=` is the form of shapes that are no
/// well-known text (`ShapeForm`), `enc=` the encoding, if not UTF-8.
/// `columns=` lists the names of all columns with commas between, `empty=` the places of columns
/// that were empty in all records.
struct TableLayout: Hashable {
  /// A position column: its place and its name.
  struct Column: Hashable {
    var place: Int
    var name: String
  }

  /// The names of two columns.
  struct Names: Hashable {
    var x: String
    var y: String
  }

  /// How a pair of numbers is written: `(52.5, 13.4)`.
  struct PointForm: Hashable {
    var hasBrackets = false
    var between = ","

    /// The form of a text that is a pair.
    init(of text: String = "") {
      hasBrackets = text.hasPrefix("(")
      if text.contains(";") {
        between = text.contains("; ") ? "; " : ";"
      } else if text.contains(", ") || text.contains(",") {
        between = text.contains(", ") ? ", " : ","
      } else if text.contains(" ") {
        between = " "
      }
    }
  }

  var separator: UInt8 = UInt8(ascii: ",")
  var newline = "\r\n"
  var isAllQuoted = false
  var hasDecimalComma = false
  var hasByteOrderMark = false
  var x: Column?
  var y: Column?
  var text: Column?
  /// The column of pairs.
  var point: Column?
  var pointForm = PointForm()
  /// The form of the shapes in `text`.
  var shapeForm = ShapeForm()
  /// The name of the encoding of the file; empty for UTF-8.
  var encoding = ""
  /// The names of position columns that were in no table before.
  var unplacedNames = Names(x: "x", y: "y")
  /// The column that became the features' `id`.
  var identifier: Column?
  /// The names of all columns in order; empty in layouts of former versions.
  var columns: [String] = []
  /// The places of columns without any value.
  var emptyColumns: Set<Int> = []

  /// Whether words are a table's layout.
  static func isTable(_ words: String) -> Bool { words.hasPrefix("csv ") }

  var words: String {
    var words = ["csv", "sep=" + String(separator, radix: 16, uppercase: true)]
    words.append("newline=" + (newline == "\n" ? "n" : newline == "\r" ? "r" : "rn"))
    if isAllQuoted { words.append("quote=all") }
    if hasDecimalComma { words.append("decimal=2C") }
    if hasByteOrderMark { words.append("bom") }
    for (key, column) in [("x", x), ("y", y), ("wkt", text), ("point", point), ("id", identifier)] {
      if let column { words.append("\(key)=\(column.place):\(WordText.escaped(column.name.utf8))") }
    }
    if point != nil {
      let form = (pointForm.hasBrackets ? "(" : "") + pointForm.between
      words.append("form=" + WordText.escaped(form.utf8))
    }
    if text != nil, shapeForm != ShapeForm() { words.append("shape=" + shapeForm.word) }
    if !encoding.isEmpty { words.append("enc=" + encoding) }
    if !columns.isEmpty {
      let names = columns.map { WordText.escaped($0.utf8).replacing(",", with: "%2C") }
      words.append("columns=" + names.joined(separator: ","))
    }
    if !emptyColumns.isEmpty {
      words.append("empty=" + emptyColumns.sorted().map(String.init).joined(separator: ","))
    }
    return words.joined(separator: " ")
  }

  init() {}

  /// Parses words; `nil` if they are not a table's layout.
  init?(words: String) {
    guard Self.isTable(words) else { return nil }
    for word in words.split(separator: " ").dropFirst() {
      let parts = word.split(separator: "=", maxSplits: 1)
      let value = parts.count > 1 ? parts[1] : ""
      switch parts[0] {
      case "sep": separator = UInt8(value, radix: 16) ?? separator
      case "newline": newline = value == "n" ? "\n" : value == "r" ? "\r" : "\r\n"
      case "quote": isAllQuoted = value == "all"
      case "decimal": hasDecimalComma = value == "2C"
      case "bom": hasByteOrderMark = true
      case "x": x = Self.column(value)
      case "y": y = Self.column(value)
      case "wkt": text = Self.column(value)
      case "point": point = Self.column(value)
      case "form":
        let form = String(decoding: WordText.unescaped(value), as: UTF8.self)
        pointForm.hasBrackets = form.hasPrefix("(")
        pointForm.between = form.hasPrefix("(") ? String(form.dropFirst()) : form
      case "shape": shapeForm = ShapeForm(word: value)
      case "enc": encoding = TextEncoding(name: String(value)) == nil ? "" : String(value)
      case "id": identifier = Self.column(value)
      case "columns":
        columns = value.split(separator: ",", omittingEmptySubsequences: false).map {
          String(decoding: WordText.unescaped($0), as: UTF8.self)
        }
      case "empty": emptyColumns = Set(value.split(separator: ",").compactMap { Int($0) })
      default: break
      }
    }
  }

  /// Whether it is that of a table of attributes alone.
  var isWithoutPositions: Bool { leavesOutPositions || !columns.isEmpty && positions.isEmpty }

  /// Whether it is to be that.
  var leavesOutPositions = false

  /// The columns of positions.
  var positions: [Column] { [x, y, text, point].compactMap { $0 } }

  private static func column(_ text: Substring) -> Column? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let place = Int(parts[0]), place >= 0 else { return nil }
    return Column(place: place, name: String(decoding: WordText.unescaped(parts[1]), as: UTF8.self))
  }
}
