import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanKeeping

/// What becomes of journals that were left: several of them, and such as lack what they begin with.
@Suite struct LeftWorkTests {
  private let files = MemoryFileSystem()
  private let state = MemoryFileSystem.state
  init() throws { try files.makeDirectories("/home") }

  private static let path = "/home/site.doc"

  private var folder: JournalFolder { JournalFolder(state, in: files) }
  private var journals: [JournalFolder.Entry] { folder.entries() }
  private var world: World {
    var options = World.Options()
    options.state = state
    options.keepsEdits = true
    options.clock = { "second \(Int($0))" }
    return World(files: files, options: options)
  }

  /// The answer to a request, given by a verb.
  private func recover(
    _ path: String?, journal: String? = nil, output: String? = nil, discards: Bool = false
  ) throws -> String {
    defer { files.closeAll() }
    return try world.recover(
      RecoverRequest(
        path: path, journal: journal, output: output, discards: discards, overwrites: true))
  }

  private func title(of path: String) throws -> String {
    try DocumentFile.open(files.read(path, limit: 1 << 30)).document.metadata.title
  }

  // MARK: A copy that is not whole

  /// A document of more than 8 MiB.
  private static let large: Document = {
    var document = Document.towns
    var notes = FeatureLayer(
      id: LayerID(document.makeID()), name: "notes",
      style: .standard(forDimension: 0, index: 3))
    _ = notes.add(
      geometry: .point(Coordinate(x: 1, y: 2)),
      attributes: [("text", .string(String(repeating: "note ", count: 7 << 18)))])
    document.layers.append(notes)
    return document
  }()

  /// The journal of the large document, cut off before the copy of that was whole.
  private func leaveTorn() throws {
    let world = World(
      files: files, options: world.options)
    _ = try world.save(
      SaveRequest(path: Self.path, document: Self.large, revision: 0, overwrites: true))
    _ = world.doChores()
    files.leaveJournal(title: "worked on", on: Self.large, path: Self.path)
    let journal = try #require(journals.first).path
    let whole = try files.read(journal, limit: 1 << 30)
    #expect(whole.count > 8 << 20)
    #expect(try Journal(whole).base?.count == files.read(Self.path, limit: 1 << 30).count)
    files.put(Array(whole.dropLast()), at: journal)
    let torn = try Journal(files.read(journal, limit: 1 << 30))
    #expect(torn.base == nil && torn.baseDigest == nil && torn.stepCount == 1)
  }

  /// Another program takes the place of the document, with one of the same length.
  private func change() throws {
    var bytes = try files.read(Self.path, limit: 1 << 30)
    // In the middle of the long text.
    let place = try #require(bytes[(bytes.count / 2)...].firstIndex(of: UInt8(ascii: "n")))
    bytes[place] = UInt8(ascii: "m")
    files.put(bytes, at: Self.path)
  }

  private func opened() throws -> (Desk, [Effect]) {
    var desk = Desk()
    let job = desk.startJob("opening")
    let reply = try world.perform(.perform(OpenRequest(paths: [Self.path]), job))
    let answer = try #require(reply)
    let effects = desk.handle(answer)
    return (desk, effects)
  }

  @Test func `Work whose first document is an earlier version begins with that`() throws {
    try leaveTorn()
    try change()
    var (desk, _) = try opened()
    #expect(desk.question?.text.contains("what it was then is version 1") == true)
    _ = desk.handle(.terminal(.key(Key(.character("r")))))
    #expect(desk.document.metadata.title == "worked on")
    #expect(desk.file.path == nil && desk.isEdited)
    files.closeAll()
    #expect(
      try recover(Self.path, output: "/home/mine.doc").contains("version 1 into /home/mine.doc"))
    #expect(try title(of: "/home/mine.doc") == "worked on")
    #expect(journals.count == 1)
  }

  @Test func `Work whose first document lies beside the file begins with that`() throws {
    try leaveTorn()
    let former = try files.read(Self.path, limit: 1 << 30)
    try removeVersions()
    try change()
    try files.put(files.read(Self.path, limit: 1 << 30), at: "/home/site.doc.0")
    for name in ["site.doc.theirs", "site.doc.v1", "site.doc.before"] {
      files.put(former, at: "/home/" + name)
      #expect(try recover(Self.path, output: "/home/mine").contains("then is \(name) into"))
      #expect(try title(of: "/home/mine") == "worked on")
      try files.remove("/home/" + name, in: nil)
    }
  }

  private func removeVersions() throws {
    let root = state.path(of: .versions)
    for folder in try files.names(in: root) {
      let folder = FilePath.join(root, folder)
      for name in (try? files.names(in: folder)) ?? [] {
        try files.remove(FilePath.join(folder, name), in: nil)
      }
    }
  }

  @Test func `Work whose first document is nowhere is told, kept, and given up when asked`() throws
  {
    try leaveTorn()
    try removeVersions()
    try change()
    var (desk, _) = try opened()
    let question = try #require(desk.question)
    #expect(question.text.contains("1 edit"))
    #expect(question.text.contains("cannot be recovered now: the file was changed since"))
    #expect(question.text.contains("site.doc.before"))
    #expect(question.choices.map(\.key) == ["o", "x"])
    _ = desk.handle(.terminal(.key(Key(.character("o")))))
    #expect(!desk.isReadOnly, "the file may be worked on as it is")
    #expect(throws: EditingError.self) { try desk.run(line: "recover") }
    files.closeAll()
    let failure = #expect(throws: Failure.self) {
      try recover(Self.path, output: "/home/mine.doc")
    }
    #expect(failure?.code == .findings)
    #expect(failure?.what.contains("neither in the journal nor among the earlier versions") == true)
    #expect(!files.exists("/home/mine.doc"))
    #expect(journals.count == 1)
    #expect(try recover(Self.path, discards: true).hasPrefix("/home/site.doc: discarded 1 edit"))
    #expect(journals.isEmpty)
  }

  @Test func `Work on a document that is gone says so`() throws {
    try leaveTorn()
    try removeVersions()
    try files.remove(Self.path, in: nil)
    let failure = #expect(throws: Failure.self) {
      try recover(Self.path, output: "/home/mine.doc")
    }
    #expect(failure?.what.contains("cannot be recovered now: the file is gone, and") == true)
  }

  @Test func `A journal that cannot be read is told, and the document opens`() throws {
    try leaveTorn()
    let path = try #require(journals.first).path
    var bytes = try files.read(path, limit: 1 << 30)
    bytes[60] ^= 1
    files.put(bytes, at: path)
    let (desk, _) = try opened()
    #expect(desk.question == nil)
    #expect(desk.message?.text.contains("unsaved work was left, but cannot be read") == true)
    files.closeAll()
    let failure = #expect(throws: Failure.self) { try recover(Self.path) }
    #expect(failure?.code == .input)
    #expect(failure?.what.contains("the head of the journal is damaged") == true)
    // What has no head at all never held anything.
    files.put([], at: path)
    let quiet = #expect(throws: Failure.self) { try recover(Self.path) }
    #expect(quiet?.code == .findings)
  }

  @Test func `A journal that was not whole is written anew when its work is recovered`() throws {
    try leaveTorn()
    var (desk, _) = try opened()
    _ = desk.handle(.terminal(.key(Key(.character("r")))))
    #expect(desk.file.path == Self.path)
    let known = try files.status(Self.path, in: nil).identity
    let writer = JournalWriter(folder: folder, process: 2, now: { 2000 }, report: { _ in })
    var keeper = JournalKeeper(writer: writer)
    let base = FileBase(identity: known, isArchive: true)
    keeper.observe(desk.file.journaled) { _ in base }
    writer.drain()
    keeper.observe(desk.file.journaled) { _ in base }
    writer.close(atMost: 60)
    let entry = try #require(journals.first)
    let journal = try Journal(files.read(entry.path, limit: 1 << 30))
    #expect(journals.count == 1)
    #expect(journal.base?.count == Int(known.size))
    #expect(journal.stepCount == 1)
  }

  @Test func `Recovered work is never written as a document under the name of map data`() throws {
    try files.put(DocumentFile.bytes(of: Document()), at: Self.path)
    files.leaveJournal(title: "work", on: Document(), path: Self.path)
    let failure = #expect(throws: Failure.self) {
      _ = try world.recover(
        RecoverRequest(
          path: Self.path, output: "/home/a.geojson", discards: false, overwrites: true))
    }
    #expect(failure?.code == .usage)
    #expect(!files.exists("/home/a.geojson"))
    #expect(journals.count == 1)
    files.closeAll()
  }

  @Test func `A document that cannot be opened any more tells of the work on it`() throws {
    try files.put(DocumentFile.bytes(of: Document()), at: Self.path)
    files.leaveJournal(title: "work", on: Document(), path: Self.path)
    try files.put(Array(files.read(Self.path, limit: 1 << 20).dropLast(9)), at: Self.path)
    let failure = #expect(throws: Failure.self) {
      _ = try world.open(Self.path, .none)
    }
    #expect(failure?.what.contains("portolan recover /home/site.doc -o OUT.doc") == true)
    files.closeAll()
    #expect(try recover(Self.path, output: "/home/mine.doc").contains("mine.doc"))
    #expect(try title(of: "/home/mine.doc") == "work")
  }

  // MARK: None

  /// A journal that its editor still writes.
  private func beginJournal(of path: String, process: Int = 2) -> JournalWriter {
    let writer = JournalWriter(folder: folder, process: process, now: { 1 }, report: { _ in })
    var history = History(Document())
    history.record(Document.towns, title: "towns")
    let identity = path.isEmpty ? nil : (try? files.status(path, in: nil))?.identity
    writer.begin(
      JournalWriter.Start(
        path: path, identity: identity, history: history, basePlace: 0, isBaseSaved: true))
    writer.drain()
    return writer
  }

  @Test(arguments: [false, true])
  func `Work that an editor has is not called nothing`(discards: Bool) throws {
    try files.put(DocumentFile.bytes(of: Document()), at: Self.path)
    let writer = beginJournal(of: Self.path, process: 4242)
    let failure = #expect(throws: Failure.self) {
      try world.recover(
        RecoverRequest(
          path: Self.path, journal: nil, output: nil, discards: discards, overwrites: false))
    }
    #expect(failure?.code == .input)
    #expect(failure?.what.contains("is being edited now (process 4242)") == true)
    #expect(journals.count == 1)
    writer.close(atMost: 60)
  }

  @Test func `Where there is none, work on other documents is pointed to`() throws {
    let pointer = "portolan recover --list"
    let none = #expect(throws: Failure.self) { try recover("") }
    #expect(none?.code == .findings)
    #expect(none?.what == "no unsaved work was left")
    files.leaveJournal(title: "work", on: Document(), path: Self.path)
    let failure = #expect(throws: Failure.self) { try recover("") }
    #expect(failure?.code == .findings)
    #expect(failure?.what.contains(pointer) == true)
    let unknown = #expect(throws: Failure.self) { try recover("", journal: "nope") }
    #expect(unknown?.code == .input)
    #expect(unknown?.description.contains("nope: there is no such journal: " + pointer) == true)
  }

  @Test func `A journal is listed with the time of its last edit`() throws {
    files.leaveJournal(title: "work", on: Document(), path: Self.path, time: 1234)
    #expect(journals.map(\.lastTime) == [1234])
    #expect(journals.map(\.process) == [1])
  }

  @Test func `What was done is told, unless nothing but errors is to be told`() throws {
    for (verbosity, told) in [
      (HeadlessRunner.Verbosity.normal, ["untitled: discarded 1 edit, the last second 1000"]),
      (.quiet, []),
    ] {
      files.leaveJournal(title: "work", on: Document())
      var lines: [String] = []
      var runner = HeadlessRunner(world: world, verbosity: verbosity) { lines.append($0) }
      try runner.run(line: "recover --discard")
      #expect(lines == told)
      #expect(journals.isEmpty)
    }
  }

  // MARK: Several

  private func leaveThree() {
    for number in 1...3 {
      files.leaveJournal(
        title: "sketch \(number)", on: Document(), time: 1000 + Double(number))
    }
  }

  private func started() throws -> Desk {
    var desk = Desk()
    let job = desk.startJob("looking")
    _ = desk.handle(try #require(try world.perform(.perform(FindWorkRequest(), job))))
    return desk
  }

  private func carryOut(_ effects: [Effect]) throws {
    for effect in effects { _ = try world.perform(effect) }
  }

  @Test func `All documents without a name are offered, one after the other`() throws {
    leaveThree()
    #expect(
      journals.map { FilePath.name(of: $0.path) }.sorted() == [
        "untitled.2.journal", "untitled.3.journal", "untitled.journal",
      ])
    var desk = try started()
    #expect(desk.question?.text.contains("second 1003") == true)
    for time in ["1002", "1001", "1003", "1002"] {
      try carryOut(desk.handle(.terminal(.key(Key(.character("n"))))))
      #expect(desk.question?.text.contains("second \(time)") == true)
    }
    // What is discarded is gone, and the next one is asked about.
    try carryOut(desk.handle(.terminal(.key(Key(.character("x"))))))
    #expect(desk.question?.title == "Discard unsaved work?")
    #expect(journals.count == 3, "one letter gives nothing up")
    try carryOut(desk.handle(.terminal(.key(Key(.character("d"))))))
    #expect(desk.question?.text.contains("second 1001") == true)
    #expect(journals.count == 2)
    // What is not recovered is left to others.
    try carryOut(desk.handle(.terminal(.key(Key(.character("r"))))))
    #expect(desk.document.metadata.title == "sketch 1")
    #expect(desk.message?.text.contains("1 more left for the next start") == true)
    #expect(journals.map(\.state).filter { $0 == .left }.count == 1)
    #expect(try started().question?.text.contains("second 1003") == true)
  }

  @Test func `Without deciding one begins anew, and nothing is lost`() throws {
    leaveThree()
    var desk = try started()
    try carryOut(desk.handle(.terminal(.key(Key(.escape)))))
    #expect(!desk.isReadOnly)
    #expect(desk.mode == .normal)
    #expect(journals.map(\.state) == [.left, .left, .left])
  }

  @Test func `A script recovers the journal that it names`() throws {
    leaveThree()
    #expect(try recover("", journal: "untitled.2", output: "/home/two.doc").contains("two.doc"))
    #expect(try title(of: "/home/two.doc") == "sketch 2")
    #expect(try recover("", output: "/home/newest.doc").contains("newest.doc; 2 more left"))
    #expect(try title(of: "/home/newest.doc") == "sketch 3")
    let path = try #require(journals.first { $0.path.hasSuffix("/untitled.journal") }).path
    #expect(try recover("", journal: path, discards: true).hasPrefix("untitled: discarded"))
    #expect(journals.count == 2)
    #expect(throws: Failure.self) { try recover("", journal: "untitled", output: "/home/x.doc") }
    #expect(throws: Failure.self) {
      try recover(Self.path, journal: "untitled.2", output: "/home/x.doc")
    }
    // One that cannot be read can still be given up, one that is written cannot.
    files.put(Array("PORTJRNL".utf8), at: path)
    #expect(throws: Failure.self) { try recover("", journal: "untitled", output: "/home/x.doc") }
    #expect(try recover("", journal: "untitled", discards: true).hasPrefix("discarded"))
    let writer = beginJournal(of: "")
    defer { writer.close(atMost: 60) }
    #expect(throws: Failure.self) {
      try world.recover(
        RecoverRequest(
          path: "", journal: "untitled", output: nil, discards: true, overwrites: false))
    }
    #expect(journals.count == 3)
  }
}
