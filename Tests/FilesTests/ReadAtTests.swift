import Dispatch
import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanFiles

/// Reads at offsets, by several threads of one open file.
@Suite struct ReadAtTests {
  private func check(_ files: any FileSystem, _ path: String, _ bytes: [UInt8]) throws {
    let file = try files.open(path, in: nil, .read)
    defer { try? files.close(file) }
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      var random = SeededGenerator(seed: UInt64(number) + 1)
      for _ in 0..<200 {
        let offset = Int.random(in: 0..<bytes.count + 100, using: &random)
        var room = [UInt8](repeating: 0, count: Int.random(in: 1...9_000, using: &random))
        let count = room.withUnsafeMutableBytes { room in
          try? files.read(file, into: room, at: Int64(offset))
        }
        let expected = Array(bytes.dropFirst(offset).prefix(room.count))
        #expect(count == expected.count && Array(room.prefix(expected.count)) == expected)
      }
    }
  }

  @Test func `Threads that read one file do not disturb each other`() throws {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let memory = MemoryFileSystem(files: ["/a": bytes])
    try check(memory, "/a", bytes)
    try check(FailingFileSystem(memory), "/a", bytes)
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-read-\(UUID().uuidString)")
    try Data(bytes).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try check(RealFileSystem(), url.path, bytes)
  }
}
