/// A word or sign of an expression.
struct Token: Sendable {
  enum Kind: Hashable, Sendable {
    case number(String)
    /// Text in `'…'`.
    case text(String)
    /// A bare word: a name, a keyword or a function.
    case word(String)
    /// A name in `"…"`.
    case quotedName(String)
    /// A quality, without its `$`.
    case quality(String)
    case sign(String)
    case end
  }

  var kind: Kind
  /// Where it begins, in scalars.
  var offset: Int
}

/// Cuts an expression into tokens.
struct ExpressionLexer {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

  /// The error for a place, with its column in characters.
  static func error(
    _ message: String, at offset: Int, of scalars: [Unicode.Scalar]
  ) -> ExpressionError {
    var prefix = String.UnicodeScalarView()
    prefix.append(contentsOf: scalars.prefix(offset))
    return ExpressionError(message, column: String(prefix).count + 1)
  }

  mutating func tokens() throws(ExpressionError) -> [Token] {
    var tokens: [Token] = []
    while true {
      let token = try next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private func scalar(_ ahead: Int = 0) -> Unicode.Scalar? {
    place + ahead < scalars.count ? scalars[place + ahead] : nil
  }

  private func failure(_ message: String, at offset: Int) -> ExpressionError {
    Self.error(message, at: offset, of: scalars)
  }

  private mutating func next() throws(ExpressionError) -> Token {
    while let scalar = scalar(), scalar.properties.isWhitespace { place += 1 }
    let start = place
    guard let first = scalar() else { return Token(kind: .end, offset: start) }
    if Self.isDigit(first) || first == "." && scalar(1).map(Self.isDigit) == true {
      return Token(kind: .number(try number()), offset: start)
    }
    if Self.isNameStart(first) { return Token(kind: .word(word()), offset: start) }
    switch first {
    case "'": return Token(kind: .text(try quoted(first)), offset: start)
    case "\"": return Token(kind: .quotedName(try quoted(first)), offset: start)
    case "$":
      place += 1
      return Token(kind: .quality(word()), offset: start)
    default: return Token(kind: .sign(try sign(first)), offset: start)
    }
  }

  private mutating func word() -> String {
    let start = place
    while let scalar = scalar(), Self.isNameStart(scalar) || Self.isDigit(scalar) || scalar == ":" {
      // `:=` and `::` are no parts of a name.
      if scalar == ":", let next = self.scalar(1), next == "=" || next == ":" { break }
      place += 1
    }
    return text(start..<place)
  }

  private mutating func number() throws(ExpressionError) -> String {
    let start = place
    skipDigits()
    if scalar() == "." {
      place += 1
      skipDigits()
    }
    if scalar() == "e" || scalar() == "E" {
      let sign = scalar(1) == "+" || scalar(1) == "-" ? 1 : 0
      if scalar(1 + sign).map(Self.isDigit) == true {
        place += 1 + sign
        skipDigits()
      }
    }
    if let next = scalar(), Self.isNameStart(next) {
      throw failure(
        next == "_"
          ? "a number has digits alone: write 1000000 or 1e6"
          : "a number ends before “\(next)”: numbers have no units, and a name that begins with a "
            + "digit stands in \"…\"",
        at: place)
    }
    return text(start..<place)
  }

  private mutating func skipDigits() {
    while let scalar = scalar(), Self.isDigit(scalar) { place += 1 }
  }

  /// The text in quotes; two of them stand for one.
  private mutating func quoted(_ mark: Unicode.Scalar) throws(ExpressionError) -> String {
    let start = place
    place += 1
    var found = String.UnicodeScalarView()
    while let scalar = scalar() {
      place += 1
      if scalar != mark {
        found.append(scalar)
      } else if self.scalar() == mark {
        found.append(mark)
        place += 1
      } else {
        return String(found)
      }
    }
    let isEscaped = text(0..<place).contains("\\\(mark)")
    throw failure(
      "no closing \(mark) for this one"
        + (isEscaped ? ": within a text two of them stand for one, as in 'O''Hare'" : ""),
      at: start)
  }

  private mutating func sign(_ first: Unicode.Scalar) throws(ExpressionError) -> String {
    let start = place
    for length in [3, 2] where start + length <= scalars.count {
      try checkForeign(start..<start + length)
    }
    place += 1
    let pair = String(first) + (scalar().map { String($0) } ?? "")
    if ["==", "!=", "<>", "<=", ">=", "&&", "||"].contains(pair) {
      place += 1
      return pair
    }
    switch first {
    case "=", "<", ">", "!", "+", "-", "*", "/", "%", "(", ")", ",", ".": return String(first)
    case "&": throw failure("write && or and", at: start)
    case "|": throw failure("write || or or", at: start)
    case "‘", "’", "“", "”", "`", "´":
      throw failure("text stands in straight quotes: 'text'", at: start)
    default:
      try checkForeign(start..<start + 1)
      throw failure("“\(Self.shown(first))” means nothing in an expression", at: start)
    }
  }

  /// Throws what to write for a sign of another language.
  private func checkForeign(_ range: Range<Int>) throws(ExpressionError) {
    let sign = text(range)
    guard let advice = ForeignWords.signs[sign] else { return }
    throw failure(
      "“\(sign)” means nothing in an expression: write \(advice)", at: range.lowerBound)
  }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// A scalar for a message: a control by its number.
  private static func shown(_ scalar: Unicode.Scalar) -> String {
    scalar.properties.generalCategory == .control
      ? "U+" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
  }

  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// A letter of any script, a mark upon one, or `_`.
  static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "_" { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .letterNumber:
      return true
    default: return false
    }
  }
}
