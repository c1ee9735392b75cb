import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Topologies as they are written, and read again.
@Suite struct TopologyWriterTests {
  /// Layers of areas that share borders, of lines, points and collections.
  private struct Maps {
    var generator: SeededGenerator
    var layers: [FeatureLayer] = []

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
      for number in 1...Int.random(in: 1...3, using: &generator) {
        var layer = FeatureLayer(
          id: LayerID(UInt64(number)), name: ["a", "b", "a"][number - 1],
          style: Style(name: "", mark: MarkStyle()))
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          _ = layer.add(geometry: geometry(), attributes: attributes(), isExact: true)
        }
        layers.append(layer)
      }
    }

    /// A place of a few, so that borders are shared, or of any number.
    private mutating func place() -> Coordinate {
      if Bool.random(using: &generator) {
        return Coordinate(
          x: Double(Int.random(in: 0...3, using: &generator)) / 10,
          y: Double(Int.random(in: 0...3, using: &generator)) / 10)
      }
      return Coordinate(
        x: Double.random(in: -160...160, using: &generator),
        y: Double.random(in: -90...90, using: &generator))
    }

    private mutating func places(_ least: Int) -> [Coordinate] {
      (0..<Int.random(in: least...8, using: &generator)).map { _ in place() }
    }

    private mutating func ring() -> [Coordinate] {
      let ring = places(3)
      return ring + ring.prefix(1)
    }

    private mutating func geometry() -> Geometry {
      switch Int.random(in: 0...6, using: &generator) {
      case 0: return .none
      case 1: return .point(place())
      case 2: return .line(places(2))
      case 3: return .polygon([ring(), ring()])
      case 4: return many(.multiPoint, [places(1)])
      case 5: return many(.multiLineString, [places(2), places(2)])
      default:
        var collection = many(.multiPolygon, [ring(), ring(), ring()])
        guard Bool.random(using: &generator) else { return collection }
        collection.paths += Geometry.line(places(2)).paths + Geometry.point(place()).paths
        collection.kind = .geometryCollection
        return collection
      }
    }

    private func many(_ kind: GeometryKind, _ paths: [[Coordinate]]) -> Geometry {
      Geometry(
        kind: kind,
        paths: paths.enumerated().map { index, vertices in
          Geometry.Path(
            role: PathRole(
              kind: kind, beginsMember: index == 0,
              beginsPolygon: kind == .multiPolygon && index != 1),
            vertices: vertices)
        })
    }

    private mutating func attributes() -> [(name: String, value: AttributeValue)] {
      let values: [AttributeValue] = [
        .string("é \"\n"), .number("1.5"), .null, .json("{\"a\":[1,2]}"), .bool(true),
      ]
      return values.shuffled(using: &generator).prefix(3).enumerated().map { index, value in
        ("n\(index)", value)
      }
    }
  }

  private static func write(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions()
  ) throws -> (bytes: [UInt8], report: ExportReport) {
    var bytes: [UInt8] = []
    let report = try TopoJSONWriter().write(layers, options: options) { bytes += $0 }
    return (bytes, report)
  }

  private static func read(_ bytes: [UInt8]) throws -> ImportResult {
    try TopoJSONFormat().read(bytes, options: ImportOptions(name: "map")) { _ in }
  }

  private static func features(_ layer: any Layer) throws -> [Feature] {
    try #require(layer as? any FeatureHolding).blocks.flatMap { block in
      (0..<block.rowCount).map { block.feature(row: $0) }
    }
  }

  @Test(arguments: Seeds.some(30))
  func `What is written comes back equal, each edge written once`(seed: UInt64) throws {
    let maps = Maps(seed: seed)
    let (bytes, report) = try Self.write(maps.layers)
    #expect(report.remarks == [])
    let again = try Self.read(bytes)
    #expect(again.layers.count == maps.layers.count)
    if maps.layers.count == 3 { #expect(again.layers.map(\.name) == ["a", "b", "a_2"]) }
    for (layer, read) in zip(maps.layers, again.layers) {
      let (former, features) = (try Self.features(layer), try Self.features(read))
      #expect(former.map(\.geometry) == features.map(\.geometry))
      for (old, new) in zip(former, features) {
        #expect(old.attributes.map(\.name) == new.attributes.map(\.name))
        #expect(old.attributes.map(\.value) == new.attributes.map(\.value))
      }
    }
    // A second time the file is the same.
    if maps.layers.count > 1 {
      #expect(try Self.write(again.layers.compactMap { $0 as? FeatureLayer }).bytes == bytes)
    }
  }

  @Test(arguments: Seeds.some(10))
  func `A grid moves no place farther than it says`(seed: UInt64) throws {
    let maps = Maps(seed: seed)
    let (bytes, report) = try Self.write(maps.layers, ExportOptions(quantization: 1001))
    let again = try Self.read(bytes)
    let box = maps.layers.reduce(Box.empty) { $0.union($1.extent) }
    guard !box.isEmpty else { return }
    #expect(report.remarks.count == 1)
    for (layer, read) in zip(maps.layers, again.layers) {
      for (old, new) in zip(try Self.features(layer), try Self.features(read)) {
        #expect(old.geometry.paths.count == new.geometry.paths.count)
        for (path, other) in zip(old.geometry.paths, new.geometry.paths) {
          for (place, others) in [(path.vertices, other.vertices), (other.vertices, path.vertices)]
            .flatMap({ pair in pair.0.map { ($0, pair.1) } })
          {
            #expect(
              others.contains {
                ($0.x - place.x).magnitude <= box.width / 2000 + 1e-9
                  && ($0.y - place.y).magnitude <= box.height / 2000 + 1e-9
              })
          }
        }
      }
    }
  }

  @Test func `Two squares refer to one arc`() throws {
    var layer = FeatureLayer(id: LayerID(1), name: "l", style: Style(name: "", mark: MarkStyle()))
    for x in [0.0, 1] {
      let ring = [(x, 0.0), (x + 1, 0), (x + 1, 1), (x, 1)].map { Coordinate(x: $0.0, y: $0.1) }
      _ = layer.add(geometry: .polygon([ring]), attributes: [])
    }
    let text = String(decoding: try Self.write([layer]).bytes, as: UTF8.self)
    #expect(text.contains(#""arcs":[[0,1,2]]"#) && text.contains(#""arcs":[[3,-2]]"#))
    // The common border is there once.
    #expect(text.components(of: "[1,0],[1,1]") + text.components(of: "[1,1],[1,0]") == 1)
  }

  @Test func `What a topology cannot hold is told`() throws {
    var layer = FeatureLayer(id: LayerID(1), name: "l", style: Style(name: "", mark: MarkStyle()))
    var line = Geometry.line([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)])
    line.paths[0].elevations = [1, nil]
    _ = layer.add(geometry: line, attributes: [])
    _ = layer.add(geometry: .line([Coordinate(x: 5, y: 5)]), attributes: [])
    let remarks = try Self.write([layer]).report.remarks
    #expect(remarks.count == 2)
    #expect(remarks[0].contains("heights of 1 feature are left out"))
    #expect(remarks[1].contains("one position"))
    let system = CoordinateSystem(authority: "EPSG", code: "25833")
    let (bytes, _) = try Self.write([layer], ExportOptions(coordinateSystem: system))
    #expect(try Self.read(bytes).coordinateSystem == system)
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
