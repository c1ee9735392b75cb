import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Editors and scripts on one file system in memory, as processes beside each other.
@Suite struct GuardingTests {
  let files = MemoryFileSystem(files: ["/m/other": [1]])

  /// An editor with its world; effects are carried out at once.
  struct Seat {
    var desk = Desk()
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
      try desk.run(line: line)
      try carryOut(desk.takeEffects())
    }

    mutating func press(_ keys: String) throws {
      for event in try EventNotation.events(keys) {
        try carryOut(desk.handle(.terminal(event)))
      }
    }

    /// What the timer does: two looks, so that a change has settled.
    mutating func look() throws {
      for _ in 0..<2 {
        for event in world.look() { try carryOut(desk.handle(event)) }
      }
    }

    mutating func carryOut(_ effects: [Effect]) throws {
      for effect in effects {
        if let answer = try world.perform(effect) { try carryOut(desk.handle(answer)) }
        for text in world.doChores() { _ = desk.handle(.remark(text)) }
      }
    }

    var message: String { desk.message?.text ?? "" }
    var names: [String] { desk.document.layers.map(\.name) }
  }

  /// A seat with a saved document of one layer.
  private func seat(_ path: String = "/m/a.doc") throws -> Seat {
    var seat = Seat(files)
    try seat.run("open \(path)")
    if seat.desk.document.layers.isEmpty { try seat.run("new-layer first") }
    try seat.run("save")
    #expect(!seat.desk.isEdited, "\(seat.message)")
    return seat
  }

  /// Another program writes the document, without asking for a lock.
  private func overwrite(_ path: String = "/m/a.doc", layer: String = "theirs") throws {
    var other = Seat(MemoryFileSystem())
    try other.run("new-layer \(layer)")
    try other.run("save /x.doc")
    files.put(try other.world.files.read("/x.doc", limit: 1 << 20), at: path)
  }

  private func layers(of path: String) throws -> [String] {
    var reader = Seat(files, guards: false)
    try reader.run("open \(path)")
    return reader.names
  }

  private var names: [String] { get throws { try files.names(in: "/m") } }

  // MARK: A change on disk

  @Test func `A change known before the save is asked about, and nothing is saved`() throws {
    var seat = try seat()
    try seat.run("new-layer mine")
    try overwrite()
    try seat.run("save")
    #expect(seat.desk.question?.title == "a.doc changed on disk")
    #expect(seat.desk.isEdited)
    #expect(try layers(of: "/m/a.doc") == ["theirs"])
    try seat.press("c")
    #expect(seat.desk.question == nil)
    #expect(seat.desk.file.trouble == "changed on disk")
    try seat.run("save")
    try seat.press("m")
    #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
    #expect(try layers(of: "/m/a.doc.theirs") == ["theirs"])
    #expect(!seat.desk.isEdited)
    #expect(seat.message.contains("a.doc.theirs"))
    #expect(seat.desk.file.trouble == nil)
  }

  @Test func `Their version can be opened instead, and undo brings ours back`() throws {
    var seat = try seat()
    try seat.run("new-layer mine")
    try overwrite()
    try seat.press(":wq<ret>o")
    #expect(seat.names == ["theirs"])
    #expect(!seat.desk.isEdited && !seat.desk.hasQuit)
    try seat.run("undo")
    #expect(seat.names == ["first", "mine"])
    try seat.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
    #expect(try !names.contains("a.doc.theirs"))
  }

  @Test func `Keeping ours after wq leaves the editor`() throws {
    var seat = try seat()
    try seat.run("new-layer mine")
    try overwrite()
    try seat.press(":wq<ret>m")
    #expect(seat.desk.hasQuit)
    #expect(try layers(of: "/m/a.doc.theirs") == ["theirs"])
  }

  @Test func `A script is refused with the code for output unless it is forced`() throws {
    _ = try seat()
    for force in [false, true] {
      var runner = HeadlessRunner(world: Seat(files, guards: false).world, report: { _ in })
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
    var seat = try seat()
    try overwrite(layer: "one")
    try seat.look()
    #expect(seat.names == ["one"])
    #expect(!seat.desk.isEdited)
    try seat.run("new-layer mine")
    try overwrite(layer: "two")
    try seat.look()
    #expect(seat.names == ["one", "mine"])
    #expect(seat.message.contains(":revert takes theirs"))
    #expect(seat.desk.file.trouble == "changed on disk")
    try seat.run("revert")
    #expect(seat.names == ["two"])
    #expect(seat.desk.file.trouble == nil)
    try seat.run("undo")
    #expect(seat.names == ["one", "mine"])
  }

  @Test(arguments: [":w<ret>", ":wq<ret>"])
  func `What an unasked reload replaced is saved over theirs only when that is wanted`(
    save: String
  ) throws {
    var seat = try seat()
    try overwrite(layer: "theirs")
    try seat.look()
    #expect(seat.names == ["theirs"])
    // With theirs and later work nothing is asked.
    try seat.run("new-layer more")
    try seat.run("save")
    #expect(seat.desk.question == nil)
    #expect(try layers(of: "/m/a.doc") == ["theirs", "more"])
    try seat.press("uu")
    #expect(seat.names == ["first"])
    try seat.press(save)
    #expect(seat.desk.question?.title == "a.doc changed on disk")
    #expect(seat.desk.question?.text.contains("these edits began before that") == true)
    #expect(try layers(of: "/m/a.doc") == ["theirs", "more"])
    try seat.press("m")
    #expect(try layers(of: "/m/a.doc") == ["first"])
    #expect(try layers(of: "/m/a.doc.theirs") == ["theirs", "more"])
    #expect(!seat.desk.isEdited)
    #expect(seat.desk.hasQuit == (save == ":wq<ret>"))
    // It was answered.
    try seat.run("new-layer mine")
    try seat.run("save")
    #expect(seat.desk.question == nil)
  }

  @Test func `Opening theirs after going back before an unasked reload needs no further answer`()
    throws
  {
    var seat = try seat()
    try overwrite(layer: "theirs")
    try seat.look()
    try seat.press("u:w<ret>o")
    #expect(seat.names == ["theirs"])
    #expect(!seat.desk.isEdited)
    try seat.run("new-layer more")
    try seat.run("save")
    #expect(seat.desk.question == nil)
    #expect(try layers(of: "/m/a.doc") == ["theirs", "more"])
  }

  @Test func `A file that is removed is told once, and a save writes it again`() throws {
    var seat = try seat()
    try files.remove("/m/a.doc", in: nil)
    try seat.look()
    #expect(seat.desk.file.trouble == "gone from disk")
    #expect(seat.message.contains("removed or renamed"))
    try seat.run("where")
    try seat.look()
    #expect(!seat.message.contains("removed"))
    try seat.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first"])
    #expect(seat.desk.file.trouble == nil)
  }

  @Test func `A file that is gone or damaged is not gone back to, and not left unasked`() throws {
    let garbage = Array("garbage".utf8)
    for (bytes, words) in [(nil, "gone from the disk"), (garbage, "cannot be read")] {
      var seat = try seat()
      try seat.run("new-layer mine")
      try seat.run("save")
      try files.remove("/m/a.doc", in: nil)
      if let bytes { files.put(bytes, at: "/m/a.doc") }
      try seat.look()
      try seat.run("revert")
      #expect(seat.names == ["first", "mine"])
      #expect(seat.message.contains(":w writes"))
      let refusal = #expect(throws: EditingError.self) { try seat.run("quit") }
      #expect(refusal?.description.contains(words) == true)
      try seat.run("save --force")
      #expect(try layers(of: "/m/a.doc") == ["first", "mine"])
      try seat.run("quit")
      #expect(seat.desk.hasQuit)
      seat.world.letGoOfAll()
      try files.remove("/m/a.doc", in: nil)
    }
  }

  @Test func `Who only looks on leaves a file that is gone`() throws {
    let first = try seat()
    var second = Seat(files, process: 7)
    try second.run("open /m/a.doc")
    #expect(second.desk.isReadOnly)
    try files.remove("/m/a.doc", in: nil)
    try second.look()
    #expect(second.desk.file.trouble == "gone from disk")
    try second.run("quit")
    #expect(second.desk.hasQuit)
    #expect(!first.desk.hasQuit)
  }

  @Test func `A shape that is being drawn is neither read over nor left without a word`() throws {
    var seat = try seat()
    try seat.run("draw line")
    try seat.run("put")
    try overwrite()
    try seat.look()
    #expect(seat.desk.draft?.vertexCount == 1)
    #expect(seat.names == ["first"])
    #expect(seat.desk.file.trouble == "changed on disk")
    let refusal = #expect(throws: EditingError.self) { try seat.run("quit") }
    #expect(refusal?.description.contains("a line of 1 vertex is being drawn") == true)
    try seat.run("quit --force")
    #expect(seat.desk.hasQuit)
  }

  @Test func `Another document that was open before is not overwritten unasked`() throws {
    var seat = try seat("/m/b.doc")
    try seat.run("open /m/a.doc")
    try seat.run("new-layer mine")
    let before = try files.read("/m/b.doc", limit: 1 << 20)
    for isChanged in [false, true] {
      if isChanged { try overwrite("/m/b.doc") }
      try seat.run("save /m/b.doc")
      #expect(seat.desk.question == nil)
      #expect(seat.message.contains("exists"))
      #expect(seat.desk.file.path == "/m/a.doc")
    }
    #expect(try layers(of: "/m/b.doc") == ["theirs"])
    try seat.run("save --force /m/b.doc")
    #expect(seat.message.hasPrefix("saved /m/b.doc"))
    #expect(try files.read("/m/b.doc", limit: 1 << 20) != before)
  }

  @Test func `A document without edits is not marked for a save that failed elsewhere`() throws {
    var seat = try seat()
    try seat.run("save /none/there.doc")
    #expect(seat.message.contains("/none/there.doc"))
    #expect(seat.desk.file.trouble == nil)
  }

  @Test func `Our own saves are no news`() throws {
    var seat = try seat()
    for number in 0..<3 {
      try seat.run("new-layer n\(number)")
      try seat.run("save")
      try seat.look()
      #expect(seat.desk.file.trouble == nil)
      #expect(seat.message == "saved /m/a.doc")
    }
    #expect(seat.desk.history.past.count == 4)
  }

  @Test func `A file that is being written is not read until it has settled`() throws {
    let seat = try seat()
    for number in 0..<5 {
      files.put([UInt8](repeating: 65, count: number), at: "/m/a.doc")
      #expect(seat.world.look().isEmpty)
    }
    #expect(seat.world.look().count == 1)
    #expect(seat.world.look().isEmpty)
  }

  // MARK: Locks

  @Test func `The second editor is told who has it, the first who wants it`() throws {
    var first = try seat()
    var second = Seat(files, process: 7)
    try second.run("open /m/a.doc")
    let question = try #require(second.desk.question)
    #expect(question.title == "a.doc is open elsewhere")
    for words in ["user1", "process 1 on box, /dev/pts/3", "has had it open since"] {
      #expect(question.text.contains(words), "\(question.text)")
    }
    #expect(second.desk.isReadOnly)
    #expect(throws: EditingError.self) { try second.run("new-layer x") }
    try first.look()
    #expect(first.message.contains("user7 (process 7 on box, /dev/pts/3) wants to edit a.doc"))
    try first.run("where")
    try first.look()
    #expect(!first.message.contains("wants"))
  }

  @Test func `Watching shows each save of the other; the lock's end is told`() throws {
    var first = try seat()
    var second = Seat(files, process: 7)
    try second.run("open /m/a.doc")
    try second.press("w")
    #expect(second.desk.file.isWatching)
    #expect(first.world.look().count == 1)
    try first.run("new-layer more")
    try first.run("save")
    try second.look()
    #expect(second.names == ["first", "more"])
    #expect(second.desk.isReadOnly)
    #expect(first.world.look().isEmpty, "reading again is no new wish")
    first.world.letGoOfAll()
    try second.look()
    #expect(second.message.contains("free now"))
    try second.run("revert")
    #expect(!second.desk.isReadOnly)
    try second.run("new-layer mine")
    try second.run("save")
    #expect(try layers(of: "/m/a.doc") == ["first", "more", "mine"])
  }

  @Test func `The end of a lock is told where it was the reason, and changes the reason`() throws {
    let first = try seat()
    var second = Seat(files, process: 2)
    try second.run("open /m/a.doc")
    try second.press("<esc>")
    first.world.letGoOfAll()
    try second.look()
    #expect(second.message.contains("a.doc is free now: :revert opens it"), "\(second.message)")
    let error = #expect(throws: EditingError.self) { try second.run("new-layer x") }
    #expect(error?.message.contains("is open elsewhere") == false, "\(error?.message ?? "")")
    #expect(error?.message.contains(":revert") == true)
    try second.run("revert")
    try second.run("new-layer x")

    var other = Desk(document: .towns, filePath: "/m/b.doc")
    other.file.readOnlyReason = "version 9 of the format"
    _ = other.handle(.freed(path: "/m/b.doc"))
    #expect(other.message == nil)
  }

  @Test func `Work on a copy shares nothing with the document`() throws {
    let first = try seat()
    var second = Seat(files, process: 7)
    try second.run("open /m/a.doc")
    try second.press("d")
    #expect(second.desk.file.path == nil)
    #expect(second.desk.isEdited && !second.desk.isReadOnly)
    try second.run("new-layer copied")
    try second.run("save /m/copy.doc")
    #expect(try layers(of: "/m/copy.doc") == ["first", "copied"])
    #expect(try layers(of: "/m/a.doc") == ["first"])
    #expect(first.names == ["first"])
  }

  @Test func `Saving over a document that is open elsewhere is refused unless forced`() throws {
    let keeper = try seat("/m/b.doc")
    var script = HeadlessRunner(
      world: Seat(files, guards: false, process: 7).world, report: { _ in })
    try script.run(line: "open /m/b.doc")
    let failure = #expect(throws: Failure.self) { try script.run(line: "save") }
    #expect(failure?.code == .output)
    #expect(failure?.what.contains("open elsewhere") == true)
    try script.run(line: "save --force")
    var other = Seat(files, process: 7)
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
    var seat = try seat()
    #expect(try names.contains(".a.doc.lock"))
    try seat.run("open /m/b.doc")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [".b.doc.lock"])
    try seat.run("save /m/c.doc")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [".c.doc.lock"])
    try seat.run("duplicate")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [])
    var script = HeadlessRunner(world: Seat(files, guards: false).world, report: { _ in })
    try script.run(line: "open /m/a.doc")
    try script.run(line: "save")
    #expect(try names.filter { $0.hasSuffix(".lock") } == [])
  }

  @Test func `A failed save leaves file and edit, and stays marked until one succeeds`() throws {
    _ = try seat()
    let failing = FailingFileSystem(files, plan: .every(call: "fsync"), number: 5)
    var seat = Seat(failing)
    try seat.run("open /m/a.doc")
    #expect(!seat.desk.isReadOnly)
    try seat.run("new-layer mine")
    try seat.run("save")
    #expect(seat.desk.isEdited)
    #expect(seat.desk.file.trouble == "not saved")
    #expect(seat.message.contains("/m/a.doc"))
    #expect(seat.message.contains("fsync"))
    #expect(try layers(of: "/m/a.doc") == ["first"])
  }

  @Test func `A save that the disk does not confirm stays marked until one is confirmed`() throws {
    var seat = try seat()
    seat.world.letGoOfAll()
    // Everything is written and in place; only the folder's fsync fails.
    var number = 1
    while true {
      let failing = FailingFileSystem(files, plan: .once(number: number), number: 5)
      seat = Seat(failing, keeps: false)
      try seat.run("open /m/a.doc")
      if seat.desk.file.path != nil, !seat.desk.isReadOnly {
        try seat.run("new-layer n\(number)")
        try seat.run("save")
        if seat.message.contains("did not confirm") { break }
      }
      seat.world.letGoOfAll()
      number += 1
      if number > 150 { break }
    }
    #expect(!seat.desk.isEdited)
    #expect(seat.desk.file.trouble == "not confirmed by the disk")
    try seat.run("new-layer more")
    try seat.run("save")
    #expect(seat.desk.file.trouble == nil)
  }

  @Test(arguments: [Int64.min, .max, 201_810_000_000])
  func `A lock of any time is told and ends nothing`(since: Int64) throws {
    var seat = try seat()
    seat.world.letGoOfAll()
    let other = LockHolder(user: "lea", host: "elsewhere", process: 7, since: since)
    guard case .taken(let lock) = DocumentLock.take(for: "/m/a.doc", as: other, in: files) else {
      Issue.record("not taken")
      return
    }
    seat = Seat(files, process: 2)
    try seat.run("open /m/a.doc")
    #expect(seat.desk.isReadOnly)
    #expect(seat.desk.file.readOnlyReason?.contains("lea (process 7 on elsewhere)") == true)
    lock.release()
  }
}
