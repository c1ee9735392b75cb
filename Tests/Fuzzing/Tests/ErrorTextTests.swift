import Foundation
import PortolanTestSupport
import Testing

/// What people are told about a file that is refused: one line with the place in the file.
@Suite(.enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct ErrorTextTests {
  static let golden = Shared.package.appendingPathComponent("Tests/Fuzzing/Goldens/errors.txt")

  /// `UPDATE_GOLDENS=1` writes the texts anew, and fails.
  @Test func `the texts of errors are those that were agreed on`() throws {
    var lines: [String] = []
    for file in HostileFile.all where ["bplist", "keyed"].contains(file.layer) {
      guard file.expectation == "reject", let verdict = Verdict.all[file.path] ?? nil else {
        continue
      }
      lines.append("\(file.path): \(verdict.message)")
    }
    #expect(lines.count > 60)
    let text = lines.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] != nil {
      try Data(text.utf8).write(to: Self.golden)
      Issue.record("the golden was written anew")
    }
    let expected = String(decoding: try Data(contentsOf: Self.golden), as: UTF8.self)
    for (found, wanted) in zip(lines, expected.split(separator: "\n")) {
      #expect(found == wanted)
    }
    #expect(text.utf8.count == expected.utf8.count)
    // One thing is no several: `1 byte`.
    #expect(lines.filter { $0.contains(/\b1 [a-z]+s\b/) } == [])
  }
}
