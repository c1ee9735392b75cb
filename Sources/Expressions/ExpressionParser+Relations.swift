extension ExpressionParser {
  /// A call of `within`, `intersects` or `distance`.
  mutating func relation(_ kind: Relation.Kind) throws(ExpressionError) -> Node {
    let offset = token.offset
    place += 2
    let isAlone = place + 1 < tokens.count && tokens[place + 1].kind == .sign(")")
    var found: Relation.Place?
    if isAlone {
      if case .text(let text) = token.kind {
        found = .named(text)
      } else if let layer = name(token) {
        found = .layer(layer)
      }
    }
    guard let found else {
      guard kind == .distance else { throw failure(Self.usage(kind)) }
      return try position(at: offset)
    }
    place += 2
    return Node(
      .relation(Relation(kind: kind, place: found, member: try member(of: kind))), at: offset)
  }

  /// The name or quality behind a point; `nil` without one.
  private mutating func member(of kind: Relation.Kind) throws(ExpressionError) -> Relation.Member? {
    guard takes(".") else { return nil }
    let member: Relation.Member
    if case .quality(let word) = token.kind, let quality = Quality(rawValue: word) {
      member = .quality(quality)
    } else if let name = name(token) {
      member = .attribute(name)
    } else {
      throw failure("the name of an attribute goes here: \(kind.rawValue)(layer).name")
    }
    place += 1
    return member
  }

  private mutating func position(at offset: Int) throws(ExpressionError) -> Node {
    guard !takes(")") else { throw failure(Self.usage(.distance), at: offset) }
    let x = try nested()
    guard takes(",") else { throw failure(Self.usage(.distance), at: offset) }
    let y = try nested()
    try take(")", "a position is two numbers: distance(x, y)")
    if token.kind == .sign(".") { throw failure("a position has no attributes") }
    return Node(.distance(x: x, y: y), at: offset)
  }

  private static func usage(_ kind: Relation.Kind) -> String {
    switch kind {
    case .within, .intersects:
      "write \(kind.rawValue)(layer) or \(kind.rawValue)('name of a feature'); the name of a "
        + "layer with blanks stands in \"…\""
    case .distance:
      "write distance(layer), distance('name of a feature'), distance('59.3 N 18.1 E') or "
        + "distance(x, y)"
    }
  }
}
