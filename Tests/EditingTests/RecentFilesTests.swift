import PortolanDocuments
import PortolanFiles
import PortolanRendering
import PortolanTerminals
import Testing

@testable import PortolanEditing

@Suite struct OpenRecentTests {
  @Test func `Opened and saved files are listed, newest first, and opened by number`() throws {
    var office = Office()
    try office.run("save /m/towns.doc")
    try office.run("save /m/second.doc")
    try office.run("open /m/towns.doc")
    try office.run("recent")
    #expect(office.desk.session.recentFiles == ["/m/towns.doc", "/m/second.doc"])
    #expect(office.screen(CellSize(columns: 120, rows: 40)).contains(" 2  /m/second.doc"))
    try office.run("recent 2")
    #expect(FilePath.isSame(office.desk.file.path, "/m/second.doc"))
    // The number is that of the list that was shown, not of what was opened since.
    try office.run("recent 2")
    #expect(FilePath.isSame(office.desk.file.path, "/m/second.doc"))
  }

  @Test func `Files that are gone are not listed`() throws {
    var office = Office()
    try office.run("save /m/towns.doc")
    try office.run("save /m/second.doc")
    try office.world.files.remove("/m/towns.doc", in: nil)
    try office.run("recent")
    #expect(office.desk.session.recentFiles == ["/m/second.doc"])
  }

  @Test func `Unsaved edits are kept, unless they are given up`() throws {
    var office = Office()
    try office.run("save /m/towns.doc")
    try office.run("save /m/second.doc")
    try office.run("recent")
    try office.run("new-layer more")
    #expect(throws: EditingError.self) { try office.ask("recent 2") }
    try office.run("recent 2 --force")
    #expect(FilePath.isSame(office.desk.file.path, "/m/towns.doc"))
  }

  @Test func `A forgotten list is empty, and a wrong number is an error`() throws {
    var office = Office()
    try office.run("save /m/towns.doc")
    try office.run("recent --forget")
    #expect(office.message == "recent files forgotten")
    try office.run("recent")
    #expect(office.desk.session.recentFiles.isEmpty)
    #expect(throws: EditingError.self) { try office.ask("recent 1") }
    #expect(throws: EditingError.self) { try office.ask("recent 0") }
  }

  @Test func `Scripts neither use the list nor add to it`() throws {
    var office = Office()
    office.workspace.change { $0.session.isHeadless = true }
    #expect(throws: EditingError.self) { try office.ask("recent") }
    let empty = #"{"type":"FeatureCollection","features":[]}"#
    let files = MemoryFileSystem(files: ["/m/a.geojson": Array(empty.utf8)])
    var options = World.Options()
    options.state = StateFolder(path: "/state/portolan")
    let world = World(files: files, options: options)
    _ = try world.open("/m/a.geojson", .none)
    _ = world.doChores()
    #expect(!files.exists("/state/portolan/recent/files"))
  }

  @Test func `The start offers recent files as far as there is room`() throws {
    func offers(rows: Int) -> Int {
      let size = CellSize(columns: 80, rows: rows)
      var editor = BaseMapTests.editor(Document(), size: size)
      editor.desk.session.recentFiles = (1...9).map { "/home/user/maps/map\($0).doc" }
      var memory = RenderMemory()
      let text = editor.desk.frame(size: size, memory: &memory).plainText()
      return text.split(separator: "\n").count { $0.contains(":recent ") }
    }
    #expect(offers(rows: 24) == 3)
    #expect(offers(rows: 60) == 5)
  }
}
