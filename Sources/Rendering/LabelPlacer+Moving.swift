import PortolanGraphics

/// Moves names out of the way of important features.
extension LabelPlacer {
  /// The most names that are moved for another one.
  private static let movedMax = 8
  /// The most places of a point or a line that others make room for.
  private static let placesMax = 8

  /// The cells that the name of a feature may have.
  private struct Reach {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
    /// The place that is meant; `nil` for any in these cells.
    var place: LabelPlace?
  }

  /// Names a feature whose places have names of others, where all of these have other places:
  /// points may have those of points and areas, areas and lines too.
  ///
  /// The fewer names make room, the better: no name that makes room has others make room for it
  /// where it has a place without.
  ///
  /// - Parameter chain: how often a name that makes room may have others make room for it.
  /// - Returns: whether it has a name now.
  mutating func addMoving(_ candidate: LabelCandidate, chain: Int = 0) -> Bool {
    // Another part of the line has its name.
    if candidate.dimension == 1, !names.positions(of: NameKind(candidate)).isEmpty { return false }
    var candidate = candidate
    candidate.isAmongLower = candidate.dimension == 0
    let name = LabelName(candidate.text)
    guard hasLetters(for: candidate, name.letters) else { return false }
    var left = reaches(of: candidate, name.columns)
    for chain in 0...chain {
      var crowded: [Reach] = []
      for reach in left {
        guard let isAdded = add(name, candidate, in: reach, chain: chain) else { continue }
        if isAdded { return true }
        crowded.append(reach)
      }
      left = crowded
    }
    return false
  }

  /// Puts a name into some cells and the names from there elsewhere; changes nothing if one of them
  /// has no other place.
  ///
  /// - Returns: whether it has the place; `nil` if it would not even if all these had other places.
  private mutating func add(
    _ name: LabelName, _ candidate: LabelCandidate, in reach: Reach, chain: Int
  ) -> Bool? {
    let movable = names.numbers(in: reach.columns, rows: reach.rows).filter { number in
      names[number].map { !$0.owner.isChosen && $0.owner.dimension != 1 } ?? false
    }
    guard !movable.isEmpty, movable.count <= Self.movedMax else { return nil }
    let (mark, hadSign) = (names.mark, names.hasSign(of: candidate))
    // Their signs keep their cells: the name gets a place around them.
    let moved = movable.compactMap { names.take($0) }
    let isPut =
      reach.place.map { put(name, candidate, at: [$0], coversSigns: candidate.coversSigns) }
      ?? addInside(candidate)
    if isPut,
      moved.allSatisfy({ add($0.owner) || chain > 0 && addMoving($0.owner, chain: chain - 1) })
    {
      return true
    }
    names.goBack(to: mark)
    names.setSign(hadSign, of: candidate)
    return isPut ? false : nil
  }

  /// The cells upon an area, or of each of the first places of a point or a line.
  private func reaches(of candidate: LabelCandidate, _ columns: Int) -> [Reach] {
    if candidate.dimension == 2 {
      guard let area = pole(of: candidate, .whole)?.box else { return [] }
      let copy = candidate.key.copy
      return [
        Reach(
          columns: window.dotX(area.minX, copy: copy) >> 1...window.dotX(area.maxX, copy: copy)
            >> 1, rows: window.dotY(area.minY) >> 2...window.dotY(area.maxY) >> 2)
      ]
    }
    let places: [LabelPlace]
    if candidate.dimension == 0 {
      places = pointPlaces(candidate, columns)
    } else {
      let line = line(of: candidate)
      places = levelPlaces(line, columns) + steepPlaces(line, columns)
    }
    return places.prefix(Self.placesMax).filter {
      $0.column >= self.columns.lowerBound && $0.column + columns <= self.columns.upperBound
        && $0.row >= 0 && $0.row < picture.rows
        && groundCost(of: candidate, at: $0, columns, coversSigns: candidate.coversSigns) != nil
    }.map { place in
      var left = place.column - 2
      var right = place.column + columns + 1
      var (top, bottom) = (place.row - clearance, place.row + clearance)
      if candidate.dimension == 0 {
        // Its sign is free too, and touches no other name.
        (left, right) = (min(left, candidate.x >> 1 - 1), max(right, candidate.x >> 1 + 1))
        (top, bottom) = (min(top, candidate.y >> 2), max(bottom, candidate.y >> 2))
      }
      return Reach(columns: left...right, rows: top...bottom, place: place)
    }
  }
}
