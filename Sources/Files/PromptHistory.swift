/// The lines that people typed at prompts, in the state folder.
///
/// `history/lines` has one a line: the prompt's mark and the text, each as `WordText`, the oldest
/// first. Of two editors that note a line at the same moment, one may be forgotten.
package struct PromptHistory: Sendable {
  /// A line and the mark of its prompt, such as `:`.
  package struct Line: Hashable, Sendable {
    package var mark: String
    package var text: String

    package init(mark: String, text: String) {
      self.mark = mark
      self.text = text
    }
  }

  private let state: StateFolder
  private let fileSystem: any FileSystem

  /// The number of lines that are kept.
  package static let countMax = 1000
  /// A longer line is not kept.
  package static let lengthMax = 4096
  private static let sizeMax = 16 << 20
  private static let name = "lines"

  package init(in state: StateFolder, _ fileSystem: any FileSystem) {
    self.state = state
    self.fileSystem = fileSystem
  }

  /// The lines, the oldest first; none where the file cannot be read.
  package func lines() -> [Line] {
    let path = FilePath.join(state.path(of: .history), Self.name)
    guard let bytes = try? fileSystem.read(path, limit: Self.sizeMax) else { return [] }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ").map {
        String(validating: WordText.unescaped($0), as: UTF8.self)
      }
      guard words.count == 2, let mark = words[0], let text = words[1] else { return nil as Line? }
      return Line(mark: mark, text: text)
    }
    return lines.suffix(Self.countMax)
  }

  /// Adds a line as the newest one; the same line before it is dropped.
  ///
  /// A line that begins with a blank is not kept, as in shells.
  package func note(_ line: Line) throws(FileError) {
    guard line.text.first != " ", line.text.utf8.count <= Self.lengthMax else { return }
    let kept = (lines().filter { $0 != line } + [line]).suffix(Self.countMax)
    let text = kept.map {
      WordText.escaped($0.mark.utf8) + " " + WordText.escaped($0.text.utf8) + "\n"
    }
    var options = SaveOptions()
    options.newFileMode = 0o600
    _ = try fileSystem.save(
      Array(text.joined().utf8),
      to: FilePath.join(try state.make(.history, in: fileSystem), Self.name),
      expecting: .anything, options: options)
  }
}
