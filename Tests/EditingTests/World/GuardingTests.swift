import Documents
import Files
import Terminals
import Testing

@testable import Editing

/// Editors and scripts on one file system in memory, as processes beside each other.
@Suite struct GuardingTests {
  let files = MemoryFileSystem(files: ["/m/other": [1]])

  /// An editor with its world; effects are carried out at once.
  struct Desk {
    var session = Session()
    let world: World

    init(
      _ files: any FileSystem, guards: Bool = true, process: Int32 = 1, keeps: Bool = true,
      state: StateFolder = StateFolder(path: "/state/portolan")
    ) {
      var options = World.Options()
      options.beginsNewDocuments = true
      options.guardsDocuments = guards
      options.state = keeps ? state : nil
      options.holder = LockHolder(
        user: "user\(process)", host: "box", process: process, terminal: "/dev/pts/3", since: 0)
      world = World(files: files, options: options)
    }

    mutating func run(_ line: String) throws {
      try session.run(line: line)
      try carryOut(session.takeEffects())
    }

    mutating func press(_ keys: String) throws {
      for event in try EventNotation.events(keys) {
        try carryOut(session.handle(.terminal(event)))
      }
    }

    /// What the timer does: two looks, so that a change has settled.
    mutating func look() throws {
      for _ in 0..<2 {
        for event in world.look() { try carryOut(session.handle(event)) }
      }
    }

    mutating func carryOut(_ effects: [Effect]) throws {
      for effect in effects {
        do {
          if let answer = try world.perform(effect) { try carryOut(session.handle(answer)) }
        } catch let failure as Failure {
          if let job = session.jobs.last {
            _ = session.handle(.failed(job.id, message: failure.description))
          }
        }
        for event in world.doChores() { _ = session.handle(event) }
      }
    }

    var message: String { session.message?.text ?? "" }
    var names: [String] { session.document.layers.map(\.name) }
  }

  /// A desk with a saved document of one layer.
  private func desk(_ path: String = "/m/a.doc") throws -> Desk {
    var desk = Desk(files)
    try desk.run("open \(path)")
    if desk.session.document.layers.isEmpty { try desk.run("new-layer first") }
    try desk.run("save")
    #expect(!desk.session.isEdited, "\(desk.message)")
    return desk
  }

  /// Another program writes the document, without asking for a lock.
  private func overwrite(_ path: String = "/m/a.doc", layer: String = "theirs") throws {
    var other = Desk(MemoryFileSystem())
    try other.run("new-layer \(layer)")
    try other.run("save /x.doc")
    files.put(try other.world.files.read("/x.doc", limit: 1 << 20), at: path)
  }

  private func layers(of path: String) throws -> [String] {
    var reader = Desk(files, guards: false)
    try reader.run("open \(path)")
    return reader.names
  }

  private var names: [String] { get throws { try files.names(in: "/m") } }

  // MARK: A change on disk

  @Test func `A change known before the save is asked about, and nothing is saved`() throws {
    var desk = try desk()
    try desk.run("new-layer mine")
    try overwrite()
    try desk.run("save")
    #expect(desk.session.question?.title == "a.doc changed on disk")
    #expect(desk.session.isEdited)
    #expect(try layers(of: "/m/a.doc") == ["theirs"])
    try desk.press("c")
    #expect(desk.session.question == nil)
    #expect(desk.session.fileTrouble == "changed on disk")
    try desk.run("save")
    try desk.press("m")
    #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
    #expect(try layers(of: "/m/a.doc.theirs") == ["theirs"])
    #expect(!desk.session.isEdited)
    #expect(desk.message.contains("a.doc.theirs"))
    #expect(desk.session.fileTrouble == nil)
  }

  @Test func `Their version can be opened instead, and undo brings ours back`() throws {
    var desk = try desk()
    try desk.run("new-layer mine")
    try overwrite()
    try desk.press(":wq<ret>o")
    #expect(desk.names == ["theirs"])
    #expect(!desk.session.isEdited && !desk.session.hasQuit)
    try desk.run("undo")
    #expect(desk.names == ["first", "mine"])
    try desk.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
    #expect(try !names.contains("a.doc.theirs"))
  }

  @Test func `Keeping ours after wq leaves the editor`() throws {
    var desk = try desk()
    try desk.run("new-layer mine")
    try overwrite()
    try desk.press(":wq<ret>m")
    #expect(desk.session.hasQuit)
    #expect(try layers(of: "/m/a.doc.theirs") == ["theirs"])
  }

  @Test func `A script is refused with the code for output unless it is forced`() throws {
    _ = try desk()
    for force in [false, true] {
      var runner = HeadlessRunner(world: Desk(files, guards: false).world, report: { _ in })
      try runner.run(line: "open /m/a.doc")
      try runner.run(line: "new-layer \(force ? "forced" : "plain")")
      try overwrite(layer: "theirs-\(force)")
      if force {
        try runner.run(line: "save --force")
        #expect(try layers(of: "/m/a.doc").last == "forced")
        #expect(try layers(of: "/m/a.doc.theirs") == ["theirs-true"])
      } else {
        let failure = #expect(throws: Failure.self) { try runner.run(line: "save") }
        #expect(failure?.code == .output)
        #expect(failure?.what.contains("--force") == true)
        #expect(try layers(of: "/m/a.doc") == ["theirs-false"])
      }
    }
  }

  // MARK: Noticing

  @Test func `A clean document is read again when its file changes, an edited one never`() throws {
    var desk = try desk()
    try overwrite(layer: "one")
    try desk.look()
    #expect(desk.names == ["one"])
    #expect(!desk.session.isEdited)
    try desk.run("new-layer mine")
    try overwrite(layer: "two")
    try desk.look()
    #expect(desk.names == ["one", "mine"])
    #expect(desk.message.contains(":revert takes theirs"))
    #expect(desk.session.fileTrouble == "changed on disk")
    try desk.run("revert")
    #expect(desk.names == ["two"])
    #expect(desk.session.fileTrouble == nil)
    try desk.run("undo")
    #expect(desk.names == ["one", "mine"])
  }

  @Test func `A file that is removed is told once, and a save writes it again`() throws {
    var desk = try desk()
    try files.remove("/m/a.doc", in: nil)
    try desk.look()
    #expect(desk.session.fileTrouble == "gone from disk")
    #expect(desk.message.contains("removed or renamed"))
    try desk.run("where")
    try desk.look()
    #expect(!desk.message.contains("removed"))
    try desk.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first"])
    #expect(desk.session.fileTrouble == nil)
  }

  @Test func `A file that is gone or damaged is not gone back to, and not left unasked`() throws {
    let garbage = Array("garbage".utf8)
    for (bytes, words) in [(nil, "gone from the disk"), (garbage, "cannot be read")] {
      var desk = try desk()
      try desk.run("new-layer mine")
      try desk.run("save")
      try files.remove("/m/a.doc", in: nil)
      if let bytes { files.put(bytes, at: "/m/a.doc") }
      try desk.look()
      try desk.run("revert")
      #expect(desk.names == ["first", "mine"])
      #expect(desk.message.contains(":w writes"))
      let refusal = #expect(throws: EditingError.self) { try desk.run("quit") }
      #expect(refusal?.description.contains(words) == true)
      try desk.run("save --force")
      #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
      try desk.run("quit")
      #expect(desk.session.hasQuit)
      desk.world.letGoOfAll()
      try files.remove("/m/a.doc", in: nil)
    }
  }

  @Test func `Who only looks on leaves a file that is gone`() throws {
    let first = try desk()
    var second = Desk(files, process: 7)
    try second.run("open /m/a.doc")
    #expect(second.session.isReadOnly)
    try files.remove("/m/a.doc", in: nil)
    try second.look()
    #expect(second.session.fileTrouble == "gone from disk")
    try second.run("quit")
    #expect(second.session.hasQuit)
    #expect(!first.session.hasQuit)
  }

  @Test func `A shape that is being drawn is neither read over nor left without a word`() throws {
    var desk = try desk()
    try desk.run("draw line")
    try desk.run("put")
    try overwrite()
    try desk.look()
    #expect(desk.session.draft?.vertexCount == 1)
    #expect(desk.names == ["first"])
    #expect(desk.session.fileTrouble == "changed on disk")
    let refusal = #expect(throws: EditingError.self) { try desk.run("quit") }
    #expect(refusal?.description.contains("a line of 1 vertex is being drawn") == true)
    try desk.run("quit --force")
    #expect(desk.session.hasQuit)
  }

  @Test func `Another document that was open before is not overwritten unasked`() throws {
    var desk = try desk("/m/b.doc")
    try desk.run("open /m/a.doc")
    try desk.run("new-layer mine")
    let before = try files.read("/m/b.doc", limit: 1 << 20)
    for isChanged in [false, true] {
      if isChanged { try overwrite("/m/b.doc") }
      try desk.run("save /m/b.doc")
      #expect(desk.session.question == nil)
      #expect(desk.message.contains("exists"))
      #expect(desk.session.filePath == "/m/a.doc")
    }
    #expect(try layers(of: "/m/b.doc") == ["theirs"])
    try desk.run("save --force /m/b.doc")
    #expect(desk.message.hasPrefix("saved /m/b.doc"))
    #expect(try files.read("/m/b.doc", limit: 1 << 20) != before)
  }

  @Test func `A document without edits is not marked for a save that failed elsewhere`() throws {
    var desk = try desk()
    try desk.run("save /none/there.doc")
    #expect(desk.message.contains("/none/there.doc"))
    #expect(desk.session.fileTrouble == nil)
  }

  @Test func `Our own saves are no news`() throws {
    var desk = try desk()
    for number in 0..<3 {
      try desk.run("new-layer n\(number)")
      try desk.run("save")
      try desk.look()
      #expect(desk.session.fileTrouble == nil)
      #expect(desk.message == "saved /m/a.doc")
    }
    #expect(desk.session.history.past.count == 4)
  }

  @Test func `A file that is being written is not read until it has settled`() throws {
    let desk = try desk()
    for number in 0..<5 {
      files.put([UInt8](repeating: 65, count: number), at: "/m/a.doc")
      #expect(desk.world.look().isEmpty)
    }
    #expect(desk.world.look().count == 1)
    #expect(desk.world.look().isEmpty)
  }

  // MARK: Locks

  @Test func `The second editor is told who has it, the first who wants it`() throws {
    var first = try desk()
    var second = Desk(files, process: 7)
    try second.run("open /m/a.doc")
    let question = try #require(second.session.question)
    #expect(question.title == "a.doc is open elsewhere")
    for words in ["user1", "process 1 on box, /dev/pts/3", "has had it open since"] {
      #expect(question.text.contains(words), "\(question.text)")
    }
    #expect(second.session.isReadOnly)
    #expect(throws: EditingError.self) { try second.run("new-layer x") }
    try first.look()
    #expect(first.message.contains("user7 (process 7 on box, /dev/pts/3) wants to edit a.doc"))
    try first.run("where")
    try first.look()
    #expect(!first.message.contains("wants"))
  }

  @Test func `Watching shows each save of the other; the lock's end is told`() throws {
    var first = try desk()
    var second = Desk(files, process: 7)
    try second.run("open /m/a.doc")
    try second.press("w")
    #expect(second.session.isWatching)
    #expect(first.world.look().count == 1)
    try first.run("new-layer more")
    try first.run("save")
    try second.look()
    #expect(second.names == ["first", "more"])
    #expect(second.session.isReadOnly)
    #expect(first.world.look().isEmpty, "reading again is no new wish")
    first.world.letGoOfAll()
    try second.look()
    #expect(second.message.contains("free now"))
    try second.run("revert")
    #expect(!second.session.isReadOnly)
    try second.run("new-layer mine")
    try second.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first", "more", "mine"])
  }

  @Test func `Work on a copy shares nothing with the document`() throws {
    let first = try desk()
    var second = Desk(files, process: 7)
    try second.run("open /m/a.doc")
    try second.press("d")
    #expect(second.session.filePath == nil)
    #expect(second.session.isEdited && !second.session.isReadOnly)
    try second.run("new-layer copied")
    try second.run("save /m/copy.doc")
    #expect(try layers(of: "/m/copy.doc") == ["first", "copied"])
    #expect(try layers(of: "/m/a.doc") == ["first"])
    #expect(first.names == ["first"])
  }

  @Test func `Saving over a document that is open elsewhere is refused unless forced`() throws {
    let keeper = try desk("/m/b.doc")
    var script = HeadlessRunner(
      world: Desk(files, guards: false, process: 7).world, report: { _ in })
    try script.run(line: "open /m/b.doc")
    let failure = #expect(throws: Failure.self) { try script.run(line: "save") }
    #expect(failure?.code == .output)
    #expect(failure?.what.contains("open elsewhere") == true)
    try script.run(line: "save --force")
    var other = Desk(files, process: 7)
    try other.run("new-layer x")
    try other.run("save /m/b.doc --force")
    try other.run("duplicate")
    try other.run("save /m/other")
    #expect(other.message.contains("exists already"))
    keeper.world.letGoOfAll()
    #expect(try names.filter { $0.hasSuffix(".lock") } == [])
  }

  @Test func `Another document lets go of the former; a script holds a lock only while it saves`()
    throws
  {
    var desk = try desk()
    #expect(try names.contains(".a.doc.lock"))
    try desk.run("open /m/b.doc")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [".b.doc.lock"])
    try desk.run("save /m/c.doc")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [".c.doc.lock"])
    try desk.run("duplicate")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [])
    var script = HeadlessRunner(world: Desk(files, guards: false).world, report: { _ in })
    try script.run(line: "open /m/a.doc")
    try script.run(line: "save")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [])
  }

  @Test func `A failed save leaves file and edit, and stays marked until one succeeds`() throws {
    _ = try desk()
    let failing = FailingFileSystem(files, plan: .every(call: "fsync"), number: 5)
    var desk = Desk(failing)
    try desk.run("open /m/a.doc")
    #expect(!desk.session.isReadOnly)
    try desk.run("new-layer mine")
    try desk.run("save")
    #expect(desk.session.isEdited)
    #expect(desk.session.fileTrouble == "not saved")
    #expect(desk.message.contains("/m/a.doc"))
    #expect(desk.message.contains("fsync"))
    #expect(try layers(of: "/m/a.doc") == ["first"])
  }

  @Test func `A save that the disk does not confirm stays marked until one is confirmed`() throws {
    var desk = try desk()
    desk.world.letGoOfAll()
    // Everything is written and in place; only the folder's fsync fails.
    var number = 1
    while true {
      let failing = FailingFileSystem(files, plan: .once(number: number), number: 5)
      desk = Desk(failing, keeps: false)
      try desk.run("open /m/a.doc")
      if desk.session.filePath != nil, !desk.session.isReadOnly {
        try desk.run("new-layer n\(number)")
        try desk.run("save")
        if desk.message.contains("did not confirm") { break }
      }
      desk.world.letGoOfAll()
      number += 1
      if number > 150 { break }
    }
    #expect(!desk.session.isEdited)
    #expect(desk.session.fileTrouble == "not confirmed by the disk")
    try desk.run("new-layer more")
    try desk.run("save")
    #expect(desk.session.fileTrouble == nil)
  }

  @Test(arguments: [Int64.min, .max, 201_810_000_000])
  func `A lock of any time is told and ends nothing`(since: Int64) throws {
    var desk = try desk()
    desk.world.letGoOfAll()
    let other = LockHolder(user: "lea", host: "elsewhere", process: 7, since: since)
    guard case .taken(let lock) = DocumentLock.take(for: "/m/a.doc", as: other, in: files) else {
      Issue.record("not taken")
      return
    }
    desk = Desk(files, process: 2)
    try desk.run("open /m/a.doc")
    #expect(desk.session.isReadOnly)
    #expect(desk.session.readOnlyReason?.contains("lea (process 7 on elsewhere)") == true)
    lock.release()
  }
}
