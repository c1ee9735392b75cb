/// The words of the language.
package enum ExpressionWords {
  package static let keywords = [
    "and", "or", "not", "in", "between", "like", "ilike", "matches", "is", "null", "true", "false",
    "by",
  ]

  /// The names of all functions, sorted.
  package static let functions =
    Set(
      Function.allCases.map(\.rawValue) + Aggregate.Kind.allCases.map(\.rawValue)
        + Relation.Kind.allCases.map(\.rawValue)
    ).sorted()

  /// The words that go on behind a value.
  package static let signs = [
    "and", "or", "not", "in", "between", "like", "ilike", "matches", "is", "==", "!=", "<", "<=",
    ">", ">=",
  ]

  /// The name of an attribute or a layer as an expression writes it: bare where it can be.
  package static func written(name: String) -> String {
    let scalars = name.unicodeScalars
    let isBare =
      scalars.first.map { ExpressionLexer.isNameStart($0) } == true
      && scalars.allSatisfy { isOfName($0) } && !keywords.contains(name.lowercased())
      && scalars.last != ":" && !name.contains("::")
    return isBare ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as an expression writes it.
  package static func written(text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }

  /// Whether a bare name may have a scalar.
  static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    ExpressionLexer.isNameStart(scalar) || ExpressionLexer.isDigit(scalar) || scalar == ":"
  }

  /// The qualities, each with its `$`.
  package static let qualities = Quality.allCases.map { "$" + $0.rawValue }
}
