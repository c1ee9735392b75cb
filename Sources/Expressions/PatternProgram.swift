/// A step of a pattern's automaton; the next one follows where none is named.
enum PatternInstruction {
  /// Takes one character of a set.
  case take(set: Int)
  /// Goes on at either place, the first preferred.
  case split(Int, Int)
  case jump(Int)
  case condition(PatternAssertion)
  case found
}

/// A pattern as a nondeterministic automaton over classes of characters (K. Thompson, Regular
/// expression search algorithm, Communications of the ACM 11, 1968).
struct PatternProgram: Sendable {
  static let mostInstructions = 20_000

  private(set) var instructions: [PatternInstruction] = []
  let classes: ScalarClasses
  /// Whether a match starts at the start of a text only.
  private(set) var isAnchored = false
  /// The column of no pattern: a size is that of the whole.
  private static let tooLarge = PatternError(
    message: "the pattern is too large with its counted repeats written out", column: 1)

  init(_ tree: PatternTree, sets: [ScalarSet]) throws(PatternError) {
    guard let classes = ScalarClasses(sets, tellsWords: tree.tellsWords) else {
      throw Self.tooLarge
    }
    self.classes = classes
    try emit(tree)
    try emit(.found)
    isAnchored = !startsAnywhere
  }

  /// Whether a set has a class of characters.
  func has(set: Int, characterClass: Int) -> Bool { classes.has(set: set, number: characterClass) }

  private mutating func emit(_ instruction: PatternInstruction) throws(PatternError) {
    guard instructions.count < Self.mostInstructions else { throw Self.tooLarge }
    instructions.append(instruction)
  }

  private mutating func emit(_ tree: PatternTree) throws(PatternError) {
    switch tree {
    case .empty: break
    case .set(let number): try emit(.take(set: number))
    case .assertion(let assertion): try emit(.condition(assertion))
    case .sequence(let parts): for part in parts { try emit(part) }
    case .choice(let alternatives):
      var ends: [Int] = []
      for alternative in alternatives.dropLast() {
        let split = instructions.count
        try emit(.split(split + 1, split))
        try emit(alternative)
        ends.append(instructions.count)
        try emit(.jump(0))
        instructions[split] = .split(split + 1, instructions.count)
      }
      if let last = alternatives.last { try emit(last) }
      for end in ends { instructions[end] = .jump(instructions.count) }
    case .repeated(let part, let least, let most, let isLazy):
      try emit(part, least: least, most: most, isLazy: isLazy)
    }
  }

  private mutating func emit(
    _ part: PatternTree, least: Int, most: Int?, isLazy: Bool
  ) throws(PatternError) {
    var start = instructions.count
    for _ in 0..<least {
      start = instructions.count
      try emit(part)
      // A part without instructions has none the next time either.
      if instructions.count == start { return }
    }
    if most == nil, least > 0 {
      try emit(Self.split(start, instructions.count + 1, isLazy))
      return
    }
    var splits: [Int] = []
    for _ in least..<(most ?? 1) {
      let split = instructions.count
      try emit(.split(0, 0))
      splits.append(split)
      try emit(part)
      if instructions.count == split + 1 { break }
    }
    // An endless repeat goes round before it may leave, so that an empty turn ends it.
    if most == nil, let split = splits.first {
      try emit(Self.split(split + 1, instructions.count + 1, isLazy))
    }
    for split in splits {
      instructions[split] = Self.split(split + 1, instructions.count, isLazy)
    }
  }

  private static func split(_ inside: Int, _ after: Int, _ isLazy: Bool) -> PatternInstruction {
    isLazy ? .split(after, inside) : .split(inside, after)
  }

  /// Whether a match may start elsewhere than at the start of a text.
  private var startsAnywhere: Bool {
    var reached = [Bool](repeating: false, count: instructions.count)
    var open = [0]
    while let place = open.popLast() {
      if reached[place] { continue }
      reached[place] = true
      switch instructions[place] {
      case .take, .found: return true
      case .split(let first, let second): open += [first, second]
      case .jump(let target): open.append(target)
      case .condition(.start): break
      case .condition: open.append(place + 1)
      }
    }
    return false
  }
}
