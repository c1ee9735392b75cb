import Foundation
import Glibc

/// The Swift files of the package, read once for the checks on its structure.
struct SourceTree {
  /// One file below `Sources`.
  struct File {
    /// Such as `Editing/Commands/Files/Quit.swift`.
    let path: String
    let text: String
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

    /// Whether a text stands anywhere in the file; far faster than a look at each line.
    func contains(_ text: String) -> Bool {
      strstr(self.text, text) != nil
    }

    /// The lines whose code, outside comments, contains a text, each with its number.
    func code(containing text: String) -> [(line: Int, code: Substring)] {
      if !contains(text) { return [] }
      return lines.enumerated().compactMap { (index, line) in
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        return code.contains(text) ? (index + 1, code) : nil
      }
    }

    /// The words of the code, each with the number of its line; those of comments are left out.
    var words: [(line: Int, text: String)] {
      var words: [(line: Int, text: String)] = []
      for (number, line) in lines.enumerated() {
        var word: [UInt8] = []
        var last: UInt8 = 0
        for byte in line.utf8 {
          if byte == UInt8(ascii: "/"), last == byte { break }
          last = byte
          if Self.isOfWord(byte) {
            word.append(byte)
          } else if !word.isEmpty {
            words.append((number + 1, String(decoding: word, as: UTF8.self)))
            word.removeAll(keepingCapacity: true)
          }
        }
        if !word.isEmpty { words.append((number + 1, String(decoding: word, as: UTF8.self))) }
      }
      return words
    }

    /// The names of the types that the file declares.
    var types: [String] {
      let words = words
      return zip(words, words.dropFirst()).compactMap { (word, name) in
        Self.typeWords.contains(word.text) && word.line == name.line
          && name.text.first?.isUppercase == true ? name.text : nil
      }
    }

    /// Whether a byte belongs to a word: a letter, a digit, an underscore, or any byte of a
    /// character beyond ASCII.
    private static func isOfWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
        true
      default: false
      }
    }

    private static let typeWords: Set<String> = [
      "struct", "class", "enum", "protocol", "actor", "typealias",
    ]

    private static let importWords: Set<Substring> = [
      "package", "public", "internal", "private", "fileprivate", "@preconcurrency",
      "@_exported", "@testable",
    ]
  }

  /// The folder of `Package.swift`.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The tree, read once for all tests.
  static let read = Result { try SourceTree() }

  let files: [File]

  private init() throws {
    let sources = Self.root.appendingPathComponent("Sources")
    let enumerator = FileManager.default.enumerator(atPath: sources.path)
    var files: [File] = []
    while let path = enumerator?.nextObject() as? String {
      guard path.hasSuffix(".swift") else { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      files.append(File(path: path, text: text, lines: lines))
    }
    self.files = files.sorted { $0.path < $1.path }
  }
}
