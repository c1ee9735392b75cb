import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Whether a document counts as edited, through any course of edits, undos and saves.
@Suite struct EditedStateTests {
  typealias Seat = GuardingTests.Seat

  @Test(arguments: Seeds.some(12))
  func `A document is edited exactly when it differs from its file`(seed: UInt64) throws {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("new-layer first")
    try seat.run("save")
    var saved = seat.names
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let choice = Int.random(in: 0..<8, using: &random)
      switch choice {
      // Every edit is another one, so that the same names mean the same version.
      case 0, 1, 2: try seat.run("new-layer \(seed)-\(step)")
      case 3: try? seat.run("undo \(Int.random(in: 1...4, using: &random))")
      case 4: try? seat.run("redo \(Int.random(in: 1...4, using: &random))")
      case 5:
        try seat.run("save")
        saved = seat.names
      case 6:
        let failing = Seat(FailingFileSystem(files, plan: .every(call: "rename"), number: 28))
        try seat.desk.run(line: "save")
        for effect in seat.desk.takeEffects() {
          guard let (job, request) = effect.save else { continue }
          var failed = request
          failed.isForced = true
          let failure = #expect(throws: Failure.self) { _ = try failing.world.save(failed) }
          _ = seat.desk.handle(.failed(job, message: failure?.description ?? ""))
        }
      default:
        let count = seat.desk.history.count
        let wasEdited = seat.desk.isEdited
        try seat.run("revert")
        if !wasEdited { #expect(seat.desk.history.count == count) }
        #expect(seat.names == saved)
      }
      #expect(seat.desk.isEdited == (seat.names != saved), "step \(step), choice \(choice)")
    }
    var reader = Seat(files, guards: false)
    try reader.run("open /m/a.doc")
    #expect(reader.names == saved)
  }

  @Test func `A duplicate shares nothing with what it was made of`() throws {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var seat = Seat(files)
    try seat.run("open /m/a.doc")
    try seat.run("new-layer first")
    try seat.run("save")
    let bytes = try files.read("/m/a.doc", limit: 1 << 20)
    let versions = try #require(seat.world.store.versionStore).versions(of: "/m/a.doc")
    try seat.run("duplicate")
    #expect(seat.desk.isEdited && seat.desk.file.path == nil)
    try seat.run("new-layer second")
    try seat.run("undo 5")
    #expect(seat.desk.isEdited, "no version of it stands in a file")
    try seat.run("redo 5")
    try seat.run("save /m/b.doc")
    #expect(!seat.desk.isEdited)
    #expect(try files.read("/m/a.doc", limit: 1 << 20) == bytes)
    #expect(try #require(seat.world.store.versionStore).versions(of: "/m/a.doc") == versions)
    var other = Seat(files, process: 2)
    try other.run("open /m/a.doc")
    #expect(other.names == ["first"] && !other.desk.isReadOnly)
  }
}
