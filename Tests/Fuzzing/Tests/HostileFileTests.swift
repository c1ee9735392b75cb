import Foundation
import PortolanTestSupport
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
    #expect(verdict.microseconds <= Verdict.microsecondsMax(size: size))
    #expect(verdict.kibibytes <= Verdict.kibibytesMax(size: size))
  }

  @Test(arguments: HostileFile.all)
  func `the values of a hostile file cost no more than its size justifies`(
    _ file: HostileFile
  ) throws {
    let size = try Shared.bytes("hostile/" + file.path).count
    let verdict = try #require(
      Verdict.values[file.path] ?? nil, "\(file.path) ended the process: \(file.attack)")
    #expect(verdict.microseconds <= Verdict.microsecondsMax(size: size))
    #expect(verdict.kibibytes <= Verdict.kibibytesMax(size: size))
    #expect(verdict.gadgets == 0, "an object of a class that was not allowed")
    #expect(verdict.message.utf8.count < 1_000)
  }

  /// Texts that are shared are written at each place, up to 512 times the file.
  @Test(arguments: HostileFile.all)
  func `a hostile file as JSON costs no more than its size justifies`(_ file: HostileFile) throws {
    let size = try Shared.bytes("hostile/" + file.path).count
    let verdict = try #require(
      Verdict.resolved[file.path] ?? nil, "\(file.path) ended the process: \(file.attack)")
    #expect(verdict.microseconds <= Verdict.microsecondsMax(size: 4_096 + 512 * size))
    #expect(verdict.kibibytes <= Verdict.kibibytesMax(size: size))
    #expect(verdict.message.utf8.count < 1_000)
  }
}
