import Documents
import Files
import Testing

@testable import Editing

/// Whether a document counts as edited, through any course of edits, undos and saves.
@Suite struct EditedStateTests {
  typealias Desk = GuardingTests.Desk

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `A document is edited exactly when it differs from its file`(seed: UInt64) throws {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var desk = Desk(files)
    try desk.run("open /m/a.doc")
    try desk.run("new-layer first")
    try desk.run("save")
    var saved = desk.names
    var random = SeededGenerator(seed: seed)
    for step in 0..<60 {
      let choice = Int.random(in: 0..<8, using: &random)
      switch choice {
      // Every edit is another one, so that the same names mean the same version.
      case 0, 1, 2: try desk.run("new-layer \(seed)-\(step)")
      case 3: try? desk.run("undo \(Int.random(in: 1...4, using: &random))")
      case 4: try? desk.run("redo \(Int.random(in: 1...4, using: &random))")
      case 5:
        try desk.run("save")
        saved = desk.names
      case 6:
        let failing = Desk(FailingFileSystem(files, plan: .every(call: "rename"), number: 28))
        try desk.session.run(line: "save")
        for effect in desk.session.takeEffects() {
          guard case .save(let job, let request) = effect else { continue }
          let failure = #expect(throws: Failure.self) {
            _ = try failing.world.perform(
              .save(
                job,
                SaveRequest(
                  path: request.path, document: request.document, revision: request.revision,
                  overwrites: true, isForced: true)))
          }
          _ = desk.session.handle(.failed(job, message: failure?.description ?? ""))
        }
      default:
        let count = desk.session.history.count
        let wasEdited = desk.session.isEdited
        try desk.run("revert")
        if !wasEdited { #expect(desk.session.history.count == count) }
        #expect(desk.names == saved)
      }
      #expect(desk.session.isEdited == (desk.names != saved), "step \(step), choice \(choice)")
    }
    var reader = Desk(files, guards: false)
    try reader.run("open /m/a.doc")
    #expect(reader.names == saved)
  }

  @Test func `A duplicate shares nothing with what it was made of`() throws {
    let files = MemoryFileSystem(files: ["/m/other": [1]])
    var desk = Desk(files)
    try desk.run("open /m/a.doc")
    try desk.run("new-layer first")
    try desk.run("save")
    let bytes = try files.read("/m/a.doc", limit: 1 << 20)
    let versions = try #require(desk.world.versionStore).versions(of: "/m/a.doc")
    try desk.run("duplicate")
    #expect(desk.session.isEdited && desk.session.filePath == nil)
    try desk.run("new-layer second")
    try desk.run("undo 5")
    #expect(desk.session.isEdited, "no version of it stands in a file")
    try desk.run("redo 5")
    try desk.run("save /m/b.doc")
    #expect(!desk.session.isEdited)
    #expect(try files.read("/m/a.doc", limit: 1 << 20) == bytes)
    #expect(try #require(desk.world.versionStore).versions(of: "/m/a.doc") == versions)
    var other = Desk(files, process: 2)
    try other.run("open /m/a.doc")
    #expect(other.names == ["first"] && !other.session.isReadOnly)
  }
}
