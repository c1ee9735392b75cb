import PortolanGraphics

/// Moves the names of points out of the way of important areas.
extension LabelPlacer {
  /// The most names that are moved for another one.
  private static let movedMax = 8

  /// Names an area whose places have names of points, where all of these have other places.
  mutating func addMoving(_ candidate: LabelCandidate) {
    guard let area = pole(of: candidate, .whole)?.box else { return }
    let copy = candidate.key.copy
    let columns = window.dotX(area.minX, copy: copy) >> 1...window.dotX(area.maxX, copy: copy) >> 1
    let rows = window.dotY(area.minY) >> 2...window.dotY(area.maxY) >> 2
    let moved = placed.indices.filter { index in
      let label = placed[index]
      return owners[index].dimension == 0 && rows.contains(label.row)
        && columns.overlaps(label.column...(label.column + label.columns))
    }
    guard !moved.isEmpty, moved.count <= Self.movedMax else { return }
    var trial = self
    let points = moved.map { owners[$0] }
    trial.remove(Set(moved))
    // The area gets its name around the signs of these points, not upon them.
    for point in points { trial.occupancy.addSign(column: point.x >> 1, row: point.y >> 2) }
    guard trial.addInside(candidate) else { return }
    for point in points {
      trial.add(point)
      if trial.isUnplaced(point) { return }
    }
    self = trial
  }

  /// Takes labels away.
  private mutating func remove(_ indices: Set<Int>) {
    let kept = placed.indices.filter { !indices.contains($0) }
    for index in indices {
      named[owners[index].number] = false
      places[owners[index].key] = nil
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
