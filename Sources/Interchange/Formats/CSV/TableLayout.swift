/// How a table was written, as words in `CollectionSource.whitespace`.
///
///     csv sep=3B newline=rn quote=all decimal=2C bom x=2:lon y=3:lat
///
/// Bytes are in hexadecimal; a column is its place and its name, with `%` and hexadecimal for
/// spaces and other bytes that would end a word.
struct TableLayout: Hashable {
  /// A column of positions: where it stood and what it was called.
  struct Column: Hashable {
    var place: Int
    var name: String
  }

  var separator: UInt8 = UInt8(ascii: ",")
  var newline = "\r\n"
  var isAllQuoted = false
  var hasDecimalComma = false
  var hasByteOrderMark = false
  var x: Column?
  var y: Column?
  var text: Column?

  /// Whether words are those of a table.
  static func isTable(_ words: String) -> Bool { words.hasPrefix("csv ") }

  var words: String {
    var words = ["csv", "sep=" + String(separator, radix: 16, uppercase: true)]
    words.append("newline=" + (newline == "\n" ? "n" : newline == "\r" ? "r" : "rn"))
    if isAllQuoted { words.append("quote=all") }
    if hasDecimalComma { words.append("decimal=2C") }
    if hasByteOrderMark { words.append("bom") }
    for (key, column) in [("x", x), ("y", y), ("wkt", text)] {
      if let column { words.append("\(key)=\(column.place):\(Self.escaped(column.name))") }
    }
    return words.joined(separator: " ")
  }

  init() {}

  /// Reads words; `nil` if they are not those of a table.
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
      default: break
      }
    }
  }

  private static func column(_ text: Substring) -> Column? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let place = Int(parts[0]), place >= 0 else { return nil }
    return Column(place: place, name: unescaped(parts[1]))
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      if byte > 0x20, byte != UInt8(ascii: "%"), byte < 0x7F {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }

  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
