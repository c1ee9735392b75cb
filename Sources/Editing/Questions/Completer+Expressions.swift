import PortolanDocuments

/// Completions within an expression at the prompt.
extension Completer {
  /// The values of commands that are expressions, or lists of them.
  static let expressionValues: Set<String> = ["expression", "list", "fields", "sort"]

  /// The words that complete an expression typed so far, and the character at which they begin.
  func expressionWords(_ head: String) -> (start: Int, words: [String]) {
    let holding = desk.document.layers.compactMap { $0 as? any FeatureHolding }
    let selected = Set(desk.selection.features.map(\.layer))
    let meant = holding.filter {
      selected.isEmpty ? $0.id == desk.activeLayer : selected.contains($0.id)
    }
    return ExpressionCompleter(meant: meant, all: holding).words(head)
  }

  /// The words that complete an expression that is a word of a line, and the character of the word
  /// at which they begin; what cannot stand within the word's quotes is left out.
  func expressionWords(inWord typed: String) -> (start: Int, words: [String]) {
    guard let quote = typed.first, quote == "'" || quote == "\"" else {
      let (start, words) = expressionWords(typed)
      return (start, words.filter { CommandWord.quoted($0) == $0 })
    }
    let (start, words) = expressionWords(String(typed.dropFirst()))
    return (start + 1, words.filter { !$0.contains(quote) && !$0.contains("\\") })
  }
}
