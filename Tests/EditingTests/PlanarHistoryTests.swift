import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The picture of a planar document depends on its features and the view, never on its history.
@Suite struct PlanarHistoryTests {
  static func document(_ places: [Coordinate]) -> Document {
    var document = Document()
    document.metadata.take(.planar)
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "places",
      style: .standard(forDimension: 0, index: 0, labelField: "name"))
    for (index, place) in places.enumerated() {
      _ = layer.add(geometry: .point(place), attributes: [("name", .string("p\(index)"))])
    }
    document.layers = [layer]
    return document
  }

  /// The editor's map beside that of an editor which has just opened the same document.
  static func expectSamePicture(
    _ editor: Editor, _ memory: RenderMemory, _ comment: Comment
  ) throws {
    var fresh = Editor(editor.document)
    // Its work is no part of the document.
    (fresh.desk.work, fresh.desk.session) = (editor.desk.work, editor.desk.session)
    fresh.desk.viewpoint = Viewpoint(
      center: editor.desk.viewpoint.center, zoom: editor.desk.viewpoint.zoom,
      projection: editor.desk.viewpoint.projection)
    memory.settleNames()
    #expect(MapPane.picture(of: editor.desk, memory) == MapPane.picture(of: fresh.desk), comment)
    #expect(editor.desk.camera == fresh.desk.camera, comment)
  }

  @Test(arguments: Seeds.some(6))
  func `A picture does not depend on the edits before it`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    func place(_ spread: Double) -> Coordinate {
      Coordinate(
        x: 500_000 + .random(in: -spread...spread, using: &numbers),
        y: 5_800_000 + .random(in: -spread...spread, using: &numbers))
    }
    let count = Int.random(in: 0...3, using: &numbers)
    var editor = Editor(Self.document((0..<count).map { _ in place(1000) }))
    let memory = RenderMemory()
    for step in 0..<12 {
      let comment: Comment = "seed \(seed) step \(step)"
      let ground = editor.desk.camera.groundPerColumn
      let target = place(Mathematics.power(ofTwo: .random(in: 2...24, using: &numbers)))
      switch Int.random(in: 0..<6, using: &numbers) {
      case 0, 1:
        try editor.run("draw point")
        try editor.run("put \(target.x) \(target.y)")
        try editor.press("<esc>")
        #expect(editor.features("places").count > 0, comment)
      case 2:
        try editor.run("select all")
        try? editor.run("move --by \(target.x - 500_000),\(target.y - 5_800_000)")
        try editor.run("select none")
      case 3: try? editor.run("undo")
      case 4: try? editor.run("redo")
      default:
        try editor.run("go to \(target.x) \(target.y)")
        #expect(editor.desk.cursor == target, comment)
        #expect(editor.desk.camera.cell(at: target) != nil, comment)
        try Self.expectSamePicture(editor, memory, comment)
        continue
      }
      #expect(editor.desk.file.extent == editor.document.extent, comment)
      // An edit leaves the scale.
      let camera = editor.desk.camera
      #expect(abs(camera.groundPerColumn / ground - 1) < 1e-6, comment)
      try Self.expectSamePicture(editor, memory, comment)
    }
    try editor.run("fit")
    for feature in editor.features("places") {
      guard let place = feature.geometry.anchor else { continue }
      #expect(editor.desk.camera.cell(at: place) != nil, "seed \(seed)")
    }
    var fresh = Editor(editor.document)
    try fresh.run("fit")
    #expect(fresh.desk.camera.zoom == editor.desk.camera.zoom)
    #expect(fresh.desk.camera.center == editor.desk.camera.center)
  }

  @Test func `The cursor leaves the data behind without bound`() throws {
    var editor = Editor(
      Self.document([Coordinate(x: 500_000, y: 5_800_000), Coordinate(x: 501_000, y: 5_801_000)]))
    try editor.run("fit")
    let start = editor.desk.cursor
    let ground = editor.desk.camera.groundPerColumn
    for _ in 0..<20 { try editor.press("1000l") }
    #expect(abs(editor.desk.cursor.x - start.x - 20_000 * ground) < ground)
    #expect(editor.desk.camera.cell(at: editor.desk.cursor) != nil)
    try editor.press("20-")
    #expect(abs(editor.desk.camera.groundPerColumn / ground - 1024) < 1)
  }

  @Test func `Saved views and bookmarks have their scale after the document has grown`() throws {
    var editor = Editor(
      Self.document([Coordinate(x: 0, y: 0), Coordinate(x: 1000, y: 1000)]))
    try editor.run("zoom to 3")
    let ground = editor.desk.camera.groundPerColumn
    try editor.run("view save v")
    try editor.run("bookmark a")
    try editor.run("draw point")
    try editor.run("put 64000 0")
    try editor.press("<esc>")
    try editor.run("view save w")
    // The same in the editor and in the saved file.
    var fresh = Editor(editor.desk.documentToSave)
    for line in ["view show v", "go bookmark a", "view show w"] {
      try editor.run("fit")
      try editor.run(line)
      #expect(abs(editor.desk.camera.groundPerColumn / ground - 1) < 1e-9, "\(line)")
      try fresh.run("fit")
      try fresh.run(line)
      #expect(abs(fresh.desk.camera.groundPerColumn / ground - 1) < 1e-9, "\(line)")
    }
  }

  @Test func `Views gone back to have their scale after the document has grown`() throws {
    var editor = Editor(
      Self.document([Coordinate(x: 0, y: 0), Coordinate(x: 1000, y: 1000)]))
    try editor.run("zoom to 3")
    let ground = editor.desk.camera.groundPerColumn
    try editor.run("go to 5000 5000")
    try editor.run("draw point")
    try editor.run("put 64000 0")
    try editor.press("<esc>")
    #expect(abs(editor.desk.camera.zoom - 9) < 1e-9)
    try editor.run("fit")
    try editor.run("go previous 2")
    #expect(abs(editor.desk.camera.groundPerColumn / ground - 1) < 1e-9)
  }
}
