import Foundation
import Testing

@testable import PortolanEditing

@Suite struct CommandReferenceTests {
  @Test func `Docs commands page equals what the list of commands prints`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let page = root.appendingPathComponent("Docs/commands.md")
    let printed = CommandReference.markdown
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try printed.write(to: page, atomically: true, encoding: .utf8)
      Issue.record("Docs/commands.md was written anew")
      return
    }
    let stored = try String(contentsOf: page, encoding: .utf8)
    #expect(stored == printed, "UPDATE_GOLDENS=1 swift test writes it anew")
  }
}
