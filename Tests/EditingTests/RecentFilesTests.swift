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
    try office.run("answer none")
    try office.run("recent 2")
    #expect(FilePath.isSame(office.desk.file.path, "/m/second.doc"))
    // The number is that of the list that was shown, not of what was opened since.
    try office.run("recent 2")
    #expect(FilePath.isSame(office.desk.file.path, "/m/second.doc"))
  }

  private static func office() throws -> Office {
    var office = Office()
    for name in ["first", "second", "third", "fourth"] { try office.run("save /m/\(name).doc") }
    return office
  }

  @Test func `Keys choose a file of the list and open it`() throws {
    for (keys, name) in [
      ("<ret>", "third"), ("j<ret>", "second"), ("jj<ret>", "first"), ("k<ret>", "fourth"),
      ("4", "first"), ("<esc>", "fourth"),
    ] {
      var office = try Self.office()
      try office.press("<space>fl")
      #expect(office.desk.mode == .question)
      try office.press(keys)
      #expect(FilePath.isSame(office.desk.file.path, "/m/\(name).doc"), "\(keys)")
      #expect(office.desk.mode == .normal)
    }
  }

  @Test func `A click opens a file of the list`() throws {
    for size in [CellSize(columns: 80, rows: 24), CellSize(columns: 160, rows: 45)] {
      var office = try Self.office()
      office.workspace.change { $0.resize(to: size) }
      try office.run("recent")
      let lines = office.screen(size).split(separator: "\n", omittingEmptySubsequences: false)
      let row = try #require(lines.firstIndex { $0.contains("/m/second.doc") })
      let before = try #require(lines[row].firstRange(of: "/m/second"))
      let column = lines[row].distance(from: lines[row].startIndex, to: before.lowerBound)
      office.workspace.change {
        $0.point(MouseEvent(action: .press, button: 1, column: column, row: row))
      }
      office.waiting += office.workspace.takeEffects()
      try office.settle()
      #expect(FilePath.isSame(office.desk.file.path, "/m/second.doc"))
    }
  }

  @Test func `The prompt completes names, and paths where a name is not the only one`() throws {
    var office = try Self.office()
    try office.run("save /m/deep/../other/first.doc")
    try office.run("recent")
    try office.press("<esc>:recent th<tab>")
    #expect(office.desk.prompt?.line.text == "recent third.doc ")
    try office.press("<ret>")
    #expect(FilePath.isSame(office.desk.file.path, "/m/third.doc"))
    let names = OpenRecent.names(of: ["/m/a.doc", "/n/a.doc", "/m/b.doc", "/m/7"])
    #expect(names == ["/m/a.doc", "/n/a.doc", "b.doc", "/m/7"])
  }

  @Test func `A name that several files have, or none, is an error`() throws {
    var office = Office()
    office.workspace.change { $0.session.recentFiles = ["/m/a.doc", "/n/a.doc", "/m/7"] }
    for line in ["recent a.doc", "recent b.doc", "recent -1", "recent 0", "recent 4"] {
      #expect(throws: (any Error).self, "\(line)") { try office.ask(line) }
    }
  }

  @Test func `The list is known although a file is opened meanwhile`() throws {
    var office = try Self.office()
    try office.ask("open /m/second.doc")
    office.workspace.change { $0.request(RecentFilesRequest(isShown: false)) }
    office.waiting += office.workspace.takeEffects()
    try office.settle()
    #expect(office.desk.session.recentFiles.contains("/m/third.doc"))
    #expect(office.desk.questions.isEmpty)
  }

  @Test func `Ctrl-C stops what people asked for, not what the editor reads for itself`() throws {
    var office = try Self.office()
    office.workspace.change {
      $0.request(RecentFilesRequest(isShown: false))
      $0.request(PromptHistoryRequest())
    }
    office.waiting += office.workspace.takeEffects()
    #expect(throws: EditingError.self) { try office.ask("cancel") }
    #expect(!office.screen(CellSize(columns: 80, rows: 24)).contains("reading"))
    try office.ask("open /m/second.doc")
    office.workspace.change { $0.message = nil }
    #expect(office.screen(CellSize(columns: 80, rows: 24)).contains("opening /m/second.doc"))
    try office.ask("cancel")
    #expect(office.desk.message?.text == "cancelled: opening /m/second.doc")
    try office.settle()
    #expect(office.desk.session.recentFiles.contains("/m/third.doc"))
  }

  @Test func `A long path keeps its end`() throws {
    var office = Office()
    let path = "/m/" + String(repeating: "deep/", count: 30) + "end.doc"
    office.workspace.change {
      RecentFilesRequest().take([path], in: &$0)
    }
    #expect(office.screen(CellSize(columns: 80, rows: 24)).contains("deep/end.doc"))
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
    try office.run("answer none")
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
