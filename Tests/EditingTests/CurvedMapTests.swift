import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The cursor where meridians are curved: the map ends within the window.
@Suite struct CurvedMapTests {
  @Test(arguments: Seeds.some(40))
  func `The cursor stays on the map, in the cell that shows its place`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var editor = Editor()
    try editor.run("projection equal-earth")
    let keys = [
      "h", "j", "k", "l", "9h", "9j", "9k", "9l", "H", "J", "K", "L", "3H", "3J", "3K", "3L", "+",
      "-", "_",
    ]
    for _ in 0..<60 {
      let key = keys.randomElement(using: &random) ?? "h"
      try editor.press(key)
      let desk = editor.desk
      let cell = try #require(desk.camera.cell(at: desk.cursor), "\(seed) \(key)")
      #expect(cell == (desk.cursorColumn, desk.cursorRow), "\(seed) \(key)")
      #expect(desk.cursor.x.magnitude <= 180 && desk.cursor.y.magnitude <= 90)
    }
  }

  @Test(arguments: Seeds.some(20))
  func `An edge is a target where it is drawn`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (a, b) = (Coordinate(x: 150, y: 20), Coordinate(x: 165, y: 75))
    var layer = FeatureLayer(
      id: LayerID(1), name: "edge", style: .standard(forDimension: 1, index: 0))
    _ = layer.add(geometry: .line([a, b]), attributes: [])
    let block = try #require(layer.blocks.first)
    let camera = Camera(
      plane: MapPlane(projection: .equalEarth), center: Coordinate(x: 150, y: 50), zoom: 1.5,
      size: CellSize(columns: 60, rows: 24))
    let (start, end) = (try #require(camera.dot(at: a)), try #require(camera.dot(at: b)))
    for _ in 0..<300 {
      let dot = DotPoint(
        x: .random(in: min(start.x, end.x)...max(start.x, end.x), using: &random)
          + .random(in: -6...6, using: &random),
        y: .random(in: end.y...start.y, using: &random))
      let place = camera.coordinate(at: dot)
      guard place.x.magnitude <= 180 else { continue }
      var snapper = Snapper(camera: camera, point: place, mode: .edge)
      snapper.visit(block, of: layer.id, except: nil)
      let distance = Picker.squareToSegment(
        start.x - dot.x, start.y - dot.y, end.x - dot.x, end.y - dot.y
      ).squareRoot()
      if distance < 1.99 { #expect(snapper.target != nil, "\(seed) \(place): \(distance)") }
      if distance > 2.01 { #expect(snapper.target == nil, "\(seed) \(place): \(distance)") }
    }
  }
}
