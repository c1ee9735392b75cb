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
    let block = ObjectIdentifier(set.block)
    let chosen = selected[block] ?? []
    for copy in window.copies {
      guard let box = window.box(copy: copy) else { continue }
      collectPoints(base, set, index, block, copy, box, &grid)
      if base.paths.chunkBoxes.isEmpty { continue }
      for (row, bounds) in base.featureBoxes.enumerated() where bounds.intersects(box) {
        let dimension = set.block.kinds[row].dimension ?? 0
        if dimension == 1 || dimension == 0 && set.block.kinds[row] != .geometryCollection {
          continue
        }
        let size = window.scale.dot(bounds.width)
        if dimension > 0 && size < Self.leastWidth { continue }
        guard let middle = visiblePart(of: bounds, copy: copy) else { continue }
        var candidate = LabelCandidate(
          key: LabelKey(block: block, row: row, copy: copy), set: index, text: "",
          rank: Self.comparable(set.rank(row)), size: size,
          height: window.scale.dot(bounds.height),
          extent: Double(bounds.width) * Double(bounds.height), x: middle.x, y: middle.y,
          dimension: dimension)
        if chosen.contains(row) { candidate.turn = .chosen }
        grid.offer(&candidate, text: set.text)
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
    _ base: ProjectedBlock, _ set: LabelSet, _ index: Int, _ block: ObjectIdentifier, _ copy: Int,
    _ box: WorldBox, _ grid: inout LabelGrid
  ) {
    let points = base.paths.points
    let chosen = selected[block] ?? []
    var previous = -1
    for point in points.rows.indices {
      let (worldX, worldY) = (points.coordinates[2 * point], points.coordinates[2 * point + 1])
      let row = Int(points.rows[point])
      guard box.contains(x: worldX, y: worldY), row != previous else { continue }
      let (x, y) = (window.dotX(worldX, copy: copy), window.dotY(worldY))
      guard x >= 0, y >= 0, x < camera.dotWidth, y < camera.dotHeight else { continue }
      previous = row
      let rank = Self.comparable(set.rank(row))
      let isChosen = !chosen.isEmpty && chosen.contains(row)
      guard isChosen || grid.mayTake(rank: rank, x: x, y: y) else { continue }
      var candidate = LabelCandidate(
        key: LabelKey(block: block, row: row, copy: copy), set: index, text: "", rank: rank,
        size: 0, x: x, y: y, dimension: 0, point: point)
      if isChosen { candidate.turn = .chosen }
      grid.offer(&candidate, text: set.text)
    }
  }

  static func comparable(_ rank: Double) -> Double { rank.isNaN ? -.infinity : rank }
}
