import Archiving
import ArchivingFoundation
import Foundation
import PropertyLists
import Testing

@Suite struct LocalizedErrorTests {
  @Test func `Foundation shows the text of an error`() throws {
    let errors: [(error: any Error, text: String)] = [
      (
        ArchiveError(.corrupt, path: "$top.root", offset: 7, "a bad reference"),
        "$top.root: a bad reference (byte 7)"
      ),
      (PropertyListError(.badReference, at: 3, "a bad marker"), "a bad marker (byte 3)"),
      (PortFailure(name: "NSRangeException", reason: "beyond the end"), "beyond the end"),
    ]
    for (error, text) in errors { #expect(error.localizedDescription == text) }
  }

  @Test func `an archive that cannot be read says why`() {
    do {
      _ = try KeyedUnarchiver([1, 2, 3])
      Issue.record("three bytes were read")
    } catch {
      #expect(error.localizedDescription == "\(error)")
    }
  }
}
