import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// People who only watch, and commands of other programs: neither keeps anybody's work.
@Suite struct WatcherTests {
  private let files = MemoryFileSystem(files: ["/m/x": [1]])

  /// A room whose first person has a saved document, and somebody who watches it.
  private func watchedRoom() throws -> (Room, SessionID) {
    var room = Room(files: files, guards: true)
    room.run("save /m/a.doc")
    let bob = try room.join("bob", isWatching: true)
    return (room, bob)
  }

  /// What the timer does: two looks, so that a change has settled.
  private func look(_ room: inout Room) {
    for _ in 0..<2 {
      for event in room.host.world.look() { room.effects += room.host.take(SeatEvent(event)) }
    }
    room.settle()
  }

  /// Another program writes the document, without asking for a lock.
  private func writeElsewhere(_ layer: String) throws {
    var other = GuardingTests.Seat(MemoryFileSystem())
    try other.run("new-layer \(layer)")
    try other.run("save /x.doc")
    files.put(try other.world.files.read("/x.doc", limit: 1 << 20), at: "/m/a.doc")
  }

  private func hasQuit(_ room: Room) -> Bool {
    room.effects.contains { if case .quit = $0.effect { true } else { false } }
  }

  @Test func `Edits that only a watcher would keep are asked about`() throws {
    var (room, bob) = try watchedRoom()
    room.run("new-layer mine")
    for line in ["open /m/b.doc", "quit"] {
      room.run(line)
      #expect(room.message(.local).contains("unsaved edits"), "\(line): \(room.message(.local))")
    }
    #expect(!hasQuit(room))
    room.run("split right")
    room.run("open --force /m/b.doc")
    room.run("pane only")
    #expect(room.message(.local).contains("a.doc has unsaved work"), "\(room.message(.local))")
    room.host.leave(bob)
    #expect(room.host.workspace.documents.values.contains { $0.history.isEdited })
  }

  @Test func `A watcher leaves the edits of others without a question`() throws {
    var (room, bob) = try watchedRoom()
    room.run("new-layer mine")
    room.run("quit", bob)
    #expect(hasQuit(room))
  }

  @Test func `A watcher neither ends the workspace for others nor makes it stay`() throws {
    var (room, bob) = try watchedRoom()
    room.host.arrange { $0.sharing.socket = "/run/portolan/1" }
    for line in ["quit --everyone --force", "serve"] {
      room.run(line, bob)
      #expect(room.message(bob).contains("you only watch"), "\(line): \(room.message(bob))")
    }
    #expect(!hasQuit(room))
    room.run("detach", bob)
    #expect(!room.host.workspace.sharing.stays)
    room.run("detach")
    #expect(room.host.workspace.sharing.stays)
  }

  @Test func `A file changed by another program is read again for a person, not a watcher`() throws
  {
    var (room, bob) = try watchedRoom()
    room.host.arrange { $0.note(.local, isPresent: false) }
    try writeElsewhere("theirs")
    look(&room)
    #expect(room.desk(.local).document.layers.last?.name == "theirs")
    #expect(!room.message(bob).contains("watch:"))
    room.run("new-layer mine")
    room.run("save")
    #expect(room.desk(.local).document.layers.map(\.name) == ["theirs", "mine"])
  }

  @Test func `Where only watchers are left the file is read again for them`() throws {
    var (room, bob) = try watchedRoom()
    room.run("open /m/b.doc")
    #expect(room.desk(.local).file.path == "/m/b.doc")
    try writeElsewhere("theirs")
    look(&room)
    #expect(room.desk(bob).document.layers.last?.name == "theirs")
  }

  @Test func `A watcher's commands leave the lock and the known version of a file`() throws {
    var (room, bob) = try watchedRoom()
    try writeElsewhere("theirs")
    for line in ["duplicate", "revert", "revert --merge"] {
      room.run(line, bob)
      #expect(room.message(bob).contains("only watch"), "\(line): \(room.message(bob))")
    }
    room.run("new-layer mine")
    room.run("save")
    // The other program's save is noticed.
    #expect(room.desk(.local).question?.title.contains("changed on disk") == true)
  }

  @Test func `Commands that lose edits of a document of their own fail`() throws {
    var room = Room(files: files)
    room.run("save /m/a.doc")
    let lost = try room.remote("open /m/b.doc\nnew-layer x\n")
    #expect(lost.code == ExitCode.findings.rawValue)
    #expect(lost.remarks.joined().contains("neither saved nor exported"), "\(lost.remarks)")
    #expect(try room.remote("open /m/b.doc\nnew-layer x\nsave\n").code == 0)
    #expect(try room.remote("open /m/c.doc\nnew-layer x\nquit --force\n").code == 0)
    // The person keeps these.
    #expect(try room.remote("new-layer x\n", path: "/m/a.doc").code == 0)
    #expect(room.desk(.local).document.layers.last?.name == "x")
  }

  @Test func `An editor that others have joined joins no other one`() throws {
    var (room, _) = try watchedRoom()
    func hold(_ person: SessionID) {
      room.host.arrange { workspace in
        workspace.change(of: person) { desk in
          desk.file.holderSocket = "/run/2"
          desk.file.isHeldElsewhere = true
        }
      }
    }
    hold(.local)
    let lea = try room.join("lea")
    room.run("join-editor")
    #expect(room.message(.local).contains("others are here"))
    room.run("join-editor", lea)
    #expect(room.message(lea).contains("others are here"))
    room.host.leave(lea)
    room.run("join-editor")
    #expect(room.effects.contains { if case .attach = $0.effect { true } else { false } })
  }
}
