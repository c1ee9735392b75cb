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
  mutating func addMoving(_ candidate: LabelCandidate) {
    // Another part of the line has its name.
    if candidate.dimension == 1, placedTexts[NameKind(candidate)] != nil { return }
    var candidate = candidate
    candidate.isAmongLower = candidate.dimension == 0
    let name = LabelName(candidate.text)
    guard hasLetters(for: candidate, name.letters) else { return }
    for reach in reaches(of: candidate, name.columns) {
      if let trial = adding(name, candidate, in: reach) {
        self = trial
        return
      }
    }
  }

  /// The placer with a name in some cells and the names from there elsewhere; `nil` if one of them
  /// has no place.
  private func adding(
    _ name: LabelName, _ candidate: LabelCandidate, in reach: Reach
  ) -> LabelPlacer? {
    var moved: [LabelCandidate] = []
    for (label, owner) in zip(placed, owners)
    where !owner.isChosen && owner.dimension != 1 && reach.rows.contains(label.row)
      && reach.columns.overlaps(label.column...(label.column + label.columns - 1))
      && moved.last?.number != owner.number
    {
      moved.append(owner)
    }
    guard !moved.isEmpty, moved.count <= Self.movedMax else { return nil }
    var trial = self
    trial.remove(Set(moved.map(\.number)))
    // The name gets a place around the signs of these points, not upon them.
    for point in moved where point.dimension == 0 {
      trial.occupancy.addSign(column: point.x >> 1, row: point.y >> 2)
    }
    let isPut =
      reach.place.map {
        trial.put(name, candidate, at: [$0], coversSigns: candidate.coversSigns)
      } ?? trial.addInside(candidate)
    return isPut && moved.allSatisfy { trial.add($0) } ? trial : nil
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
        // Its sign is free too.
        (left, right) = (min(left, candidate.x >> 1), max(right, candidate.x >> 1))
        (top, bottom) = (min(top, candidate.y >> 2), max(bottom, candidate.y >> 2))
      }
      return Reach(columns: left...right, rows: top...bottom, place: place)
    }
  }

  /// Takes the labels of features away.
  private mutating func remove(_ numbers: Set<Int>) {
    let kept = placed.indices.filter { !numbers.contains(owners[$0].number) }
    for owner in owners where numbers.contains(owner.number) {
      named[owner.number] = false
      places[owner.key] = nil
    }
    for index in placed.indices where numbers.contains(owners[index].number) {
      letters -= placed[index].letters
    }
    (placed, owners) = (kept.map { placed[$0] }, kept.map { owners[$0] })
    occupancy.keepOnlyWanted(of: taken)
    placedTexts = [:]
    for (label, owner) in zip(placed, owners) {
      occupancy.addLabel(
        column: label.column, row: label.row, columns: label.columns,
        isSpaced: label.capitals != nil)
      placedTexts[NameKind(owner), default: []].append((label.column, label.row))
      if owner.dimension == 0 { occupancy.addSign(column: owner.x >> 1, row: owner.y >> 2) }
    }
  }
}
