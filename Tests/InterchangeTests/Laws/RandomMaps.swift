import PortolanTestSupport

/// Choices of a seeded generator.
protocol Choosing {
  var random: SeededGenerator { get set }
}

extension Choosing {
  /// Whether one of so many chances comes true.
  mutating func chance(_ odds: Int) -> Bool { Int.random(in: 0..<odds, using: &random) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
}

/// GeoJSON texts made of a seed: all that the grammar of JSON and the reader let through, and a
/// little that they do not.
struct RandomMap: Choosing {
  var random: SeededGenerator
  /// White space of the whole text: of one kind mostly, so that layouts are learned.
  private var gaps: [String] = [""]
  private var isWild = false
  private var isASCII = false
  private var names: [String] = []
  /// How often something odd is done: one of so many times.
  private var oddity = 12

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    isWild = chance(4)
    isASCII = chance(3)
    oddity = pick([3, 12, 60])
    gaps = pick([[""], [" "], ["\n"], ["", " "], ["\r\n", "  "], ["\n\t", "", "\n    "]])
    names = (0..<number(1...5)).map { _ in string() }
  }

  mutating func text() -> String {
    var text = chance(8) ? "\u{FEFF}" : ""
    switch number(0...11) {
    case 0: text += wildGap() + feature() + wildGap()
    case 1: text += wildGap() + geometry(depth: 0) + wildGap()
    case 2: text += wildGap() + collection("GeometryCollection", "geometries") + wildGap()
    case 3:
      text += (0..<number(1...6)).map { _ in item() + pick(["\n", "\n", "\r\n", " "]) }.joined()
    case 4:
      text += (0..<number(1...6)).map { _ in "\u{1E}" + item() + "\n" }.joined()
      if chance(6) { text = "\u{1E}" + text }
    default: text += wildGap() + collection("FeatureCollection", "features") + wildGap()
    }
    return text
  }

  private mutating func item() -> String { chance(5) ? geometry(depth: 0) : feature() }

  private mutating func odd() -> Bool { chance(oddity) }

  // MARK: White space

  private mutating func gap() -> String { isWild ? pick(gaps) : gaps[0] }

  private mutating func wildGap() -> String { pick(["", "", "\n", " ", "\r\n\t"]) }

  private mutating func object(_ members: [(String, String)]) -> String {
    if members.isEmpty { return "{" + gap() + "}" }
    let texts = members.map { $0.0 + gap() + ":" + gap() + $0.1 + gap() }
    return "{" + gap() + texts.joined(separator: "," + gap()) + "}"
  }

  private mutating func array(_ values: [String]) -> String {
    if values.isEmpty { return "[" + gap() + "]" }
    let texts = values.map { $0 + gap() }
    return "[" + gap() + texts.joined(separator: "," + gap()) + "]"
  }

  // MARK: Values

  /// A string with its quotes.
  private mutating func string() -> String {
    if !odd() {
      return pick(["\"name\"", "\"a\"", "\"b\"", "\"height\"", "\"\"", "\"x y\"", "\"lon\""])
    }
    var text = ""
    for _ in 0..<number(0...5) {
      text += pick([
        "ä", "é", "e\u{301}", "東", "😀", "\u{7F}", "\u{2028}", "/", "\\/", "\\\"", "\\\\", "\\n",
        "\\u00e9", "\\u00E9", "\\ud83d\\ude00", "\\ud800", "\\udc00x", "\\u0000", "\\u001f", "a",
        "\\b\\f\\r\\t", "\\u0041", "\u{FEFF}", "\u{10FFFF}", "K", "\u{212A}",
      ])
    }
    if isASCII { text = Self.escaped(text) }
    return "\"" + text + "\""
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for unit in text.utf16 {
      if unit < 0x80, let scalar = Unicode.Scalar(UInt32(unit)) {
        escaped.unicodeScalars.append(scalar)
      } else {
        let digits = String(unit, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return escaped
  }

  private mutating func numberText() -> String {
    pick([
      "0", "-0", "-0.0", "1", "12.5", "1.50", "1e3", "1E+2", "-2.5e-3", "0.0000001", "5e-324",
      "1.7976931348623157e308", "1e400", "12345678901234567890", "9007199254740993", "007", "1.",
      "123.000", "3.0",
    ])
  }

  private mutating func value(depth: Int = 0) -> String {
    switch number(0...(depth > 3 ? 6 : 9)) {
    case 0: return "null"
    case 1: return pick(["true", "false"])
    case 2, 3: return odd() ? numberText() : "\(number(-99...99))"
    case 4, 5, 6: return string()
    case 7, 8: return array((0..<number(0...3)).map { _ in value(depth: depth + 1) })
    default: return object((0..<number(0...3)).map { _ in (string(), value(depth: depth + 1)) })
    }
  }

  private mutating func name() -> String { odd() ? string() : pick(names) }

  // MARK: Objects

  /// Members in order or shuffled, now and then one of them twice, and foreign ones among them.
  private mutating func members(_ members: [(String, String)]) -> [(String, String)] {
    var members = members
    for _ in 0..<(odd() ? number(1...3) : 0) {
      members.append((pick([string(), "\"bbox\"", "\"title\"", "\"crs\""]), value()))
    }
    if odd(), let member = members.randomElement(using: &random) { members.append(member) }
    if odd() { members.shuffle(using: &random) }
    return members
  }

  private mutating func collection(_ type: String, _ itemsName: String) -> String {
    let items = (0..<number(0...8)).map { _ in
      itemsName == "features" ? feature() : geometry(depth: 0)
    }
    var all = [("\"type\"", "\"\(type)\"")]
    if chance(4) { all.append(("\"name\"", string())) }
    if odd() {
      all.append(
        (
          "\"crs\"", #"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#
        ))
    }
    if odd() { all.append(("\"bbox\"", array(["1", "2.0", "3", "4"]))) }
    all.append(("\"\(itemsName)\"", array(items)))
    if odd(), type == "FeatureCollection" { all.removeFirst() }
    return object(members(all))
  }

  private mutating func feature() -> String {
    var all = [("\"type\"", odd() ? "\"\\u0046eature\"" : "\"Feature\"")]
    if chance(3) {
      all.append(("\"id\"", odd() ? value() : pick(["\"a1\"", "\(number(0...99))"])))
    }
    var properties: [(String, String)] = []
    for name in names { if !odd() { properties.append((name, value())) } }
    if odd() { properties.append((name(), value())) }
    if odd() { properties.shuffle(using: &random) }
    if !odd() { all.append(("\"properties\"", odd() ? "null" : object(properties))) }
    if !odd() { all.append(("\"geometry\"", odd() ? "null" : geometry(depth: 0))) }
    return object(members(all))
  }

  // MARK: Geometry

  private mutating func geometry(depth: Int) -> String {
    if number(0...9) == 0, depth < 3 {
      let inner = (0..<number(0...3)).map { _ in geometry(depth: depth + 1) }
      return object(
        members([("\"type\"", "\"GeometryCollection\""), ("\"geometries\"", array(inner))]))
    }
    let kinds: [(name: String, depth: Int)] = [
      ("Point", 1), ("MultiPoint", 2), ("LineString", 2), ("MultiLineString", 3), ("Polygon", 3),
      ("MultiPolygon", 4),
    ]
    let kind = pick(kinds)
    let coordinates = coordinates(kind.depth, isRing: kind.name.hasSuffix("Polygon"))
    return object(members([("\"type\"", "\"\(kind.name)\""), ("\"coordinates\"", coordinates)]))
  }

  private mutating func coordinates(_ depth: Int, isRing: Bool) -> String {
    if depth == 1 { return position() }
    if odd(), chance(3) { return array([]) }
    if depth == 2, isRing {
      var ring = (0..<number(3...5)).map { _ in position() }
      if !odd() { ring.append(ring[0]) }
      return array(ring)
    }
    return array((0..<number(1...3)).map { _ in coordinates(depth - 1, isRing: isRing) })
  }

  private mutating func position() -> String {
    if odd(), chance(4) { return array([]) }
    let count = odd() ? number(1...5) : chance(8) ? 3 : 2
    return array((0..<count).map { _ in ordinate() })
  }

  private mutating func ordinate() -> String {
    if odd() { return numberText() }
    let whole = number(-89...89)
    switch oddity {
    case 3: return pick(["\(whole)", "\(whole).0", "\(whole).25", "\(whole).50"])
    case 12: return "\(whole).\(number(1...9))"
    default: return "\(whole).\(number(100...999))"
    }
  }
}
