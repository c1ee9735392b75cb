import PortolanTestSupport

/// CSV and TSV texts made of a seed.
struct RandomTable: Choosing {
  var random: SeededGenerator
  fileprivate var separator = ","
  fileprivate var newline = "\n"
  fileprivate var quotesAll = false
  private var oddity = 12

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    separator = pick([",", ",", ";", "\t", "|"])
    newline = pick(["\n", "\r\n", "\n", "\r"])
    quotesAll = chance(5)
    oddity = pick([3, 12, 60])
  }

  private mutating func odd() -> Bool { chance(oddity) }

  mutating func text() -> String {
    var columns = pick([
      ["lon", "lat"], ["x", "y"], ["Longitude", "Latitude"], ["wkt"], ["the_geom"], ["lat", "lon"],
    ])
    let isText = columns.count == 1
    for _ in 0..<number(0...5) {
      columns.insert(
        odd() ? oddField() : pick(["name", "a", "b", "n", "id", "lon", "wkt", "ele"]),
        at: number(0...columns.count))
    }
    var text = chance(6) ? "\u{FEFF}" : ""
    text += columns.map { field($0) }.joined(separator: separator) + newline
    let kinds = columns.map { _ in number(0...4) }
    for _ in 0..<number(0...12) {
      if odd(), chance(4) { text += newline }
      var fields = zip(columns, kinds).map { name, kind in
        positionField(name, isText: isText) ?? field(value(kind))
      }
      if odd() { fields.append(field(value(number(0...4)))) }
      if odd(), fields.count > 1 { fields.removeLast() }
      text += fields.joined(separator: separator) + newline
    }
    if chance(5), text.hasSuffix(newline) { text.removeLast() }
    return text
  }

  private mutating func positionField(_ name: String, isText: Bool) -> String? {
    switch name.lowercased() {
    case "wkt", "the_geom":
      return odd() ? field(value(number(0...4))) : field(wkt())
    case "lon", "lat", "x", "y", "longitude", "latitude":
      if odd() { return field(value(number(0...4))) }
      let whole = "\(number(-89...89))"
      let places = pick(["", ".5", ".25", ".0", ".50"])
      let isComma = separator == ";" && chance(2)
      return field(whole + (isComma ? places.replacing(".", with: ",") : places))
    default: return nil
    }
  }

  private mutating func wkt() -> String {
    pick([
      "POINT (1 2)", "POINT(1.5 2.50)", "LINESTRING (0 0, 1 1)", "POLYGON ((0 0, 1 0, 1 1, 0 0))",
      "POINT Z (1 2 3)", "MULTIPOINT ((1 2), (3 4))", "POINT EMPTY", "point (1 2)", "POINT (1",
      "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1))", "SRID=4326;POINT (1 2)",
      "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))", "GEOMETRYCOLLECTION EMPTY",
    ])
  }

  private mutating func value(_ kind: Int) -> String {
    if odd() { return oddField() }
    switch kind {
    case 0: return "\(number(-99...9999))"
    case 1: return pick(["1.5", "2.50", "1e5", "-0", "3", "1,5"])
    case 2: return pick(["true", "false", ""])
    case 3: return pick(["007", "12", "-", "+1", ".5"])
    default: return pick(["Berlin", "São Paulo", "two words", "", "O\"Neill", "a,b;c\td|e"])
    }
  }

  private mutating func oddField() -> String {
    pick([
      "", " ", " a ", "a\nb", "a\r\nb", "\r", "\"", "\"\"", "\"a\"b", "a\"b", "=1+1", "null", "NaN",
      "1e999", "12345678901234567890", "e\u{301}", "\u{E9}", "\u{FEFF}", "\u{1}", "\u{1B}[2J", "\t",
      "{\"a\":1}", "0x10", "1_000", " 1", "1 ", "-", "Infinity", "%41", "a=b",
    ])
  }

  /// A field as it stands in the text, in quotes where it needs them and now and then elsewhere.
  private mutating func field(_ value: String) -> String {
    let needsQuotes =
      value.utf8.contains { [0x0A, 0x0D, 0x22].contains($0) }
      || value.contains(separator)
    // Now and then quotes are forgotten.
    if needsQuotes, odd(), chance(3) { return value }
    if needsQuotes || quotesAll || odd() {
      return "\"" + value.replacing("\"", with: "\"\"") + "\""
    }
    return value
  }
}

extension RandomTable {
  var isTabbed: Bool { separator == "\t" }

  /// A table as programs write them: quotes everywhere or where they are needed, numbers of one
  /// style, no column twice.
  mutating func regularText() -> String {
    let isText = chance(3)
    var columns = ["name", "count", "Größe", "note, or so", "share"].shuffled(using: &random)
    columns.removeLast(number(0...3))
    let positions = isText ? ["wkt"] : pick([["lon", "lat"], ["y", "x"]])
    for name in positions { columns.insert(name, at: number(0...columns.count)) }
    let places = number(0...6)
    let isComma = separator == ";" && places > 0 && !isText && chance(2)
    var text = chance(6) ? "\u{FEFF}" : ""
    text += columns.map { regularField($0) }.joined(separator: separator) + newline
    for row in 0..<number(1...40) {
      let fields = columns.map { name in
        switch name {
        case "lon", "lat", "x", "y":
          let number =
            "\(number(-89...89))"
            + (places > 0 ? "." + String("1234567".prefix(places - 1)) + "5" : "")
          return isComma ? number.replacing(".", with: ",") : number
        case "wkt":
          return regularField(pick(["POINT (1 2)", "LINESTRING (0 0, 1 1)", "POINT (1.5 -2.25)"]))
        case "count": return "\(number(0...9999))"
        case "share": return row > 0 && chance(3) ? "" : "\(number(0...99))"
        default:
          return row > 0 && chance(4) ? "" : regularField(pick(["Köln", "a\"b", "x\ny", "z"]))
        }
      }
      text += fields.joined(separator: separator) + newline
    }
    return text
  }

  private func regularField(_ value: String) -> String {
    let needsQuotes =
      value.utf8.contains { [0x0A, 0x0D, 0x22].contains($0) }
      || value.contains(separator)
    guard needsQuotes || quotesAll else { return value }
    return "\"" + value.replacing("\"", with: "\"\"") + "\""
  }
}
