import PortolanGraphics

extension FeatureRanks {
  /// The ranks of a block's features by their size: the area of areas, the length of lines.
  ///
  /// Areas count as the sides of squares, so that both are lengths. On the globe a feature counts
  /// as if it were on the parallel in the middle of its box: right enough for an order, and
  /// without trigonometry for each vertex. Points have no size.
  ///
  /// - Complexity: O(vertices), about 2 ns each.
  convenience init(sizesOf block: GeometryBlock, isGeographic: Bool) {
    self.init(
      block.kinds.indices.map { row in
        let (area, length) = Self.size(of: row, in: block)
        let box = block.boxes[row]
        let middle = min(max((box.minY + box.maxY) / 2, -89), 89)
        let narrowing =
          isGeographic && middle.isFinite ? Mathematics.cosine(middle * .pi / 180) : 1
        let size = area > 0 ? (area * narrowing).squareRoot() : length * narrowing.squareRoot()
        return size.isFinite ? size : -.infinity
      })
  }

  /// The area of a feature's polygons and the length of its lines, in its coordinates.
  private static func size(of row: Int, in block: GeometryBlock) -> (area: Double, length: Double) {
    var (area, length) = (0.0, 0.0)
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      guard role.kind.dimension != 0 else { continue }
      var (twice, way) = (0.0, 0.0)
      var former: (x: Double, y: Double)?
      for vertex in block.vertices(ofPath: path) {
        let (x, y) = (block.coordinates[2 * vertex], block.coordinates[2 * vertex + 1])
        if let former {
          twice += former.x * y - x * former.y
          let (stepX, stepY) = (x - former.x, y - former.y)
          way += (stepX * stepX + stepY * stepY).squareRoot()
        }
        former = (x, y)
      }
      if role.isRing {
        area += (role.isHole ? -0.5 : 0.5) * twice.magnitude
      } else {
        length += way
      }
    }
    return (max(0, area), length)
  }
}
