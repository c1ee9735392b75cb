/// The common part of every merge of lists: features of a map, polygons of a geometry, rings.
///
/// The result has the order of ours. Additions of theirs follow their predecessor in theirs, behind
/// additions of ours at the same place.
struct ThreeWayList<Value> {
  /// The outcome for an element.
  enum Outcome {
    /// Ours as it is.
    case ours
    /// Ours with another value.
    case changed(Value)
    /// This element of theirs, which ours does not have.
    case theirs(Value)
    case gone

    var isGone: Bool { if case .gone = self { true } else { false } }
  }

  /// From base to ours and to theirs, and from theirs' additions to ours'.
  let ours: FeatureMatching
  let theirs: FeatureMatching
  let additions: [Int: Int]

  init(
    ours: FeatureMatching, theirs: FeatureMatching, additions: [Int: Int]
  ) {
    (self.ours, self.theirs, self.additions) = (ours, theirs, additions)
  }

  /// The elements of the merged list.
  ///
  /// - Parameters:
  ///   - known: decides about an element of the base by its numbers in ours and theirs; an element
  ///     that only theirs has becomes `.theirs` or `.gone`.
  ///   - both: decides about an element that both added.
  ///   - added: an addition of theirs.
  func pieces(
    known: (_ base: Int, _ ours: Int?, _ theirs: Int?) throws -> Outcome,
    both: (_ ours: Int, _ theirs: Int) throws -> Outcome,
    added: (_ theirs: Int) throws -> Value
  ) rethrows -> [MergedPiece<Value>] {
    var outcomes = [Outcome](repeating: .ours, count: ours.first.count)
    var inserted: [Int: Value] = [:]
    for base in ours.second.indices {
      let (own, other) = (ours.second[base], theirs.second[base])
      let outcome = try known(base, own, other)
      if let own {
        outcomes[own] = outcome
      } else if let other, case .theirs(let value) = outcome {
        inserted[other] = value
      }
    }
    for other in theirs.first.indices where theirs.first[other] == nil {
      if let own = additions[other] {
        outcomes[own] = try both(own, other)
      } else {
        inserted[other] = try added(other)
      }
    }
    return arranged(outcomes, inserted)
  }

  private func arranged(
    _ outcomes: [Outcome], _ inserted: [Int: Value]
  ) -> [MergedPiece<Value>] {
    // The additions before the element of ours with this number.
    var before: [Int: [Value]] = [:]
    func next(_ place: Int) -> Int {
      outcomes[place...].indices.first { ours.first[$0] != nil && !outcomes[$0].isGone }
        ?? outcomes.count
    }
    var place = next(0)
    for other in theirs.first.indices {
      if let value = inserted[other] {
        before[place, default: []].append(value)
      } else if let own = theirs.first[other].flatMap({ ours.second[$0] }) ?? additions[other] {
        place = next(own + 1)
      }
    }
    var pieces: [MergedPiece<Value>] = []
    for own in 0...outcomes.count {
      pieces += (before[own] ?? []).map { .added($0) }
      guard own < outcomes.count else { break }
      switch outcomes[own] {
      case .ours: pieces.append(.own(own, nil))
      case .changed(let value), .theirs(let value): pieces.append(.own(own, value))
      case .gone: break
      }
    }
    return pieces
  }
}
