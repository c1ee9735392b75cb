import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Undo and redo of one's own steps beside those of others.
@Suite struct OwnUndoTests {
  @Test func `Undo takes back one's own last step, and leaves those of others`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("new-layer mine")
    room.run("new-layer theirs", bob)
    room.run("undo")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "theirs"])
    #expect(room.message(.local).hasPrefix("undone: "))
    room.run("undo")
    #expect(room.message(.local).contains("nothing of yours to undo"))
    #expect(room.message(.local).contains("is bob's"))
    room.run("redo")
    #expect(Self.layers(room).contains("mine"))
    room.run("redo")
    #expect(room.message(.local).contains("nothing"))
    room.run("undo", bob)
    #expect(!Self.layers(room).contains("theirs"))
    #expect(Self.layers(room).contains("mine"))
    // The steps of people who have left are those of all.
    room.run("new-layer last", bob)
    room.host.leave(bob)
    room.run("undo")
    #expect(!Self.layers(room).contains("last"))
    room.run("undo")
    room.run("undo")
    #expect(Self.layers(room) == ["fields", "roads", "towns"])
  }

  @Test func `Whoever takes back the only edit has nothing to save; numbers do not fall`() throws {
    var room = Room()
    _ = try room.join("bob")
    let next = room.desk(.local).document.nextID
    room.run("new-layer a")
    #expect(room.desk(.local).isEdited)
    room.run("undo")
    #expect(!room.desk(.local).isEdited)
    #expect(room.desk(.local).document.nextID == next + 1)
    room.run("redo")
    #expect(room.desk(.local).isEdited)
    #expect(Self.layers(room).last == "a")
  }

  @Test func `What another person has changed since is not taken back, and they are named`() throws
  {
    var room = Room()
    let bob = try room.join("bob")
    for line in ["layer towns", "select where name = 'Beta'", "set pop=1"] { room.run(line) }
    for line in ["layer towns", "select where name = 'Beta'", "set pop=2"] { room.run(line, bob) }
    let before = room.desk(.local).history.present.serial
    room.run("undo")
    #expect(room.message(.local).contains("bob has changed towns, feature 2 “Beta”"))
    #expect(room.desk(.local).history.present.serial == before)
    room.run("undo", bob)
    room.run("undo")
    #expect(Self.snapshot(room.desk(.local).document) == Self.snapshot(.towns))
    // Another attribute of the same feature is another matter.
    room.run("set pop=1")
    room.run("set capital=true", bob)
    room.run("undo")
    #expect(room.message(.local).hasPrefix("undone: "), "\(room.message(.local))")
    let document = room.desk(bob).document
    let beta = room.desk(bob).selection.features.first.flatMap { document.feature($0) }
    let values = (beta?.attributes ?? []).map { "\($0.name)=\($0.value.text)" }
    #expect(values == ["name=Beta", "pop=250.0", "capital=true"])
  }

  @Test func `Alone, undo goes back in the history as ever`() throws {
    var room = Room()
    room.run("new-layer a")
    room.run("new-layer b")
    room.run("undo 2")
    #expect(room.desk(.local).history.past.isEmpty)
    #expect(room.desk(.local).history.future.count == 2)
    room.run("redo")
    #expect(room.desk(.local).history.future.count == 1)
    // Whoever watches does not count.
    _ = try room.join("eve", isWatching: true)
    room.run("undo")
    #expect(room.desk(.local).history.past.isEmpty)
  }

  @Test func `A drawn line goes back vertex by vertex beside the edits of another`() throws {
    var room = Room()
    let bob = try room.join("bob")
    for line in ["layer roads", "draw line", "put", "cursor right 3", "put"] { room.run(line) }
    room.run("new-layer x", bob)
    #expect(room.desk(.local).draft?.vertexCount == 2)
    room.run("undo")
    #expect(room.desk(.local).draft?.vertexCount == 1)
    room.run("redo")
    #expect(room.desk(.local).draft?.vertexCount == 2)
    room.run("finish")
    #expect(room.desk(.local).document.layers[1].count == 2)
    room.run("hide x", bob)
    room.run("undo")
    #expect(room.desk(.local).document.layers[1].count == 1)
    #expect(room.desk(.local).draft?.vertexCount == 2)
    #expect(room.desk(.local).document.layers.last?.isVisible == false)
  }

  @Test func `The history names who made a step`() throws {
    var room = Room()
    let bob = try room.join("bob")
    room.run("new-layer a")
    room.run("new-layer b", bob)
    room.run("history")
    #expect(room.message(.local).contains("(bob)"))
  }

  @Test func `Each of several steps taken back at once has its author`() throws {
    var room = Room()
    let bob = try room.join("bob")
    for name in ["a", "b", "c"] { room.run("new-layer \(name)") }
    room.run("undo 3")
    let desk = room.desk(bob)
    #expect(desk.history.past.count == 6)
    for place in 1...6 { #expect(desk.author(of: desk.history[place]) == "ann", "\(place)") }
    room.run("undo", bob)
    #expect(room.message(bob).contains("nothing of yours to undo"))
  }

  @Test func `Alone again, going back past what was undone in company loses no step`() throws {
    var room = Room()
    let bob = try room.join("bob")
    for name in ["a", "b"] { room.run("new-layer \(name)") }
    room.run("undo")
    room.host.leave(bob)
    room.run("new-layer c")
    room.run("undo 2")
    #expect(Self.layers(room) == ["fields", "roads", "towns"])
    room.run("redo 4")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "a", "c"])
  }

  @Test func `A document that equals its file again has nothing to save, in whatever order`() throws
  {
    var room = Room()
    let bob = try room.join("bob")
    room.run("new-layer a")
    room.run("new-layer b", bob)
    room.run("undo")
    #expect(room.desk(.local).isEdited)
    room.run("undo", bob)
    #expect(!room.desk(.local).isEdited)
    #expect(Self.layers(room) == ["fields", "roads", "towns"])
    room.run("redo")
    #expect(room.desk(.local).isEdited)
    room.run("redo", bob)
    room.run("undo")
    #expect(Self.layers(room).last == "b")
  }

  @Test func `Alone again, a step taken back behind those of others is done again`() throws {
    var room = Room()
    let bob = try room.join("bob")
    for name in ["a", "b"] { room.run("new-layer \(name)") }
    room.run("new-layer c", bob)
    room.run("undo")
    room.host.leave(bob)
    room.run("new-layer d")
    // Of d, then of bob's c, which is everybody's now.
    room.run("undo 2")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "a"])
    room.run("redo 2")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "a", "c", "d"])
    room.run("undo 3")
    #expect(!room.desk(.local).isEdited)
    room.run("redo 3")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "a", "c", "d"])
  }

  @Test func `What was undone alone is done again beside the edits of who comes later`() throws {
    var room = Room()
    for name in ["a", "b", "c"] { room.run("new-layer \(name)") }
    room.run("undo 2")
    let bob = try room.join("bob")
    room.run("new-layer x", bob)
    room.run("undo", bob)
    room.run("undo")
    #expect(Self.layers(room) == ["fields", "roads", "towns"])
    #expect(!room.desk(.local).isEdited)
    room.run("redo 3")
    #expect(Self.layers(room) == ["fields", "roads", "towns", "a", "b", "c"])
    room.run("redo", bob)
    #expect(Set(Self.layers(room)) == ["fields", "roads", "towns", "a", "b", "c", "x"])
  }

  @Test func `An edit of another person that changes nothing leaves what was undone alone`() throws
  {
    var room = Room()
    room.run("new-layer a")
    room.run("undo")
    let bob = try room.join("bob")
    for line in ["layer towns", "select where name = 'Beta'", "set name=Beta"] {
      room.run(line, bob)
    }
    room.run("redo")
    #expect(room.message(.local).hasPrefix("done again"), "\(room.message(.local))")
    #expect(Self.layers(room).contains("a"))
  }

  // MARK: Laws

  /// What a document says, whatever the numbers of its parts and their order.
  static func snapshot(_ document: Document) -> [String] {
    var lines: [String] = ["title \(document.metadata.title)"]
    for layer in document.layers {
      lines.append("layer \(layer.name) \(layer.isVisible) \(layer.isLocked)")
      for block in layer.heldFeatures {
        for row in 0..<block.rowCount {
          let feature = block.feature(row: row)
          let values = feature.attributes.map { "\($0.name)=\($0.value.text)" }.sorted()
          let places = feature.geometry.paths.flatMap { $0.vertices.map { "\($0.x) \($0.y)" } }
          lines.append("\(layer.name): \(values) at \(places)")
        }
      }
    }
    return lines.sorted()
  }

  private static func layers(_ room: Room) -> [String] {
    room.desk(.local).document.layers.map(\.name)
  }

  private static let letters = ["a", "b", "c"]

  /// A layer with features for each of three people.
  private static let shared: Document = {
    var document = Document()
    var layer = LayerKinds.features(LayerID(document.makeID()), name: "main")
    for number in 0..<12 {
      _ = layer.add(
        geometry: .point(Coordinate(x: Double(number), y: 1)),
        attributes: [
          ("key", .string("\(letters[number % 3])\(number / 3)")), ("note", .string("first")),
        ])
    }
    document.layers = [layer]
    return document
  }()

  /// A random edit of a person, of their own features and layers.
  private static func lines(_ letter: String, _ random: inout SeededGenerator) -> [String] {
    let number = Int.random(in: 0..<4, using: &random)
    let chosen = ["layer main", "select where key = '\(letter)\(number)'"]
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: return chosen + ["set note=\(Int.random(in: 0..<99, using: &random))"]
    case 2: return chosen + ["set \(letter)=\(Int.random(in: 0..<99, using: &random))"]
    case 3, 4: return chosen + ["move --by 0.5,0.25"]
    case 5: return chosen + ["delete"]
    case 6: return chosen + ["yank", "layer main", "paste --in-place"]
    case 7: return ["new-layer \(letter)\(Int.random(in: 0..<99, using: &random))"]
    case 8: return ["hide own-\(letter)"]
    case 9: return ["show own-\(letter)"]
    case 10: return ["new-layer own-\(letter)"]
    case 11, 12: return ["undo"]
    default: return ["redo"]
    }
  }

  private static func room() throws -> (Room, [SessionID]) {
    var room = Room(shared)
    let people = [.local, try room.join("bob"), try room.join("cleo")]
    return (room, people)
  }

  @Test(arguments: Seeds.some(6))
  func `Undoing all one's own edits leaves the document without them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (room, people) = try Self.room()
    var (others, theirs) = try Self.room()
    let leaver = Int.random(in: 0..<3, using: &random)
    var did: [String] = []
    for _ in 0..<25 {
      let person = Int.random(in: 0..<3, using: &random)
      for line in Self.lines(Self.letters[person], &random) {
        room.run(line, people[person])
        did.append("\(Self.letters[person]): \(line)")
        #expect(
          !room.message(people[person]).contains("cannot be"),
          "\(room.message(people[person])) after \(did)")
        if person != leaver { others.run(line, theirs[person]) }
      }
    }
    for _ in 0..<100 {
      room.run("undo", people[leaver])
      if room.message(people[leaver]).contains("nothing") { break }
      #expect(room.message(people[leaver]).hasPrefix("undone"), "\(did)")
    }
    let (own, other) = (
      Self.snapshot(room.desk(.local).document), Self.snapshot(others.desk(.local).document)
    )
    #expect(own == other, "\(Self.letters[leaver]) undoes all of \(did)")
  }

  @Test(arguments: Seeds.some(6))
  func `Redo brings back what undo took, whoever edited the same`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (room, people) = try Self.room()
    for _ in 0..<30 {
      let person = people[Int.random(in: 0..<3, using: &random)]
      // Everybody edits everything.
      let letter = Self.letters[Int.random(in: 0..<3, using: &random)]
      for line in Self.lines(letter, &random) { room.run(line, person) }
      let document = room.desk(.local).document
      let before = try DocumentArchive.bytes(of: document)
      room.run("undo", person)
      guard room.message(person).hasPrefix("undone") else {
        #expect(try DocumentArchive.bytes(of: room.desk(.local).document) == before)
        continue
      }
      room.run("redo", person)
      #expect(room.message(person).hasPrefix("done again"), "\(room.message(person))")
      #expect(Self.snapshot(room.desk(.local).document) == Self.snapshot(document))
      _ = try DocumentArchive.open(DocumentArchive.bytes(of: room.desk(.local).document))
      for person in people {
        for feature in room.desk(person).selection.features {
          #expect(room.desk(person).document.contains(feature))
        }
      }
    }
  }
}

extension OwnUndoTests {
  /// People come and go, undo and redo, save and edit: what counts as unedited says what the file
  /// says, and redo brings every step back that undo took.
  @Test(arguments: Seeds.some(6))
  func `Undo and redo of people who come and go`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var room = Room()
    var people: [SessionID] = [.local]
    var did: [String] = []
    func document() -> [String] { Self.snapshot(room.desk(.local).document) }
    func check() {
      guard !room.desk(.local).isEdited, let saved = room.desk(.local).history.savedValue else {
        return
      }
      #expect(Self.snapshot(saved) == document(), "\(did)")
    }
    for round in 0..<30 {
      let person = people.randomElement(using: &random) ?? .local
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where people.count < 3:
        people.append(try room.join("g\(round)"))
        did.append("join")
      case 1 where people.count > 1:
        room.host.leave(people.removeLast())
        did.append("leave")
      case 2...4:
        // Undo of some steps, and redo of as many.
        let before = document()
        let count = Int.random(in: 1...3, using: &random)
        var undone = 0
        for _ in 0..<count {
          room.run("undo", person)
          if room.message(person).hasPrefix("undone") { undone += 1 }
        }
        check()
        for _ in 0..<undone {
          room.run("redo", person)
          #expect(room.message(person).hasPrefix("done again"), "\(room.message(person)) \(did)")
        }
        #expect(document() == before, "\(undone) steps of \(person) after \(did)")
      case 5:
        room.run("undo", person)
        did.append("undo \(person.rawValue)")
      case 6:
        room.run("redo", person)
        did.append("redo \(person.rawValue)")
      case 7:
        room.host.arrange { workspace in
          workspace.change(of: .local) { $0.history.markSaved($0.history.present.revision) }
        }
        did.append("save")
      default:
        room.run("new-layer n\(round)", person)
        did.append("n\(round) of \(person.rawValue)")
      }
      check()
    }
    // All take back all that they can: the document of the beginning.
    for person in people {
      for _ in 0..<100 {
        room.run("undo", person)
        if !room.message(person).hasPrefix("undone") { break }
      }
    }
    #expect(document() == Self.snapshot(.towns), "\(did)")
  }
}

extension Layer {
  fileprivate var heldFeatures: [FeatureBlock] { (self as? any FeatureHolding)?.blocks ?? [] }
}
