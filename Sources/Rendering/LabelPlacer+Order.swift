import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// The order in which features have their names.
extension LabelPlacer {
  /// The least height of a large area, in dots, and of one whose name has two lines.
  private static let largeHeight = 8
  private static let wrappedHeight = 12
  /// The least height of an area whose name comes before all points.
  private static let greatHeight = 16

  /// All candidates, and their indices in the order of placing: by their turns; within one by
  /// layer, upper ones first, and then by rank.
  mutating func ordered() -> (candidates: [LabelCandidate], order: LabelTurns) {
    var candidates: [LabelCandidate] = []
    for priority in Set(sets.map(\.priority)).sorted() {
      var found = collected(ofPriority: priority)
      giveTurns(&found)
      if candidates.isEmpty { swap(&candidates, &found) } else { candidates += found }
    }
    candidates = withBestCopyFirst(candidates)
    number(&candidates)
    markNarrow(&candidates)
    return (candidates, LabelTurns(candidates.map(\.turn)))
  }

  /// The candidates of a layer, in the order of placing.
  func collected(ofPriority priority: Int) -> [LabelCandidate] {
    var grid = LabelGrid(camera)
    for (index, set) in sets.enumerated() where set.priority == priority {
      collect(set, index, into: &grid)
    }
    collectLines(ofPriority: priority, into: &grid)
    return withLargeAreasFirst(withoutCrowdsOfEquals(grid.ordered))
  }

  /// The number of the most important points and areas of a layer.
  private var leaders: Int {
    max(Self.leaders, picture.columns * picture.rows / Self.cellsPerLeader)
  }

  /// The candidates of a layer without most points of one rank, where these are many: nothing tells
  /// which of them matter.
  private func withoutCrowdsOfEquals(_ candidates: [LabelCandidate]) -> [LabelCandidate] {
    let points = candidates.indices.filter {
      candidates[$0].dimension == 0 && !candidates[$0].isChosen
    }
    var dropped: [Int] = []
    var start = 0
    for end in points.indices.dropFirst() + [points.count]
    where end == points.count || candidates[points[end]].rank != candidates[points[start]].rank {
      if end - start > leaders {
        // Fewer in steps, so that panning does not take many at once.
        let kept = max(leaders / 2, 2 * leaders - (end - start))
        dropped += points[(start + kept)..<end]
      }
      start = end
    }
    let gone = Set(dropped)
    return gone.isEmpty
      ? candidates : candidates.indices.filter { !gone.contains($0) }.map { candidates[$0] }
  }

  /// Gives the most important features of a layer their turns, and its large areas.
  mutating func giveTurns(_ candidates: inout [LabelCandidate]) {
    let leaders = leaders
    var lines = LeadingLines()
    // No area comes before one of higher rank that may want the same place.
    var lesser: [(rank: Double, box: WorldBox)] = []
    for index in candidates.indices {
      let isLeading = index < leaders
      let dimension = candidates[index].dimension
      guard isLeading || dimension == 2 || dimension == 1 && lines.isOpen else { continue }
      let candidate = candidates[index]
      var turn = LabelTurn.other
      switch dimension {
      case 1: if lines.take(candidate.text) { turn = .line }
      case 0 where isLeading:
        turn = index < max(Self.foremost, leaders / 2) ? .foremost : .point
        names.setWanted(true, candidate)
        leadingCells.insert(cell(of: candidate))
      case 2 where isLeading || isLarge(candidate):
        turn = .area
        if index < leaders / Self.areasPerGreat, let box = pole(of: candidate, .whole)?.box {
          let isAfter = lesser.contains { $0.rank > candidate.rank && $0.box.intersects(box) }
          if !isAfter, isGreat(candidate) {
            turn = .great
          } else {
            lesser.append((candidate.rank, box))
          }
        }
      default: break
      }
      if !candidate.isChosen { candidates[index].turn = turn }
    }
  }

  /// Whether an area has room for its name, in one line or two, and a row besides.
  func isLarge(_ area: LabelCandidate) -> Bool {
    guard area.height >= Self.largeHeight, let box = pole(of: area, .whole)?.box else {
      return false
    }
    let room = window.scale.dot(box.width) / 2 + 2
    let columns = min(DisplayWidth.of(area.text), LabelName.columnsMax)
    if room >= columns { return window.scale.dot(box.height) >= Self.largeHeight }
    guard 2 * room >= columns, window.scale.dot(box.height) >= Self.wrappedHeight,
      let lines = LabelName.wrapped(area.text)
    else { return false }
    return room >= Self.columns(of: lines)
  }

  /// Whether an area has the room to move its name, in one line or two.
  private func isGreat(_ area: LabelCandidate) -> Bool {
    guard let box = pole(of: area, .whole)?.box, isLarge(area) else { return false }
    return window.scale.dot(box.height) >= Self.greatHeight
  }

  /// Marks the first areas that are narrower than their names: these may stand beside them.
  func markNarrow(_ candidates: inout [LabelCandidate]) {
    var count = 0
    for index in candidates.indices where candidates[index].dimension == 2 {
      guard count < Self.outsideMax else { return }
      guard isNarrow(candidates[index]) else { continue }
      candidates[index].mayStandOutside = true
      count += 1
    }
  }

  /// Whether the largest part of an area is narrower than its name.
  private func isNarrow(_ area: LabelCandidate) -> Bool {
    let columns = DisplayWidth.of(area.text)
    if area.size / 2 + 2 < columns { return true }
    return pole(of: area, .whole).map { window.scale.dot($0.box.width) / 2 + 2 < columns } ?? false
  }

  /// Puts the areas of equal rank among candidates in the order of their sizes; points and lines
  /// keep their places.
  func withLargeAreasFirst(_ candidates: [LabelCandidate]) -> [LabelCandidate] {
    let areas = candidates.indices.filter {
      candidates[$0].dimension == 2 && !candidates[$0].isChosen
    }
    guard areas.count > 1 else { return candidates }
    let sizes = areas.map { index -> (index: Int, size: Int) in
      (index, pole(of: candidates[index], .whole)?.sizeClass ?? 0)
    }
    let ordered = sizes.sorted { first, second in
      let (one, other) = (candidates[first.index].rank, candidates[second.index].rank)
      if one != other { return one > other }
      return first.size == second.size ? first.index < second.index : first.size > second.size
    }
    var sorted = candidates
    for (place, area) in zip(areas, ordered) { sorted[place] = candidates[area.index] }
    return sorted
  }

  /// Numbers the features.
  mutating func number(_ candidates: inout [LabelCandidate]) {
    let copy = candidates.first?.key.copy
    if candidates.contains(where: { $0.key.copy != copy }) {
      var numbers: [LabelKey: Int] = [:]
      numbers.reserveCapacity(candidates.count)
      for index in candidates.indices {
        let key = candidates[index].key.inCopy(0)
        let number = numbers[key] ?? numbers.count
        numbers[key] = number
        candidates[index].number = number
      }
    } else {
      for index in candidates.indices { candidates[index].number = index }
    }
    names.expect(features: candidates.count)
  }

  /// Of features in view in several copies of the world, those with the most in view come first.
  func withBestCopyFirst(_ candidates: [LabelCandidate]) -> [LabelCandidate] {
    guard let first = candidates.first?.key.copy,
      candidates.contains(where: { $0.key.copy != first })
    else { return candidates }
    var firsts: [LabelKey: Int] = [:]
    firsts.reserveCapacity(candidates.count)
    var several: [Int: [Int]] = [:]
    for index in candidates.indices {
      let key = candidates[index].key.inCopy(0)
      if let first = firsts[key] {
        several[first, default: [first]].append(index)
      } else {
        firsts[key] = index
      }
    }
    var sorted = candidates
    for indices in several.values {
      let best = indices.map { (candidate: candidates[$0], room: room(of: candidates[$0])) }
        .sorted {
          $0.room == $1.room
            ? abs($0.candidate.key.copy) < abs($1.candidate.key.copy) : $0.room > $1.room
        }
      for (index, candidate) in zip(indices, best) { sorted[index] = candidate.candidate }
    }
    return sorted
  }

  /// The dots of an area's visible part that may have its name, of its box.
  private func room(of candidate: LabelCandidate) -> Int {
    guard candidate.dimension == 2,
      let box = (pole(of: candidate, .visible) ?? pole(of: candidate, .whole))?.box
    else { return 0 }
    let copy = candidate.key.copy
    let left = max(2 * columns.lowerBound, window.dotX(box.minX, copy: copy))
    let right = min(2 * columns.upperBound, window.dotX(box.maxX, copy: copy))
    let top = max(0, window.dotY(box.minY))
    let bottom = min(camera.dotHeight, window.dotY(box.maxY))
    return max(0, right - left) * max(0, bottom - top)
  }
}

/// The first names of lines, and the longest parts of each: of a river, its longest parts in view.
private struct LeadingLines {
  private var parts: [String: Int] = [:]
  /// The number of parts that are still to be taken.
  private var left = LabelPlacer.leadingLines * LabelPlacer.leadingParts

  /// Whether further parts may be taken.
  var isOpen: Bool { left > 0 }

  /// Whether a line, the next in the order of placing, is one of them.
  mutating func take(_ name: String) -> Bool {
    guard isOpen else { return false }
    let count = parts[name] ?? 0
    guard count < LabelPlacer.leadingParts, count > 0 || parts.count < LabelPlacer.leadingLines
    else { return false }
    parts[name] = count + 1
    left -= 1
    return true
  }
}
