import Graphics

/// Tells which features of a block a box touches.
struct BoxTest {
  let box: Box
  /// Whether coordinates are degrees, so that shapes may run across the antimeridian.
  var isGeographic = false

  /// Whether any part of a feature lies in the box.
  func touches(_ block: GeometryBlock, row: Int) -> Bool {
    let bounds = block.boxes[row]
    let isWide = isGeographic && block.isWideOnGlobe(row: row)
    guard !bounds.isEmpty, isWide || box.intersects(bounds) else { return false }
    if !isWide && bounds.minX >= box.minX && bounds.maxX <= box.maxX && bounds.minY >= box.minY
      && bounds.maxY <= box.maxY
    {
      return true
    }
    var isInside = false
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      var former: Coordinate?
      for vertex in block.vertices(ofPath: path) {
        var coordinate = block.coordinate(at: vertex)
        if isWide, let former, role.kind.dimension != 0 {
          coordinate.x = Longitude.unwrapped(coordinate.x, after: former.x)
        }
        if box.contains(coordinate) { return true }
        if let former, role.kind.dimension != 0 {
          if crosses(former, coordinate) { return true }
          if role.isRing && isEastward(former, coordinate) { isInside.toggle() }
        }
        former = coordinate
      }
    }
    return isInside
  }

  /// Whether a segment with both ends outside passes through the box (Liang and Barsky).
  private func crosses(_ a: Coordinate, _ b: Coordinate) -> Bool {
    var start = 0.0
    var end = 1.0
    let sides = [
      (a.x - b.x, a.x - box.minX), (b.x - a.x, box.maxX - a.x),
      (a.y - b.y, a.y - box.minY), (b.y - a.y, box.maxY - a.y),
    ]
    for (slope, room) in sides {
      if slope == 0 {
        if room < 0 { return false }
      } else if slope < 0 {
        start = max(start, room / slope)
      } else {
        end = min(end, room / slope)
      }
      if start > end { return false }
    }
    return true
  }

  /// Whether a ray from the box's corner to the east crosses a segment.
  private func isEastward(_ a: Coordinate, _ b: Coordinate) -> Bool {
    (a.y > box.minY) != (b.y > box.minY)
      && box.minX < (b.x - a.x) * (box.minY - a.y) / (b.y - a.y) + a.x
  }
}
