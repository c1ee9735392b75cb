package import ArgumentParser
import PortolanDocuments
import PortolanExpressions
import PortolanFiles
import PortolanTexts

/// Completes expressions in a shell by the attributes of the files on the command line.
///
/// The scripts that `--generate-completion-script` makes call the program for them. It has to
/// answer while a key is pressed: of large texts only the head is read, and nothing after a while.
package enum ShellCompletion {
  /// The world with the files; without one nothing is completed.
  package static let world = TaskLocal<World?>(wrappedValue: nil)

  /// The time for reading, in nanoseconds.
  private static let timeMax: Int64 = 700_000_000
  private static let filesMax = 8
  /// After a complete word so many words are offered that can come next.
  private static let followersMax = 12

  /// The words that complete an expression.
  ///
  /// - Parameters:
  ///   - words: the words of the command line, with their quotes.
  ///   - index: the place of the word that is completed.
  ///   - prefix: that word up to the cursor.
  static func words(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
    guard let world = Self.world.get() else { return [] }
    let head = unquoted(prefix)
    var paths: [String] = []
    for (place, word) in words.enumerated().dropFirst() where place != index {
      let isOutput = ["-o", "--output"].contains(words[place - 1])
      let path = unquoted(word)
      if !isOutput, !path.isEmpty, !path.hasPrefix("-") { paths.append(path) }
    }
    let layers = FileHeads(world, deadline: world.files.time + timeMax)
      .layers(of: paths.prefix(filesMax), for: head)
    return wholeWords(head, ExpressionCompleter(meant: layers, all: layers))
      .filter { isPrintable($0) }.map(written)
  }

  /// The whole words; a shell closes the quotes behind an only one, so that those follow that can
  /// come next.
  private static func wholeWords(_ head: String, _ completer: ExpressionCompleter) -> [String] {
    let (start, words) = completer.words(head)
    let before = head.prefix(start)
    guard words.count == 1, let word = words.first else { return words.map { before + $0 } }
    let whole = before + word + (word.hasSuffix("(") ? "" : " ")
    let next = completer.words(String(whole)).words.filter { $0 != word }.prefix(followersMax)
    return [String(before) + word] + next.map { whole + $0 }
  }

  /// A word of a shell without its quotes, of which the last may be open.
  private static func unquoted(_ word: String) -> String {
    for end in ["", "'", "\""] {
      guard let words = try? CommandWord.split(word + end) else { continue }
      // A shell that takes quotes off itself hands over a word with blanks.
      return words.count == 1 ? words[0].path : word
    }
    return word
  }

  private static func isPrintable(_ word: String) -> Bool {
    !word.unicodeScalars.contains { $0.properties.generalCategory == .control }
      && DisplayWidth.sanitised(word) == word
  }

  /// A word as the script of the shell takes it: zsh takes a colon for the beginning of a
  /// description.
  private static func written(_ word: String) -> String {
    guard CompletionShell.requesting == .zsh else { return word }
    return word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }
}

extension CompletionKind {
  /// An expression, or a list of them, of the attributes of the files on the command line.
  package static var expression: CompletionKind {
    .custom { ShellCompletion.words($0, $1, $2) }
  }
}
