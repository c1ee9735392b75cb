import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanEditing

/// Positions that are typed or computed lie on the earth; those of planar documents are free.
@Suite struct CoordinateTests {
  /// The same places as numbers of a planar system.
  private static let planar: Document = {
    var document = Document.towns
    document.metadata.take(CoordinateSystem(named: "EPSG:25832"))
    return document
  }()

  @Test(arguments: [
    ("540 10", -180.0, 10.0), ("190,-5", -170, -5), ("-190 5", 170, 5), ("360 0", 0, 0),
    ("10N 200E", -160, 10), ("180 0", 180, 0), ("-180 0", -180, 0), ("@355,0", -5, 0),
  ])
  func `Longitudes come into range`(text: String, x: Double, y: Double) throws {
    let place = try Positions.parse(text, base: Coordinate(x: 0, y: 0), isGeographic: true)
    #expect(place == Coordinate(x: x, y: y))
    let planar = try? Positions.parse(text, base: Coordinate(x: 0, y: 0), isGeographic: false)
    if let planar { #expect(planar == Coordinate(x: planar.x, y: y) && abs(planar.x) >= 180) }
  }

  @Test(arguments: ["541 10", "10 90.5", "95N 10E", "@0,91", "10 -91", "1e300 0"])
  func `What is no place on the earth is refused`(text: String) throws {
    for line in ["put \(text)", "go to '\(text)'"] {
      var editor = Editor()
      try editor.run("draw point --layer towns")
      #expect(throws: EditingError.self) { try editor.run(line) }
      #expect(editor.layer("towns")?.count == 4)
    }
  }

  @Test(arguments: ["10 48", "10,48", "48N 10E", "48°N 10°E", "10.0 48.0"])
  func `A position after go needs no other word`(text: String) throws {
    var (short, long) = (Editor(), Editor())
    try short.press(":go \(text)<ret>")
    try long.press(":go to \(text)<ret>")
    #expect(short.desk.cursor == long.desk.cursor && short.desk.camera == long.desk.camera)
    #expect(abs(short.desk.cursor.x - 10) < 1e-9 && abs(short.desk.cursor.y - 48) < 1e-9)
    var editor = Editor()
    let error = #expect(throws: EditingError.self) { try editor.run("go Berlin") }
    #expect(error?.message.contains("go name Berlin") == true)
  }

  @Test(arguments: ["10", "10 95", "541 10", "10 48 3"])
  func `A wrong position after go is refused in the same words with and without to`(
    text: String
  ) throws {
    var (short, long) = (Editor(), Editor())
    let one = #expect(throws: EditingError.self) { try short.run("go \(text)") }
    let other = #expect(throws: EditingError.self) { try long.run("go to \(text)") }
    #expect(one?.message == other?.message)
    let reason = text.contains("95") || text.contains("541") ? "latitude up to 90" : "no position"
    #expect(one?.message.contains(reason) == true)
  }

  @Test func `Typed vertices of a point, a line and an area lie on the globe`() throws {
    var editor = Editor()
    try editor.run("draw point --layer towns")
    try editor.press(",540 10<ret>")
    #expect(editor.features("towns").last?.geometry == .point(Coordinate(x: -180, y: 10)))
    // The view may also be flat: the numbers are degrees all the same.
    try editor.run("projection planar")
    try editor.press(",541 10<ret>")
    #expect(editor.layer("towns")?.count == 5)
    try editor.press("<esc>")
    try editor.run("draw line --layer roads")
    try editor.run("put 175 5")
    try editor.run("put 185 6")
    try editor.run("put @400,0")
    try editor.run("finish")
    // A line goes on across 180 degrees.
    #expect(editor.features("roads").last?.geometry.paths[0].vertices.map(\.x) == [175, 185, 225])
  }

  @Test(arguments: [1000.0, -1000, 720, 200, -3.6e6, 1e12 + 200])
  func `Whatever is moved stays on the globe`(by: Double) throws {
    var editor = Editor()
    try editor.run("select all")
    try editor.run("move --by \(by),0")
    #expect(editor.document.extent.minX >= -360 && editor.document.extent.maxX <= 360)
    for feature in editor.features("towns") {
      #expect(abs(feature.geometry.paths[0].vertices[0].x) <= 180)
    }
  }

  @Test func `A vertex is not carried over a pole, and a point not around the globe`() throws {
    var editor = Editor()
    try editor.run("projection equirectangular")
    try editor.run("go name Delta")
    try editor.run("move --by 148.5,0")
    #expect(editor.features("towns")[3].geometry == .point(Coordinate(x: 179.5, y: 14)))
    var multi = Geometry.point(Coordinate(x: 179, y: 0))
    multi.addPart([Coordinate(x: 170, y: 0)], kind: .point)
    multi.move(x: 5, y: 0, isGeographic: true)
    #expect(multi.paths.flatMap { $0.vertices.map(\.x) } == [-176, 175])
    var line = Geometry.line([Coordinate(x: 170, y: 0), Coordinate(x: 179, y: 0)])
    line.move(x: 20, y: 0, isGeographic: true)
    #expect(line.paths[0].vertices.map(\.x) == [-170, -161])
  }

  @Test func `In a planar document every number is a place`() throws {
    var editor = Editor(Self.planar)
    #expect(!editor.desk.plane.isGeographic)
    try editor.run("draw point --layer towns")
    try editor.press(",540 1000<ret>")
    #expect(editor.features("towns").last?.geometry == .point(Coordinate(x: 540, y: 1000)))
    try editor.run("select all")
    try editor.run("move --by 1e6,5e6")
    #expect(editor.document.extent.maxY > 5e6)
    #expect(throws: EditingError.self) { try editor.run("projection web-mercator") }
    try editor.run("projection planar")
    #expect(editor.desk.documentToSave.mapView?.projection == .planar)
  }

  @Test func `What was copied from planar data is not pasted as degrees`() throws {
    var editor = Editor(Self.planar)
    try editor.run("go name Beta")
    try editor.run("yank")
    let job = editor.desk.startJob("open")
    _ = editor.desk.handle(
      .opened(job, OpenedFile(path: "b.doc", document: .towns, isDocumentFile: true)))
    #expect(throws: EditingError.self) { try editor.run("paste --in-place") }
    #expect(editor.layer("towns")?.count == 4)
  }

  // MARK: Data beside data

  /// Data with one point, as the world hands it over.
  private func data(_ system: CoordinateSystem, isAssumed: Bool = false) -> ImportedData {
    var layer = FeatureLayer(
      id: LayerID(1), name: "new", style: .standard(forDimension: 0, index: 0))
    _ = layer.add(geometry: .point(Coordinate(x: 10, y: 20)), attributes: [])
    var data = ImportedData(path: "new.geojson", layers: [layer])
    data.coordinateSystem = system
    data.isGeographic = system.isDegrees
    data.isSystemAssumed = isAssumed
    return data
  }

  private func taking(_ data: ImportedData, into document: Document) -> Editor {
    var editor = Editor(document)
    let job = editor.desk.startJob("import")
    _ = editor.desk.handle(.imported(job, data))
    return editor
  }

  @Test func `Data of an unknown system does not stand beside that of a known one`() {
    let grid = CoordinateSystem(named: "site grid")
    for (document, system) in [
      (Document.towns, grid), (.towns, .planar), (Self.planar, grid),
    ] {
      let editor = taking(data(system), into: document)
      #expect(editor.document.layers.count == document.layers.count)
      #expect(editor.desk.message?.severity == .error)
      #expect(editor.message.contains("import --crs"), "\(editor.message)")
    }
  }

  @Test func `Data of another system is converted by a request of its own`() {
    let metres = CoordinateSystem(named: "EPSG:3857")
    for (document, system) in [
      (Document.towns, metres), (Self.planar, .crs84), (Self.planar, metres),
    ] {
      let editor = taking(data(system), into: document)
      #expect(editor.document.layers.count == document.layers.count)
      #expect(editor.desk.jobs.contains { $0.name.hasPrefix("converting") })
    }
  }

  @Test func `Data of the same, of no stated, or of another datum is taken and told`() {
    for (document, new) in [
      (Document.towns, data(.crs84)), (Self.planar, data(CoordinateSystem(named: "EPSG:25832"))),
      (Self.planar, data(.crs84, isAssumed: true)), (Self.planar, data(.planar)),
      (.towns, data(CoordinateSystem(named: "EPSG:4269"))),
    ] {
      let editor = taking(new, into: document)
      #expect(editor.document.layers.count == document.layers.count + 1)
      #expect(editor.document.metadata == document.metadata)
      let isTold = editor.desk.message?.severity == .warning
      #expect(isTold == (new.coordinateSystem != document.metadata.coordinateSystem))
    }
  }

  @Test func `An empty document takes over the system, and undo gives it back`() throws {
    let metres = CoordinateSystem(named: "EPSG:3857")
    var editor = taking(data(metres), into: Document())
    #expect(editor.document.metadata.coordinateSystem == metres)
    #expect(editor.document.metadata.units == "metres")
    #expect(!editor.desk.plane.isGeographic)
    try editor.run("undo")
    #expect(editor.document.metadata == Document().metadata)
    #expect(editor.desk.plane.isGeographic)
  }
}
