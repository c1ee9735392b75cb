import Foundation
import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanEditing

/// A host without a terminal, on a thread of its own, and guests that are values of the test.
final class ServedRoom: Sendable {
  let box: GuestBox
  private let done: DispatchSemaphore

  init(_ document: Document = .towns) {
    let (ready, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let shared = Room.Shared<GuestBox?>(nil)
    Thread.detachNewThread {
      let world = World(files: MemoryFileSystem(files: [:]), options: World.Options())
      var loop = EditorLoop(
        desk: Desk(document: document), screen: NoScreen(), world: world, isHere: false)
      loop.share(at: "/run/1", stays: true)
      shared.set(loop.box)
      ready.signal()
      _ = try? loop.run()
      done.signal()
    }
    ready.wait()
    guard let box = shared.value else { preconditionFailure("no host") }
    (self.box, self.done) = (box, done)
  }

  func join(
    _ wish: GuestFacts.Wish = .anySession, size: CellSize = CellSize(columns: 80, rows: 24),
    name: String? = nil
  ) throws -> TestGuest {
    let guest = TestGuest(box)
    let facts = GuestFacts(
      wish: wish, name: name ?? "g\(guest.line.rawValue)", size: size,
      capabilities: ScreenCapabilities(depth: .indexed, isUnicode: true))
    let (answered, failure) = (DispatchSemaphore(value: 0), Room.Shared<Failure?>(nil))
    box.post(
      .arrival(guest.line, facts, guest) { result in
        if case .failure(let error) = result { failure.set(error) }
        answered.signal()
      })
    answered.wait()
    if let failure = failure.value { throw failure }
    return guest
  }

  func remote(_ text: String) -> RemoteAnswer? {
    let (answered, found) = (DispatchSemaphore(value: 0), Room.Shared<RemoteAnswer?>(nil))
    box.post(
      .lines(box.makeLine(), RemoteLines(text: text, path: nil)) { answer in
        found.set(answer)
        answered.signal()
      })
    return answered.wait(timeout: .now() + 20) == .success ? found.value : nil
  }

  /// Ends the host; whether it ended.
  func end() -> Bool {
    _ = remote("quit --everyone --force")
    return done.wait(timeout: .now() + 20) == .success
  }
}

/// A guest that shows frames in memory.
final class TestGuest: GuestLine {
  private struct State {
    var frame: Frame?
    var frames = 0
    var isStalled = false
    var isUnderWay = false
    var overlaps = 0
    var end: GuestNotice?
    var fault: String?
  }

  let line: LineID
  var process: Int32? { nil }
  private let box: GuestBox
  private let state = Mutex(State())
  private let changed = DispatchSemaphore(value: 0)

  init(_ box: GuestBox) { (self.box, line) = (box, box.makeLine()) }

  func tell(_ echo: EchoHint) {}

  func present(_ change: [UInt8], _ echo: EchoHint) {
    let isShown = state.withLock { state in
      if state.isUnderWay { state.overlaps += 1 }
      do {
        state.frame = try FrameChange.frame(from: state.frame, change)
      } catch {
        state.fault = "\(error)"
      }
      state.frames += 1
      state.isUnderWay = state.isStalled
      return !state.isStalled
    }
    if isShown { box.post(.shown(line)) }
    changed.signal()
  }

  func tell(_ notice: GuestNotice) {
    if case .end = notice { state.withLock { $0.end = notice } }
    changed.signal()
  }

  func close(_ reason: String) {}

  func stall() { state.withLock { $0.isStalled = true } }

  func goOn() {
    state.withLock { ($0.isStalled, $0.isUnderWay) = (false, false) }
    box.post(.shown(line))
  }

  func press(_ keys: String) throws {
    #expect(box.post(try EventNotation.events(keys), of: line))
  }

  func leave(_ cutOff: CutOff? = nil) { box.post(.gone(line, cutOff)) }

  var text: String { state.withLock { $0.frame?.plainText() ?? "" } }
  var frames: Int { state.withLock { $0.frames } }
  var end: GuestNotice? { state.withLock { $0.end } }
  /// What went wrong with the frames.
  var fault: String? {
    state.withLock { $0.fault ?? ($0.overlaps > 0 ? "two frames under way" : nil) }
  }

  /// Waits until the picture satisfies a condition.
  func wait(_ condition: (String) -> Bool) -> Bool {
    let end = DispatchTime.now() + 20
    while !condition(text) {
      if changed.wait(timeout: end) == .timedOut { return condition(text) }
    }
    return true
  }
}

@Suite struct GuestLoopTests {
  @Test func `Guests see each other's edits, and a stalled one holds up nobody`() throws {
    let room = ServedRoom()
    let first = try room.join()
    let second = try room.join(size: CellSize(columns: 100, rows: 30))
    #expect(first.wait { $0.contains("with g2") })
    second.stall()
    try first.press(":new-layer rivers<ret>")
    #expect(first.wait { $0.contains("rivers") })
    let before = second.frames
    for _ in 0..<30 { try first.press("l") }
    try first.press(":new-layer roads<ret>")
    #expect(first.wait { $0.contains("roads") })
    #expect(second.frames <= before + 1)
    second.goOn()
    #expect(second.wait { $0.contains("roads") })
    #expect(first.fault == nil && second.fault == nil)
    #expect(room.end())
    #expect(first.end != nil && second.end != nil)
  }

  @Test func `Whoever comes back finds the line being typed, in another size`() throws {
    let room = ServedRoom()
    let first = try room.join()
    try first.press(":new-layer half<left>")
    #expect(first.wait { $0.contains(":new-layer half") })
    first.leave()
    let again = try room.join(size: CellSize(columns: 132, rows: 43))
    #expect(again.wait { $0.contains(":new-layer half") })
    try again.press("<ret>")
    #expect(again.wait { $0.contains("half") && !$0.contains(":new-layer") })
    #expect(room.end())
  }

  @Test(arguments: [true, false])
  func `Whoever comes back leads and follows as before`(isLeader: Bool) throws {
    let room = ServedRoom()
    var leader = try room.join()
    var follower = try room.join(size: CellSize(columns: 120, rows: 30))
    try follower.press(":follow g1<ret>")
    #expect(leader.wait { $0.contains("with g2 (follows you)") })
    (isLeader ? leader : follower).leave()
    #expect((isLeader ? follower : leader).wait { $0.contains("the terminal has gone") })
    let again = try room.join(size: CellSize(columns: 100, rows: 40))
    (leader, follower) = isLeader ? (again, follower) : (leader, again)
    #expect(leader.wait { $0.contains("with \(isLeader ? "g2" : "g3") (follows you)") })
    #expect(follower.wait { $0.contains("following \(isLeader ? "g3" : "g1")") })
    try leader.press(":zoom to 7<ret>")
    #expect(follower.wait { $0.contains("z7.00") })
    #expect(room.end())
  }

  @Test func `Each terminal finds what it has left, in whichever order they come back`() throws {
    let names = ["ann pts/1", "bob pts/2", "cleo pts/3"]
    for order in [[2, 1, 0], [1, 2, 0]] {
      let room = ServedRoom()
      let guests = try names.map { try room.join(name: $0) }
      for (name, guest) in zip(names, guests) {
        try guest.press(":new-layer of \(name)")
        #expect(guest.wait { $0.contains(":new-layer of \(name)") })
      }
      for guest in guests { guest.leave() }
      for place in order {
        let again = try room.join(name: names[place])
        #expect(again.wait { $0.contains(":new-layer of \(names[place])") }, "\(again.text)")
      }
      #expect(room.end())
    }
  }

  @Test func `A flood is refused, and others go on`() throws {
    let room = ServedRoom()
    let (flooding, other) = (try room.join(), try room.join())
    let key = TerminalEvent.key(Key(.character("l")))
    #expect(!room.box.post(Array(repeating: key, count: 70_000), of: flooding.line))
    _ = room.box.post(Array(repeating: key, count: 20_000), of: flooding.line)
    try other.press(":new-layer calm<ret>")
    #expect(other.wait { $0.contains("calm") })
    flooding.leave()
    #expect(room.end())
  }

  @Test func `Whoever is cut off is named to the others, once a second`() throws {
    let room = ServedRoom()
    let (bad, other) = (try room.join(), try room.join(size: CellSize(columns: 120, rows: 30)))
    bad.leave(CutOff(process: 7, reason: "no \u{1B}[2J events"))
    #expect(other.wait { $0.contains("g1: the terminal was cut off: no ") })
    let began = ContinuousClock.now
    for number in 1...9 {
      let line = room.box.makeLine()
      let reason = "reason \(number) " + String(repeating: "x", count: 9_000)
      room.box.post(.gone(line, CutOff(process: 10, reason: reason)))
      room.box.post(.gone(room.box.makeLine(), nil))
    }
    #expect(other.wait { $0.contains("process 10 was cut off: reason 1") })
    // They stay in the list.
    try other.press(":layer nonsense<ret>:say<ret>")
    #expect(other.wait { $0.contains("reason 1") && $0.contains("terminal was cut off") })
    if ContinuousClock.now - began < .seconds(1) { #expect(!other.text.contains("reason 2")) }
    #expect(room.end())
  }

  @Test func `The end of one session is no end of the others; the last ends the host`() throws {
    let room = ServedRoom()
    let (first, second) = (try room.join(), try room.join())
    try first.press(":q<ret>")
    #expect(first.wait { _ in first.end != nil })
    try second.press(":new-layer on<ret>")
    #expect(second.wait { $0.contains("on") })
    try second.press(":q!<ret>")
    #expect(second.wait { _ in second.end == .end(code: 0, text: "") })
  }

  @Test func `A watcher keeps no workspace up, and ends none for those who edit`() throws {
    let room = ServedRoom()
    let first = try room.join()
    try first.press(":new-layer rivers<ret>")
    #expect(first.wait { $0.contains("rivers") })
    let watching = try room.join(.watching)
    first.leave()
    try watching.press(":q!<ret>")
    #expect(watching.wait { _ in watching.end != nil })
    let again = try room.join()
    #expect(again.wait { $0.contains("rivers") })
    let last = try room.join(.watching)
    try again.press(":q!<ret>")
    #expect(last.wait { _ in last.end == .end(code: 0, text: "the editor has ended") })
    #expect(again.wait { _ in again.end == .end(code: 0, text: "") })
  }

  @Test func `Keys that come at once do what they do one by one`() throws {
    let keys = [
      ":new-layer x y<left><left>é<ret>", "5l2j:lay", "<tab><tab>", "<esc>/here<ret>",
      ":title A b<c-w>c d<ret>u:go to 5 5<ret>", "i:put<ret><esc>", "::<bs><bs>",
    ]
    let (together, apart) = (ServedRoom(), ServedRoom())
    let (first, second) = (try together.join(), try apart.join())
    for line in keys {
      try first.press(line)
      for event in try EventNotation.events(line) {
        #expect(apart.box.post([event], of: second.line))
        #expect(apart.remote("where")?.code == 0)
      }
      #expect(together.remote("where")?.code == 0)
      #expect(first.wait { $0 == second.text }, "\(line)\n\(first.text)\n\(second.text)")
    }
    #expect(together.end() && apart.end())
  }

  /// Points of departure: `PORTOLAN_LAWS` of them in long runs.
  @Test(arguments: Seeds.some(4))
  func `A dropped terminal loses nothing, wherever it drops`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let room = ServedRoom()
    var guest = try room.join()
    for _ in 0..<8 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        try guest.press(Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)])
      }
      // Handled before the mail that follows, and then shown.
      let serial = room.remote("where")?.code
      #expect(serial == 0)
      guest.leave()
      let first = try room.join()
      #expect(first.wait { !$0.isEmpty })
      #expect(room.remote("where")?.code == 0)
      let before = first.text
      first.leave()
      guest = try room.join()
      #expect(guest.wait { $0 == before }, "\(before)\n--- became ---\n\(guest.text)")
      #expect(guest.fault == nil)
    }
    #expect(room.end())
  }

  private static let keys = [
    "l", "5j", "2h", ":new-layer x", "<ret>", "<esc>", "i", "<ret>", "u", ":sel", "v", "+", "-",
    "<c-w>v", "<c-w>w", "/here", "<tab>", "?",
  ]
}
