import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import Testing

@testable import PortolanEditing

/// Following another person's map, words between people, and commands that act for a person.
@Suite struct TogetherTests {
  @Test func `A map follows another person's until it is moved`() throws {
    var room = Room()
    let bob = try room.join("bob b")
    let cleo = try room.join("cleo")
    room.run("follow bob")
    room.run("follow ann", cleo)
    #expect(
      room.desk(bob).companyTexts(columns: 20).joined() == "with ann (follows you) and 1 more")
    #expect(room.desk(bob).companyTexts(columns: 40).joined().hasPrefix("with ann (follows you), "))
    #expect(
      room.desk(.local).companyTexts(columns: 20).joined() == "following bob b and 1 more")
    room.run("zoom to 6", bob)
    room.run("go to 20 12", bob)
    room.run("center", bob)
    // A line of followers moves as one.
    for person in [SessionID.local, cleo] {
      #expect(room.desk(person).viewpoint.zoom == 6)
      let apart = room.desk(person).viewpoint.center.x - room.desk(bob).viewpoint.center.x
      #expect(abs(apart) < 1)
    }
    // A cursor within the map moves no map.
    try room.press("l")
    #expect(room.desk(.local).session.following == bob)
    room.run("zoom out")
    #expect(room.desk(.local).session.following == nil)
    #expect(room.message(.local).contains("you follow bob b no more"))
    room.run("zoom to 8", bob)
    #expect(room.desk(.local).viewpoint.zoom != 8)
    #expect(room.desk(cleo).viewpoint.zoom == room.desk(.local).viewpoint.zoom)
    room.run("follow off", cleo)
    room.run("zoom to 3")
    #expect(room.desk(cleo).viewpoint.zoom != 3)
  }

  @Test func `A draft outlives the layer that another person removes`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("new-layer mine", bob)
    room.run("draw line", bob)
    for place in ["1 1", "2 2"] { room.run("put \(place)", bob) }
    room.run("delete-layer mine")
    let message = room.message(bob)
    #expect(
      message.hasPrefix("ann removed layer “mine”: your draft goes on in layer “"), "\(message)")
    #expect(room.desk(bob).draft?.vertexCount == 2 && room.desk(bob).isDrawing)
    room.run("finish", bob)
    let layer = try #require(room.desk(bob).active)
    #expect(message.hasSuffix("“\(layer.name)”") && room.desk(bob).draft == nil)
    // One's own removal is undone with the draft.
    room.run("new-layer other", bob)
    room.run("draw line", bob)
    room.run("put 1 1", bob)
    room.run("delete-layer other", bob)
    #expect(room.desk(bob).draft == nil)
  }

  @Test func `At 80 columns the title keeps the company beside unsaved work`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("follow ann", bob)
    room.run("new-layer mine")
    var desk = room.desk(.local)
    desk.file.autosave = .kept(time: "12:04")
    var frame = Frame(size: CellSize(columns: 80, rows: 1))
    TitleLine.draw(desk, in: CellRect(column: 0, row: 0, columns: 80, rows: 1), on: &frame)
    #expect(frame.plainText().contains("[+]"))
    #expect(frame.plainText().contains("with bob (follows you)"), "\(frame.plainText())")
    for columns in 0...60 {
      #expect(desk.companyTexts(columns: columns).joined() == "with bob (follows you)")
    }
    // Whatever the name and the width.
    for length in stride(from: 1, through: 90, by: 7) {
      for columns in 60...120 {
        desk.file.path = "/m/" + String(repeating: "n", count: length) + ".doc"
        frame = Frame(size: CellSize(columns: columns, rows: 1))
        let area = CellRect(column: 0, row: 0, columns: columns, rows: 1)
        TitleLine.draw(desk, in: area, on: &frame)
        let text = frame.plainText()
        #expect(text.contains("with bob") && text.contains("[+]"), "\(text)")
      }
    }
  }

  @Test func `People who follow each other, and those who leave, end nothing`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("follow bob")
    room.run("follow ann", bob)
    room.run("zoom to 5")
    #expect(room.desk(bob).viewpoint.zoom == 5)
    room.run("follow bob")
    room.host.leave(bob)
    #expect(room.desk(.local).session.following == nil)
    room.run("follow bob")
    #expect(room.message(.local).contains("nobody else is here"))
  }

  @Test func `Following names whom it cannot find`() throws {
    var room = Room()
    _ = try room.join("bob 1")
    _ = try room.join("bob 2")
    room.run("follow zoe")
    #expect(room.message(.local).contains("no zoe here: bob 1 (2), bob 2 (3)"))
    room.run("follow bob")
    #expect(room.message(.local).contains("which one?"))
    room.run("follow 3")
    #expect(room.desk(.local).session.following == SessionID(3))
    #expect(try room.remote("follow bob").code == 2)
  }

  @Test func `Words stand in the message line of the others, and do nothing to a terminal`() throws
  {
    var room = Room()
    let bob = try room.join("bob")
    let cleo = try room.join("cleo", isWatching: true)
    room.run("say look at\u{1B}[2J Berlin\u{202E}", bob)
    for person in [SessionID.local, cleo] {
      #expect(room.message(person).hasPrefix("bob: look at"))
      #expect(room.message(person).unicodeScalars.allSatisfy { $0 != "\u{1B}" && $0 != "\u{202E}" })
    }
    #expect(room.message(bob) == "said to ann, cleo")
    room.run("say " + String(repeating: "x", count: 501), bob)
    #expect(room.message(bob).contains("at most 500"))
    for number in 0..<150 { room.run("say \(number)", bob) }
    #expect(room.desk(.local).session.heard.count == 100)
    #expect(room.desk(.local).session.heard.last == "bob: 149")
    room.run("say")
    #expect(room.desk(.local).help?.lines.last == "bob: 149")
  }

  // MARK: Copies

  @Test func `Who has copied nothing pastes what another person has copied`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("paste", bob)
    #expect(room.message(bob).contains("nothing was copied"))
    room.run("paste --theirs", bob)
    #expect(room.message(bob).contains("nobody else here has copied anything"))
    room.run("go name Beta")
    room.run("yank")
    room.run("new-layer mine", bob)
    room.run("go to 3 4", bob)
    try room.press("p", bob)
    #expect(room.message(bob).contains("1 feature pasted into mine, copied by ann"))
    let layer = try #require(room.desk(bob).active as? any FeatureHolding)
    let pasted = try #require(layer.blocks.first?.feature(row: 0))
    #expect(pasted.attributes.map(\.value).contains(.string("Beta")))
    #expect(room.desk(.local).author(of: room.desk(.local).history.present) == "bob")
    // One's own copies go first; --theirs takes those of whoever copied last.
    room.run("layer towns", bob)
    room.run("select where name = 'Gamma'", bob)
    room.run("yank", bob)
    let cleo = try room.join("cleo")
    for (line, person, text) in [
      ("paste", bob, "into towns"), ("paste --theirs", bob, "copied by ann"),
      ("paste --theirs", SessionID.local, "copied by bob"), ("paste", cleo, "copied by bob"),
    ] {
      room.run(line, person)
      let message = room.message(person)
      #expect(message.hasSuffix(text), "\(line): \(message)")
    }
    room.run("go name Alpha")
    room.run("yank")
    room.run("paste", cleo)
    #expect(room.message(cleo).hasSuffix("copied by ann"))
    #expect(try room.remote("paste").code == 0)
    room.host.leave(.local)
    room.run("paste", cleo)
    #expect(room.message(cleo).hasSuffix("copied by bob"))
    room.host.leave(bob)
    room.run("paste", cleo)
    #expect(room.message(cleo).contains("nothing was copied"))
  }

  // MARK: Acting for a person

  private static func answer(
    _ room: inout Room, _ text: String, for person: Int
  ) throws
    -> RemoteAnswer
  {
    let found = Room.Shared<RemoteAnswer?>(nil)
    room.effects += room.host.run(
      RemoteLines(text: text, path: nil, person: person), of: LineID(rawValue: 1)
    ) { found.set($0) }
    room.settle()
    return try #require(found.value)
  }

  @Test func `Commands act for a person: on their selection, with their undo`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("layer towns", bob)
    room.run("select where name = 'Beta'", bob)
    room.run("new-layer mine")
    var answer = try Self.answer(&room, "set pop=7\nselect where name = 'Alpha'", for: 2)
    #expect(answer.code == 0, "\(answer.remarks)")
    #expect(room.message(bob).contains("done for you"))
    #expect(room.desk(bob).selection.count == 1)
    #expect(room.desk(bob).selection.features.first?.feature == FeatureID(1))
    #expect(room.host.workspace.people == [.local, bob])
    // It is bob's step, and not ann's.
    #expect(room.desk(.local).author(of: room.desk(.local).history.present) == "bob")
    answer = try Self.answer(&room, "undo", for: 2)
    #expect(answer.code == 0, "\(answer.remarks)")
    #expect(
      OwnUndoTests.snapshot(room.desk(.local).document).filter { $0.contains("Beta") }
        .allSatisfy { $0.contains("pop=250.0") })
    #expect(room.desk(.local).document.layers.map(\.name).contains("mine"))
    answer = try Self.answer(&room, "nonsense", for: 2)
    #expect(answer.code == 2)
    #expect(room.message(bob).contains("nonsense"))
    answer = try Self.answer(&room, "where", for: 9)
    #expect(answer.code == 3)
    #expect(answer.remarks.joined().contains("no session 9"))
  }

  @Test func `Commands end or open what is that person's, and change nothing for a watcher`() throws
  {
    var room = Room()
    let bob = try room.join("bob", isWatching: true)
    let cleo = try room.join("cleo")
    let before = room.desk(.local).history.present.serial
    let answer = try Self.answer(&room, "new-layer x", for: 2)
    #expect(room.desk(.local).history.present.serial == before)
    #expect(answer.code != 0 || room.message(bob).contains("watch"))
    _ = try Self.answer(&room, "split right\nzoom to 5", for: 3)
    #expect(room.desk(cleo).session.panes.count == 2)
    #expect(room.desk(cleo).viewpoint.zoom == 5)
    room.run("follow cleo")
    _ = try Self.answer(&room, "zoom to 6", for: 3)
    #expect(room.desk(.local).viewpoint.zoom == 6)
    room.run("follow off")
    #expect(room.desk(.local).session.panes.count == 1)
    room.effects = []
    _ = try Self.answer(&room, "quit", for: 3)
    #expect(
      room.effects.contains { if case .quit = $0.effect { $0.person == cleo } else { false } })
  }

  @Test(arguments: [false, true])
  func `Who acts meanwhile keeps what they have, and lost edits are told`(isReply: Bool) throws {
    var room = Room()
    let found = Room.Shared<RemoteAnswer?>(nil)
    if isReply {
      room.effects += room.host.change(of: .local) {
        $0.request(RecentFilesRequest(isShown: true))
      }
    }
    room.effects += room.host.run(
      RemoteLines(text: "open --force /m/b.doc\nnew-layer x", path: nil, person: 1),
      of: LineID(rawValue: 1)
    ) { found.set($0) }
    if isReply { room.settle() } else { try room.press("l") }
    let answer = try #require(found.value)
    #expect(answer.code == 1, "\(answer)")
    #expect(answer.remarks.joined().contains("neither saved nor exported"))
    #expect(room.host.workspace.documents.count == 1)
  }

  @Test func `The file of a person stays theirs when commands for them end`() throws {
    var room = Room()
    let (count, person) = room.host.arrange { workspace in
      workspace.change { $0.file.path = "/m/x" }
      let person = try? workspace.act(for: .local, on: nil)
      return (person.map { workspace.leave($0).count }, person)
    }
    #expect(count == 0 && person != nil)
    #expect(room.host.workspace.people == [.local])
  }

  @Test func `The lines of an older program are read, and those for a person`() throws {
    for lines in [
      RemoteLines(text: "where", path: nil), RemoteLines(text: "undo", path: "/m/x", person: 7),
    ] {
      #expect(try RemoteLines(lines.bytes) == lines)
    }
    #expect(throws: PackedBytesError.self) {
      try RemoteLines(RemoteLines(text: "a", path: nil, person: 7).bytes + [1])
    }
  }

  // MARK: Clients

  @Test func `What waits for a client is bounded, and a flood ends it`() {
    for count in [1, 16] {
      let box = ClientBox(waking: ScreenWaker())
      let change = [UInt8](repeating: 0, count: (64 << 20) / count)
      for _ in 0..<count { #expect(box.post(.change(change, EchoHint()))) }
      #expect(!box.post(.change([0], EchoHint())))
      #expect(!box.post(.notice(.beep)))
      let mail = box.take()
      #expect(mail.count == 1)
      guard case .broken(let text)? = mail.first else {
        Issue.record("\(mail.count)")
        continue
      }
      #expect(text.contains("more than"))
    }
    let box = ClientBox(waking: ScreenWaker())
    for _ in 0..<ClientBox.mailMax { #expect(box.post(.notice(.beep))) }
    #expect(!box.post(.notice(.beep)))
  }
}
