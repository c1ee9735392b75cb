/// The turns in which features have their names: the first of them have their places first.
enum LabelTurn: Int, Comparable, CaseIterable {
  /// What is selected or found: beyond the measure of letters.
  case chosen
  /// The very few most important areas of each layer, if they are large: they make way for towns.
  case great
  /// The few most important points.
  case foremost
  /// The other areas that are important, or have room for their names.
  case area
  /// The other important points.
  case point
  /// The most important lines.
  case line
  /// All others: these leave coasts and borders free.
  case other

  static func < (one: LabelTurn, other: LabelTurn) -> Bool { one.rawValue < other.rawValue }
}

/// The indices of features by their turns, those of one turn in their order.
struct LabelTurns {
  private var indices: [Int] = []
  /// Where each turn ends.
  private var ends: [Int] = []

  init(_ turns: [LabelTurn]) {
    var counts = [Int](repeating: 0, count: LabelTurn.allCases.count)
    for turn in turns { counts[turn.rawValue] += 1 }
    for count in counts { ends.append((ends.last ?? 0) + count) }
    var next = [0] + ends.dropLast()
    indices = [Int](repeating: 0, count: turns.count)
    for (index, turn) in turns.enumerated() {
      indices[next[turn.rawValue]] = index
      next[turn.rawValue] += 1
    }
  }

  /// The indices of some turns, the first turn first.
  subscript(turns: ClosedRange<LabelTurn>) -> ArraySlice<Int> {
    let first = turns.lowerBound.rawValue
    return indices[(first == 0 ? 0 : ends[first - 1])..<ends[turns.upperBound.rawValue]]
  }
}

/// One pass over the features that may have names.
struct LabelPass {
  /// A way of naming a feature.
  enum Way {
    /// Where the name was in the last frame; the second leaves out names in parts of areas.
    case former, formerInWhole
    /// At one of its own places.
    case own
    /// At one of them, with others out of the way.
    case moving
    /// Beside a small island.
    case beside
  }

  /// The features that count, in the order of their turns.
  let turns: ClosedRange<LabelTurn>
  /// The ways that are tried, one after the other, until the feature has its name.
  let ways: [Way]
  /// Whether only features with a former place count.
  let isOfFormer: Bool

  private init(turns: ClosedRange<LabelTurn>, ways: [Way]) {
    (self.turns, self.ways) = (turns, ways)
    isOfFormer = ways.allSatisfy { $0 == .former || $0 == .formerInWhole }
  }

  /// All passes, in their order.
  static let all = [
    LabelPass(turns: .chosen ... .chosen, ways: [.former, .own, .beside]),
    // What kept a name from the middle of its area is to stand there again.
    LabelPass(turns: .chosen ... .other, ways: [.formerInWhole]),
    LabelPass(turns: .chosen ... .other, ways: [.former]),
    LabelPass(turns: .great ... .line, ways: [.own, .moving]),
    // What was moved may have left room for the others.
    LabelPass(turns: .great ... .other, ways: [.own, .beside]),
  ]
}
