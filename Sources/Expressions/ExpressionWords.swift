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

  /// The qualities, each with its `$`.
  package static let qualities = Quality.allCases.map { "$" + $0.rawValue }
}
