import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Vertices brought back after a simplification.
@Suite struct RestoreVertexTests {
  /// Two areas that share a crooked border, and a line.
  private static let document: Document = {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "areas",
      style: .standard(forDimension: 2, index: 0, labelField: nil))
    let border = [(10.0, 0.0), (10.4, 2), (9.8, 4), (10.3, 6), (10, 10)]
    func ring(_ places: [(Double, Double)]) -> [Coordinate] {
      places.map { Coordinate(x: $0.0, y: $0.1) }
    }
    _ = layer.add(
      geometry: .polygon([ring([(0, 10), (0, 0)] + border)]), attributes: [], isExact: true)
    _ = layer.add(
      geometry: .polygon([ring([(20, 0), (20, 10)] + border.reversed())]), attributes: [],
      isExact: true)
    _ = layer.add(
      geometry: .line(ring([(0, 20), (1, 20.1), (2, 20)])), attributes: [], isExact: true)
    document.layers = [layer]
    return document
  }()

  private static func vertices(_ editor: Editor) -> [[Coordinate]] {
    editor.features("areas").map { $0.geometry.paths[0].vertices }
  }

  /// The vertices, those of rings from the westernmost on: the first one may have been left out.
  private static func shapes(_ editor: Editor) -> [[Coordinate]] {
    vertices(editor).map { places in
      guard places.first == places.last else { return places }
      let open = places.dropLast()
      let start = open.indices.min { (open[$0].x, open[$0].y) < (open[$1].x, open[$1].y) } ?? 0
      return Array(open[start...] + open[..<start])
    }
  }

  /// Brings back vertices near random places until none is left.
  private static func restoreAll(_ editor: inout Editor, _ generator: inout SeededGenerator) throws
  {
    for _ in 0..<100 {
      try editor.go(
        Double.random(in: 0...20, using: &generator), Double.random(in: 0...20, using: &generator))
      do {
        try editor.run("restore")
      } catch let error as EditingError {
        if error.code == .notFound { return }
      }
    }
  }

  @Test func `The nearest vertex comes back in all areas, where it was`() throws {
    var editor = Editor(Self.document)
    let former = Self.shapes(editor)
    try editor.run("simplify 0%")
    #expect(Self.vertices(editor).map(\.count) == [4, 4, 2])
    try editor.go(10.2, 5.5)
    try editor.press("gr")
    #expect(editor.message == "vertex brought back; 2 areas share it")
    let place = Coordinate(x: 10.3, y: 6)
    #expect(Self.vertices(editor).map { $0.contains(place) } == [true, true, false])
    var generator = SeededGenerator(seed: 1)
    try Self.restoreAll(&editor, &generator)
    #expect(Self.shapes(editor) == former)
    #expect(throws: EditingError.self) { try editor.run("restore") }
    try editor.press("u")
    #expect(Self.shapes(editor) != former)
    try editor.run("restore")
    #expect(Self.shapes(editor) == former)
  }

  @Test func `A vertex comes back on the way on which it was`() throws {
    func line(_ places: [(Double, Double)]) -> Geometry {
      .line(places.map { Coordinate(x: $0.0, y: $0.1) })
    }
    var former = try #require(Self.document.layers[0] as? FeatureLayer)
    // There and back: the vertex was on the way back.
    let id = try #require(former.blocks.last?.featureIDs.last)
    try former.setGeometry(line([(0, 20), (2, 20), (1, 21), (0, 20), (0, 22)]), of: id)
    var layer = former
    try layer.setGeometry(line([(0, 20), (2, 20), (0, 20), (0, 22)]), of: id)
    var reversed = former
    try reversed.setGeometry(line([(0, 22), (0, 20), (2, 20), (0, 20)]), of: id)
    let place = Coordinate(x: 1, y: 21)
    #expect(try layer.restoreVertex(place, of: former, isGeographic: false) == 1)
    #expect(layer.feature(id)?.geometry.paths[0].vertices.firstIndex(of: place) == 2)
    #expect(try reversed.restoreVertex(place, of: former, isGeographic: false) == 1)
  }

  @Test func `The nearest vertex of several layers is found on the globe`() throws {
    // A degree from west to east is half of one from south to north there.
    let (north, east) = (Coordinate(x: 0, y: 61.5), Coordinate(x: 2, y: 60))
    var document = Document()
    var former: [any BlockHolding] = []
    for place in [north, east] {
      let ends = [Coordinate(x: place.x, y: 50), Coordinate(x: place.x, y: 70)]
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: "lines",
        style: .standard(forDimension: 1, index: 0, labelField: nil))
      _ = layer.add(geometry: .line([ends[0], place, ends[1]]), attributes: [], isExact: true)
      former.append(layer)
      try layer.setGeometry(.line(ends), of: FeatureID(1))
      document.layers.append(layer)
    }
    var editor = Editor(document)
    editor.desk.work.ghost = Ghost(former, revision: editor.desk.history.present.revision)
    try editor.go(0, 60)
    try editor.run("restore")
    let present = try #require(editor.desk.document.layers as? [FeatureLayer])
    #expect(present[0].feature(FeatureID(1))?.geometry.paths[0].vertices.contains(north) == false)
    #expect(present[1].feature(FeatureID(1))?.geometry.paths[0].vertices.contains(east) == true)
  }

  @Test func `The former lines are drawn until Esc or another edit`() throws {
    var editor = Editor(Self.document)
    #expect(throws: EditingError.self) { try editor.run("restore") }
    try editor.run("simplify 0%")
    #expect(editor.desk.ghost != nil)
    try editor.press("<esc>")
    #expect(editor.desk.ghost == nil)
    try editor.run("undo")
    try editor.run("simplify 0%")
    try editor.run("new-layer notes")
    #expect(editor.desk.ghost == nil)
    #expect(throws: EditingError.self) { try editor.run("restore") }
    try editor.run("undo")
    #expect(editor.desk.ghost != nil)
    try editor.run("undo")
    #expect(editor.desk.ghost == nil)
  }

  @Test(arguments: Seeds.some(6))
  func `All vertices that come back make the former map`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var editor = Editor(Self.document)
    let former = Self.shapes(editor)
    try editor.run("simplify \(Int.random(in: 0...60, using: &generator))%")
    try Self.restoreAll(&editor, &generator)
    #expect(Self.shapes(editor) == former, "seed \(seed)")
  }
}
