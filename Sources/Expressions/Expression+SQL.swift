/// What a database knows of a column that a condition reads.
package enum ColumnKind: Hashable, Sendable {
  /// Whole numbers of at most 64 bits.
  case whole
  /// Other numbers: doubles, and texts that are read as the double nearest to them.
  case real
  /// Text, compared by its bytes.
  case text
}

extension Expression {
  /// A condition in SQL that holds for every row for which this one is true or null, and maybe for
  /// others: a database asked for it leaves out rows for which this one is false, and those for
  /// which it is null can be counted.
  ///
  /// Comparisons of a column with a number or a text are taken over, joined by `and` and `or`; of
  /// real numbers with a margin, because a database holds more of them than doubles do.
  ///
  /// - Parameter kind: that of a column; `nil` where it is not known or has another type.
  /// - Returns: `nil` if no part of it can be taken over.
  package func wideSQL(_ kind: (String) -> ColumnKind?) -> String? { root.wideSQL(kind) }
}

extension Node {
  /// How deep conditions are followed.
  private static let depthMax = 100

  fileprivate func wideSQL(_ kind: (String) -> ColumnKind?, depth: Int = 0) -> String? {
    if depth > Self.depthMax { return nil }
    switch self.kind {
    case .all(let nodes):
      let parts = nodes.compactMap { $0.wideSQL(kind, depth: depth + 1) }
      return parts.isEmpty ? nil : "(" + parts.joined(separator: " AND ") + ")"
    case .any(let nodes):
      let parts = nodes.compactMap { $0.wideSQL(kind, depth: depth + 1) }
      return parts.count < nodes.count ? nil : "(" + parts.joined(separator: " OR ") + ")"
    case .comparison(let sign, let left, let right):
      if case .attribute(let name) = left.kind, case .literal(let value) = right.kind {
        return Self.orNull(name, Self.comparison(name, sign, value, kind(name)))
      }
      if case .attribute(let name) = right.kind, case .literal(let value) = left.kind {
        return Self.orNull(name, Self.comparison(name, sign.mirrored, value, kind(name)))
      }
      return nil
    case .between(let operand, let low, let high):
      let whole = Node(
        .all([
          Node(.comparison(.greaterOrEqual, operand, low), at: offset),
          Node(.comparison(.lessOrEqual, operand, high), at: offset),
        ]), at: offset)
      return whole.wideSQL(kind, depth: depth + 1)
    case .oneOf(let operand, let nodes):
      let whole = Node(
        .any(nodes.map { Node(.comparison(.equal, operand, $0), at: offset) }), at: offset)
      return nodes.isEmpty ? nil : whole.wideSQL(kind, depth: depth + 1)
    default: return nil
    }
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A comparison of a column that takes its null, too.
  private static func orNull(_ name: String, _ comparison: String?) -> String? {
    comparison.map { "(\($0) OR \(quoted(name)) IS NULL)" }
  }

  private static func comparison(
    _ name: String, _ sign: ComparisonSign, _ value: Value, _ kind: ColumnKind?
  ) -> String? {
    let column = quoted(name)
    switch (kind, value) {
    case (.whole?, .number(let number)):
      // Numbers beyond 2^53 would be rounded by some, and numbers of 64 bits by others.
      let double = number.double
      guard double.magnitude < 0x1p53 else { return nil }
      if double.rounded() == double { return "\(column) \(sign.sql) \(Int64(double))" }
      switch sign {
      case .less, .lessOrEqual: return "\(column) <= \(Int64(double.rounded(.down)))"
      case .greater, .greaterOrEqual: return "\(column) >= \(Int64(double.rounded(.up)))"
      case .equal, .unequal: return nil
      }
    case (.real?, .number(let number)):
      return comparison(column, sign, real: number.double)
    case (.text?, .text(let text)): return comparison(column, sign, text: text.string)
    default: return nil
    }
  }

  private static func comparison(
    _ column: String, _ sign: ComparisonSign, real: Double
  ) -> String? {
    // Seven digits are those of a float of 32 bits.
    guard real.isFinite, real.magnitude < 1e30 else { return nil }
    let margin = real.magnitude * 1e-6 + 1e-30
    let (low, high) = (literal(real - margin), literal(real + margin))
    switch sign {
    case .less, .lessOrEqual: return "\(column) <= \(high)"
    case .greater, .greaterOrEqual: return "\(column) >= \(low)"
    case .equal: return "(\(column) >= \(low) AND \(column) <= \(high))"
    case .unequal: return nil
    }
  }

  /// A number that every database takes for a double or a decimal number, not for a whole one.
  private static func literal(_ value: Double) -> String {
    let text = "\(value)"
    return text.contains("e") ? text : text + "e0"
  }

  private static func comparison(
    _ column: String, _ sign: ComparisonSign, text: String
  ) -> String? {
    // The order of texts, blanks at the end and signs of escape are a matter of the database.
    guard sign == .equal, !text.hasSuffix(" "),
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\\" && $0 != "\u{7F}" })
    else { return nil }
    return "CAST(\(column) AS text) = '" + text.replacing("'", with: "''") + "'"
  }
}

extension ComparisonSign {
  /// The sign in SQL.
  fileprivate var sql: String {
    switch self {
    case .equal: "="
    case .unequal: "<>"
    default: rawValue
    }
  }
}
