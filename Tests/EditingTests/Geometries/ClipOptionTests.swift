import PortolanDocuments
import PortolanFiles
import PortolanGeometries
import PortolanGraphics
import PortolanInterchange
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// `export --clip` and `import --clip` cut; `--bbox` takes whole features.
@Suite struct ClipOptionTests {
  static let hasGeos = (try? Geos { false }) != nil

  /// A convex polygon cut by a half plane `sign * (x or y) <= sign * limit`.
  private static func cut(
    _ ring: [Coordinate], at limit: Double, _ sign: Double, isX: Bool
  ) -> [Coordinate] {
    func away(_ place: Coordinate) -> Double { sign * ((isX ? place.x : place.y) - limit) }
    var kept: [Coordinate] = []
    for (index, place) in ring.enumerated() {
      let next = ring[(index + 1) % ring.count]
      if away(place) <= 0 { kept.append(place) }
      guard away(place) * away(next) < 0 else { continue }
      let part = away(place) / (away(place) - away(next))
      kept.append(
        Coordinate(
          x: place.x + part * (next.x - place.x), y: place.y + part * (next.y - place.y)))
    }
    return kept
  }

  private static func area(_ ring: [Coordinate]) -> Double {
    zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) { sum, side in
      sum + side.0.x * side.1.y - side.1.x * side.0.y
    }.magnitude / 2
  }

  private func output(_ line: String, _ text: String) throws -> String {
    let files = MemoryFileSystem(files: ["/m/in.geojson": Array(text.utf8)])
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(try #require(try Commands.parse(line)))
    return String(decoding: files.output, as: UTF8.self)
  }

  @Test(.enabled(if: hasGeos, "GEOS is not installed"))
  func `The area that is left is that of each triangle in the box`() throws {
    for seed in Seeds.some(12) {
      var random = SeededGenerator(seed: seed)
      let triangles = (0..<20).map { _ in
        (0..<3).map { _ in
          Coordinate(
            x: Double.random(in: -40...40, using: &random).rounded(),
            y: Double.random(in: -40...40, using: &random).rounded())
        }
      }
      let (west, south) = (
        Double(Int.random(in: -30...0, using: &random)),
        Double(Int.random(in: -30...0, using: &random))
      )
      let (east, north) = (west + 25, south + 18)
      let features = triangles.map { ring in
        let places = (ring + ring.prefix(1)).map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
        return #"{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[["#
          + places + "]]}}"
      }
      let text =
        #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}"
      let wanted = triangles.reduce(0) { sum, ring in
        var left = ring
        for (limit, sign, isX) in [
          (west, -1.0, true), (east, 1, true), (south, -1, false), (north, 1, false),
        ] { left = Self.cut(left, at: limit, sign, isX: isX) }
        return sum + Self.area(left)
      }
      let box = "\(west),\(south),\(east),\(north)"
      let cut = try output("export /m/in.geojson --clip \(box)", text)
      let read = try GeoJSONFormat().read(
        Array(cut.utf8), options: ImportOptions(name: "cut")
      ) { _ in }
      let shapes = read.layers.compactMap { $0 as? any FeatureHolding }.flatMap(\.blocks)
      let found = shapes.flatMap { block in
        (0..<block.rowCount).map { block.geometry.geometry(ofFeature: $0) }
      }.reduce(0) { sum, shape in
        sum + shape.paths.reduce(0) { $0 + Self.area(Array($1.vertices.dropLast())) }
      }
      #expect((found - wanted).magnitude <= 1e-6 * max(1, wanted), "seed \(seed), \(box)")
      let whole = try output("export /m/in.geojson --bbox \(box) --format ndjson", text)
      for line in whole.split(separator: "\n") { #expect(features.contains(String(line))) }
    }
  }

  @Test(.enabled(if: hasGeos, "GEOS is not installed"))
  func `An import cuts in the system of the file, and an export along a file`() throws {
    let map =
      #"{"type":"Feature","properties":{"n":1},"geometry":"#
      + #"{"type":"LineString","coordinates":[[0,0],[10,0]]}}"#
    let files = MemoryFileSystem(files: [
      "/m/in.geojson": Array(map.utf8),
      "/m/areas.geojson": Array(
        #"{"type":"Polygon","coordinates":[[[2,-1],[6,-1],[6,1],[2,1],[2,-1]]]}"#.utf8),
    ])
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(
      try #require(try Commands.parse("import /m/in.geojson --clip 4,-1,9,1 -o /m/out.doc")))
    try runner.run(
      try #require(try Commands.parse("export /m/out.doc --clip /m/areas.geojson --format ndjson")))
    let text = String(decoding: files.output, as: UTF8.self)
    #expect(text.contains(#""n":1"#) && text.contains("[4,0],[6,0]"), "\(text)")
  }
}
