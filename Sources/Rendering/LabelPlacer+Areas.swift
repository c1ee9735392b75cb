import PortolanGraphics

/// Keeps the names of areas on their own areas, or beside small islands alone.
extension LabelPlacer {
  /// An area lower than this, in dots, counts for a cell that it touches.
  private static let thin = 6
  /// Squares of an area's mask larger than this, in dots, do not tell cells apart.
  private static let coarse = 4.0

  /// Whether an area is beneath at least half of the cells of a text.
  func isOnArea(_ candidate: LabelCandidate, _ place: LabelPlace, _ columns: Int) -> Bool {
    if let anchor = known.anchors[candidate.key], let part = anchor,
      isBeneath(part, candidate, place, columns)
    {
      return true
    }
    guard let whole = pole(of: candidate, .whole) else { return false }
    let units = WorldPoint.worldWidth / camera.worldDots
    if whole.mask.unit > Self.coarse * units, let part = pole(of: candidate, .visible) {
      return isBeneath(part, candidate, place, columns)
    }
    return isBeneath(whole, candidate, place, columns)
  }

  private func isBeneath(
    _ area: AreaAnchor, _ candidate: LabelCandidate, _ place: LabelPlace, _ columns: Int
  ) -> Bool {
    let units = WorldPoint.worldWidth / camera.worldDots
    let offset = Double(Int64(candidate.key.copy) << 31)
    let isThin = window.scale.dot(area.box.height) < Self.thin
    let top = camera.originY + 4 * place.row
    var covered = 0
    for column in place.column..<(place.column + columns) {
      let x = Double(camera.originX + 2 * column + 1) * units - offset
      for down in isThin ? 1...3 : 2...2
      where area.mask.isCovered(x: x, y: Double(top + down) * units) {
        covered += 1
        break
      }
    }
    return 2 * covered >= columns
  }

  /// Whether an area is lower than some rows and touches no other one of its layer.
  func isSmallIsland(_ candidate: LabelCandidate, _ area: AreaAnchor) -> Bool {
    let units = WorldPoint.worldWidth / camera.worldDots
    return window.scale.dot(area.box.height) <= 4 * Self.islandRows
      && !meetsOther(area.box.expanded(by: Int64(limiting: units)), than: candidate, ofLayer: true)
  }

  /// Whether another area is beneath a text, or one of its layer within two columns or some dots.
  func hasOtherArea(
    at cell: (column: Int, row: Int), _ columns: Int, than candidate: LabelCandidate,
    within dots: Int
  ) -> Bool {
    let text = box(cell, columns, candidate, margin: (0, 0))
    let around = box(cell, columns, candidate, margin: (max(4, dots), dots))
    return meetsOther(around, than: candidate, ofLayer: true)
      || meetsOther(text, than: candidate, ofLayer: false)
  }

  /// The part of the world beneath a text and some dots around it.
  private func box(
    _ cell: (column: Int, row: Int), _ columns: Int, _ candidate: LabelCandidate,
    margin: (x: Int, y: Int)
  ) -> WorldBox {
    let units = WorldPoint.worldWidth / camera.worldDots
    let offset = Double(Int64(candidate.key.copy) << 31)
    func unit(_ dot: Int) -> Int32 {
      Int32(clamping: Int64(limiting: (Double(dot) * units).rounded()))
    }
    func across(_ dot: Int) -> Int32 {
      Int32(clamping: Int64(limiting: (Double(dot) * units - offset).rounded()))
    }
    return WorldBox(
      minX: across(camera.originX + 2 * cell.column - margin.x),
      minY: unit(camera.originY + 4 * cell.row - margin.y),
      maxX: across(camera.originX + 2 * (cell.column + columns) + margin.x),
      maxY: unit(camera.originY + 4 * cell.row + 4 + margin.y))
  }

  /// Whether another area or line of the same layer, or an area of another one, reaches into a box.
  private func meetsOther(
    _ box: WorldBox, than candidate: LabelCandidate, ofLayer isOfLayer: Bool
  ) -> Bool {
    let priority = sets[candidate.set].priority
    for index in sets.indices where (sets[index].priority == priority) == isOfLayer {
      let block = sets[index].block
      guard memory.cache(of: block, on: camera.plane).outline.intersects(box) else { continue }
      let base = memory.projected(block, on: camera.plane)
      let own = candidate.key.block == ObjectIdentifier(block) ? candidate.key.row : nil
      var meets = false
      base.rows(near: box).each(in: base.featureBoxes.indices) { row in
        let bounds = base.featureBoxes[row]
        guard !meets, bounds.intersects(box), row != own else { return }
        let dimension = base.kinds[row].dimension ?? 2
        guard dimension == 2 || dimension == 1 && isOfLayer else { return }
        // Areas of a few dots have no outline any more.
        meets =
          window.scale.dot(max(bounds.width, bounds.height)) < 4
          || LabelAnchors.reaches(row, in: visiblePaths(ofSet: index), into: box)
      }
      if meets { return true }
    }
    return false
  }
}

extension AreaMask {
  /// Whether the area covers a place, in world units.
  func isCovered(x: Double, y: Double) -> Bool {
    let column = ((x - Double(box.minX)) * scale).rounded(.down)
    let row = ((y - Double(box.minY)) * scale).rounded(.down)
    guard column >= 0, row >= 0, row < Double(height), column < Double(64 * wordsPerRow) else {
      return false
    }
    return covered[Int(row) * wordsPerRow + Int(column) >> 6] >> UInt64(Int(column) & 63) & 1 == 1
  }

  /// The size of a square, in world units.
  var unit: Double { 1 / scale }
}

extension LabelAnchors {
  /// Whether a feature's outline crosses a box or the feature covers it.
  ///
  /// - Complexity: O(vertices of the feature to the left of the box at its height).
  static func reaches(_ row: Int, in paths: PathLevel, into box: WorldBox) -> Bool {
    let middle = (
      x: (Double(box.minX) + Double(box.maxX)) / 2, y: (Double(box.minY) + Double(box.maxY)) / 2
    )
    var isInside = false
    func crosses(_ from: Int, _ to: Int) -> Bool {
      let (x0, y0) = (Double(paths.coordinates[2 * from]), Double(paths.coordinates[2 * from + 1]))
      let (x1, y1) = (Double(paths.coordinates[2 * to]), Double(paths.coordinates[2 * to + 1]))
      if (y0 > middle.y) != (y1 > middle.y),
        x0 + (middle.y - y0) / (y1 - y0) * (x1 - x0) < middle.x
      {
        isInside.toggle()
      }
      guard min(x0, x1) <= Double(box.maxX), max(x0, x1) >= Double(box.minX),
        min(y0, y1) <= Double(box.maxY), max(y0, y1) >= Double(box.minY)
      else { return false }
      // A line with corners of the box on both sides of it crosses the box.
      let sides = [
        (box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY),
      ].map { (x1 - x0) * (Double($0.1) - y0) - (y1 - y0) * (Double($0.0) - x0) }
      return !sides.allSatisfy { $0 > 0 } && !sides.allSatisfy { $0 < 0 }
    }
    for ring in paths.paths(inChunks: paths.chunks(ofFeature: row)) {
      for chunk in ring where mayCross(paths.chunkBoxes[chunk], box) {
        for vertex in paths.line(ofChunk: chunk).dropFirst() where crosses(vertex - 1, vertex) {
          return true
        }
      }
      let vertices = paths.vertices(ofChunks: ring)
      if let first = vertices.first, let last = vertices.last, crosses(last, first) { return true }
    }
    return isInside
  }
}
