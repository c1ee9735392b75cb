import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanEditing

/// Several people in one workspace, with their host.
struct Room {
  var host: Host
  /// The effects for displays, so far.
  var effects: [SeatEffect] = []

  init(
    _ document: Document = .towns, files: any FileSystem = MemoryFileSystem(files: ["/m/x": [1]]),
    guards: Bool = false
  ) {
    var options = World.Options()
    options.guardsDocuments = guards
    options.beginsNewDocuments = true
    var desk = Desk(document: document)
    desk.session.name = "ann"
    desk.sharing.socket = "/run/1"
    host = Host(desk: desk, world: World(files: files, options: options)) {}
  }

  mutating func join(
    _ name: String, isWatching: Bool = false, process: Int32? = nil
  ) throws -> SessionID {
    let person = try #require(
      host.arrange { workspace in
        workspace.join(
          beside: .local, name: name,
          capabilities: ScreenCapabilities(depth: .indexed, isUnicode: true),
          size: CellSize(columns: 100, rows: 30), isWatching: isWatching)
      })
    host.arrange { $0.note(person, process: process) }
    return person
  }

  func desk(_ person: SessionID) -> Desk { host.workspace.desk(of: person) }
  func message(_ person: SessionID) -> String { desk(person).message?.text ?? "" }

  mutating func run(_ line: String, _ person: SessionID = .local) {
    effects += host.change(of: person) { $0.attempt(line: line) }
    settle()
  }

  mutating func press(_ keys: String, _ person: SessionID = .local) throws {
    for event in try EventNotation.events(keys) {
      effects += host.take(SeatEvent(.terminal(event), for: person))
    }
    settle()
  }

  mutating func settle() {
    while true {
      host.wait(atMost: 10)
      let mail = host.mailbox.take()
      if mail.isEmpty { return }
      for event in mail { effects += host.take(event) }
    }
  }

  /// Runs commands of another program.
  mutating func remote(_ text: String, path: String? = nil) throws -> RemoteAnswer {
    let found = Shared<RemoteAnswer?>(nil)
    effects += host.run(RemoteLines(text: text, path: path), of: LineID(rawValue: 1)) { answer in
      found.set(answer)
    }
    settle()
    return try #require(found.value)
  }

  final class Shared<Value: Sendable>: Sendable {
    private let held: Mutex<Value>
    init(_ value: Value) { held = Mutex(value) }
    var value: Value { held.withLock { $0 } }
    func set(_ value: Value) { held.withLock { $0 = value } }
  }
}

@Suite struct PeopleTests {
  @Test func `Each person has panes, a cursor, a selection, a mode and a prompt`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("select all")
    room.run("zoom to 3", bob)
    try room.press(":", bob)
    try room.press("v")
    #expect(!room.desk(.local).selection.isEmpty)
    #expect(room.desk(bob).selection.isEmpty)
    #expect(room.desk(bob).prompt != nil)
    #expect(room.desk(.local).prompt == nil)
    try room.press("where<esc>", bob)
    room.run("split right", bob)
    #expect(room.desk(bob).session.panes.count == 2)
    #expect(room.desk(.local).session.panes.count == 1)
    #expect(room.desk(.local).viewpoint != room.desk(bob).viewpoint)
  }

  @Test func `An open question of one person takes no keys of another`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.host.arrange { workspace in
      workspace.change { $0.ask(.openElsewhere("a.doc", holder: "lea has it")) }
    }
    let before = room.desk(bob).map.cursor
    try room.press("5l", bob)
    #expect(room.desk(bob).map.cursor != before)
    #expect(room.desk(bob).question == nil)
    #expect(room.desk(.local).question != nil)
    room.run("delete-layer 1", bob)
    #expect(room.desk(.local).question != nil)
  }

  @Test func `A late wish for the document takes no message away, and none comes of who joined`()
    throws
  {
    var room = Room(files: MemoryFileSystem(files: ["/m/x": [1]]))
    let lea = try room.join("lea pts/3", process: 7)
    func wish(_ user: String, _ process: Int32 = 8) -> Event {
      .wanted(
        path: "/m/b.doc",
        by: LockHolder(user: user, host: "box", process: process, terminal: "/dev/pts/3", since: 0))
    }
    room.run("w /m/b.doc")
    room.run("new-layer paths")
    room.run("new-layer walls", lea)
    _ = room.host.take(SeatEvent(wish("lea", 7)))
    #expect(room.message(.local) == "new layer: paths")
    #expect(room.message(lea) == "new layer: walls")
    for _ in 0..<20 { _ = room.host.take(SeatEvent(wish("zoe"))) }
    for (person, layer) in [(SessionID.local, "paths"), (lea, "walls")] {
      let message = room.message(person)
      #expect(message.hasPrefix("new layer: \(layer); zoe (process 8 on box, /dev/pts/3) wants"))
      #expect(message.count < 600)
    }
    room.run("where", lea)
    #expect(!room.message(lea).contains("wants"))
    // The same name in another process is somebody else: one of the two came through ssh.
    room.run("where")
    _ = room.host.take(SeatEvent(wish("lea")))
    #expect(room.message(.local).contains("lea (process 8 on box, /dev/pts/3) wants"))
    // So is the same number on another machine.
    room.host.arrange { $0.sharing.machine = "desk" }
    room.run("where")
    _ = room.host.take(SeatEvent(wish("lea", 7)))
    #expect(room.message(.local).contains("lea (process 7 on box, /dev/pts/3) wants"))
  }

  @Test func `Who watches looks around and changes nothing`() throws {
    let files = MemoryFileSystem(files: ["/m/x": [1]])
    var room = Room(files: files)
    let bob = try room.join("bob", isWatching: true)
    let before = room.desk(.local).history.present.serial
    for line in ["new-layer x", "select all", "delete", "undo", "zoom in", "w /m/b.doc"] {
      room.run(line, bob)
    }
    #expect(room.desk(.local).history.present.serial == before)
    #expect(room.desk(bob).viewpoint != room.desk(.local).viewpoint)
    #expect(!files.exists("/m/b.doc"))
    #expect(room.desk(.local).file.path == nil)
    room.run("delete", bob)
    #expect(room.message(bob).contains("watch"))
  }

  @Test func `Jobs have numbers of their own, whoever began them`() throws {
    var room = Room()
    let bob = try room.join("bob")
    var jobs: [JobID] = []
    for person in [SessionID.local, bob, .local, bob] {
      room.host.arrange { workspace in
        workspace.change(of: person) { $0.request(RecentFilesRequest(isShown: true)) }
      }
      jobs += room.desk(person).jobs.suffix(1).map(\.id)
    }
    #expect(Set(jobs).count == 4)
  }

  @Test func `A long edit of one person holds the edits of all, and nothing else`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.host.arrange { workspace in
      workspace.change { desk in
        try? desk.edit("long", isLong: true, saying: "done") { document, _ in
          document.layers.removeLast()
        }
      }
    }
    #expect(room.desk(.local).isEditPending)
    #expect(room.desk(bob).isEditPending)
    room.effects += room.host.change(of: bob) { $0.attempt(line: "new-layer x") }
    #expect(room.message(bob).contains("under way"))
    // Ctrl-C of another person does not end it.
    room.effects += room.host.change(of: bob) { try? $0.cancelJobs() }
    room.settle()
    #expect(room.desk(bob).document.layers.count == Document.towns.layers.count - 1)
    room.run("new-layer x", bob)
    #expect(room.desk(.local).document.layers.last?.name == "x")
  }

  @Test func `A document stays open as long as somebody shows it`() throws {
    let files = MemoryFileSystem(files: ["/m/x": [1]])
    var room = Room(files: files)
    let bob = try room.join("bob")
    room.run("open --force /m/b.doc", bob)
    #expect(room.host.workspace.documents.count == 2)
    #expect(room.desk(.local).document.layers.count == Document.towns.layers.count)
    room.run("new-layer b", bob)
    room.run("quit", bob)
    // Only he has it: the edits would be lost.
    #expect(room.message(bob).contains("unsaved"))
    room.run("save", bob)
    room.run("quit", bob)
    #expect(room.effects.contains { if case .quit = $0.effect { $0.person == bob } else { false } })
    room.host.leave(bob)
    #expect(room.host.workspace.documents.count == 1)
    #expect(files.exists("/m/b.doc"))
  }

  @Test func `Who leaves behind others loses nothing by unsaved edits`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("new-layer x", bob)
    room.run("quit", bob)
    #expect(room.effects.contains { if case .quit = $0.effect { true } else { false } })
    room.host.leave(bob)
    room.effects = []
    room.run("quit")
    #expect(room.message(.local).contains("unsaved"))
    #expect(!room.effects.contains { if case .quit = $0.effect { true } else { false } })
  }

  @Test(arguments: Seeds.some(6))
  func `Whatever people do, nobody refers to what is gone`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var room = Room()
    var people: [SessionID] = [.local]
    var number = 0
    for _ in 0..<60 {
      let person = people[Int.random(in: 0..<people.count, using: &random)]
      switch Int.random(in: 0..<14, using: &random) {
      case 0 where people.count < 4:
        number += 1
        people.append(try room.join("p\(number)"))
      case 1 where people.count > 1 && person != .local:
        room.host.leave(person)
        people.removeAll { $0 == person }
      default:
        room.run(Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)], person)
      }
      #expect(Set(room.host.workspace.people) == Set(people))
      for person in people { Self.check(room.desk(person)) }
      let jobs = people.flatMap { room.desk($0).jobs.map(\.id) }
      #expect(Set(jobs).count == jobs.count)
    }
  }

  private static let lines = [
    "select all", "delete", "undo", "redo", "new-layer x", "delete-layer x", "layer 1",
    "draw line", "put", "put", "finish", "discard-draft", "split right", "pane close", "tab new",
    "move --by 1,1", "set name=b", "select none", "zoom in", "table", "pane next", "link",
    "filter name = 'b'", "filter off", "go to 10 50", "yank", "paste", "undo", "undo",
  ]

  /// A desk refers to nothing that its document lacks.
  private static func check(_ desk: Desk) {
    for feature in desk.selection.features { #expect(desk.document.contains(feature)) }
    if let active = desk.activeLayer { #expect(desk.document[layer: active] != nil) }
    if case .feature(let layer)? = desk.draft?.purpose {
      #expect(desk.document[layer: layer] != nil)
    }
  }
}
