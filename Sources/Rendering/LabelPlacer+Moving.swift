import PortolanGraphics

/// Moves names out of the way of important features.
extension LabelPlacer {
  /// The most names that are moved for another one.
  private static let movedMax = 8
  /// The most places of a line that others make room for.
  private static let linePlacesMax = 6

  /// The cells that the name of a feature may have.
  private struct Reach {
    var columns: ClosedRange<Int>
    var rows: ClosedRange<Int>
    /// The place of a line's name that is meant.
    var place: LabelPlace?
  }

  /// Names a feature whose places have names of others, where all of these have other places: names
  /// of areas leave their places to points, those of points and areas to areas and lines.
  mutating func addMoving(_ candidate: LabelCandidate) {
    for reach in reaches(of: candidate) {
      if let trial = adding(candidate, in: reach) {
        self = trial
        return
      }
    }
  }

  /// The placer with a name in some cells and the names from there elsewhere; `nil` if one of them
  /// has no place.
  private func adding(_ candidate: LabelCandidate, in reach: Reach) -> LabelPlacer? {
    var moved: [LabelCandidate] = []
    for (label, owner) in zip(placed, owners)
    where (candidate.dimension == 0 ? owner.dimension == 2 : owner.dimension != 1)
      && !owner.isFirst && reach.rows.contains(label.row)
      && reach.columns.overlaps(label.column...(label.column + label.columns))
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
    switch candidate.dimension {
    case 0: trial.add(candidate)
    case 1:
      trial.put(LabelName(candidate.text), candidate, at: [reach.place].compactMap { $0 })
    default: trial.addInside(candidate)
    }
    if trial.isUnplaced(candidate) { return nil }
    for owner in moved {
      if owner.dimension == 0 {
        trial.add(owner)
      } else if !trial.addSpaced(owner) {
        trial.addInside(owner)
      }
      if trial.isUnplaced(owner) { return nil }
    }
    return trial
  }

  /// The cells upon an area, around a point, or of each of the first places of a line.
  private func reaches(of candidate: LabelCandidate) -> [Reach] {
    switch candidate.dimension {
    case 0:
      let columns = LabelName(candidate.text).columns + 1
      let (column, row) = (candidate.x >> 1, candidate.y >> 2)
      return [
        Reach(columns: (column - columns)...(column + columns), rows: (row - 1)...(row + 1))
      ]
    case 1:
      let columns = LabelName(candidate.text).columns
      let line = line(of: candidate)
      let places = levelPlaces(line, columns) + steepPlaces(line, columns)
      return places.prefix(Self.linePlacesMax).map { place in
        Reach(
          columns: (place.column - 2)...(place.column + columns + 1),
          rows: (place.row - clearance)...(place.row + clearance), place: place)
      }
    default:
      guard let area = pole(of: candidate, .whole)?.box else { return [] }
      let copy = candidate.key.copy
      return [
        Reach(
          columns: window.dotX(area.minX, copy: copy) >> 1...window.dotX(area.maxX, copy: copy)
            >> 1, rows: window.dotY(area.minY) >> 2...window.dotY(area.maxY) >> 2)
      ]
    }
  }

  /// Takes the labels of features away.
  private mutating func remove(_ numbers: Set<Int>) {
    let kept = placed.indices.filter { !numbers.contains(owners[$0].number) }
    for owner in owners where numbers.contains(owner.number) {
      named[owner.number] = false
      places[owner.key] = nil
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
