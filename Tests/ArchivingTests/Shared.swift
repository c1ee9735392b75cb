import Foundation
import Testing

/// Files that lie beside the repository, for tests that are skipped without them.
enum Shared {
  /// The folder: `PORTOLAN_SHARED`, or `shared` beside the package.
  static let folder: String = {
    if let named = ProcessInfo.processInfo.environment["PORTOLAN_SHARED"] { return named }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared").path
  }()

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + path)
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path)))
  }

  /// The rows of a manifest, by column name.
  static func manifest(_ path: String) throws -> [[String: String]] {
    let lines = String(decoding: try bytes(path), as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: true)
    guard let header = lines.first else { return [] }
    let names = header.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first })
    }
  }
}
