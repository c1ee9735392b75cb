/// Looks for a pattern in texts; a matcher serves one thread, a copy another.
///
/// It builds a deterministic automaton as texts need it: a state is the set of places in the
/// program that the text so far leads to, and the kind of the last character. States beyond a
/// bound of memory are forgotten, so that a text costs its length times the size of the program at
/// worst, and a table lookup for each byte when the states that it needs are there.
package struct PatternMatcher: Sendable {
  private static let mostCells = 1 << 18

  let program: PatternProgram
  /// The next state by state and class, as the place of its row; or one of the marks.
  private var cells: [Int32] = []
  /// The places of each state as bits, after its ``Before``.
  private var states: [[UInt64]] = []
  private var numbers: [[UInt64]: Int32] = [:]
  /// The words of all states.
  private var stateWords = 0

  private static let unknown: Int32 = -1
  private static let found: Int32 = -2
  private static let lost: Int32 = -3

  package init(_ pattern: Pattern) { program = pattern.program }

  /// Whether the pattern stands in a text of UTF-8; bytes that are no character match nothing.
  package mutating func matches(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    matches(utf8, from: 0)
  }

  /// Whether the pattern stands in a text at or after an offset.
  mutating func matches(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var state = self.state(at: Before(utf8, start, program.classes))
    var at = start
    while true {
      let column = scan(utf8, &at, &state)
      let next = step(from: state, by: column)
      if next == Self.found { return true }
      if next == Self.lost || column == program.classes.end { return false }
      state = Int(next)
    }
  }

  /// Follows known states until one is missing; returns the class that leads there, which is
  /// taken from the text, or that of the end.
  private func scan(
    _ utf8: UnsafeBufferPointer<UInt8>, _ place: inout Int, _ state: inout Int
  ) -> Int {
    var (at, row) = (place, state)
    defer { (place, state) = (at, row) }
    let classes = program.classes
    return cells.withUnsafeBufferPointer { cells in
      classes.ofByte.withUnsafeBufferPointer { ofByte in
        while at < utf8.count {
          let byte = utf8[at]
          var column = Int(ofByte[Int(byte)])
          var next = cells[row + column]
          if next >= 0 {
            at += 1
            // Where the state stays the same, the next lookup need not wait for this one.
            if Int(next) == row {
              while at < utf8.count, cells[row + Int(ofByte[Int(utf8[at])])] == next { at += 1 }
            }
            row = Int(next)
            continue
          }
          var length = 1
          if byte >= 0x80 {
            (column, length) = classes.ofCharacter(in: utf8, at: at)
            next = cells[row + column]
          }
          at += length
          guard next >= 0 else { return column }
          row = Int(next)
        }
        return classes.end
      }
    }
  }

  /// The state after a class, found or made; or a mark.
  private mutating func step(from row: Int, by column: Int) -> Int32 {
    let known = cells[row + column]
    if known != Self.unknown { return known }
    let state = states[row / program.classes.columns]
    let context = PatternContext(
      before: Before(rawValue: state[0]) ?? .other,
      isEnd: column == program.classes.end, isWordNext: program.classes.isWord[column])
    var next = [UInt64](repeating: 0, count: state.count)
    let isFound = follow(state, in: context, by: column, into: &next)
    if isFound || column == program.classes.end {
      let result = isFound ? Self.found : Self.lost
      cells[row + column] = result
      return result
    }
    if !program.isAnchored { next[1] |= 1 }
    if next.allSatisfy({ $0 == 0 }) {
      cells[row + column] = Self.lost
      return Self.lost
    }
    next[0] = (context.isWordNext ? Before.word : .other).rawValue
    let count = states.count
    let made = number(of: next)
    // The row is gone where making room has emptied the table.
    if states.count >= count { cells[row + column] = made }
    return made
  }

  /// Where a class leads from the places of a state; true where the pattern is found before it.
  private func follow(
    _ state: [UInt64], in context: PatternContext, by column: Int, into next: inout [UInt64]
  ) -> Bool {
    var reached = [UInt64](repeating: 0, count: state.count)
    var open: [Int] = []
    for (index, word) in state.enumerated().dropFirst() {
      var rest = word
      while rest != 0 {
        open.append((index - 1) << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
        while let place = open.popLast() {
          let bit = UInt64(1) << UInt64(place & 63)
          if reached[place >> 6 + 1] & bit != 0 { continue }
          reached[place >> 6 + 1] |= bit
          switch program.instructions[place] {
          case .take(let set):
            guard program.has(set: set, characterClass: column) else { continue }
            next[(place + 1) >> 6 + 1] |= 1 << UInt64((place + 1) & 63)
          case .split(let first, let second):
            open.append(second)
            open.append(first)
          case .jump(let target): open.append(target)
          case .condition(let assertion):
            if context.holds(assertion) { open.append(place + 1) }
          case .found: return true
          }
        }
      }
    }
    return false
  }

  /// The row of the state in which a search starts.
  private mutating func state(at before: Before) -> Int {
    var state = [UInt64](repeating: 0, count: 1 + (program.instructions.count + 63) / 64)
    state[0] = before.rawValue
    state[1] = 1
    return Int(number(of: state))
  }

  /// The row of a state, made where it is new; the table is emptied first where it is full.
  private mutating func number(of state: [UInt64]) -> Int32 {
    if let number = numbers[state] { return number }
    let columns = program.classes.columns
    if !states.isEmpty, max(cells.count + columns, stateWords + state.count) > Self.mostCells {
      cells.removeAll(keepingCapacity: true)
      states.removeAll(keepingCapacity: true)
      numbers.removeAll(keepingCapacity: true)
      stateWords = 0
    }
    let number = Int32(cells.count)
    cells.append(contentsOf: repeatElement(Self.unknown, count: columns))
    states.append(state)
    numbers[state] = number
    stateWords += state.count
    return number
  }
}

/// The character before a place in a text.
enum Before: UInt64 {
  case start, word, other

  init(_ utf8: UnsafeBufferPointer<UInt8>, _ offset: Int, _ classes: ScalarClasses) {
    guard offset > 0 else {
      self = .start
      return
    }
    var first = offset - 1
    while first > 0, offset - first < 4, utf8[first] & 0xC0 == 0x80 { first -= 1 }
    let (column, length) = classes.ofCharacter(in: utf8, at: first)
    self = first + length == offset && classes.isWord[column] ? .word : .other
  }
}

/// A place between two characters.
struct PatternContext {
  let before: Before
  let isEnd: Bool
  let isWordNext: Bool

  func holds(_ assertion: PatternAssertion) -> Bool {
    switch assertion {
    case .start: before == .start
    case .end: isEnd
    case .wordBoundary: (before == .word) != isWordNext
    case .noWordBoundary: (before == .word) == isWordNext
    }
  }
}

extension ScalarClasses {
  /// The class of the character at an offset and its length in bytes.
  @inline(__always)
  func ofCharacter(in utf8: UnsafeBufferPointer<UInt8>, at offset: Int) -> (Int, Int) {
    guard let (value, length) = utf8.scalar(at: offset) else { return (invalid, 1) }
    return (Int(entries[Int(pages[Int(value >> 6)]) << 6 + Int(value & 63)]), length)
  }
}
