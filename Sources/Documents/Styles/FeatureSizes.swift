import PortolanGraphics

extension FeatureRanks {
  /// The ranks of a block's features by the size of their areas; all others have none.
  ///
  /// Areas count as the sides of squares. On the globe a feature counts as if it were on the
  /// parallel in the middle of its box: right enough for an order, and without trigonometry for
  /// each vertex.
  ///
  /// - Complexity: O(vertices), about 2 ns each.
  convenience init(sizesOf block: GeometryBlock, isGeographic: Bool) {
    self.init(
      block.kinds.indices.map { row in
        let area = Self.area(of: row, in: block, isGeographic)
        guard area > 0 else { return -.infinity }
        let box = block.boxes[row]
        let middle = min(max((box.minY + box.maxY) / 2, -89), 89)
        let narrowing =
          isGeographic && middle.isFinite ? Mathematics.cosine(middle * .pi / 180) : 1
        let size = (area * narrowing).squareRoot()
        return size.isFinite ? size : -.infinity
      })
  }

  /// The area of a feature's polygons, in its coordinates.
  private static func area(of row: Int, in block: GeometryBlock, _ isGeographic: Bool) -> Double {
    let mayJump = isGeographic && block.boxes[row].mayJump
    let numbers = block.coordinates
    var area = 0.0
    for path in block.paths(ofFeature: row) where block.pathRoles[path].isRing {
      var twice = 0.0
      var former: (x: Double, y: Double)?
      block.eachOnGlobe(block.vertices(ofPath: path), mayJump: mayJump) { vertex, x in
        let y = numbers[2 * vertex + 1]
        if let former { twice += former.x * y - x * former.y }
        former = (x, y)
      }
      area += (block.pathRoles[path].isHole ? -0.5 : 0.5) * twice.magnitude
    }
    return max(0, area)
  }
}
