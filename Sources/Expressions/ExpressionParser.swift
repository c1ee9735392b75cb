/// Parses the language of expressions.
///
///     expr = and {("or"|"||") and}     and = not {("and"|"&&") not}
///     not  = ("not"|"!") not | cmp
///     cmp  = sum [("=="|"="|"!="|"<>"|"<"|"<="|">"|">=") sum
///          | ["not"] "in" "(" expr {"," expr} ")" | ["not"] "between" sum "and" sum
///          | ["not"] ("like"|"ilike"|"matches") text | "is" ["not"] "null"]
///     sum  = prod {("+"|"-") prod}     prod = un {("*"|"/"|"%") un}
///     un   = "-" un | number | text | "true"|"false"|"null" | "$"word | name | call
///          | "(" expr ")"
///     call = word "(" [expr {"," expr}] ["by" name {"," name}] ")"
///          | ("within"|"intersects"|"distance") "(" (name | text) ")" ["." (name | "$"word)]
///          | "distance" "(" expr "," expr ")"
struct ExpressionParser {
  /// How deep brackets, calls and signs may nest: each level takes some stack here, when types are
  /// checked and when values are computed.
  static let depthMax = 64
  /// Scalars of one expression.
  static let lengthMax = 65_536

  private let scalars: [Unicode.Scalar]
  private(set) var tokens: [Token] = []
  var place = 0
  private var depth = 0

  init(_ text: String) throws(ExpressionError) {
    scalars = Array(text.unicodeScalars.prefix(Self.lengthMax + 1))
    if scalars.count > Self.lengthMax {
      throw ExpressionError("an expression has at most \(Self.lengthMax) characters", column: 1)
    }
    var lexer = ExpressionLexer(scalars)
    tokens = try lexer.tokens()
  }

  /// The whole expression.
  mutating func expression() throws(ExpressionError) -> Node {
    if token.kind == .end { throw failure("an expression is missing") }
    let node = try either()
    switch token.kind {
    case .end: return node
    case .sign(")"): throw failure("no ( for this )")
    case .sign(":"), .sign("="): throw failure("nothing is set here: set NAME := EXPRESSION does")
    default:
      throw foreign()
        ?? failure(
          "\(shown(token)) does not continue the expression: and, or or a sign is missing")
    }
  }

  /// The error for a word or sign of another language here, or a word just before; `nil` for none.
  private func foreign() -> ExpressionError? {
    if place > 0, case .word(let word) = tokens[place - 1].kind {
      let (name, offset) = (word.lowercased(), tokens[place - 1].offset)
      if ForeignWords.beginnings.contains(name), let advice = ForeignWords.words[name] {
        return failure("“\(word)” means nothing here: write \(advice)", at: offset)
      }
      if let function = Function(rawValue: name), token.kind != .end {
        return failure(
          "“\(word)” stands alone: a sign is missing, or \(function.usage)", at: offset)
      }
    }
    switch token.kind {
    case .word(let word):
      return ForeignWords.words[word.lowercased()].map {
        failure("“\(word)” means nothing here: write \($0)")
      }
    case .number(let text) where isNumber(place - 1) && (text.hasPrefix(".") || text.count == 3):
      return failure("a number has digits and one point: write 1000000 or 1.5")
    case .sign("."): return ForeignWords.signs["."].map { failure("write \($0)") }
    case .sign(",") where isNumber(place - 1) && tokens[place + 1].offset == token.offset + 1:
      return failure("a number has no comma: write 1000000 or 1.5")
    case .sign(","):
      return failure("a comma stands between the values of a list or a function: in ('a', 'b')")
    default: return nil
    }
  }

  private func isNumber(_ place: Int) -> Bool {
    if place >= 0, case .number = tokens[place].kind { return true }
    return false
  }

  /// A list of expressions with commas, each perhaps after `name =`, to the end.
  mutating func fields() throws(ExpressionError) -> [(name: String?, node: Node, text: String)] {
    var fields: [(name: String?, node: Node, text: String)] = []
    while true {
      var name: String?
      if let word = self.name(token), place + 1 < tokens.count,
        tokens[place + 1].kind == .sign("=")
      {
        name = word
        place += 2
      }
      if token.kind == .end { throw failure("a field is missing") }
      let start = token.offset
      let node = try either()
      let text = self.text(start..<token.offset)
      fields.append((name, node, text))
      if token.kind == .end { return fields }
      guard takes(",") else { throw foreign() ?? failure("a comma goes between fields") }
    }
  }

  // MARK: Logic

  private mutating func either() throws(ExpressionError) -> Node {
    let first = try both()
    guard isNext("or", "||") else { return first }
    var nodes = [first]
    while takes("or", "||") { nodes.append(try both()) }
    return Node(.any(nodes), at: first.offset)
  }

  private mutating func both() throws(ExpressionError) -> Node {
    let first = try negated()
    guard isNext("and", "&&") else { return first }
    var nodes = [first]
    while takes("and", "&&") { nodes.append(try negated()) }
    return Node(.all(nodes), at: first.offset)
  }

  private mutating func negated() throws(ExpressionError) -> Node {
    let offset = token.offset
    guard takes("not", "!") else { return try comparison() }
    try goDeeper()
    defer { depth -= 1 }
    return Node(.not(try negated()), at: offset)
  }

  // MARK: Comparisons

  private mutating func comparison() throws(ExpressionError) -> Node {
    let left = try sum()
    let offset = token.offset
    if let sign = takeComparisonSign() {
      if isKeyword("null") {
        throw failure(
          "null is equal to nothing: write is \(sign == .unequal ? "not " : "")null", at: offset)
      }
      let right = try sum()
      if case .literal(.null) = left.kind {
        throw failure("null is equal to nothing: write is null behind the name", at: left.offset)
      }
      if takeComparisonSign() != nil {
        throw failure(
          "a comparison has two sides: write x between 1 and 5, or two comparisons with and",
          at: tokens[place - 1].offset)
      }
      return Node(.comparison(sign, left, right), at: offset)
    }
    if takes("is") {
      let isNot = takes("not")
      guard takes("null") else {
        throw failure("is goes with null alone: write is null, is not null, or == for values")
      }
      return inverted(Node(.isNull(left), at: offset), isNot)
    }
    let isNot = isKeyword("not") && takes("not")
    if takes("in") { return inverted(try list(left, at: offset), isNot) }
    if takes("between") {
      let low = try sum()
      guard takes("and") else { throw failure("write between LOW and HIGH") }
      let high = try sum()
      return inverted(Node(.between(left, low: low, high: high), at: offset), isNot)
    }
    for word in ["like", "ilike", "matches"] where takes(word) {
      return inverted(try pattern(word, of: left, at: offset), isNot)
    }
    if isNot { throw foreign() ?? failure("in, between, like, ilike or matches goes behind not") }
    return left
  }

  private func inverted(_ node: Node, _ isNot: Bool) -> Node {
    isNot ? Node(.not(node), at: node.offset) : node
  }

  private mutating func list(_ left: Node, at offset: Int) throws(ExpressionError) -> Node {
    try take("(", "write in ('a', 'b')")
    var nodes = [try nested()]
    while takes(",") { nodes.append(try nested()) }
    try take(")", "a comma or ) goes here")
    return Node(.oneOf(left, nodes), at: offset)
  }

  private mutating func pattern(
    _ word: String, of left: Node, at offset: Int
  ) throws(ExpressionError) -> Node {
    guard case .text(let text) = token.kind else {
      let meant = name(token) ?? (word == "matches" ? "^a" : "a%")
      throw failure("\(word) takes a pattern in single quotes: '\(meant)'")
    }
    let start = token.offset
    place += 1
    if word != "matches" {
      return Node(.like(left, LikePattern(text, ignoresCase: word == "ilike")), at: offset)
    }
    do throws(PatternError) {
      return Node(.matches(left, try Pattern(text)), at: offset)
    } catch {
      // Doubled quotes before the place shift it; the text says where all the same.
      throw failure(error.message, at: min(start + error.column, scalars.count))
    }
  }

  private mutating func takeComparisonSign() -> ComparisonSign? {
    guard case .sign(let text) = token.kind else { return nil }
    let sign: ComparisonSign
    switch text {
    case "==", "=": sign = .equal
    case "!=", "<>": sign = .unequal
    case "<": sign = .less
    case "<=": sign = .lessOrEqual
    case ">": sign = .greater
    case ">=": sign = .greaterOrEqual
    default: return nil
    }
    place += 1
    return sign
  }

  // MARK: Arithmetic

  private mutating func sum() throws(ExpressionError) -> Node {
    var node = try product()
    while case .sign(let text) = token.kind, text == "+" || text == "-",
      let sign = ArithmeticSign(rawValue: text)
    {
      node = try chained(node, sign) { (parser) throws(ExpressionError) in try parser.product() }
    }
    return node
  }

  private mutating func product() throws(ExpressionError) -> Node {
    var node = try unary()
    while case .sign(let text) = token.kind, text == "*" || text == "/" || text == "%",
      let sign = ArithmeticSign(rawValue: text)
    {
      node = try chained(node, sign) { (parser) throws(ExpressionError) in try parser.unary() }
    }
    return node
  }

  /// A chain such as `a + b + c` nests to the left, a level a sign.
  private mutating func chained(
    _ left: Node, _ sign: ArithmeticSign,
    _ right: (inout ExpressionParser) throws(ExpressionError) -> Node
  ) throws(ExpressionError) -> Node {
    let offset = token.offset
    place += 1
    chainLength += 1
    if chainLength > Self.chainMax {
      throw failure("an expression has at most \(Self.chainMax) signs of arithmetic", at: offset)
    }
    return Node(.arithmetic(sign, left, try right(&self)), at: offset)
  }

  private var chainLength = 0
  private static let chainMax = 400

  private mutating func unary() throws(ExpressionError) -> Node {
    let start = token
    switch start.kind {
    case .sign("-"):
      place += 1
      try goDeeper()
      defer { depth -= 1 }
      let operand = try unary()
      if case .literal(.number(let number)) = operand.kind {
        return Node(.literal(.number(-number)), at: start.offset)
      }
      return Node(.negation(operand), at: start.offset)
    case .number(let text):
      place += 1
      guard let number = Number(text) else {
        throw failure("“\(text)” is beyond the greatest number", at: start.offset)
      }
      return Node(.literal(.number(number)), at: start.offset)
    case .text(let text):
      place += 1
      return Node(.literal(.text(text)), at: start.offset)
    case .sign("("):
      place += 1
      let node = try nested()
      try take(")", "no ) for the ( in column \(column(start.offset))")
      return node
    case .quality(let name): return try quality(name)
    case .quotedName(let name):
      place += 1
      return Node(.attribute(name), at: start.offset)
    case .word(let word): return try named(word)
    case .sign, .end:
      if start.kind == .sign("."), let error = foreign() { throw error }
      throw failure("a value is missing before \(shown(start))")
    }
  }

  private mutating func quality(_ name: String) throws(ExpressionError) -> Node {
    guard let quality = Quality(rawValue: name) else {
      let known = Quality.allCases.map { "$" + $0.rawValue }.joined(separator: " ")
      throw failure(
        "there is no $\(name)"
          + (ForeignWords.qualities[name.lowercased()].map { ": write \($0)" }
            ?? "; there are \(known)"))
    }
    place += 1
    return Node(.quality(quality), at: tokens[place - 1].offset)
  }

  private mutating func named(_ word: String) throws(ExpressionError) -> Node {
    let offset = token.offset
    switch word.lowercased() {
    case "true", "false":
      place += 1
      return Node(.literal(.truth(word.lowercased() == "true")), at: offset)
    case "null":
      place += 1
      return Node(.literal(.null), at: offset)
    case let keyword where Self.keywords.contains(keyword) && !isCall:
      throw failure(
        "a value is missing before “\(word)”; an attribute of that name stands in \"…\"")
    default: break
    }
    if isCall { return try call(word) }
    place += 1
    return Node(.attribute(word), at: offset)
  }

  private var isCall: Bool {
    place + 1 < tokens.count && tokens[place + 1].kind == .sign("(")
  }

  // MARK: Calls

  private mutating func call(_ word: String) throws(ExpressionError) -> Node {
    let offset = token.offset
    let name = word.lowercased()
    if let relation = Relation.Kind(rawValue: name) { return try self.relation(relation) }
    let function = Function(rawValue: name)
    let aggregate = Aggregate.Kind(rawValue: name)
    if function == nil, aggregate == nil {
      if name == "buffer" {
        throw failure("shapes are no values: write distance(layer) <= 500 for what is near")
      }
      let near = NearNames.of(name, among: ExpressionWords.functions)
      let advice =
        (ForeignWords.functions[name] ?? ForeignWords.qualities[name]).map { ": write \($0)" }
        ?? (near.isEmpty
          ? "; there are " + ExpressionWords.functions.joined(separator: ", ")
          : ": did you mean \(near.joined(separator: " or "))?")
      throw failure("there is no function “\(word)”\(advice)")
    }
    place += 2
    if aggregate == .count, token.kind == .sign("*") { throw failure("write count()") }
    var arguments: [Node] = []
    if !isNext(")"), !isKeyword("by") {
      arguments.append(try nested())
      while takes(",") { arguments.append(try nested()) }
    }
    let groups = try groupNames()
    try take(")", "a comma or ) goes here")
    if let aggregate, groups != nil || arguments.count < 2, function == nil || arguments.count < 2 {
      if arguments.isEmpty, aggregate != .count {
        throw failure("write \(name)(value) or \(name)(value by attribute)", at: offset)
      }
      if arguments.count > 1 {
        throw failure("\(name) of a layer takes one value", at: offset)
      }
      let made = Aggregate(kind: aggregate, argument: arguments.first, groups: groups)
      return Node(.aggregate(made), at: offset)
    }
    guard let function, groups == nil else {
      throw failure("\(name) takes one value; only figures of many features take by", at: offset)
    }
    guard function.arguments.contains(arguments.count) else {
      throw failure("write \(function.usage)", at: offset)
    }
    return Node(.call(function, arguments), at: offset)
  }

  /// The names behind `by`; `nil` without it.
  private mutating func groupNames() throws(ExpressionError) -> [Node]? {
    guard takes("by") else { return nil }
    var names: [Node] = []
    repeat {
      guard let name = name(token) else { throw failure("by takes names of attributes") }
      names.append(Node(.attribute(name), at: token.offset))
      place += 1
    } while takes(",")
    return names
  }

  func name(_ token: Token) -> String? {
    switch token.kind {
    case .word(let word) where !Self.keywords.contains(word.lowercased()): word
    case .quotedName(let name): name
    default: nil
    }
  }

  private static let keywords = Set(ExpressionWords.keywords)

  // MARK: Tokens

  var token: Token { tokens[min(place, tokens.count - 1)] }

  /// An expression within brackets.
  mutating func nested() throws(ExpressionError) -> Node {
    try goDeeper()
    defer { depth -= 1 }
    return try either()
  }

  private mutating func goDeeper() throws(ExpressionError) {
    depth += 1
    if depth > Self.depthMax {
      throw failure("brackets and signs nest at most \(Self.depthMax) deep")
    }
  }

  private func isKeyword(_ word: String) -> Bool {
    if case .word(let found) = token.kind { return found.lowercased() == word }
    return false
  }

  private func isNext(_ words: String...) -> Bool {
    words.contains { isKeyword($0) || token.kind == .sign($0) }
  }

  mutating func takes(_ words: String...) -> Bool {
    guard words.contains(where: { isKeyword($0) || token.kind == .sign($0) }) else { return false }
    place += 1
    return true
  }

  mutating func take(_ sign: String, _ message: String) throws(ExpressionError) {
    if !takes(sign) { throw (sign == ")" ? foreign() : nil) ?? failure(message) }
  }

  func failure(_ message: String, at offset: Int? = nil) -> ExpressionError {
    ExpressionLexer.error(message, at: offset ?? token.offset, of: scalars)
  }

  private func column(_ offset: Int) -> Int { failure("", at: offset).column }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    let text = String(view)
    return String(text.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// A token for a message.
  private func shown(_ token: Token) -> String {
    switch token.kind {
    case .end: "the end"
    case .number(let text), .word(let text), .sign(let text): "“\(text)”"
    case .text(let text): "the text '\(text)'"
    case .quotedName(let text): "the name \"\(text)\""
    case .quality(let text): "“$\(text)”"
    }
  }
}
