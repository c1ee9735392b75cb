import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// What `describe` says of maps.
@Suite struct DescribeTests {
  private static let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/CBaseMap/base.doc")

  /// What a line prints, with the built-in map of the world.
  private func said(_ line: String, _ files: [String: String]) throws -> String {
    var options = World.Options()
    options.base = BuiltInBase { (try? Data(contentsOf: Self.archive)).map { Array($0) } ?? [] }
    let memory = MemoryFileSystem(files: files.mapValues { Array($0.utf8) })
    var runner = HeadlessRunner(world: World(files: memory, options: options)) { _ in }
    try runner.run(try #require(try Commands.parse(line)))
    return String(decoding: memory.output, as: UTF8.self)
  }

  private func collection(_ features: [(properties: String, geometry: String)]) -> String {
    let list = features.map {
      #"{"type":"Feature","properties":\#($0.properties),"geometry":\#($0.geometry)}"#
    }
    return #"{"type":"FeatureCollection","features":["# + list.joined(separator: ",\n") + "]}"
  }

  private func point(_ x: Double, _ y: Double) -> String {
    #"{"type":"Point","coordinates":[\#(x),\#(y)]}"#
  }

  @Test func `A map of points is told in sentences`() throws {
    let text = collection([
      (#"{"name":"Kiruna","pop":17002,"open":true}"#, point(20.2, 67.9)),
      (#"{"name":"Umeå","pop":130224,"open":true,"note":""}"#, point(18, 64.5)),
      (#"{"name":"Oslo","pop":null,"open":false}"#, point(10, 61)),
      (#"{"name":"?","pop":"many","gone":null}"#, point(0, 0)),
    ])
    let expected = """
      /m/north.geojson has 4 features in 1 layer.
      Its coordinates are longitudes and latitudes in degrees, WGS 84.
      It reaches from 0 degrees to 20.2 degrees east and from 0 degrees to 67.9 degrees north, \
      about 1,870 kilometres from west to east and about 7,530 kilometres from south to north.
      On a map of the world at 1 to 110 million, the features are in 2 countries, 2 in Sweden and \
      1 in Norway; 1 at sea, or on land too small for that map.
      Layer “north” has 4 points.
      It has 5 attributes.
      “name” holds text, all different, from ? to Umeå.
      “pop” holds values of several types, all different, from 17002 to 130224; 1 feature has no \
      value.
      “open” holds true and false; 1 feature has no value.
      “note” holds text, 1 different value, an empty text; 3 features have no value.
      “gone” has no values.
      Note: 1 feature lies at longitude 0 and latitude 0 in layer “north”, where programs put \
      what they could not place.
      Note: “pop” has values of several types in layer “north”.
      Note: no feature has a value of “gone” in layer “north”.

      """
    #expect(try said("describe /m/north.geojson", ["/m/north.geojson": text]) == expected)
  }

  @Test func `A map across 180 degrees is told as such`() throws {
    let text = collection([
      ("{}", #"{"type":"LineString","coordinates":[[177.2,-18],[179.5,-16.5]]}"#),
      ("{}", #"{"type":"LineString","coordinates":[[-179.8,-17],[-178,-19]]}"#),
    ])
    let found = try said("describe /m/fiji.geojson", ["/m/fiji.geojson": text])
    #expect(
      found.contains("from 177.2 degrees east across 180 degrees to 178 degrees west"), "\(found)")
    #expect(found.contains("has 2 lines, with 4 vertices in all"), "\(found)")
  }

  @Test func `A planar map is told in its units, and where its middle is`() throws {
    let text = "x,y,name\n500000,6600000,a\n520000,6610000,b\n"
    let found = try said("describe /m/utm.csv --input-crs EPSG:32633", ["/m/utm.csv": text])
    #expect(found.contains("Its coordinates are of EPSG:32633, in metres."), "\(found)")
    #expect(
      found.contains(
        "from 500000 to 520000 in x and from 6600000 to 6610000 in y, 20000 by 10000 metres. "
          + "Its middle is near 59.5"), "\(found)")
    #expect(found.contains("the features are in Sweden."), "\(found)")
  }

  @Test(arguments: [
    (#"{"type":"FeatureCollection","features":[]}"#, "has 1 layer and no features."),
    (
      #"{"type":"Feature","properties":{},"geometry":null}"#,
      "1 feature has no place in layer “a”"
    ),
    (#"{"type":"Point","coordinates":[10,50]}"#, "All of it is at one place, 50 degrees north"),
  ])
  func `Odd maps are told too`(text: String, words: String) throws {
    let found = try said("describe /m/a.geojson", ["/m/a.geojson": text])
    #expect(found.contains(words), "\(found)")
  }

  @Test func `Of many features a sample is placed, and few attributes are told each`() throws {
    let columns = (0..<30).map { #""c\#($0)":\#($0)"# }.joined(separator: ",")
    let text = collection(
      (0..<5_000).map { ($0 == 0 ? "{\(columns)}" : "{}", point(15 + Double($0 % 7) / 100, 60)) })
    let found = try said("describe /m/a.geojson", ["/m/a.geojson": text])
    #expect(found.contains("a sample of 2,500 features are in Sweden."), "\(found)")
    #expect(found.contains("The other attributes are c20, c21,"), "\(found)")
    let json = try said("describe --json /m/a.geojson", ["/m/a.geojson": text])
    let read = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let layers = try #require(read["layers"] as? [[String: Any]])
    #expect(
      (layers[0]["attributes"] as? [Any])?.count == 30 && layers[0]["features"] as? Int == 5_000)
    #expect((layers[0]["kinds"] as? [String: Int]) == ["Point": 5_000])
    let countries = try #require(read["countries"] as? [String: Any])
    #expect(countries["isSample"] as? Bool == true && countries["sampled"] as? Int == 2_500)
    let sentences = try #require(read["sentences"] as? [String])
    #expect(sentences.joined(separator: "\n") + "\n" == found)
  }

  @Test func `In the editor the open document is described`() throws {
    var editor = Editor()
    try editor.run("describe")
    var printed: [String] = []
    let world = World(files: MemoryFileSystem())
    for case .perform(let request, let job?) in editor.effects {
      for case .print(let lines) in editor.desk.handle(.replied(job, request.reply(in: world))) {
        printed += lines
      }
    }
    #expect(printed.contains("Layer “roads” has 1 line, with 3 vertices in all."), "\(printed)")
    #expect(throws: EditingError.self) { try editor.run("describe x.geojson") }
  }

  // MARK: Arcs

  @Test(arguments: Seeds.some(60))
  func `The shortest arc holds all others, and none is shorter`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let arcs = (0..<Int.random(in: 1...7, using: &random)).map { _ in
      let west = Double(Int.random(in: -360...360, using: &random))
      return west...(west + Double(Int.random(in: 0...90, using: &random)))
    }
    /// How far east the ends of the arcs are from a longitude.
    func width(from start: Double) -> Double {
      arcs.map { arc in
        let turned = (arc.lowerBound - start).truncatingRemainder(dividingBy: 360)
        return (turned < 0 ? turned + 360 : turned) + arc.upperBound - arc.lowerBound
      }.max() ?? 0
    }
    let least = arcs.map { width(from: $0.lowerBound) }.min() ?? 0
    guard let reach = LongitudeReach(arcs) else {
      #expect(least >= 360, "seed \(seed)")
      return
    }
    #expect(abs(reach.width - least) < 1e-9 && least < 360, "seed \(seed): \(reach)")
    #expect(abs(width(from: reach.west) - least) < 1e-9, "seed \(seed)")
  }
}
