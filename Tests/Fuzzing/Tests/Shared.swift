import Foundation

/// Files that lie beside the repository, for tests that are skipped without them.
enum Shared {
  /// The folder of `Package.swift`.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder: `PORTOLAN_SHARED`, or `shared` beside the package.
  static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["PORTOLAN_SHARED"] {
      return URL(fileURLWithPath: named)
    }
    return package.deletingLastPathComponent().appendingPathComponent("shared")
  }()

  static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: url(path).path)
  }

  static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: url(path))) }

  /// The rows of a table of tab-separated cells, by column name; none where it is absent.
  static func manifest(_ path: String) -> [[String: String]] {
    guard let bytes = try? bytes(path) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let header = lines.first else { return [] }
    let names = header.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return lines.dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first })
    }
  }
}
