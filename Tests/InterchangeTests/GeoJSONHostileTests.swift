import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// No bytes end the process, and none take more room or time than they are worth.
@Suite struct GeoJSONHostileTests {
  static let small =
    "\u{FEFF}{\"type\":\"FeatureCollection\", \"name\":\"né\\u00e9\", \"features\":[\n"
    + "{\"type\":\"Feature\",\"id\":7,\"properties\":{\"a\":-1.50e3,\"b\":[true,{\"c\":null}],"
    + "\"d\":\"\\ud83d\\ude00\"},\"geometry\":{\"type\":\"GeometryCollection\",\"geometries\":["
    + "{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[4,0,1],[4.5,4],[0,0]],[[1,1],[2,2],"
    + "[2,1]]],[[]]]},{\"coordinates\":[1,2],\"type\":\"Point\"}]}}\n], \"bbox\" : [0,0,1,1]}\n"

  @Test func `A file cut anywhere is refused or read, never a trap`() throws {
    let bytes = Array(Self.small.utf8)
    _ = try Sample.read(bytes)
    for count in 0..<(bytes.count - 1) {
      let error = Sample.error(Array(bytes.prefix(count)))
      // Only the last line feed may be missing.
      #expect(error != nil, "cut at \(count)")
      if count > 4 { #expect(error?.code == .cut || error?.code == .badNumber, "cut at \(count)") }
    }
  }

  @Test(arguments: [1, 2, 3, 4]) func `Changed bytes never trap and stay readable`(
    seed: UInt64
  )
    throws
  {
    var random = SeededGenerator(seed: seed)
    let fixtures = [
      Array(Self.small.utf8), try Sample.fixture("edge_rfc7946.geojson"),
    ]
    let marks =
      Array(#"{}[],:"\-.0123456789eEtfn "#.utf8) + [0, 0x0A, 0x1E, 0x7F, 0x80, 0xE9, 0xFF]
    for _ in 0..<500 {
      var bytes = fixtures[Int(random.next() % UInt64(fixtures.count))]
      for _ in 0...(random.next() % 3) {
        let at = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[at] = marks[Int(random.next() % UInt64(marks.count))]
        case 1: bytes.insert(marks[Int(random.next() % UInt64(marks.count))], at: at)
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + 1 + Int(random.next() % 8)))
        default:
          let end = min(bytes.count, at + Int(random.next() % 64))
          bytes.insert(contentsOf: bytes[at..<end], at: at)
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      guard let result = try? Sample.read(bytes) else { continue }
      // Whatever is accepted comes back as it was, apart from what the notes tell.
      let again = try Sample.write(result.featureLayers)
      let second = try #require(try? Sample.read(again), "seed \(seed)")
      #expect(second.report.featureCount == result.report.featureCount, "seed \(seed)")
      #expect(second.report.vertexCount == result.report.vertexCount, "seed \(seed)")
    }
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":[", "{\"a\":[{\"b\":"])
  func `A million levels of nesting are refused`(open: String) throws {
    let deep = String(repeating: open, count: 1_000_000)
    for text in [
      deep, #"{"type":"FeatureCollection","x":"# + deep,
      Sample.collection(#""properties":{"a":\#(deep)"#),
      #"{"x":"# + deep,
    ] {
      let code = Sample.error(Array(text.utf8))?.code
      #expect(code == .tooDeep || code == .notGeoJSON)
    }
  }

  @Test func `A million collections in collections are refused`() {
    let open = #"{"type":"GeometryCollection","geometries":["#
    let text = String(repeating: open, count: 1_000_000)
    #expect(Sample.error(Array(text.utf8))?.code == .tooDeep)
    let late = String(repeating: #"{"geometries":["#, count: 1_000_000)
    #expect(Sample.error(Array(late.utf8))?.code == .tooDeep)
  }

  @Test func `A million brackets in coordinates are refused`() {
    let text = Sample.geometry(
      #"{"type":"Polygon","coordinates":"# + String(repeating: "[", count: 1_000_000))
    #expect(Sample.error(Array(text.utf8))?.code == .badCoordinates)
  }

  @Test func `Numbers of 300 digits are read exactly and kept`() throws {
    let digits = "0." + String(repeating: "3", count: 300)
    let big = String(repeating: "9", count: 300)
    let text = Sample.collection(
      #""properties":{"a":\#(big)},"geometry":{"type":"Point","coordinates":[\#(digits),\#(big)]}"#)
    let layers = try Sample.read(text).featureLayers
    let feature = try layers[0].row(0)
    #expect(feature.attributes[0].value == .number(big))
    #expect(feature.geometry.paths[0].vertices[0].x == Double(digits))
    #expect(feature.geometry.paths[0].vertices[0].y == Double(big))
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  @Test func `A string of 10 MB is kept`() throws {
    let long = String(repeating: "å€", count: 2_000_000)
    let text = Sample.collection(#""properties":{"a":"\#(long)"},"geometry":null"#)
    let layers = try Sample.read(text).featureLayers
    #expect(try layers[0].row(0).attributes[0].value == .string(long))
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  @Test func `Many columns of few values do not multiply`() throws {
    let features = (0..<2000).map { row in
      let members = (0..<20).map { "\"p\(row)_\($0)\":1" }.joined(separator: ",")
      return #"{"type":"Feature","properties":{\#(members)},"geometry":null}"#
    }
    let text = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    let layers = try Sample.read(text).featureLayers
    let cells = layers[0].blocks.reduce(0) { $0 + $1.attributes.count * $1.rowCount }
    #expect(cells < 2_000_000)
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  @Test func `A feature with too many properties is refused`() {
    let members = (0..<20_000).map { "\"p\($0)\":1" }.joined(separator: ",")
    let text = Sample.collection(#""properties":{\#(members)},"geometry":null"#)
    #expect(Sample.error(Array(text.utf8))?.code == .tooManyMembers)
  }

  @Test func `A feature too large for a block gets its own`() throws {
    let line = (0..<20_000).map { "[\($0 % 180),1]" }.joined(separator: ",")
    let point = #"{"type":"Feature","properties":{"a":1},"geometry":null}"#
    let large =
      #"{"type":"Feature","properties":{"b":2,"a":3},"geometry":{"type":"LineString","#
      + #""coordinates":[\#(line)]}}"#
    let text =
      #"{"type":"FeatureCollection","features":[\#([point, large, point].joined(separator: ","))]}"#
    let layers = try Sample.read(text).featureLayers
    #expect(layers[0].blocks.map(\.rowCount) == [1, 1, 1])
    #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
  }

  // MARK: Values

  @Test(arguments: ["ne_110m_countries.geojson", "edge_rfc7946.geojson"])
  func `Values are those of Foundation's reader`(name: String) throws {
    let bytes = try Sample.fixture(name)
    let layer = try Sample.read(bytes).featureLayers[0]
    let root = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let features = try #require(root["features"] as? [[String: Any]])
    #expect(layer.count == features.count)
    for (index, expected) in features.enumerated() {
      let feature = try layer.row(index)
      let properties = expected["properties"] as? [String: Any] ?? [:]
      #expect(Set(feature.attributes.map(\.name)) == Set(properties.keys))
      for (key, value) in feature.attributes {
        switch value {
        case .number: #expect(value.double == (properties[key] as? NSNumber)?.doubleValue)
        case .string(let text): #expect(text == properties[key] as? String)
        case .bool(let flag): #expect(flag == properties[key] as? Bool)
        case .null: #expect(properties[key] is NSNull)
        default: break
        }
      }
      let geometry = expected["geometry"] as? [String: Any]
      #expect(feature.geometry.kind.name == geometry?["type"] as? String)
      guard feature.geometry.kind != .geometryCollection else { continue }
      let numbers = Self.numbers(geometry?["coordinates"])
      let read = feature.geometry.paths.flatMap { path in
        path.vertices.enumerated().flatMap { index, vertex in
          [vertex.x, vertex.y] + (path.elevations.isEmpty ? [] : [path.elevations[index] ?? .nan])
        }
      }
      // An open ring got its first position again at its end.
      #expect(read.prefix(numbers.count).elementsEqual(numbers))
      #expect(read.count - numbers.count <= 2)
    }
  }

  private static func numbers(_ value: Any?) -> [Double] {
    if let number = value as? NSNumber { return [number.doubleValue] }
    return (value as? [Any])?.flatMap { numbers($0) } ?? []
  }

  @Test(arguments: [5, 6, 7]) func `Numbers are the nearest doubles`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let texts = (0..<2).map { _ in Self.number(&random) }
      let text = Sample.geometry(
        #"{"type":"Point","coordinates":[\#(texts[0]),\#(texts[1])]}"#)
      let layers = try Sample.read(text).featureLayers
      let vertex = try layers[0].row(0).geometry.paths[0].vertices[0]
      #expect(vertex.x.bitPattern == Double(texts[0])?.bitPattern, "\(texts[0])")
      #expect(vertex.y.bitPattern == Double(texts[1])?.bitPattern, "\(texts[1])")
      #expect(String(decoding: try Sample.write(layers), as: UTF8.self) == text)
    }
  }

  /// The text of a number with up to 25 digits, some near a tie between two doubles.
  private static func number(_ random: inout SeededGenerator) -> String {
    var text = random.next() % 2 == 0 ? "-" : ""
    if random.next() % 3 == 0 {
      let value = Double(bitPattern: random.next() % 0x10_0000_0000_0000 | 0x4060_0000_0000_0000)
      return text + value.description
    }
    text += String(random.next() % 10_000)
    if random.next() % 5 > 0 {
      text += "."
      for _ in 0...(random.next() % 20) { text += String(random.next() % 10) }
    }
    if random.next() % 6 == 0 { text += "e\(Int(random.next() % 60) - 30)" }
    return text
  }
}
