import Foundation

/// The Swift files of the package, read once for the checks on its structure.
struct SourceTree {
  /// One file below `Sources`.
  struct File {
    /// Such as `Editing/Commands/Files/Quit.swift`.
    let path: String
    let lines: [Substring]

    /// The target: the first folder.
    var target: String { String(path.prefix { $0 != "/" }) }

    /// What the file imports: folders of our modules, names of others.
    var imports: [String] { modules.map { String($0.trimmingPrefix("Portolan")) } }

    /// The modules that the file imports, in any access.
    var modules: [String] {
      lines.compactMap { (line) -> String? in
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 2,
          words[..<index].allSatisfy({ Self.importWords.contains($0) }), index + 1 < words.count
        else { return nil }
        let name = words.last ?? ""
        return String(name.prefix { $0 != "." })
      }
    }

    private static let importWords: Set<Substring> = [
      "package", "public", "internal", "private", "fileprivate", "@preconcurrency",
      "@_exported", "@testable",
    ]
  }

  /// The folder of `Package.swift`.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  let files: [File]

  init() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    let enumerator = FileManager.default.enumerator(atPath: sources.path)
    var files: [File] = []
    while let path = enumerator?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      files.append(
        File(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false)))
    }
    self.files = files.sorted { $0.path < $1.path }
  }
}
