import Foundation
import Testing

/// What a reader keeps of each of millions of things must be as small as they are.
struct TinyThingsTests {
  @Test(arguments: TinyThings.all)
  func `millions of tiny things take no more than they justify`(_ things: TinyThings) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("tiny-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let bytes = things.bytes
    try Data(bytes).write(to: url)
    for reader in things.readers + ["inspection"] {
      let verdict = try #require(
        try Verdict.judge(url, reader: reader), "\(reader) ended the process")
      #expect(verdict.kibibytes <= Verdict.kibibytesMax(size: bytes.count), "\(reader)")
      if reader == "events" {
        #expect(verdict.microseconds <= Verdict.microsecondsMax(size: bytes.count))
      }
      if ProcessInfo.processInfo.environment["PORTOLAN_FIGURES"] != nil {
        print(
          "\(things.name), \(reader): \(bytes.count) bytes, \(verdict.kibibytes) KiB,",
          "\(verdict.microseconds / 1_000) ms, \(verdict.message)")
      }
    }
  }
}
