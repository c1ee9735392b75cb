import PortolanDocuments
import PortolanFiles
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Commands of other programs in a workspace where people work.
@Suite struct RemoteTests {
  @Test func `A command sees the edits that are not saved, and prints its answer`() throws {
    var room = Room()
    room.run("new-layer rivers")
    let answer = try room.remote("info")
    #expect(answer.code == 0)
    #expect(String(decoding: answer.output, as: UTF8.self).contains("rivers"))
    #expect(room.desk(.local).message?.severity != .error)
    #expect(room.host.workspace.people == [.local])
  }

  @Test func `A command edits what people see, and leaves their cursors alone`() throws {
    var room = Room()
    room.run("select all")
    let before = room.desk(.local)
    let answer = try room.remote("select all\nset name=remote\n")
    #expect(answer.code == 0, "\(answer.remarks)")
    let after = room.desk(.local)
    #expect(after.map.cursor == before.map.cursor)
    #expect(after.selection.count == before.selection.count)
    #expect(after.history.present.serial != before.history.present.serial)
    // Nobody is left whose step it is.
    room.run("undo")
    #expect(room.desk(.local).history.value.layers.count == before.document.layers.count)
  }

  @Test(arguments: [
    ("nonsense", Int32(2)), ("open /m/none.geojson", 3), ("go to nowhere-at-all", 2),
    ("select all\nbroken line", 2), ("quit", 0), ("", 0),
  ])
  func `A failure has the exit code of the verbs`(text: String, code: Int32) throws {
    var room = Room()
    let answer = try room.remote(text)
    #expect(answer.code == code, "\(answer.remarks)")
    #expect(answer.remarks.isEmpty == (code == 0))
    #expect(room.host.workspace.people == [.local])
    #expect(room.effects.allSatisfy { if case .quit = $0.effect { text == "quit" } else { true } })
  }

  @Test func `Standard output is that of the program that asks`() throws {
    var room = Room()
    let answer = try room.remote("export -o - --format geojson")
    #expect(answer.code == 0, "\(answer.remarks)")
    #expect(String(decoding: answer.output, as: UTF8.self).contains("FeatureCollection"))
  }

  @Test func `A document that is not open is named`() throws {
    var room = Room()
    let answer = try room.remote("info", path: "/m/none.doc")
    #expect(answer.code == 3)
    #expect(answer.remarks.joined().contains("none.doc"))
  }

  @Test func `Messages between programs come through whole, and damaged ones are refused`() throws {
    let lines = RemoteLines(text: "where\nfit", path: "/a b/é.doc")
    #expect(try RemoteLines(lines.bytes) == lines)
    let answer = RemoteAnswer(code: 3, output: [0, 255, 10], remarks: ["a", "ü"])
    #expect(try RemoteAnswer(answer.bytes) == answer)
    let state = HostState(
      process: 42, folder: "/x", documents: [.init(path: "/a.doc", title: "a", isEdited: true)],
      people: [.init(number: 2, name: "bob", isPresent: false)])
    #expect(try HostState(state.bytes) == state)
    for notice: GuestNotice in [
      .beep, .redraw, .suspend, .clipboard("x"), .end(code: 3, text: "y"),
    ] {
      #expect(try GuestNotice(notice.bytes) == notice)
    }
    let facts = GuestFacts(
      wish: .watching, name: "bob", size: CellSize(columns: 9, rows: 3),
      capabilities: ScreenCapabilities(depth: .sixteen, isUnicode: false, ground: .light))
    let read = try GuestFacts(facts.bytes)
    #expect(read.name == "bob" && read.size == facts.size && read.wish == .watching)
    #expect(read.capabilities.terminalDepth == .sixteen && read.capabilities.ground == .light)
    for bytes in [lines.bytes, answer.bytes, state.bytes, facts.bytes] {
      for count in 0..<bytes.count {
        let part = Array(bytes.prefix(count))
        #expect(throws: PackedBytesError.self) { try RemoteLines(part + [255, 255]) }
        _ = try? RemoteAnswer(part)
        _ = try? HostState(part)
        _ = try? GuestFacts(part)
      }
    }
  }

  @Test func `Another version is refused with what to do`() throws {
    var writer = PackedWriter()
    writer.write(SharingProtocol.version + 1)
    #expect {
      try GuestFacts(writer.bytes)
    } throws: { "\($0)".contains("install the same portolan") }
  }

  @Test func `Events come through as they were`() throws {
    let events =
      try EventNotation.events(
        "aé<c-s><a-left><f5><ret><paste:hé\nx><resize:80x24><press:3,4><c-wheelup:1,2><resumed>")
      + [.key(Key(.character("👩‍👧"))), .cutPaste("x"), .hangUp]
    #expect(try PackedEvents.events(PackedEvents.bytes(events)) == events)
    var random = SeededGenerator(seed: 7)
    let bytes = PackedEvents.bytes(events)
    for _ in 0..<2_000 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] =
        UInt8.random(in: 0...255, using: &random)
      _ = try? PackedEvents.events(damaged)
    }
  }
}
