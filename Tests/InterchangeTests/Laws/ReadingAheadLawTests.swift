import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// A text that several readers read gives the same as one that is read by one reader.
@Suite struct ReadingAheadLawTests {
  /// A long regular text with something odd now and then, in an array or on lines.
  private struct LongMap: Choosing {
    var random: SeededGenerator
    private let oddity: Int
    private let isPretty: Bool
    private let isOrdered: Bool
    let isOnLines: Bool
    /// The number of the first feature with an escape; many texts end before it.
    private let firstEscape: Int
    private let escape: String

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed &+ 1_000_000)
      oddity = [10, 60, 400, 100_000][Int.random(in: 0...3, using: &random)]
      isPretty = Bool.random(using: &random)
      isOrdered = Int.random(in: 0...2, using: &random) > 0
      isOnLines = Int.random(in: 0...2, using: &random) == 0
      firstEscape = Int.random(in: 0...198, using: &random)
      escape = [#"\/"#, #"\u6771"#, #"\u00e9"#, #"\uABCD"#].randomElement(using: &random) ?? ""
    }

    mutating func text() -> String {
      let items = (0..<number(1...120)).map { self.item($0) }
      let mark = chance(9) ? "\u{FEFF}" : ""
      if isOnLines { return mark + items.map { $0 + (odd() ? "\r\n" : "\n") }.joined() }
      var text = mark + #"{"type":"FeatureCollection","#
      if chance(9) { text += #""crs":{"type":"name","properties":{"name":"EPSG:3857"}},"# }
      text += #""features":["#
      for (index, item) in items.enumerated() {
        text += (index == 0 ? "" : odd() ? " ," : ",") + (odd() ? " " : isPretty ? "\n" : "")
        text += item
      }
      text += isPretty ? "\n]" : "]"
      if chance(5) { text += #","more":[{"type":"Feature"},{"type":"Feature"},{"a":"\u6771"}]"# }
      return text + "}" + (chance(9) ? "x" : "")
    }

    private mutating func odd() -> Bool { chance(oddity) }

    private mutating func item(_ index: Int) -> String {
      let type = #""type":"Feature""#
      var properties = #""properties":{"n":\#(index),"name":\#(name())"#
      if odd() { properties += #","list":[{"type":"Feature","geometry":null},{"a":1},{}]"# }
      if odd() { properties += #","late":\#(index)"# }
      if index >= firstEscape { properties += #","escape":"\#(escape)""# }
      var members = [type, properties + "}", #""geometry":"# + geometry()]
      if odd() { members.append(#""id":\#(index)"#) }
      if odd() { members.append(#""crs":{"type":"name","properties":{"name":"EPSG:3857"}}"#) }
      if odd() { members.append(type) }
      if !isOrdered || odd() { members.reverse() }
      return "{" + members.joined(separator: isPretty ? ", " : ",") + "}"
    }

    private mutating func name() -> String {
      odd()
        ? pick([
          #""é""#, #""a/b""#, #""a\/b""#, #""\u00e9""#, #""\u00E9\u6771""#, #""{\"type\":""#,
        ])
        : #""plain""#
    }

    private mutating func geometry() -> String {
      let places = (0..<number(1...9)).map { _ in
        odd() ? "[1.50,200]" : "[\(number(-99...99)).25,\(number(-80...80))]"
      }
      let line = places.joined(separator: ",")
      switch number(0...4) {
      case 0: return #"{"type":"Point","coordinates":[\#(number(-9...9)),5]}"#
      case 1: return "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],\(line),[0,0]]]}"
      case 2 where odd():
        let point = #"{"type":"Point","coordinates":[1,2]}"#
        return #"{"type":"GeometryCollection","geometries":[\#(point),\#(point),\#(point)]}"#
      default: return "{\"type\":\"LineString\",\"coordinates\":[\(line),[7,7]]}"
      }
    }
  }

  private static func text(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    var (long, short) = (LongMap(seed: seed), RandomMap(seed: seed))
    var bytes = Array((seed % 4 == 0 ? short.text() : long.text()).utf8)
    if Int.random(in: 0..<6, using: &random) == 0, !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    }
    return bytes
  }

  /// What a reading gives: the bytes of a document, the report and the system, or the error.
  private static func outcome(_ bytes: [UInt8], _ regions: TextRegions) throws -> String {
    var format = GeoJSONFormat()
    format.regions = regions
    do {
      let result = try format.read(bytes, options: ImportOptions(name: "law")) { _ in }
      guard let layer = result.layers.first as? FeatureLayer else { throw Laws.Refused() }
      var document = Document()
      document.nextID = layer.id.rawValue + 10
      document.layers = [layer]
      let saved = try DocumentFile.bytes(of: document)
      return "\(saved) \(result.report) \(result.coordinateSystem) \(layer.nextFeatureID)"
    } catch let error as ImportError {
      return "\(error)"
    }
  }

  private static func regions(_ seed: UInt64) -> TextRegions {
    var random = SeededGenerator(seed: seed &+ 77)
    return TextRegions(
      size: Int.random(in: 20...2_000, using: &random),
      atOnce: Int.random(in: 2...9, using: &random),
      reach: Int.random(in: 10...4_000, using: &random))
  }

  @Test func `Random texts give one result, however many readers read them`() throws {
    let broken = Laws.broken("texts read ahead") { seed in
      let bytes = Self.text(seed)
      var regions = Self.regions(seed)
      let several = try Self.outcome(bytes, regions)
      regions.atOnce = 1
      let one = try Self.outcome(bytes, regions)
      return several == one ? nil : "\(regions): \(one.prefix(900)) became \(several.prefix(900))"
    }
    #expect(broken == [])
  }

  @Test(arguments: [false, true])
  func `Most regions of regular texts are taken over`(areLines: Bool) throws {
    var (taken, waste) = (0, 0)
    for seed in 0..<200 as Range<UInt64> {
      var map = LongMap(seed: seed)
      guard map.isOnLines == areLines else { continue }
      let bytes = Array(map.text().utf8)
      let ahead = try Self.read(bytes, TextRegions(size: 1_000, atOnce: 8, reach: 4_000))?.ahead
      taken += ahead?.taken ?? 0
      waste += ahead?.waste ?? 0
    }
    #expect(taken > 200)
    #expect(waste < taken / 4)
  }

  @Test func `The first feature of each region begins a block`() throws {
    let item = #"{"type":"Feature","properties":{"n":12},"geometry":null}"#
    let head = #"{"type":"FeatureCollection","features":["#
    let text = head + [String](repeating: item, count: 500).joined(separator: ",") + "]}"
    for atOnce in [1, 6] {
      let regions = TextRegions(size: 1_000, atOnce: atOnce)
      let blocks = try #require(try Self.read(Array(text.utf8), regions)).builder.blocks
      let starts = (0..<500).map { head.utf8.count + $0 * (item.utf8.count + 1) }
      let wanted = (0..<500).filter { $0 == 0 || starts[$0] / 1_000 > starts[$0 - 1] / 1_000 }
      #expect(blocks.map { Int($0.featureIDs[0].rawValue) - 1 } == wanted)
    }
  }

  @Test(arguments: ["", #"{"x":1},"#])
  func `Features within others end the reading ahead`(fault: String) throws {
    let inner = #"{"type":"Feature","properties":{"a":"\u6771"},"geometry":null}"#
    let list = "[{},\(inner),\(fault)\(inner),\(inner)]"
    let item =
      #"{"type":"Feature","properties":{"list":\#(list),"s":"\#(String(repeating: "x", count: 900))"},"#
      + #""geometry":null}"#
    let text =
      #"{"type":"FeatureCollection","features":["#
      + [String](repeating: item, count: 400).joined(separator: ",") + "]}"
    let regions = TextRegions(size: 700, atOnce: 8, reach: 5_000)
    let ahead = try #require(try Self.read(Array(text.utf8), regions)).ahead
    #expect(ahead.waste <= 4 + ahead.taken / 8 + 8)
  }

  @Test func `A choice made late ends no reading ahead`() throws {
    let item = #"{"type":"Feature","properties":{"a":"b"},"geometry":null}"#
    var items = [String](repeating: item, count: 400)
    items[60] = #"{"type":"Feature","properties":{"a":"\u6771"},"geometry":null}"#
    let text =
      #"{"type":"FeatureCollection","features":["# + items.joined(separator: ",") + "]}"
    let read = try Self.read(Array(text.utf8), TextRegions(size: 500, atOnce: 16))
    #expect(try #require(read).ahead.taken > 40)
  }

  @Test func `White space without end is learned once`() throws {
    let line = #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#
    let items = [String](repeating: line, count: 100).joined(separator: ",")
    let text =
      #"{"type":"FeatureCollection","features":["# + String(repeating: " ", count: 1 << 20)
      + items.replacing(line, with: #"{"type":"Feature","geometry":\#(line),"properties":{}}"#)
      + "]}"
    let read = try Self.read(Array(text.utf8), TextRegions(size: 500, atOnce: 16))
    #expect(try #require(read).ahead.taken == 0)
  }

  @Test func `Progress rises, and its error ends the reading`() throws {
    let item = #"{"type":"Feature","properties":{"a":"b"},"geometry":null}"# + "\n"
    let bytes = Array(String(repeating: item, count: 200).utf8)
    var format = GeoJSONFormat()
    format.regions = TextRegions(size: 300, atOnce: 3)
    var parts: [Double] = []
    _ = try? format.read(bytes, options: ImportOptions(name: "law")) { parts.append($0) }
    #expect(parts.count > 4)
    #expect(parts == parts.sorted())
    var calls = 0
    #expect(throws: CancellationError.self) {
      _ = try format.read(bytes, options: ImportOptions(name: "law")) { _ in
        calls += 1
        if calls == 4 { throw CancellationError() }
      }
    }
    #expect(calls == 4)
  }

  /// A reader after its text; `nil` for a text with a fault.
  private static func read(_ bytes: [UInt8], _ regions: TextRegions) throws -> GeoJSONReader? {
    try bytes.withUnsafeBufferPointer { bytes in
      try DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        let scanner = try #require(JSONScanner(bytes, powers: powers))
        var reader = GeoJSONReader(scanner: scanner)
        reader.regions = regions
        do {
          try reader.read { _ in }
        } catch is ScanFault {
          return nil
        }
        return reader
      }
    }
  }
}
