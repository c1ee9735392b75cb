import PortolanGraphics
import PortolanTerminals

/// The places of names beside small islands, and upon and between those of a group.
extension LabelPlacer {
  /// The places around a small island without room for its name, or on and between the islands of a
  /// group, where no other area is.
  func outsidePlaces(_ candidate: LabelCandidate, _ columns: Int) -> [LabelPlace] {
    guard candidate.mayStandOutside, let pole = pole(of: candidate, .whole),
      let view = window.box(copy: candidate.key.copy),
      window.scale.dot(pole.box.width) / 2 + 2 < columns
    else { return [] }
    let islands = islands(of: candidate, pole, columns)
    if let group = IslandGroup(islands, candidate, self) {
      return LabelPlace.inOrder(
        group.cells(columns).prefix(Self.groupCellsMax).filter {
          isFree($0, columns) && !hasOtherArea(at: $0, columns, than: candidate, within: 0)
        })
    }
    guard view.intersects(pole.box), isSmallIsland(candidate, pole),
      let run = pole.runs.first?.first
    else { return [] }
    let offset = Int64(candidate.key.copy) << 31
    let (west, east) = (
      window.dotX(Int64(run.minX) + offset), window.dotX(Int64(run.maxX) + offset)
    )
    let (north, south) = (window.dotY(pole.box.minY), window.dotY(pole.box.maxY))
    let row = window.dotY(Int64(run.y)) >> 2
    let middle = (west >> 1 + east >> 1 + 1) / 2 - columns / 2
    // Each with its distance from the island, in dots.
    let (right, left) = (east >> 1 + 2, west >> 1 - columns - 1)
    let (above, below) = (north >> 2 - 1, south >> 2 + 1)
    let cells: [(column: Int, row: Int, away: Int)] = [
      (right, row, 2 * right - east),
      (left, row, west + 1 - 2 * (left + columns)),
      (middle, above, north + 1 - 4 * (above + 1)), (middle, below, 4 * below - south),
    ]
    return LabelPlace.inOrder(
      cells.filter { cell in
        isFree((cell.column, cell.row), columns)
          && !hasOtherArea(
            at: (cell.column, cell.row), columns, than: candidate, within: cell.away)
      }.map { ($0.column, $0.row) })
  }

  private func isFree(_ cell: (column: Int, row: Int), _ columns: Int) -> Bool {
    cell.column >= 0 && cell.column + columns <= camera.size.columns && cell.row >= 0
      && cell.row < camera.size.rows
      && names.occupancy.isFree(column: cell.column, row: cell.row, columns: columns)
  }

  /// The boxes of the larger ones of many islands that together are wider than their name; none for
  /// other areas.
  private func islands(
    of candidate: LabelCandidate, _ largest: AreaAnchor, _ columns: Int
  ) -> [WorldBox] {
    guard candidate.size / 2 >= columns,
      candidate.size >= 2 * window.scale.dot(largest.box.width)
    else { return [] }
    func size(_ box: WorldBox) -> Double { Double(box.width) * Double(box.height) }
    let paths = visiblePaths(ofSet: candidate.set)
    let boxes = paths.paths(inChunks: paths.chunks(ofFeature: candidate.key.row)).map { ring in
      ring.reduce(into: WorldBox.empty) { $0.formUnion(paths.chunkBoxes[$1]) }
    }
    // Islets far off a mainland are not what its name is for.
    let islands = boxes.filter { Self.islandShare * size($0) >= size(largest.box) }
    return islands.count < 3 ? [] : islands
  }
}

/// A group of islands as cells of the window.
private struct IslandGroup {
  /// The cells of the window around the group.
  private let columns: Range<Int>
  private let rows: Range<Int>
  /// The cells on the islands, and those at most a row or two columns from them.
  private let land: [Bool]
  private let near: [Bool]
  /// The middle of the land.
  private let middle: (column: Double, row: Double)

  /// - Parameter islands: the boxes of its islands in view; others do not count.
  init?(_ islands: [WorldBox], _ area: LabelCandidate, _ placer: borrowing LabelPlacer) {
    let (window, copy) = (placer.window, area.key.copy)
    guard let view = window.box(copy: copy, columns: placer.columns) else { return nil }
    let box = islands.reduce(into: WorldBox.empty) { $0.formUnion($1) }.intersection(view)
    let size = window.scale.dot(max(box.width, box.height))
    guard !box.isEmpty, size > 0,
      let mask = LabelAnchors.mask(
        of: area.key.row, in: placer.visiblePaths(ofSet: area.set), on: box,
        side: min(size, 256))
    else { return nil }
    func clamped(_ low: Int, _ high: Int, _ bounds: Range<Int>) -> Range<Int> {
      let first = max(low, bounds.lowerBound)
      return first..<max(first, min(high, bounds.upperBound))
    }
    columns = clamped(
      window.dotX(box.minX, copy: copy) >> 1 - 2, window.dotX(box.maxX, copy: copy) >> 1 + 3,
      placer.columns)
    rows = clamped(
      window.dotY(box.minY) >> 2 - 1, window.dotY(box.maxY) >> 2 + 2, 0..<placer.camera.size.rows)
    let units = WorldPoint.worldWidth / placer.camera.worldDots
    let offset = Double(Int64(copy) << 31)
    var land: [Bool] = []
    var sum = (column: 0, row: 0, count: 0)
    for row in rows {
      for column in columns {
        let x = Double(placer.camera.originX + 2 * column + 1) * units - offset
        let isLand = [1, 2, 3].contains { down in
          mask.isCovered(x: x, y: Double(placer.camera.originY + 4 * row + down) * units)
        }
        land.append(isLand)
        if isLand { sum = (sum.column + column, sum.row + row, sum.count + 1) }
      }
    }
    guard sum.count > 0 else { return nil }
    middle = (
      Double(sum.column) / Double(sum.count) + 0.5, Double(sum.row) / Double(sum.count) + 0.5
    )
    let (width, height) = (columns.count, rows.count)
    func isLand(_ column: Int, _ row: Int) -> Bool {
      column >= 0 && column < width && row >= 0 && row < height && land[row * width + column]
    }
    near = land.indices.map { index in
      let (column, row) = (index % width, index / width)
      return (-2...2).contains { isLand(column + $0, row) } || isLand(column, row - 1)
        || isLand(column, row + 1)
    }
    self.land = land
  }

  /// The first cells of texts that touch land and are near it for at least three quarters, those
  /// near the middle and upon much land first.
  func cells(_ length: Int) -> [(column: Int, row: Int)] {
    var found: [(column: Int, row: Int, cost: Double)] = []
    let width = columns.count
    guard length > 0, length <= width else { return [] }
    for row in 0..<rows.count {
      for column in 0...(width - length) {
        let cells = (row * width + column)..<(row * width + column + length)
        let own = land[cells].count { $0 }
        guard own > 0, 4 * near[cells].count(where: { $0 }) >= 3 * length else { continue }
        let (x, y) = (columns.lowerBound + column, rows.lowerBound + row)
        let across = Double(x) + Double(length) / 2 - middle.column
        let down = 2 * (Double(y) + 0.5 - middle.row)
        found.append((x, y, across.magnitude + down.magnitude - Double(own)))
      }
    }
    found.sort { ($0.cost, $0.row, $0.column) < ($1.cost, $1.row, $1.column) }
    return found.map { ($0.column, $0.row) }
  }
}
