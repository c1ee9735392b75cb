extension PatternMatcher {
  /// Where the pattern stands first at or after an offset, in bytes.
  ///
  /// Of matches that start at one place that which a greedy or lazy repeat prefers, as in other
  /// programs. Walks all ways through the program at once, each with its start (R. Pike).
  package mutating func firstMatch(
    in utf8: UnsafeBufferPointer<UInt8>, from start: Int = 0
  ) -> Range<Int>? {
    guard start >= 0, start <= utf8.count, matches(utf8, from: start) else { return nil }
    let classes = program.classes
    var walk = PatternWalk(program)
    var before = Before(utf8, start, classes)
    var at = start
    while true {
      let (column, length) =
        at < utf8.count ? classes.ofCharacter(in: utf8, at: at) : (classes.end, 0)
      let context = PatternContext(
        before: before, isEnd: at == utf8.count, isWordNext: classes.isWord[column])
      walk.advance(at: at, in: context, by: column)
      if at == utf8.count || walk.isOver { return walk.match }
      before = context.isWordNext ? .word : .other
      at += length
    }
  }
}

/// The ways through a program at one place of a text, the preferred first.
private struct PatternWalk {
  let program: PatternProgram
  private(set) var match: Range<Int>?
  private var ways: [(place: Int, start: Int)] = []
  private var reached: [Int]
  private var open: [Int] = []

  init(_ program: PatternProgram) {
    self.program = program
    reached = [Int](repeating: -1, count: program.instructions.count)
  }

  /// Whether nothing can change the match any more.
  var isOver: Bool { match != nil && ways.isEmpty }

  mutating func advance(at offset: Int, in context: PatternContext, by column: Int) {
    // A later start never beats an earlier one.
    if match == nil { ways.append((0, offset)) }
    var next: [(place: Int, start: Int)] = []
    next.reserveCapacity(ways.count)
    for way in ways {
      open.append(way.place)
      while let place = open.popLast() {
        if reached[place] == offset { continue }
        reached[place] = offset
        switch program.instructions[place] {
        case .take(let set):
          if program.has(set: set, characterClass: column) { next.append((place + 1, way.start)) }
        case .split(let first, let second):
          open.append(second)
          open.append(first)
        case .jump(let target): open.append(target)
        case .condition(let assertion): if context.holds(assertion) { open.append(place + 1) }
        case .found:
          match = way.start..<offset
          open.removeAll()
          ways = next
          return
        }
      }
    }
    ways = next
  }
}
