package import Foundation

/// Files that lie beside the repository, for tests that are skipped without them.
package enum Shared {
  /// The folder of `Package.swift`.
  package static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder: `PORTOLAN_SHARED`, or `shared` beside the package.
  package static let folder: String =
    ProcessInfo.processInfo.environment["PORTOLAN_SHARED"]
    ?? package.deletingLastPathComponent().path + "/shared"

  package static func path(_ name: String) -> String { folder + "/" + name }

  package static func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  package static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// The rows of a table of tab-separated cells, by column name; none where it is absent.
  package static func manifest(_ name: String) -> [[String: String]] {
    guard let bytes = try? bytes(name) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first else { return [] }
    let names = header.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first })
    }
  }
}
