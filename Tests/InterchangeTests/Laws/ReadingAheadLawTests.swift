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

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed &+ 1_000_000)
      oddity = [10, 60, 400, 100_000][Int.random(in: 0...3, using: &random)]
      isPretty = Bool.random(using: &random)
      isOrdered = Int.random(in: 0...2, using: &random) > 0
    }

    mutating func text() -> String {
      let items = (0..<number(1...120)).map { self.item($0) }
      if chance(3) { return items.map { $0 + (odd() ? "\r\n" : "\n") }.joined() }
      var text = #"{"type":"FeatureCollection","features":["#
      for (index, item) in items.enumerated() {
        text += (index == 0 ? "" : ",") + (odd() ? " " : isPretty ? "\n" : "") + item
      }
      return text + (isPretty ? "\n]}" : "]}") + (chance(9) ? "x" : "")
    }

    private mutating func odd() -> Bool { chance(oddity) }

    private mutating func item(_ index: Int) -> String {
      let type = #""type":"Feature""#
      var properties = #""properties":{"n":\#(index),"name":\#(name())"#
      if odd() { properties += #","list":[{"type":"Feature","geometry":null},{"a":1},{}]"# }
      if odd() { properties += #","late":\#(index)"# }
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
      count: Int.random(in: 2...9, using: &random),
      reach: Int.random(in: 10...4_000, using: &random))
  }

  @Test func `Random texts give one result, however many readers read them`() throws {
    let broken = Laws.broken("texts read ahead") { seed in
      let bytes = Self.text(seed)
      var regions = Self.regions(seed)
      let several = try Self.outcome(bytes, regions)
      regions.count = 1
      let one = try Self.outcome(bytes, regions)
      return several == one ? nil : "\(regions): \(one.prefix(900)) became \(several.prefix(900))"
    }
    #expect(broken == [])
  }

  @Test func `Most regions of regular texts are taken over`() throws {
    var (taken, waste) = (0, 0)
    for seed in 0..<100 as Range<UInt64> {
      var map = LongMap(seed: seed)
      let bytes = Array(map.text().utf8)
      let reader = try Self.reader(bytes, TextRegions(size: 1_000, count: 8, reach: 4_000))
      taken += reader?.taken ?? 0
      waste += reader?.waste ?? 0
    }
    #expect(taken > 300)
    #expect(waste < taken / 4)
  }

  /// What was read ahead of a text; `nil` for a text with a fault.
  private static func reader(_ bytes: [UInt8], _ regions: TextRegions) throws -> ItemsAhead? {
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
        return reader.ahead
      }
    }
  }
}
