import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import Testing

@testable import PortolanEditing

/// Earlier versions and what interrupted saves left, through the world.
@Suite struct VersionsTests {
  typealias Seat = GuardingTests.Seat

  let files = MemoryFileSystem(files: ["/m/other": [1]])

  /// A seat whose document was saved with one layer, two, three.
  private func seat() throws -> Seat {
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    for name in ["one", "two", "three"] {
      try seat.run("new-layer \(name)")
      try seat.run("save")
    }
    return seat
  }

  private func bytes(_ path: String) throws -> [UInt8] { try files.read(path, limit: 1 << 20) }

  @Test func `Each save is a version; restoring one is an edit that can be undone`() throws {
    var seat = try seat()
    try seat.run("versions")
    let page = try #require(seat.desk.help)
    #expect(page.lines.count == 3)
    #expect(page.lines.first?.contains("   3  ") == true)
    try seat.run("escape")
    try seat.run("versions --restore 1")
    #expect(seat.names == ["one"])
    #expect(seat.desk.isEdited)
    try seat.run("undo")
    #expect(seat.names == ["one", "two", "three"])
    #expect(!seat.desk.isEdited)
    try seat.run("versions --restore 9")
    #expect(seat.message.contains("no version 9: there are 1, 2, 3"))
  }

  @Test func `A comparison tells what came since`() throws {
    var seat = try seat()
    try seat.run("hide two")
    try seat.run("versions --compare 2")
    #expect(
      seat.desk.help?.lines == [
        "layer “two”: hidden", "layer “three”: added, with 0 features",
      ])
    try seat.run("escape")
    try seat.run("undo")
    try seat.run("versions --compare 3")
    #expect(seat.desk.help?.lines == ["nothing differs"])
  }

  @Test func `The verb writes a version back byte by byte, and keeps what was there`() throws {
    let seat = try seat()
    seat.world.letGoOfAll()
    let third = try bytes("/m/a.doc")
    files.put(Array("not a document at all".utf8), at: "/m/a.doc")
    var told: [String] = []
    var verb = HeadlessRunner(world: Seat(files, guards: false).world) { told.append($0) }
    try verb.run(line: "versions /m/a.doc --restore 3")
    #expect(try bytes("/m/a.doc") == third)
    #expect(told == ["/m/a.doc: version 3 of a.doc is back"])
    let store = try #require(seat.world.store.versionStore)
    let versions = store.versions(of: "/m/a.doc")
    #expect(versions.map(\.reason) == [.saved, .saved, .saved, .before])
    #expect(try store.bytes(of: versions[3], of: "/m/a.doc") == Array("not a document at all".utf8))
    try verb.run(line: "versions /m/a.doc --restore 1 -o /m/one.doc")
    #expect(throws: Failure.self) {
      try verb.run(line: "versions /m/a.doc --restore 2 -o /m/one.doc")
    }
    #expect(try bytes("/m/one.doc") != third)
    #expect(throws: Failure.self) { try verb.run(line: "versions /m/none.doc --restore 1") }
  }

  @Test func `A document that is gone has its versions, one that never was is not found`() throws {
    let seat = try seat()
    seat.world.letGoOfAll()
    try files.remove("/m/a.doc", in: nil)
    let world = Seat(files, guards: false).world
    #expect(try VersionWords.lines(world.versions(of: "/m/a.doc"), of: "/m/a.doc").count == 3)
    let failure = #expect(throws: Failure.self) { try world.versions(of: "/m/none.doc") }
    #expect(failure?.code == .input)
    files.put([1], at: "/m/new.doc")
    #expect(
      try VersionWords.lines(world.versions(of: "/m/new.doc"), of: "/m/new.doc").first?
        .hasPrefix("no earlier versions") == true)
    // One that was begun here and is not saved yet is no mistake.
    var editor = Seat(files)
    try editor.run("open /m/fresh.doc")
    try editor.run("versions")
    #expect(editor.desk.help?.lines.first?.hasPrefix("no earlier versions") == true)
  }

  @Test func `The first save here keeps what the file held before`() throws {
    let seat = try seat()
    let first = try bytes("/m/a.doc")
    seat.world.letGoOfAll()
    let fresh = MemoryFileSystem(files: ["/m/a.doc": first])
    var other = Seat(fresh)
    try other.run("open /m/a.doc")
    try other.run("new-layer four")
    try other.run("save")
    let store = try #require(other.world.store.versionStore)
    #expect(store.versions(of: "/m/a.doc").map(\.reason) == [.before, .saved])
    #expect(try store.bytes(of: store.versions(of: "/m/a.doc")[0], of: "/m/a.doc") == first)
  }

  @Test func `What a killed save left becomes a version, half a document is thrown away`() throws {
    let seat = try seat()
    seat.world.letGoOfAll()
    var other = Seat(MemoryFileSystem(files: ["/m/x": []]))
    try other.run("new-layer lost")
    try other.run("save /m/lost.doc")
    let lost = try other.world.files.read("/m/lost.doc", limit: 1 << 20)
    files.put(lost, at: "/m/.a.doc.3k.tmp")
    files.put(Array(lost.dropLast(40)), at: "/m/.a.doc.4k.tmp")
    var next = Seat(files)
    try next.run("open /m/a.doc")
    #expect(next.message.contains("interrupted"))
    #expect(try files.names(in: "/m") == [".a.doc.lock", "a.doc", "other"])
    let store = try #require(next.world.store.versionStore)
    #expect(store.versions(of: "/m/a.doc").map(\.reason).last == .interrupted)
    try next.run("versions --restore 4")
    #expect(next.names == ["lost"])
  }

  @Test func `A verb that saves collects what killed saves left, too`() throws {
    let seat = try seat()
    seat.world.letGoOfAll()
    let third = try bytes("/m/a.doc")
    files.put(third, at: "/m/b.doc")
    files.put(third, at: "/m/.b.doc.3k.tmp")
    files.put(Array(third.dropLast(40)), at: "/m/.b.doc.4k.tmp")
    var told: [String] = []
    var verb = HeadlessRunner(world: Seat(files, guards: false).world) { told.append($0) }
    try verb.run(line: "open /m/a.doc")
    try verb.run(line: "save --force /m/b.doc")
    #expect(try files.names(in: "/m") == ["a.doc", "b.doc", "other"])
    #expect(told.count == 1 && told.first?.contains("a save had been interrupted") == true)
    files.put([1], at: "/m/.a.doc.5k.tmp")
    try verb.run(line: "versions /m/a.doc --restore 1")
    #expect(try files.names(in: "/m") == ["a.doc", "b.doc", "other"])
  }

  @Test func `An import keeps no version of what it writes, --no-versions none at all`() throws {
    files.put(Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8), at: "/m/p.geojson")
    let world = Seat(files, guards: false).world
    var verb = HeadlessRunner(world: world, verbosity: .quiet) { _ in }
    let store = try #require(world.store.versionStore)
    try verb.run(try #require(try Commands.parse("import /m/p.geojson -o /m/i.doc")))
    #expect(store.versions(of: "/m/i.doc").isEmpty)
    var seat = try seat()
    seat.world.letGoOfAll()
    let third = try bytes("/m/a.doc")
    files.put(Array(third), at: "/m/k.doc")
    for (line, count) in [
      ("import /m/p.geojson --force --no-versions -o /m/k.doc", 0),
      ("import /m/p.geojson --force -o /m/k.doc", 1),
    ] {
      var verb = HeadlessRunner(world: world, verbosity: .quiet) { _ in }
      try verb.run(try #require(try Commands.parse(line)))
      #expect(store.versions(of: "/m/k.doc").count == count)
    }
    #expect(store.versions(of: "/m/k.doc").map(\.keeper) == [.script])
    seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("new-layer more")
    try seat.run("save --no-versions")
    #expect(store.versions(of: "/m/a.doc").count == 3)
    #expect(store.versions(of: "/m/a.doc").allSatisfy { $0.keeper == .person })
  }

  @Test func `What scripts write never takes the room of what a person edited`() throws {
    var options = World.Options()
    options.state = StateFolder(path: "/state/portolan")
    let seat = try seat()
    seat.world.letGoOfAll()
    let noise = (0..<1_500).map { "[\($0 % 180).\($0 &* 7_919),\($0 % 90)]" }
    let text = #"{"type":"MultiPoint","coordinates":["# + noise.joined(separator: ",") + "]}"
    files.put(Array(text.utf8), at: "/m/p.geojson")
    var verb = HeadlessRunner(world: World(files: files, options: options)) { _ in }
    try verb.run(try #require(try Commands.parse("import /m/p.geojson -o /m/s0.doc")))
    let limit = try bytes("/m/s0.doc").count * 3 / 2
    options.versionsBytesMax = limit
    var told: [String] = []
    for number in 1...4 {
      var verb = HeadlessRunner(world: World(files: files, options: options)) { told.append($0) }
      try verb.run(line: "open /m/p.geojson")
      try verb.run(line: "new-layer n\(number)")
      try verb.run(line: "save --force /m/s\(number).doc")
    }
    let store = try #require(seat.world.store.versionStore)
    #expect(store.versions(of: "/m/a.doc").count == 3)
    #expect(store.size <= limit)
    #expect(
      told.contains { $0.contains("went: 1 of s1.doc") || $0.contains("no room") },
      "\(store.size) \(told)")
  }

  @Test(arguments: ["write", "open"])
  func `That a save failed comes before that no version was kept`(call: String) throws {
    var seat = try seat()
    let failing = FailingFileSystem(files, plan: .every(call: call), number: 28)
    seat.world.letGoOfAll()
    files.put([1, 2, 3], at: "/m/a.doc")
    var other = Seat(failing)
    other.desk = seat.desk
    try other.desk.run(line: "new-layer more")
    try other.run("save --force")
    #expect(other.desk.isEdited)
    let message = other.message
    #expect(message.hasPrefix("/m/a.doc: \(call): "), "\(message)")
    #expect(message.contains("besides, the earlier version was not kept") || call == "open")
    seat = other
  }

  @Test func `Without a state folder nothing is kept and nothing fails`() throws {
    let world = World(files: files)
    var runner = HeadlessRunner(world: world, report: { Issue.record("told: \($0)") })
    try runner.run(line: "new-layer x")
    try runner.run(line: "save /m/plain.doc")
    let failure = #expect(throws: Failure.self) { try runner.run(line: "versions /m/plain.doc") }
    #expect(failure?.what.contains("XDG_STATE_HOME") == true)
  }

  @Test func `A state folder that cannot be used is told and does not fail the save`() throws {
    files.put([1], at: "/state/portolan")
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("new-layer x")
    try seat.run("save")
    #expect(!seat.desk.isEdited)
    #expect(seat.message.contains("not kept"))
    #expect(try files.names(in: "/m").contains("a.doc"))
  }
}
