/// The parts of a pattern; sets are numbers in the list of the parser.
indirect enum PatternTree {
  case empty
  case set(Int)
  case assertion(PatternAssertion)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// Without `most` any number; `isLazy` prefers few, which changes where a match ends only.
  case repeated(PatternTree, least: Int, most: Int?, isLazy: Bool)
}

extension PatternTree {
  /// Whether the pattern asks which characters belong to words.
  var tellsWords: Bool {
    switch self {
    case .empty, .set, .assertion(.start), .assertion(.end): false
    case .assertion(.wordBoundary), .assertion(.noWordBoundary): true
    case .sequence(let parts), .choice(let parts): parts.contains(where: \.tellsWords)
    case .repeated(let part, _, _, _): part.tellsWords
    }
  }
}

/// A condition on a place between two characters.
enum PatternAssertion {
  case start, end, wordBoundary, noWordBoundary
}

/// Parses a pattern by recursive descent, no deeper than a bound.
struct PatternParser {
  static let mostCharacters = 10_000
  static let mostDepth = 200

  /// The sets that the tree refers to, each once.
  private(set) var sets: [ScalarSet] = []
  private var numbers: [ScalarSet: Int] = [:]
  let scalars: [Unicode.Scalar]
  var at = 0
  private(set) var ignoresCase = false
  private var depth = 0

  init(_ text: String) throws(PatternError) {
    scalars = Array(text.unicodeScalars.prefix(Self.mostCharacters + 1))
    if scalars.count > Self.mostCharacters {
      throw error("a pattern has \(Self.mostCharacters) characters at most", at: scalars.count - 1)
    }
  }

  mutating func parse() throws(PatternError) -> PatternTree {
    ignoresCase = take("(?i)")
    let tree = try choice()
    guard at == scalars.count else { throw error("this ) closes no group", at: at) }
    return tree
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    var alternatives = [try sequence()]
    while take("|") { alternatives.append(try sequence()) }
    return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var parts: [PatternTree] = []
    while let next, next != "|", next != ")" { parts.append(try repeated()) }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func repeated() throws(PatternError) -> PatternTree {
    let start = at
    if try takeRepeat() != nil {
      throw error(
        "nothing stands before this repeat; write \\ before it to mean the character", at: start)
    }
    let atom = try atom()
    guard let counts = try takeRepeat() else { return atom }
    let isLazy = take("?")
    let second = at
    if try takeRepeat() != nil {
      throw error("a repeat of a repeat; put ( ) around the first", at: second)
    }
    return .repeated(atom, least: counts.least, most: counts.most, isLazy: isLazy)
  }

  private mutating func takeRepeat() throws(PatternError) -> (least: Int, most: Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    let start = at
    guard take("{") else { return nil }
    let least = try takeNumber(from: start)
    let hasComma = take(",")
    let most = hasComma ? try takeNumber(from: start) : least
    // Braces around anything else stand for themselves.
    guard least != nil || most != nil, take("}") else {
      at = start
      return nil
    }
    if let most, most < least ?? 0 { throw error("the counts are the wrong way round", at: start) }
    return (least ?? 0, most)
  }

  private mutating func takeNumber(from start: Int) throws(PatternError) -> Int? {
    var number: Int?
    while let digit = next.flatMap({ $0.isASCII ? Character($0).wholeNumberValue : nil }) {
      let value = (number ?? 0) * 10 + digit
      guard value <= PatternProgram.mostInstructions else {
        throw error("a count is \(PatternProgram.mostInstructions) at most", at: start)
      }
      number = value
      at += 1
    }
    return number
  }

  private mutating func atom() throws(PatternError) -> PatternTree {
    guard let scalar = next else { return .empty }
    let start = at
    at += 1
    switch scalar {
    case "(": return try group(from: start)
    case "[": return .set(number(of: try bracketed(from: start)))
    case ".": return .set(number(of: ScalarSet.newline.inverted))
    case "^": return .assertion(.start)
    case "$": return .assertion(.end)
    case "\\": return try escaped(from: start)
    default: return .set(number(of: folded(ScalarSet(scalar.value))))
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternTree {
    if take("?"), !take(":") { throw refusal(of: start) }
    depth += 1
    guard depth <= Self.mostDepth else {
      throw error("groups are nested \(Self.mostDepth) deep at most", at: start)
    }
    let tree = try choice()
    depth -= 1
    guard take(")") else { throw error("this group is not closed: ) is missing", at: start) }
    return tree
  }

  private func refusal(of start: Int) -> PatternError {
    let rest = String(String.UnicodeScalarView(scalars[at...].prefix(2)))
    if rest.hasPrefix("=") || rest.hasPrefix("!") || rest == "<=" || rest == "<!" {
      return error("look-around is not known: patterns match in linear time", at: start)
    }
    if rest == "P=" { return error(Self.noReferences, at: start) }
    if rest.hasPrefix("<") || rest.hasPrefix("P") {
      return error("groups have no names; write ( )", at: start)
    }
    if rest == "i)" { return error("(?i) stands at the start of the pattern only", at: start) }
    return error("of groups with (? only (?: ) is known, and (?i) at the start", at: start)
  }

  private mutating func escaped(from start: Int) throws(PatternError) -> PatternTree {
    if take("b") { return .assertion(.wordBoundary) }
    if take("B") { return .assertion(.noWordBoundary) }
    if take("A") { return .assertion(.start) }
    if take("z") { return .assertion(.end) }
    return .set(number(of: folded(try escapedSet(from: start).set)))
  }

  static let noReferences = "back-references are not known: patterns match in linear time"

  /// The number of a set in the list.
  private mutating func number(of set: ScalarSet) -> Int {
    if let number = numbers[set] { return number }
    numbers[set] = sets.count
    sets.append(set)
    return sets.count - 1
  }

  func folded(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.ignoringCase : set }

  var next: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }

  mutating func take(_ text: String) -> Bool {
    guard scalars[at...].starts(with: text.unicodeScalars) else { return false }
    at += text.unicodeScalars.count
    return true
  }

  func error(_ message: String, at place: Int) -> PatternError {
    let before = String(String.UnicodeScalarView(scalars.prefix(place)))
    return PatternError(message: message, column: before.count + 1)
  }
}
