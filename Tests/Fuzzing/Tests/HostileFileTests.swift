import Foundation
import Testing

/// Files made to break readers, each read on a stack of 256 KiB in a process that may die of it.
@Suite(.enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct HostileFileTests {
  @Test func `there are files of every layer`() {
    #expect(HostileFile.all.count > 250)
    #expect(Set(HostileFile.all.map(\.layer)).count == 6)
  }

  @Test(arguments: HostileFile.all)
  func `a hostile file is accepted or refused as the manifest says`(_ file: HostileFile) throws {
    let verdict = try #require(
      Verdict.all[file.path] ?? nil, "\(file.path) ended the process: \(file.attack)")
    switch file.expectation {
    case "reject": #expect(!verdict.isAccepted || Self.lenient[file.path] != nil)
    case "accept", "accept-sanitised": #expect(verdict.isAccepted, "\(verdict.message)")
    default: break
    }
    #expect(verdict.gadgets == 0, "an object of a class that was not allowed")
    #expect(verdict.isAccepted != !verdict.message.isEmpty)
    #expect(verdict.message.utf8.count < 1_000)
  }

  /// Files that the manifest wants refused and that are read, with the reason.
  static let lenient: [String: String] = [:]

  @Test(arguments: HostileFile.all)
  func `a hostile file costs no more than its size justifies`(_ file: HostileFile) throws {
    let size = try Shared.bytes("hostile/" + file.path).count
    guard let verdict = Verdict.all[file.path] ?? nil else { return }
    #if DEBUG
      let slowness = 25
    #else
      let slowness = 1
    #endif
    let base = size < 4096 ? 10_000 : 200_000
    let time = (base + 50_000 * size / (1 << 20)) * slowness
    #expect(verdict.microseconds <= time)
    #expect(verdict.kibibytes <= 32 << 10 + 12 * size >> 10)
  }
}
