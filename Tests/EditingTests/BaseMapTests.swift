import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// The map behind the data.
@Suite struct BaseMapTests {
  /// The archive that the program brings.
  private static let archive: URL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/CBaseMap/base.doc")

  private static let builtIn = BuiltInBase { [archive] in
    (try? Data(contentsOf: archive)).map { Array($0) } ?? []
  }

  /// An editor that has the base maps.
  static func editor(
    _ document: Document = .towns, size: CellSize = CellSize(columns: 80, rows: 24)
  ) -> Editor {
    var editor = Editor(document, size: size)
    editor.desk.session.base.builtIn = builtIn
    return editor
  }

  private func frame(_ editor: Editor) -> Frame {
    var memory = RenderMemory()
    return editor.desk.frame(size: editor.desk.screenSize, memory: &memory)
  }

  private func map(_ editor: Editor) -> Frame { frame(editor).part(editor.desk.mapArea) }

  /// A document with one area of so many corners.
  private func areas(vertices: Int) -> Document {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: "zone", style: .standard(forDimension: 2, index: 0))
    var ring = (0..<vertices - 1).map { index in
      let angle = 2 * Double.pi * Double(index) / Double(vertices)
      return Coordinate(x: 10 + cos(angle), y: 50 + sin(angle))
    }
    ring.append(ring[0])
    _ = layer.add(geometry: .polygon([ring]), attributes: [])
    document.layers = [layer]
    return document
  }

  // MARK: The archive

  @Test func `The built-in maps are land with lakes, and countries with names`() throws {
    let coast = try #require(Self.builtIn.map(.coast))
    let countries = try #require(Self.builtIn.map(.countries))
    #expect(coast.layers.map(\.name) == ["land"])
    #expect(countries.layers.map(\.name) == ["land", "countries"])
    #expect(coast.layers[0].count == 127)
    #expect(countries.layers[1].count == 177)
    #expect(countries.layers[1].fieldNames == ["name", "iso_a3", "continent"])
    // The Caspian Sea and the lakes are holes.
    let holes = coast.layers[0].blocks.flatMap(\.geometry.pathRoles).count { $0.isHole }
    #expect(holes == 26)
    #expect(coast.layers[0].extent.width > 359)
    #expect(try Data(contentsOf: Self.archive).count <= 300_000)
    // They are read once.
    #expect(Self.builtIn.map(.coast) === coast)
  }

  @Test func `Bytes that are no document are no map`() {
    #expect(BuiltInBase { [1, 2, 3] }.map(.coast) == nil)
    #expect(BuiltInBase { [] }.map(.countries) == nil)
  }

  // MARK: Where it shows

  @Test func `It stands behind the data, which look as without it`() throws {
    var editor = Self.editor()
    let with = map(editor)
    try editor.run("base none")
    let without = map(editor)
    var added = 0
    for row in 0..<with.size.rows {
      for column in 0..<with.size.columns {
        let (own, both) = (without[column, row], with[column, row])
        if own.glyph == .space, own.style.background.isStandard {
          added += both.glyph == .space ? 0 : 1
        } else {
          #expect(both.glyph == own.glyph, "\(column),\(row)")
          #expect(both.style.foreground == own.style.foreground, "\(column),\(row)")
        }
      }
    }
    #expect(added > 20)
  }

  @Test func `Planar documents and documents with land have none unless asked`() throws {
    var planar = Document.towns
    planar.metadata.take(.planar)
    #expect(Self.editor(planar).desk.base == nil)
    #expect(Self.editor(areas(vertices: 999)).desk.base != nil)
    var editor = Self.editor(areas(vertices: 1000))
    #expect(editor.desk.base == nil)
    try editor.run("hide zone")
    #expect(editor.desk.base != nil)
    try editor.run("show zone")
    try editor.run("base auto")
    #expect(editor.message.contains("land of its own"))
    try editor.run("base coast")
    #expect(editor.desk.base === Self.builtIn.map(.coast))
    try editor.run("base countries")
    #expect(editor.desk.base === Self.builtIn.map(.countries))
    try editor.run("base")
    #expect(editor.desk.base == nil)
    try editor.run("base")
    #expect(editor.desk.base != nil)
  }

  @Test(arguments: ["auto", "coast", "countries", "/line.geojson"])
  func `It is hidden and shown again as it was chosen`(choice: String) throws {
    var editor = Self.editor()
    if choice.hasPrefix("/") {
      editor.desk.takeBase(Self.builtIn.map(.countries), of: choice)
    } else {
      try editor.run("base \(choice)")
    }
    let shown = try #require(editor.desk.base)
    try editor.run("base")
    #expect(editor.desk.base == nil)
    try editor.run("base")
    #expect(editor.desk.base === shown)
    #expect(editor.desk.session.base.choice.word == choice)
  }

  @Test func `It ends where its lines would be wrong by many columns`() {
    var editor = Self.editor()
    editor.desk.zoom(to: 6)
    #expect(editor.desk.base != nil)
    editor.desk.zoom(to: 6.5)
    #expect(editor.desk.base == nil)
  }

  @Test func `A program without maps has none and says so`() throws {
    var editor = Editor()
    #expect(editor.desk.base == nil)
    #expect(throws: EditingError.self) { try editor.run("base coast") }
    #expect(throws: EditingError.self) { try editor.run("base add") }
    try editor.run("base none")
    #expect(throws: (any Error).self) { try editor.run("base coast countries") }
  }

  @Test(arguments: [ColourDepth.trueColour, .indexed, .sixteen, .eight, .mono])
  func `It is quieter than data on every terminal`(depth: ColourDepth) throws {
    for ground in [Ground.dark, .light] {
      var editor = Self.editor(size: CellSize(columns: 200, rows: 60))
      editor.desk.session.capabilities = ScreenCapabilities(
        depth: depth, isUnicode: true, ground: ground)
      let shown = map(editor)
      try editor.run("base none")
      let without = map(editor)
      var (base, data) = (Set<CellStyle>(), Set<CellStyle>())
      for row in 0..<shown.size.rows - 1 {
        for column in 0..<shown.size.columns where shown[column, row].glyph != .space {
          var style = shown[column, row].style
          style.background = .standard
          if without[column, row].glyph == .space { base.insert(style) } else { data.insert(style) }
        }
      }
      #expect(base.count == 1, "\(depth) \(ground)")
      #expect(!base.isEmpty && base.isDisjoint(with: data), "\(depth) \(ground)")
    }
  }

  // MARK: No part of the document

  @Test func `It is not saved, counted, picked, exported or undone`() throws {
    var editor = Self.editor()
    let before = try DocumentFile.bytes(of: editor.document)
    let facts = OverviewFacts.lines(of: editor.document)
    try editor.run("base countries")
    _ = frame(editor)
    #expect(try DocumentFile.bytes(of: editor.document) == before)
    #expect(OverviewFacts.lines(of: editor.document) == facts)
    #expect(editor.desk.history.past.isEmpty && !editor.desk.isEdited)
    let entries = LegendPanel.entries(editor.desk).map(\.text)
    #expect(!entries.contains("countries") && !entries.contains("land"))
    try editor.go(25, 30)
    try editor.press("<ret>")
    #expect(editor.desk.selection.isEmpty)
  }

  @Test func `Added, it is the lowest layers, in one step, and no longer behind`() throws {
    var editor = Self.editor()
    try editor.run("base countries")
    try editor.run("base add")
    #expect(
      editor.document.layers.map(\.name) == ["land", "countries", "fields", "roads", "towns"])
    // Land alone is filled: else it would hide the borders, or they its lakes.
    #expect(editor.document.layers.prefix(2).map { $0.style.mark.fill != nil } == [true, false])
    #expect(editor.desk.history.past.count == 1)
    #expect(editor.desk.activeLayer == editor.layer("towns")?.id)
    #expect(editor.desk.base == nil)
    #expect(Set(editor.document.layers.map(\.id)).count == 5)
    try editor.run("undo")
    #expect(editor.document.layers.count == 3)
    #expect(editor.desk.base != nil)
    try editor.run("base add coast")
    try editor.run("base add coast")
    #expect(editor.document.layers.prefix(2).map(\.name) == ["land 2", "land"])
    #expect(throws: EditingError.self) { try editor.run("base add rivers.geojson") }
    try editor.run("base none")
    #expect(throws: EditingError.self) { try editor.run("base add") }
  }

  @Test func `What is added is archived and looks the same when it is opened`() throws {
    var editor = Self.editor(Document())
    try editor.run("base add countries")
    let bytes = try DocumentFile.bytes(of: editor.document)
    let opened = try DocumentFile.open(bytes).document
    #expect(opened.layers.map(\.name) == ["land", "countries"])
    // After that it is land of the document's own.
    #expect(Self.editor(opened).desk.base == nil)
  }

  // MARK: Files and scripts

  private static let line = """
    {"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":\
    {"type":"LineString","coordinates":[[-20,0],[40,10]]}}]}
    """

  private func world(_ files: [String: String]) -> World {
    let system = MemoryFileSystem(files: files.mapValues { Array($0.utf8) })
    var options = World.Options()
    options.base = Self.builtIn
    return World(files: system, options: options)
  }

  @Test func `A file is a base map too`() throws {
    let world = world(["/line.geojson": Self.line, "/planar.geojson": Self.planar])
    let map = try #require(try world.base(.file("/line.geojson"), .none))
    #expect(map.layers.map(\.name) == ["line"])
    #expect(map.zoomMax == .infinity)
    #expect(throws: Failure.self) { try world.base(.file("/planar.geojson"), .none) }
    #expect(throws: Failure.self) { try world.base(.file("/missing.geojson"), .none) }
    var editor = Self.editor()
    editor.desk.takeBase(map, of: "/line.geojson")
    #expect(editor.desk.base === map)
    #expect(editor.message == "base map: /line.geojson")
  }

  private static let planar = """
    {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}},\
    "features":[{"type":"Feature","properties":{},"geometry":{"type":"Point",\
    "coordinates":[1000000,6000000]}}]}
    """

  @Test func `A script says which map it adds`() throws {
    let world = world(["/line.geojson": Self.line])
    var runner = HeadlessRunner(world: world) { _ in }
    try runner.run(script: "open /line.geojson", name: "test")
    #expect(throws: Failure.self) { try runner.run(script: "base add", name: "test") }
    try runner.run(script: "base add coast", name: "test")
    #expect(runner.desk.document.layers.map(\.name) == ["land", "line"])
    // Nothing else of a script depends on it.
    #expect(HeadlessRunner(world: world) { _ in }.desk.viewpoint == Viewpoint())
  }

  @Test func `render draws it where it is asked to, below the data`() throws {
    func picture(_ options: String) throws -> String {
      let system = MemoryFileSystem(files: ["/line.geojson": Array(Self.line.utf8)])
      var wanted = World.Options()
      wanted.base = Self.builtIn
      var runner = HeadlessRunner(world: World(files: system, options: wanted)) { _ in }
      try runner.run(script: "open /line.geojson\nrender -o /out.svg " + options, name: "test")
      return String(decoding: try system.read("/out.svg", limit: 1 << 24), as: UTF8.self)
    }
    let plain = try picture("--legend")
    let coast = try picture("--legend --base coast")
    #expect(!plain.contains("land") && coast.contains("land"))
    #expect(try picture("--legend --base none") == plain)
    let countries = try picture("--base countries")
    let (land, line) = (countries.firstRange(of: "land"), countries.firstRange(of: "\"line\""))
    #expect(try #require(land).lowerBound < #require(line).lowerBound)
  }

  @Test(arguments: [("5", 0), ("9", 1)])
  func `A picture nearer than the map's lines are right says so`(
    zoom: String, notes: Int
  ) throws {
    var told: [String] = []
    var runner = HeadlessRunner(world: world(["/line.geojson": Self.line])) { told.append($0) }
    try runner.run(
      script: "open /line.geojson\nrender -o /out.svg --base coast --center 1,1 --zoom \(zoom)",
      name: "test")
    #expect(told.count { $0.contains("up to zoom 6") } == notes)
  }

  // MARK: The first screen

  @Test(arguments: [(80, 24), (60, 16), (200, 60), (50, 14), (40, 12), (40, 48)])
  func `Without a file there is the world, once, and the next keys`(columns: Int, rows: Int) {
    let size = CellSize(columns: columns, rows: rows)
    var editor = Self.editor(Document(), size: size)
    editor.desk.showWorld()
    let camera = editor.desk.camera
    #expect(camera.visible.minX <= -180 && camera.visible.maxX >= 180)
    #expect(camera.visible.maxY >= 77.9)
    let text = frame(editor).plainText()
    #expect(text.contains(":open FILE") && text.contains(":new-layer NAME"))
    #expect(text.contains("⣀") || text.contains("⠤"))
    // The world's south stands above the text.
    #expect(editor.desk.cursor == Coordinate(x: 0, y: 0))
    let cape = camera.cell(at: Coordinate(x: 20, y: -35))
    let below = WelcomePane.rowsBelowWorld(editor.desk, rows: camera.size.rows)
    #expect((cape?.row ?? .max) < camera.size.rows - below)
  }

  @Test func `The first screen looks as it did`() throws {
    for (name, size) in [
      ("world-80x24", CellSize(columns: 80, rows: 24)),
      ("world-60x16", CellSize(columns: 60, rows: 16)),
    ] {
      var editor = Self.editor(Document(), size: size)
      editor.desk.showWorld()
      try Golden.check(name, frame(editor).plainText())
    }
  }

  @Test func `Documents with left work are offered, whatever their names`() throws {
    var editor = Self.editor(Document())
    editor.desk.session.leftDocuments = ["/home/user/maps/a rather long name of a map.doc", "/b"]
    let text = frame(editor).plainText()
    #expect(text.contains("name of a map.doc  unsaved work was left"))
    #expect(text.contains(":open /b"))
  }

  @Test func `A new layer is drawn upon the same world`() throws {
    var editor = Self.editor(Document())
    editor.desk.showWorld()
    let before = editor.desk.viewpoint
    try editor.run("new-layer sites")
    #expect(editor.desk.viewpoint == before)
    #expect(editor.desk.base != nil)
    #expect(!frame(editor).plainText().contains(":open FILE"))
  }
}
