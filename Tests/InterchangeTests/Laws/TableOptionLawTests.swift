import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Tables of any encoding, separator and form of positions come back: seeded random tables,
/// `PORTOLAN_LAWS=N` for N.
@Suite struct TableOptionLawTests {
  /// A table with the options that read it, and where its features lie.
  private struct Table: Choosing {
    var random: SeededGenerator
    var options = TableOptions()
    var places: [Coordinate?] = []
    var bytes: [UInt8] = []
    private var separator = ","
    private var letters: [Character] = []

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      let encoding = try #require(TextEncoding(name: pick(TextEncoding.names)))
      if encoding != .utf8 { options.encoding = encoding }
      separator = pick([",", ";", "\t", "|", "^", "~", " ", "="])
      options.separator = Array(separator.utf8)[0]
      letters = Array(
        String(decoding: try encoding.decoded(Self.alphabet(encoding)), as: UTF8.self)
      )
      .filter { !$0.isNewline && !$0.isWhitespace }
      let positions: [String]
      switch number(0...2) {
      case 0:
        positions = ["breite", "laenge"]
        options.yColumn = "breite"
        options.xColumn = "laenge"
      case 1:
        positions = ["place"]
        options.pointColumn = "place"
      default:
        positions = ["shape_text"]
        options.textColumn = "shape_text"
      }
      var columns = ["name", "note", "count"].shuffled(using: &random)
      for name in positions { columns.insert(name, at: number(0...columns.count)) }
      let newline = pick(["\n", "\r\n"])
      var text = columns.map(field).joined(separator: separator) + newline
      for _ in 0..<number(1...12) {
        let values = position(positions.count)
        let fields = columns.map { name in
          positions.firstIndex(of: name).map { field(values[$0]) }
            ?? field(name == "count" ? "\(number(0...99))" : word())
        }
        text += fields.joined(separator: separator) + newline
      }
      let encoded = encoding.encoded(Array(text.utf8))
      // The sign of degrees is not in every encoding.
      if encoded.lost > 0 { throw Laws.Refused() }
      bytes = encoded.bytes
    }

    private static func alphabet(_ encoding: TextEncoding) -> [UInt8] {
      let letters = Array("abcXYZ\u{E9}\u{416}\u{20AC}\u{1F30D}".utf8)
      if encoding.name.hasPrefix("utf") { return encoding.encoded(letters).bytes }
      return Array(0x41...0x5A) + Array(0xA1...0xFF)
    }

    private mutating func word() -> String {
      let count = number(0...6)
      return String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
    }

    private func field(_ text: String) -> String {
      let needsQuotes =
        text.contains(separator) || text.contains("\"") || text.hasPrefix(" ")
        || text.hasSuffix(" ") || text.isEmpty
      return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }

    /// The fields of a position, of which a few are none.
    private mutating func position(_ columns: Int) -> [String] {
      if chance(9) {
        places.append(nil)
        return columns == 2 ? ["x1", "y1"] : ["nowhere"]
      }
      if options.textColumn != nil {
        let place = Coordinate(x: Double(number(-170...170)), y: Double(number(-80...80)) + 0.5)
        places.append(place)
        return ["POINT (\(place.x) \(place.y))"]
      }
      let form = number(0...4)
      let (y, latitude) = ordinate(89, "N", "S", form)
      let (x, longitude) = ordinate(179, "E", "W", form)
      places.append(Coordinate(x: x, y: y))
      if columns == 2 { return [latitude, longitude] }
      let between = form == 0 ? pick([",", ", ", " ", ";"]) : pick([",", ", ", ";"])
      let pair = latitude + between + longitude
      return [chance(2) ? "(" + pair + ")" : pair]
    }

    private mutating func ordinate(
      _ most: Int, _ plus: String, _ minus: String, _ form: Int
    ) -> (Double, String) {
      let isNegative = chance(2)
      let (degrees, minutes) = (number(0...most), number(0...59))
      let seconds = "\(number(0...59))" + pick(["", ".5", ".25"])
      let side = isNegative ? minus : plus
      let sign = isNegative ? -1.0 : 1
      let value =
        sign * (Double(degrees) * 3600 + Double(minutes) * 60 + (Double(seconds) ?? 0)) / 3600
      switch form {
      case 0:
        let text = (isNegative ? "-" : "") + "\(degrees).\(minutes)"
        return (Double(text) ?? 0, text)
      case 1: return (value, "\(degrees)°\(minutes)'\(seconds)\"\(side)")
      case 2: return (value, "\(degrees)d\(minutes)m\(seconds)s\(side)")
      case 3: return (value, "\(side) \(degrees) \(minutes) \(seconds)")
      default:
        return (
          sign * (Double(degrees) * 3600 + Double(minutes) * 60) / 3600,
          "\(degrees)° \(minutes)′ \(side)"
        )
      }
    }
  }

  private static func read(_ bytes: [UInt8], _ options: TableOptions?) throws -> FeatureLayer {
    let result = try CSVFormat.comma.read(
      bytes, options: ImportOptions(name: "t", own: options)
    ) { _ in }
    return try #require(result.layers.first as? FeatureLayer)
  }

  @Test func `Positions are where the text says`() {
    let broken = Laws.broken("positions of tables") { seed in
      let table = try Table(seed: seed)
      let layer = try Self.read(table.bytes, table.options)
      let found = layer.blocks.flatMap { block in
        (0..<block.rowCount).map { block.geometry.geometry(ofFeature: $0).paths.first?.vertices[0] }
      }
      guard found.count == table.places.count else { return "\(found.count) rows" }
      for (place, wanted) in zip(found, table.places) {
        guard let place, let wanted else {
          if place == nil, wanted == nil { continue }
          return "\(String(describing: place)) for \(String(describing: wanted))"
        }
        if abs(place.x - wanted.x) > 1e-12 || abs(place.y - wanted.y) > 1e-12 {
          return "\(place) for \(wanted)"
        }
      }
      return nil
    }
    #expect(broken == [])
  }

  @Test func `What was not edited comes back byte for byte`() {
    let broken = Laws.broken("tables of any form") { seed in
      var table = try Table(seed: seed)
      var layer = try Self.read(table.bytes, table.options)
      let former = FormerFile(table.bytes, layer, options: table.options)
      let file = try CSVFormat.comma.rewrite(layer, over: former, system: .crs84)
      if !file.losses.isEmpty { return "it tells \(file.losses)" }
      if file.bytes != table.bytes { return difference(table.bytes, file.bytes) }
      // One value: all other records keep their bytes.
      let ids = layer.blocks.flatMap(\.featureIDs)
      let row = table.number(0...ids.count - 1)
      try layer.setAttribute("note", to: .string("edited"), of: [ids[row]])
      let edited = try CSVFormat.comma.rewrite(layer, over: former, system: .crs84)
      if !edited.losses.isEmpty { return "it tells \(edited.losses)" }
      let encoding = table.options.encoding ?? .utf8
      let texts = try [table.bytes, edited.bytes].map { bytes in
        String(decoding: try encoding.decoded(bytes), as: UTF8.self).split(
          omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      }
      guard texts[0].count == texts[1].count else { return "\(texts[1].count) lines" }
      for line in texts[0].indices where texts[0][line] != texts[1][line] && line != row + 1 {
        return "line \(line + 1) became \(texts[1][line])"
      }
      let again = try Self.read(edited.bytes, table.options)
      return differences(FeatureValues.all(layer), FeatureValues.all(again), "")
    }
    #expect(broken == [])
  }

  @Test func `A moved point keeps the form of its table`() throws {
    let bytes = Array("n,place\n1,\"(52.5, 13.4)\"\n2,\"(1.0, 2.0)\"\n".utf8)
    let options = TableOptions(pointColumn: "place")
    var layer = try Self.read(bytes, options)
    try layer.setGeometry(.point(Coordinate(x: 7.25, y: -3)), of: FeatureID(2))
    let file = try CSVFormat.comma.rewrite(
      layer, over: FormerFile(bytes, try Self.read(bytes, options), options: options),
      system: .crs84)
    #expect(String(decoding: file.bytes, as: UTF8.self).contains("2,\"(-3.0, 7.25)\"\n"))
    #expect(file.losses == [])
  }

  @Test(arguments: TextEncoding.names)
  func `Every byte of an encoding comes back`(name: String) throws {
    let encoding = try #require(TextEncoding(name: name))
    if name.hasPrefix("utf") { return }
    let bytes = (0...255).map { UInt8($0) }
    let text = try encoding.decoded(bytes)
    #expect(String(validating: text, as: UTF8.self) != nil)
    let again = encoding.encoded(text)
    #expect(again.bytes == bytes && again.lost == 0)
  }

  @Test(arguments: [false, true])
  func `UTF-16 with its mark is read without being told, and comes back`(isBig: Bool) throws {
    let text = "\u{FEFF}name\tlon\tlat\nKöln 🌍\t6.96\t50.94\n"
    let bytes = text.utf16.flatMap { unit in
      let halves = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBig ? halves : halves.reversed()
    }
    #expect(CSVFormat.tab.recognizes(bytes[...]) && CSVFormat.tab.fault(in: bytes[...]) == nil)
    let layer = try Self.read(bytes, nil)
    #expect(layer.blocks[0].attribute("name", row: 0) == .string("Köln 🌍"))
    let file = try CSVFormat.tab.rewrite(layer, over: FormerFile(bytes, layer), system: .crs84)
    #expect(file.bytes == bytes && file.losses == [])
  }

  @Test func `A letter that the encoding lacks is told`() throws {
    let options = TableOptions(encoding: TextEncoding(name: "latin1"))
    let bytes = Array("n,lon,lat\nK".utf8) + [0xF6] + Array("ln,7,51\n".utf8)
    var layer = try Self.read(bytes, options)
    let former = FormerFile(bytes, layer, options: options)
    try layer.setAttribute("n", to: .string("Łódź"), of: [FeatureID(1)])
    let file = try CSVFormat.comma.rewrite(layer, over: former, system: .crs84)
    #expect(file.losses.contains { $0.contains("2 characters that iso-8859-1 does not have") })
  }

  @Test(arguments: [
    ("52°31'N", 52.516666666666666), ("52 31 12 N", 52.52), ("52d31m12sN", 52.52),
    ("N 52° 31.2'", 52.52), ("-52:31:12", -52.52), ("52.52N", 52.52), ("52,52", nil),
    ("S52°31′12″", -52.52), ("52°31'12''S", -52.52), ("37°30'20.5\"N", 37.505694444444444),
    ("52°61'N", nil), ("52°31'60\"N", nil), ("91°N", nil), ("-52°N", nil), ("52°31'E", nil),
    ("52.5°31'N", nil), ("N", nil), ("", nil), ("45 000", nil), ("45 000 N", 45), ("1e2", 100),
    ("52°31'12\"N extra", nil), ("٥٢°N", nil), ("52d31m12s", 52.52), ("52°31'12\"s", -52.52),
    ("- 52 31 12", -52.52),
  ])
  func `Latitudes as people write them`(text: String, value: Double?) {
    let found = PositionText.ordinate(text, .y)
    #expect((found == nil) == (value == nil), "\(String(describing: found))")
    if let found, let value { #expect(abs(found - value) < 1e-12) }
  }

  @Test(arguments: [
    ("(37.8, -122.4)", 37.8, -122.4), ("37.8,-122.4", 37.8, -122.4), ("37.8 -122.4", 37.8, -122.4),
    ("[37.8;-122.4]", 37.8, -122.4), ("52,52, 13,40", 52.52, 13.4),
    ("52°31'12\"N 13°24'E", 52.52, 13.4), ("13°24'E, 52°31'12\"N", 52.52, 13.4),
    ("N 52 31 12, E 13 24 0", 52.52, 13.4),
  ])
  func `Pairs as people write them`(text: String, y: Double, x: Double) throws {
    let found = try #require(PositionText.point(text)).place
    #expect(abs(found.x - x) < 1e-12 && abs(found.y - y) < 1e-12)
  }

  @Test(arguments: ["", "37.8", "a, b", "1,2,3", "(1, )", "52N, 13N", "1;2;3", "1e5", "1e", "12n3"])
  func `What is no pair`(text: String) { #expect(PositionText.point(text) == nil) }

  @Test func `Any text is a position or none`() {
    var random = SeededGenerator(seed: 5)
    let signs = Array("0123456789 .,;:-+°'\"′″dmsNSEWnsew()[]eE\u{0}é🌍")
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...24, using: &random)).compactMap { _ in
          signs.randomElement(using: &random)
        })
      if let value = PositionText.ordinate(text, .y) { #expect(value.isFinite, "\(text)") }
      if let pair = PositionText.point(text) {
        #expect(pair.place.x.isFinite && pair.place.y.isFinite, "\(text)")
      }
    }
  }
}
