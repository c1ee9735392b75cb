import Foundation
import PortolanTestSupport
import Testing

@testable import ArchiveInspection

/// Archives that lie beside the repository, for tests that are skipped without them.
enum SharedArchives {
  /// Genuine archives of some formats.
  static func genuine(_ formats: [String]) -> [String] {
    Shared.manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], let format = row["format"],
        formats.contains(where: { format.hasPrefix($0) }),
        !(row["note"] ?? "").contains("malformed"), !(row["note"] ?? "").contains("rejected"),
        Shared.exists("corpus/" + file)
      else { return nil }
      return "corpus/" + file
    }
  }

  static let hostile: [String] = Shared.manifest("hostile/MANIFEST.tsv").compactMap { row in
    row["file"].map { "hostile/" + $0 }
  }
}

/// What a writer sends, as one text.
final class CollectedOutput {
  private(set) var bytes: [UInt8] = []
  func add(_ piece: [UInt8]) { bytes += piece }
  var output: TextOutput { TextOutput(inputCount: .max) { self.bytes += $0 } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension InspectedArchive {
  /// The tree as one text.
  func tree(_ change: (inout TreeOptions) -> Void = { _ in }) throws -> String {
    var options = TreeOptions()
    change(&options)
    let collected = CollectedOutput()
    try Inspector(self).writeTree(options, to: collected.output)
    return collected.text
  }

  /// What is at a path, as one text.
  func tree(at path: String) throws -> String {
    let collected = CollectedOutput()
    try Inspector(self).writeTree(at: InspectionPath(path), TreeOptions(), to: collected.output)
    return collected.text
  }
}
