import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// Another program's write that leaves inode, size and time of change as they were, as one that sets
/// the time back does, or two writes in a second where the file system counts seconds.
@Suite struct SameStampTests {
  /// Overwrites a file in place by as many bytes, and sets its time of change back.
  private func overwrite(_ path: String, _ text: String) throws {
    var status = stat()
    #expect(stat(path, &status) == 0)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
    let times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test(arguments: [false, true])
  func `What another program wrote is kept, also where the file is overwritten in place`(
    isLinked: Bool
  ) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "the old one")
    if isLinked { #expect(link(path, scratch.path + "/b.doc") == 0) }
    let loaded = try scratch.fileSystem.load(path, limit: 100)
    try overwrite(path, "the new one")
    #expect(try scratch.fileSystem.load(path, limit: 100).identity == loaded.identity)
    let outcome = try scratch.fileSystem.save(
      Array("ours".utf8), to: path,
      expecting: .version(loaded.identity, ContentMark(loaded.bytes)))
    #expect(outcome.theirs == path + ".theirs")
    #expect(try scratch.text("a.doc.theirs") == "the new one")
    #expect(try scratch.text("a.doc") == "ours")
    if isLinked { #expect(try scratch.text("b.doc") == "ours") }
    // The version that was read is nobody else's.
    let saved = try scratch.fileSystem.save(
      Array("again".utf8), to: path,
      expecting: .version(outcome.identity, ContentMark(Array("ours".utf8))))
    #expect(saved.theirs == nil)
  }

  @Test(arguments: Seeds.some(40))
  func `A file holds a content if it has the same bytes`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scratch = try Scratch()
    let count = [0, 1, 31, 32, 33, 262_143, 262_144, 262_145, 600_001].randomElement(using: &random)
    var bytes = (0..<(count ?? 0)).map { _ in UInt8.random(in: 0...255, using: &random) }
    let path = try scratch.file("a")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try scratch.fileSystem.holds(ContentMark(bytes), at: path))
    bytes.append(0)
    #expect(try !scratch.fileSystem.holds(ContentMark(bytes), at: path))
    bytes.removeLast()
    if let place = bytes.indices.randomElement(using: &random) {
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      #expect(try !scratch.fileSystem.holds(ContentMark(bytes), at: path))
    }
  }
}
