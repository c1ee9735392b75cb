import PortolanGraphics

/// Moves names out of the way of important areas.
extension LabelPlacer {
  /// The most names that are moved for another one.
  private static let movedMax = 8

  /// Names an area whose places have names of points and areas, where all of these have other
  /// places.
  mutating func addMoving(_ candidate: LabelCandidate) {
    guard let area = pole(of: candidate, .whole)?.box else { return }
    let copy = candidate.key.copy
    let columns = window.dotX(area.minX, copy: copy) >> 1...window.dotX(area.maxX, copy: copy) >> 1
    let rows = window.dotY(area.minY) >> 2...window.dotY(area.maxY) >> 2
    var moved: [LabelCandidate] = []
    for (label, owner) in zip(placed, owners)
    where owner.dimension != 1 && !owner.isFirst && rows.contains(label.row)
      && columns.overlaps(label.column...(label.column + label.columns))
      && moved.last?.number != owner.number
    {
      moved.append(owner)
    }
    guard !moved.isEmpty, moved.count <= Self.movedMax else { return }
    var trial = self
    trial.remove(Set(moved.map(\.number)))
    // The area gets its name around the signs of these points, not upon them.
    for point in moved where point.dimension == 0 {
      trial.occupancy.addSign(column: point.x >> 1, row: point.y >> 2)
    }
    guard trial.addInside(candidate) else { return }
    for owner in moved {
      if owner.dimension == 0 {
        trial.add(owner)
      } else if !trial.addSpaced(owner) {
        trial.addInside(owner)
      }
      if trial.isUnplaced(owner) { return }
    }
    self = trial
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
      placedTexts[owner.text, default: []].append((label.column, label.row))
      if owner.dimension == 0 { occupancy.addSign(column: owner.x >> 1, row: owner.y >> 2) }
    }
  }
}
