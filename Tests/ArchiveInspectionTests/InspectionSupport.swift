import Foundation
import Testing

@testable import ArchiveInspection

/// Archives that lie beside the repository, for tests that are skipped without them.
enum SharedArchives {
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["PORTOLAN_SHARED"] { return named }
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    return package.deletingLastPathComponent().appendingPathComponent("shared").path
  }()

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)))
  }

  /// The rows of a manifest, by column name; empty when there is none.
  static func manifest(_ path: String) -> [[String: String]] {
    guard let data = FileManager.default.contents(atPath: folder + "/" + path) else { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first else { return [] }
    let names = header.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(names, fields), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Genuine archives of some formats.
  static func genuine(_ formats: [String]) -> [String] {
    manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], let format = row["format"],
        formats.contains(where: { format.hasPrefix($0) }),
        !(row["note"] ?? "").contains("malformed"), !(row["note"] ?? "").contains("rejected"),
        FileManager.default.fileExists(atPath: folder + "/corpus/" + file)
      else { return nil }
      return "corpus/" + file
    }
  }

  static let hostile: [String] = manifest("hostile/MANIFEST.tsv").compactMap { row in
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
