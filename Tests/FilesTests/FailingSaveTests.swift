import Foundation
import PortolanFiles
import Testing

/// What stood in a folder after a save of which one call failed.
private struct Case: CustomTestStringConvertible {
  var name: String
  var prepare: @Sendable (Scratch, String) throws -> Void
  /// Whether `.theirs` may be there: when the folder itself could not be asked.
  var testDescription: String { name }

  static let all: [Case] = [
    Case(name: "a new file") { _, _ in },
    Case(name: "an old file") { scratch, path in
      _ = try scratch.file("a.doc", "old")
      #expect(chmod(path, 0o640) == 0)
    },
    Case(name: "a file of two names") { scratch, path in
      _ = try scratch.file("a.doc", "old")
      #expect(link(path, scratch.path + "/b.doc") == 0)
    },
    Case(name: "a longer file of two names") { scratch, path in
      _ = try scratch.file("a.doc", "old and longer than the new one")
      #expect(link(path, scratch.path + "/b.doc") == 0)
    },
    Case(name: "a link") { scratch, path in
      _ = try scratch.file("real.doc", "old")
      #expect(symlink("real.doc", path) == 0)
    },
  ]
}

@Suite("Saves of which a call fails")
struct FailingSaveTests {
  static let numbers = [ENOSPC, EIO, EACCES, EDQUOT, EROFS, EMFILE, EINVAL, ENOENT]

  @Test("leave the old or the new version whole, and nothing else", arguments: Case.all)
  fileprivate func once(_ example: Case) throws {
    for number in Self.numbers {
      for call in 1...100 {
        let fault = FailingFileSystem.Plan.once(number: call)
        let count = try check(example, fault, number, expectsNoLitter: true)
        if count == 0 { break }
        #expect(call < 100, "the save never came through")
      }
    }
  }

  @Test("leave a whole version even when all later calls fail too", arguments: Case.all)
  fileprivate func forEver(_ example: Case) throws {
    for call in 1...100 {
      let fault = FailingFileSystem.Plan.from(number: call)
      if try check(example, fault, EIO, expectsNoLitter: false) == 0 { break }
      #expect(call < 100, "the save never came through")
    }
  }

  @Test("never call a save durable whose data did not reach the disk")
  func dataNotSynchronized() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    let failing = FailingFileSystem(scratch.fileSystem, plan: .every(call: "fsync"), number: EIO)
    #expect(throws: FileError.self) {
      _ = try failing.save(Array("new".utf8), to: path, expecting: .anything)
    }
    #expect(try scratch.text("a.doc") == "old")
    #expect(try scratch.names == ["a.doc"])
    #expect(failing.calls.filter { $0 == "fsync" }.count == 1)
  }

  @Test("go the plain way where names cannot be exchanged")
  func withoutExchange() throws {
    for foreign in [false, true] {
      let scratch = try Scratch()
      let path = try scratch.file("a.doc", "old")
      let loaded = try scratch.fileSystem.load(path, limit: 100)
      if foreign { _ = try scratch.file("a.doc", "foreign") }
      let plain = NoExchange(base: scratch.fileSystem)
      let outcome = try plain.save(
        Array("new".utf8), to: path, expecting: .version(loaded.identity))
      #expect(try scratch.text("a.doc") == "new")
      #expect((outcome.theirs != nil) == foreign)
      #expect(try scratch.names == (foreign ? ["a.doc", "a.doc.theirs"] : ["a.doc"]))
      if foreign { #expect(try scratch.text("a.doc.theirs") == "foreign") }
    }
  }

  /// One save with a fault; returns how many calls failed.
  private func check(
    _ example: Case, _ plan: FailingFileSystem.Plan, _ number: Int32, expectsNoLitter: Bool
  ) throws -> Int {
    let scratch = try Scratch()
    let path = scratch.path + "/a.doc"
    try example.prepare(scratch, path)
    let before = try scratch.names
    let old = try? scratch.text("a.doc")
    let expectation: SaveExpectation =
      (try? scratch.fileSystem.load(path, limit: 100)).map { .version($0.identity) } ?? .absent
    let failing = FailingFileSystem(scratch.fileSystem, plan: plan, number: number)
    var saved: SaveOutcome?
    var failure: FileError?
    do {
      saved = try failing.save(Array("new text".utf8), to: path, expecting: expectation)
    } catch {
      failure = error
    }
    let comment = Comment(rawValue: "\(example.name), \(plan), errno \(number), \(failing.calls)")
    let now = try? scratch.text("a.doc")
    let isTorn = now != old && now != "new text"
    if isTorn {
      // In place, the new version must stand by whole.
      let interrupted = InterruptedSave.find(for: path, in: scratch.fileSystem)
      #expect(!expectsNoLitter && interrupted != nil, comment)
      try interrupted?.finish(in: scratch.fileSystem)
      #expect(try scratch.text("a.doc") == "new text", comment)
    }
    if saved != nil {
      #expect(now == "new text", comment)
    } else {
      #expect(failure?.path.isEmpty == false, comment)
      if expectsNoLitter { #expect(now == old, comment) }
    }
    if expectsNoLitter {
      let made = old == nil && saved != nil ? ["a.doc"] : []
      #expect(try scratch.names == (before + made).sorted(), comment)
    }
    return failing.failureCount
  }
}
