import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// What counts where features have no rank: the size of areas, and the names of lines.
@Suite struct FeatureSizeTests {
  private static func ring(_ box: Box) -> [Coordinate] {
    [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)]
      .map { Coordinate(x: $0.0, y: $0.1) } + [Coordinate(x: box.minX, y: box.minY)]
  }

  private static func layer(_ geometries: [Geometry]) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: "lakes", style: Style(name: "", mark: MarkStyle(), labelField: "name"))
    for (number, geometry) in geometries.enumerated() {
      _ = layer.add(geometry: geometry, attributes: [("name", .string("Lake \(number)"))])
    }
    return layer
  }

  private static func sets(of layer: FeatureLayer, on plane: MapPlane) -> [LabelSet] {
    var canvas = RecordingCanvas(
      visible: Box(minX: -180, minY: -90, maxX: 180, maxY: 90),
      detail: MapDetail(plane: plane, step: 4))
    layer.draw(on: &canvas, labelPriority: 0)
    return canvas.marks.compactMap { mark -> LabelSet? in
      if case .labels(let set) = mark { set } else { nil }
    }
  }

  /// The rows of a layer's first labels, the most important first.
  private static func order(_ layer: FeatureLayer, on plane: MapPlane) throws -> [Int] {
    let set = try #require(sets(of: layer, on: plane).first)
    return (0..<layer.count).sorted { set.rank($0) > set.rank($1) }
  }

  @Test(arguments: Seeds.some(20))
  func `The largest lakes come first, on the globe and on a plan`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lakes = (0..<30).map { _ -> Geometry in
      let (x, y) = (
        Double.random(in: -170...150, using: &random), Double.random(in: -80...70, using: &random)
      )
      let box = Box(
        minX: x, minY: y, maxX: x + .random(in: 0.1...20, using: &random),
        maxY: y + .random(in: 0.1...8, using: &random))
      guard Bool.random(using: &random) else { return .polygon([Self.ring(box)]) }
      // An island takes its area off.
      let island = Box(
        minX: box.minX + 0.1 * box.width, minY: box.minY + 0.1 * box.height,
        maxX: box.maxX - 0.1 * box.width, maxY: box.maxY - 0.1 * box.height)
      return .polygon([Self.ring(box), Self.ring(island)])
    }
    let layer = Self.layer(lakes)
    let planar = MapPlane(
      projection: .planar, reference: Box(minX: -180, minY: -90, maxX: 180, maxY: 90))
    func flat(_ geometry: Geometry) -> Double {
      geometry.paths.reduce(0) { sum, path in
        let area = Geometry.polygon([path.vertices]).box
        return sum + (path.role.isHole ? -1 : 1) * area.width * area.height
      }
    }
    for (plane, area) in [(planar, flat), (MapPlane.webMercator, Geodesy.area(of:))] {
      let order = try Self.order(layer, on: plane)
      for (one, other) in zip(order, order.dropFirst()) {
        #expect(area(lakes[one]) > 0.97 * area(lakes[other]), "\(one) before \(other)")
      }
    }
  }

  @Test(arguments: Seeds.some(10))
  func `Lines have no rank, and their names tell which are one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let names = (0..<20).map { _ in ["Rhein", "Main", ""].randomElement(using: &random) ?? "" }
    for (layerName, isWater) in [("rivers", true), ("paths", false)] {
      var layer = FeatureLayer(
        id: LayerID(1), name: layerName,
        style: Style(name: "", mark: MarkStyle(), labelField: "name"))
      for (number, name) in names.enumerated() {
        let x = Double(number)
        _ = layer.add(
          geometry: .line([Coordinate(x: x, y: 0), Coordinate(x: x + 1, y: 1)]),
          attributes: [("name", .string(name))])
      }
      let set = try #require(Self.sets(of: layer, on: .webMercator).first)
      #expect(set.isSlanted == isWater)
      let known = try #require(set.lineNames)
      for (row, name) in names.enumerated() {
        #expect(set.rank(row) == -.infinity)
        #expect((known[row] == nil) == name.isEmpty)
        for (other, otherName) in names.enumerated() where !name.isEmpty {
          #expect((known[row] == known[other]) == (name == otherName))
        }
      }
      #expect(known[20] == nil && known[-1] == nil)
    }
  }
}
