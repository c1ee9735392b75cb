import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Editors and scripts on one file of map data, which they save back.
@Suite struct DataFileTests {
  typealias Seat = GuardingTests.Seat

  private static let roads = """
    { "type": "FeatureCollection", "features": [
      {"type":"Feature", "properties":{"name":"A 1","lanes":2}, \
    "geometry":{"type":"LineString","coordinates":[[1.50,2],[3,4]]}},
      {"type":"Feature", "properties":{"name":"A 2","lanes":4}, \
    "geometry":{"type":"LineString","coordinates":[[5,6],[7.0,8]]}}
    ]}

    """
  private static let towns = "lon;lat;name;people\r\n1,50;2,0;Ulm;7\r\n3;4;\"Bonn\";9\r\n"

  private static let point = """
    {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1.12345,2.12345]}}
    """

  private let files = MemoryFileSystem(files: [
    "/m/roads.geojson": Array(Self.roads.utf8), "/m/towns.csv": Array(Self.towns.utf8),
  ])

  private func text(_ path: String) throws -> String {
    String(decoding: try files.read(path, limit: 1 << 20), as: UTF8.self)
  }

  private func seat(_ path: String = "/m/roads.geojson", process: Int32 = 1) throws -> Seat {
    var seat = Seat(files, process: process)
    try seat.run("open \(path)")
    return seat
  }

  /// Plays keys; the terminal hangs up when they are used up.
  private func play(_ keys: String, open: [String] = ["/m/towns.csv"]) throws -> Desk {
    var options = World.Options()
    options.state = StateFolder(path: "/state/portolan")
    options.keepsEdits = true
    options.guardsDocuments = true
    let world = World(files: files, options: options)
    var loop = EditorLoop(desk: Desk(), screen: try FakeScreen(keys: keys), world: world)
    _ = try loop.run(files: open, patienceSeconds: 20)
    files.closeAll()
    return loop.desk
  }

  @Test func `A file without an edit is saved as the same bytes`() throws {
    for path in ["/m/roads.geojson", "/m/towns.csv"] {
      let former = try text(path)
      var seat = try seat(path)
      try seat.run("zoom in")
      #expect(!seat.desk.isEdited)
      try seat.run("save")
      #expect(seat.message == "saved \(path)")
      #expect(try text(path) == former)
    }
  }

  @Test func `An edit is saved into the file, and nothing else changes in it`() throws {
    var seat = try seat()
    try seat.run("go name 'A 2'")
    try seat.run("set lanes=6")
    #expect(seat.desk.isEdited)
    try seat.press("<c-s>")
    #expect(seat.message == "saved /m/roads.geojson")
    #expect(!seat.desk.isEdited)
    #expect(seat.desk.title == "roads.geojson")
    #expect(
      try text("/m/roads.geojson") == Self.roads.replacing("\"lanes\":4", with: "\"lanes\":6"))
    try seat.run("undo")
    #expect(seat.desk.isEdited)
    try seat.run("save")
    #expect(try text("/m/roads.geojson") == Self.roads)

    try seat.run("open /m/towns.csv")
    try seat.run("go name Bonn")
    try seat.run("set people=10")
    try seat.run("save")
    #expect(try text("/m/towns.csv") == Self.towns.replacing(";9", with: ";10"))
    #expect(
      try seat.world.store.versions(of: "/m/towns.csv").map(\.reason) == [.before, .saved])
  }

  @Test(arguments: [
    ("/m/towns.csv", true), ("/m/roads.ndjson", true), ("/m/roads.geojsonseq", true),
    ("/m/roads.geojson", false),
  ])
  func `A coordinate system that the file does not name is asked about`(
    path: String, isAsked: Bool
  ) throws {
    if !files.exists(path) {
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      try runner.run(try #require(try Commands.parse("export /m/roads.geojson -o \(path)")))
    }
    var seat = try seat(path)
    try seat.run("reproject EPSG:32632")
    try seat.press("<c-s>")
    let question = seat.desk.question?.text ?? ""
    #expect(question.contains("no place for the coordinate system EPSG:32632") == isAsked)
    #expect(!question.contains("metadata"))
    #expect(try text(path).contains("32632") != isAsked)
  }

  @Test func `What the file has no place for is asked about once`() throws {
    var seat = try seat()
    try seat.run("style roads --stroke #ff0000")
    try seat.run("new-layer more")
    try seat.run("save --quit")
    let question = try #require(seat.desk.question)
    #expect(question.title == "roads.geojson cannot hold all")
    #expect(question.text.contains("the layer “more”; how the layer looks"), "\(question.text)")
    #expect(seat.desk.isEdited)
    #expect(!seat.desk.hasQuit)
    #expect(question.choices.map(\.line).contains("save --lossy --quit"))
    try seat.press("c")
    try seat.run("save")
    try seat.press("l")
    #expect(!seat.desk.isEdited)
    #expect(seat.message.contains("not in the file: the layer “more”; how"), "\(seat.message)")
    #expect(try text("/m/roads.geojson") == Self.roads)
    try seat.run("style roads --stroke #00ff00")
    try seat.run("save")
    #expect(seat.desk.question == nil)
    #expect(!seat.desk.isEdited)
  }

  @Test func `All of it can be saved as a document, and the file is let go`() throws {
    var seat = try seat()
    try seat.run("style roads --stroke #ff0000")
    try seat.run("save")
    try seat.press("droads.doc<esc>")
    try seat.run("save /m/roads.doc")
    #expect(seat.desk.title == "roads.doc")
    #expect(!seat.desk.file.isData)
    #expect(try text("/m/roads.geojson") == Self.roads)
    #expect(try self.seat(process: 2).desk.question == nil)
    try seat.run("hide roads")
    try seat.run("save")
    #expect(seat.desk.question == nil)
    #expect(throws: EditingError.self) { try seat.run("save /m/roads.geojson") }
  }

  @Test func `A lost change on disk after a loss is asked about, and both answers count`() throws {
    var seat = try seat()
    try seat.run("style roads --stroke #ff0000")
    files.put(Array(Self.roads.replacing("A 1", with: "B 1").utf8), at: "/m/roads.geojson")
    try seat.run("save")
    try seat.press("l")
    #expect(seat.desk.question?.title == "roads.geojson changed on disk")
    try seat.press("m")
    #expect(seat.desk.question == nil)
    #expect(try text("/m/roads.geojson") == Self.roads)
    #expect(try text("/m/roads.geojson.theirs").contains("B 1"))
  }

  @Test func `The second editor cannot write, and a change on disk is read again`() throws {
    var first = try seat()
    let second = try seat(process: 2)
    #expect(second.desk.question?.title == "roads.geojson is open elsewhere")
    #expect(second.desk.isReadOnly)
    files.put(Array(Self.roads.replacing("A 1", with: "B 1").utf8), at: "/m/roads.geojson")
    try first.look()
    #expect(first.message.hasPrefix("roads.geojson: read again"), "\(first.message)")
    try first.run("go name 'B 1'")
    try first.run("set lanes=1")
    try first.run("revert")
    try first.run("save")
    #expect(try text("/m/roads.geojson") == Self.roads.replacing("A 1", with: "B 1"))
  }

  @Test func `It is saved under another name of its format only`() throws {
    var seat = try seat()
    #expect(throws: EditingError.self) { try seat.run("save /m/roads.csv") }
    try seat.run("save /m/copy.json")
    #expect(try text("/m/copy.json") == Self.roads)
    #expect(seat.desk.title == "copy.json")
    try seat.run("go name 'A 1'")
    try seat.run("set lanes=1")
    try seat.run("save")
    #expect(try text("/m/copy.json").contains("\"lanes\":1"))
    #expect(try text("/m/roads.geojson") == Self.roads)
    #expect(throws: EditingError.self) { try seat.run("save /m/roads.geojsonl") }
  }

  @Test func `What several files hold goes back into none of them`() throws {
    let desk = try play(":w<ret>", open: ["/m/roads.geojson", "/m/towns.csv"])
    #expect(desk.file.path == nil)
    let message = desk.message?.text ?? ""
    #expect(message.contains("several files are open together"), "\(message)")
    #expect(message.contains(":w NAME.doc"))
    #expect(message.contains(":export"))
  }

  @Test func `A file whose layer was deleted says so`() throws {
    var seat = try seat()
    try seat.run("delete-layer roads")
    try seat.run("save")
    #expect(seat.message.contains("its layer is gone"), "\(seat.message)")
    #expect(try text("/m/roads.geojson") == Self.roads)
  }

  @Test func `In a script a loss is an error that names the flag`() throws {
    let world = World(files: files, options: World.Options())
    var runner = HeadlessRunner(world: world) { _ in }
    try runner.run(line: "open /m/roads.geojson")
    try runner.run(line: "style roads --stroke #ff0000")
    let failure = #expect(throws: Failure.self) { try runner.run(line: "save") }
    #expect(failure?.what.contains("save --lossy leaves it out") == true)
    #expect(failure?.what.contains("NAME.doc") == true)
    try runner.run(line: "save --lossy")
    #expect(try text("/m/roads.geojson") == Self.roads)
  }

  @Test func `Edits of an editor that was killed are offered at the next open of the file`() throws
  {
    _ = try play(":go name Ulm<ret>:set people=8<ret>")
    #expect(try text("/m/towns.csv") == Self.towns)
    let asked = try play("")
    #expect(asked.mode == .question)
    let saved = try play("r:w<ret>")
    #expect(!saved.isEdited, "\(saved.message?.text ?? "")")
    #expect(try text("/m/towns.csv") == Self.towns.replacing(";7", with: ";8"))
    #expect(try play("").mode == .normal)
  }

  @Test func `A file that was only copied over itself takes the edits that were left`() throws {
    _ = try play(":go name Ulm<ret>:set people=8<ret>")
    files.put(Array(Self.towns.utf8), at: "/m/towns.csv")
    let recovered = try play("r")
    #expect(recovered.file.path == "/m/towns.csv")
    #expect(recovered.message?.text.contains("changed since") == false)
  }

  @Test func `A shape without values leaves no record in a table`() throws {
    var seat = try seat("/m/towns.csv")
    try seat.run("draw polygon")
    for place in ["1 1", "2 1", "2 2"] { try seat.run("put \(place)") }
    try seat.run("finish")
    try seat.run("save --lossy")
    #expect(try text("/m/towns.csv") == Self.towns)
  }

  @Test func `Pasting in place keeps coordinates beyond the decimals of the file`() throws {
    let square = "[[0,0],[0.000004,0],[0.000004,0.000004],[0,0]]"
    files.put(
      Array(#"{"type":"LineString","coordinates":\#(square)}"#.utf8), at: "/m/fine.geojson")
    files.put(
      Array(#"{"type":"FeatureCollection","features":[\#(Self.point)]}"#.utf8),
      at: "/m/coarse.geojson")
    var seat = try seat("/m/fine.geojson")
    try seat.run("select all")
    try seat.run("yank")
    try seat.run("open /m/coarse.geojson")
    try seat.run("paste --in-place")
    try seat.run("save")
    #expect(try text("/m/coarse.geojson").contains(square))
  }
}
