import PortolanDocuments
import PortolanExpressions

/// Completes expressions: attributes, their values, functions, layers, keywords.
struct ExpressionCompleter {
  /// The layers whose attributes are meant.
  let meant: [any FeatureHolding]
  /// All layers, which features can be related to.
  let all: [any FeatureHolding]

  /// How many values of an attribute are offered, and the rows that are looked at for them.
  private static let valuesMax = 200
  private static let rowsMax = 200_000

  /// The words that complete an expression typed so far, and the character at which they begin.
  func words(_ head: String) -> (start: Int, words: [String]) {
    guard let head = ExpressionHead(head) else { return (head.count, []) }
    var seen = Set<String>()
    let words = candidates(head).filter { word in
      Self.begins(word, head.typed) && seen.insert(word).inserted
    }
    return (head.start, words)
  }

  /// A name in quotes can be typed without them.
  private static func begins(_ word: String, _ typed: String) -> Bool {
    word.hasPrefix(typed) || word.hasPrefix("\"") && word.dropFirst().hasPrefix(typed)
      || word.hasPrefix("'") && !typed.isEmpty && word.dropFirst().hasPrefix(typed)
  }

  private func candidates(_ head: ExpressionHead) -> [String] {
    switch head.wanted {
    case .sign: return ExpressionWords.signs
    case .null: return ["not", "null"]
    case .layer:
      return all.map(\.name).sorted().map { ExpressionWords.written(name: $0) + ")" }
    case .member(let layer):
      let names = all.filter { $0.name == layer || $0.title == layer }.flatMap(\.fieldNames)
      return names.sorted().map { ExpressionWords.written(name: $0) } + ExpressionWords.qualities
    case .name: return names
    case .value(let attribute):
      let values = attribute.map { self.values(of: $0) } ?? []
      if head.typed.hasPrefix("'") { return values }
      return values + names + ["not", "true", "false", "null"]
        + ExpressionWords.functions.map { $0 + "(" } + ExpressionWords.qualities
    }
  }

  private var names: [String] {
    meant.flatMap(\.fieldNames).sorted().map { ExpressionWords.written(name: $0) }
  }

  /// The texts of an attribute of the layers that are meant, in order.
  private func values(of attribute: String) -> [String] {
    var found = Set<String>()
    var looked = 0
    for block in meant.flatMap(\.blocks) where looked < Self.rowsMax {
      looked += block.rowCount
      guard let column = block.column(attribute) else { continue }
      for row in 0..<block.rowCount where found.count < Self.valuesMax {
        if case .string(let text) = column.value(row) { found.insert(text) }
      }
    }
    return found.sorted().map { ExpressionWords.written(text: $0) }
  }
}
