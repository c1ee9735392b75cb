import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The first view of a document and `_` show all of it.
@Suite struct FirstViewTests {
  @Test(arguments: Seeds.some(60), [MapPlane.webMercator, MapPlane(projection: .equirectangular)])
  func `A fit keeps off the row of the scale bar`(seed: UInt64, globe: MapPlane) {
    var numbers = SeededGenerator(seed: seed)
    let x = Double.random(in: -170...100, using: &numbers)
    let y = Double.random(in: -58...50, using: &numbers)
    let box = Box(
      minX: x, minY: y, maxX: x + .random(in: 0...70, using: &numbers),
      maxY: y + .random(in: 0...20, using: &numbers))
    let size = CellSize(
      columns: .random(in: 24...200, using: &numbers), rows: .random(in: 4...60, using: &numbers))
    for plane in [globe, MapPlane(projection: .planar, reference: box)] {
      let camera = ScaleBar.fitting(box, plane: plane, size: size)
      let north = camera.cell(at: Coordinate(x: box.minX, y: box.maxY))
      let south = camera.cell(at: Coordinate(x: box.maxX, y: box.minY))
      #expect(north != nil && south != nil, "seed \(seed)")
      let look = ScreenLook(capabilities: ScreenCapabilities(depth: .trueColour, isUnicode: true))
      for bar in ScaleBar.cells(camera, look) {
        #expect((south?.row ?? 0) < bar.row, "seed \(seed)")
      }
    }
  }

  @Test func `Two points are both seen at first`() throws {
    var document = PlanarHistoryTests.document([
      Coordinate(x: 10, y: 20), Coordinate(x: 11, y: 21),
    ])
    document.metadata.take(.crs84)
    let editor = Editor(document)
    let frame = MapPane.picture(of: editor.desk)
    let shown = (0..<frame.size.rows).flatMap { row in
      (0..<frame.size.columns).filter { frame.text(of: frame[$0, row].glyph) == "•" }
    }
    #expect(shown.count == 2)
  }

  @Test func `A new pane beside a table shows what the map above shows`() throws {
    var office = Office()
    try office.run("zoom to 5")
    let shown = office.desk.viewpoint
    try office.press("t")
    #expect(office.desk.pane.state.map == nil)
    try office.press("<c-w>v")
    let maps = office.panes.compactMap { office.workspace.desk(at: $0) }.filter {
      $0.pane.state.map != nil
    }
    #expect(maps.count == 2)
    for desk in maps { #expect(desk.viewpoint == shown) }
  }

  @Test func `A country is pasted with its largest part at the cursor`() throws {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "lands",
      style: .standard(forDimension: 2, index: 0, labelField: "name"))
    func square(_ x: Double, _ y: Double, _ half: Double) -> [Coordinate] {
      [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
        Coordinate(x: x + half * $0.0, y: y + half * $0.1)
      }
    }
    let role = PathRole(kind: .multiPolygon, beginsMember: true, beginsPolygon: true)
    let next = PathRole(kind: .multiPolygon, beginsMember: false, beginsPolygon: true)
    _ = layer.add(
      geometry: Geometry(
        kind: .multiPolygon,
        paths: [
          Geometry.Path(role: role, vertices: square(-53, 4, 2)),
          Geometry.Path(role: next, vertices: square(3, 47, 5)),
        ]), attributes: [("name", .string("France"))])
    document.layers = [layer]
    var editor = Editor(document)
    try editor.run("go name France")
    try editor.run("yank")
    try editor.run("go to 20 10")
    try editor.run("paste")
    let pasted = try #require(editor.features("lands").last?.geometry)
    #expect(pasted.boxOfLargestPart.center == Coordinate(x: 20, y: 10))
  }

  @Test(arguments: [
    (0.0, 3, "0"), (25.3291, 3, "25.329"), (2.5e-9, 3, "2.5e-9"), (0.0004, 3, "4e-4"),
    (1e300, 6, "1e300"), (-1e300, 6, "-1e300"), (1e13 + 0.5, 9, "10000000000000.5"),
    (9.99996e20, 3, "1e21"), (12.0, 0, "12"),
  ])
  func `Planar numbers are never shown as nothing`(value: Double, decimals: Int, text: String) {
    #expect(Figures.planar(value, decimals: decimals) == text)
  }
}
