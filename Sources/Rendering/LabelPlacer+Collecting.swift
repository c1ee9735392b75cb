import PortolanGraphics

/// Collects the features in view that may have names.
extension LabelPlacer {
  /// The least length of a line with a name, and the least width of an area, in dots.
  static let leastLength = 6
  static let leastWidth = 1

  /// Offers the visible points and areas of a set.
  func collect(_ set: LabelSet, _ index: Int, into grid: inout LabelGrid) {
    guard window.sees(memory.cache(of: set.block, on: camera.plane).outline) else { return }
    let base = memory.projected(set.block, on: camera.plane)
    let rows = LabelRows(set, index, chosen: selected[ObjectIdentifier(set.block)] ?? [])
    for copy in window.copies {
      guard let box = window.box(copy: copy) else { continue }
      if base.size.hasPoints {
        let paths = memory.fullPaths(of: set.block, on: camera.plane)
        collectPoints(paths, rows, copy, box, &grid)
      }
      if !base.hasAreas || base.size.numbers == 0 { continue }
      base.rows(near: box).each(in: base.featureBoxes.indices) { row in
        let bounds = base.featureBoxes[row]
        guard bounds.intersects(box) else { return }
        let dimension = base.kinds[row].dimension ?? 0
        if dimension == 1 || base.kinds[row].dimension == 0 { return }
        let size = window.scale.dot(bounds.width)
        if dimension > 0 && size < Self.leastWidth { return }
        guard let middle = visiblePart(of: bounds, copy: copy) else { return }
        let weight = LabelWeight(
          rank: rows.rank(row), extent: Double(bounds.width) * Double(bounds.height))
        let isChosen = rows.isChosen(row)
        guard isChosen || grid.mayTake(weight, x: middle.x, y: middle.y) else { return }
        var candidate = LabelCandidate(
          key: LabelKey(block: rows.block, row: row, copy: copy), set: index, weight: weight,
          size: size, height: window.scale.dot(bounds.height), x: middle.x, y: middle.y,
          dimension: dimension)
        if isChosen { candidate.turn = .chosen }
        grid.offer(candidate, text: set.text)
      }
    }
  }

  /// The middle dot of the visible part of a box; `nil` for a box out of view.
  func visiblePart(of bounds: WorldBox, copy: Int) -> (x: Int, y: Int)? {
    let left = max(0, window.dotX(bounds.minX, copy: copy))
    let right = min(camera.dotWidth - 1, window.dotX(bounds.maxX, copy: copy))
    let top = max(0, window.dotY(bounds.minY))
    let bottom = min(camera.dotHeight - 1, window.dotY(bounds.maxY))
    return left <= right && top <= bottom ? ((left + right) / 2, (top + bottom) / 2) : nil
  }

  private func collectPoints(
    _ paths: PathLevel, _ rows: LabelRows, _ copy: Int, _ box: WorldBox, _ grid: inout LabelGrid
  ) {
    let points = paths.points
    var previous = -1
    paths.points(near: box).each(in: points.rows.indices) { point in
      let (worldX, worldY) = (points.coordinates[2 * point], points.coordinates[2 * point + 1])
      let row = Int(points.rows[point])
      guard box.contains(x: worldX, y: worldY), row != previous else { return }
      let (x, y) = (window.dotX(worldX, copy: copy), window.dotY(worldY))
      guard x >= 0, y >= 0, x < camera.dotWidth, y < camera.dotHeight else { return }
      previous = row
      let weight = LabelWeight(rank: rows.rank(row))
      let isChosen = rows.isChosen(row)
      guard isChosen || grid.mayTake(weight, x: x, y: y) else { return }
      var candidate = LabelCandidate(
        key: LabelKey(block: rows.block, row: row, copy: copy), set: rows.index, weight: weight,
        x: x, y: y, dimension: 0, point: point)
      if isChosen { candidate.turn = .chosen }
      grid.offer(candidate, text: rows.set.text)
    }
  }

  static func comparable(_ rank: Double) -> Double { rank.isNaN ? -.infinity : rank }
}

/// The rows of a set that are collected.
private struct LabelRows {
  let set: LabelSet
  let index: Int
  let block: ObjectIdentifier
  let chosen: Set<Int>

  init(_ set: LabelSet, _ index: Int, chosen: Set<Int>) {
    (self.set, self.index, self.chosen) = (set, index, chosen)
    block = ObjectIdentifier(set.block)
  }

  func rank(_ row: Int) -> Double { LabelPlacer.comparable(set.rank(row)) }
  func isChosen(_ row: Int) -> Bool { !chosen.isEmpty && chosen.contains(row) }
}
