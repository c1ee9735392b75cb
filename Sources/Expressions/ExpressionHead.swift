/// The beginning of an expression that is being typed: what can come next.
package struct ExpressionHead: Sendable {
  /// What can stand at the end.
  package enum Wanted: Hashable, Sendable {
    /// A value; one of an attribute's where it is compared with that.
    case value(of: String?)
    /// The name of an attribute, and nothing else.
    case name
    /// What goes on behind a value.
    case sign
    /// `null` or `not null`.
    case null
    /// A layer, and the bracket behind it.
    case layer
    /// An attribute of a layer that is related to.
    case member(layer: String)
  }

  package let wanted: Wanted
  /// The character at which the unfinished part begins, from 0.
  package let start: Int
  /// The unfinished part, with its opening quote.
  package let typed: String

  /// `nil` where nothing can be foretold: for text that no expression begins with, and in patterns.
  package init?(_ head: String) {
    let scalars = Array(head.unicodeScalars)
    let place = Self.unfinished(scalars)
    var lexer = ExpressionLexer(Array(scalars[..<place]))
    guard let tokens = try? lexer.tokens().dropLast(),
      let wanted = Self.wanted(after: Array(tokens))
    else { return nil }
    if place < scalars.count, scalars[place] == "'" {
      guard case .value(of: .some) = wanted else { return nil }
    }
    self.wanted = wanted
    start = String(String.UnicodeScalarView(scalars[..<place])).count
    typed = String(String.UnicodeScalarView(scalars[place...]))
  }

  /// Where the last part begins: an open quote, or the word at the end.
  private static func unfinished(_ scalars: [Unicode.Scalar]) -> Int {
    var open: Int?
    for (place, scalar) in scalars.enumerated() where scalar == "'" || scalar == "\"" {
      if let start = open {
        if scalars[start] == scalar { open = nil }
      } else {
        open = place
      }
    }
    if let open { return open }
    var start = scalars.count
    while start > 0, ExpressionWords.isOfName(scalars[start - 1]) { start -= 1 }
    if start > 0, scalars[start - 1] == "$" { start -= 1 }
    return start
  }

  private static func wanted(after tokens: [Token]) -> Wanted? {
    guard let last = tokens.last else { return .value(of: nil) }
    switch last.kind {
    case .number, .text, .quotedName, .quality, .end: return .sign
    case .word(let word):
      switch word.lowercased() {
      case "and", "or", "not", "between": return isNull(tokens) ? .null : .value(of: nil)
      case "is": return .null
      case "by": return .name
      case "in": return nil
      case "like", "ilike", "matches": return nil
      default: return .sign
      }
    case .sign(")"): return .sign
    case .sign("."): return member(tokens)
    case .sign("("): return opened(tokens)
    case .sign(","): return .value(of: listed(tokens))
    case .sign: return .value(of: name(tokens.dropLast().last))
    }
  }

  /// Whether they end in `is not`.
  private static func isNull(_ tokens: [Token]) -> Bool {
    word(tokens.last) == "not" && word(tokens.dropLast().last) == "is"
  }

  private static func opened(_ tokens: [Token]) -> Wanted {
    let before = tokens.dropLast()
    switch word(before.last) {
    case "in": return .value(of: listed(tokens))
    case let word? where Relation.Kind(rawValue: word) != nil: return .layer
    default: return .value(of: nil)
    }
  }

  /// The attribute whose values are listed in the open bracket: `country in ('SE',`.
  private static func listed(_ tokens: [Token]) -> String? {
    guard let open = open(tokens), open > 1, word(tokens[open - 1]) == "in" else { return nil }
    let isNot = word(tokens[open - 2]) == "not"
    let place = open - (isNot ? 3 : 2)
    return place >= 0 ? name(tokens[place]) : nil
  }

  private static func member(_ tokens: [Token]) -> Wanted? {
    let call = Array(tokens.dropLast(2))
    guard tokens.dropLast().last?.kind == .sign(")"), let open = open(call), open > 0,
      let word = word(call[open - 1]), Relation.Kind(rawValue: word) != nil,
      let layer = name(call.last)
    else { return nil }
    return .member(layer: layer)
  }

  /// The last bracket that is open.
  private static func open(_ tokens: [Token]) -> Int? {
    var depth = 0
    for place in tokens.indices.reversed() {
      switch tokens[place].kind {
      case .sign(")"): depth += 1
      case .sign("("):
        if depth == 0 { return place }
        depth -= 1
      default: break
      }
    }
    return nil
  }

  private static func word(_ token: Token?) -> String? {
    if case .word(let word) = token?.kind { word.lowercased() } else { nil }
  }

  private static func name(_ token: Token?) -> String? {
    switch token?.kind {
    case .word(let word): word
    case .quotedName(let name): name
    default: nil
    }
  }
}
