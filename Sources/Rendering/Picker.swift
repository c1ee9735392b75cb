package import PortolanGraphics

/// Measures the distances of features from a point of the map, in dots of the screen.
///
/// Near the point the map is taken as flat: one dot is the same number of units everywhere, so no
/// vertex has to be projected; where meridians are curved, all near ones are. Shapes that cross the
/// antimeridian are measured on both its sides. Large features are inspected only in the parts near
/// enough.
package struct Picker: Sendable {
  let camera: Camera
  /// The point, in the document's coordinates.
  package let point: Coordinate
  /// Dots per unit of the coordinates.
  package let scaleX: Double
  package let scaleY: Double
  /// The largest distance of a hit, in dots.
  package let tolerance: Double
  /// The box of everything within tolerance.
  package let reach: Box
  /// The rows of the box, rounded outwards.
  private let span: (low: Float, high: Float)
  package let isGeographic: Bool
  let isCurved: Bool
  /// The point in the unit square, and everything within tolerance in world units.
  private let place: UnitPoint
  private let window: WorldBox

  package init(camera: Camera, point: Coordinate, tolerance: Double) {
    self.camera = camera
    self.point = point
    self.tolerance = tolerance
    let dot = camera.dot(at: point) ?? DotPoint(x: 0, y: 0)
    func near(_ x: Double, _ y: Double) -> Coordinate {
      camera.coordinate(at: DotPoint(x: dot.x + x, y: dot.y + y))
    }
    scaleX = 2 / max(abs(near(1, 0).x - near(-1, 0).x), 1e-12)
    scaleY = 2 / max(abs(near(0, 1).y - near(0, -1).y), 1e-12)
    (isGeographic, isCurved) = (camera.plane.isGeographic, camera.plane.isCurved)
    place = camera.plane.forward(point)
    if isCurved {
      // A straight line on the map reaches longitudes that neither of its ends has.
      reach = Box(
        minX: -180, minY: near(0, tolerance).y, maxX: 180, maxY: near(0, -tolerance).y)
    } else {
      let (x, y) = (tolerance / scaleX, tolerance / scaleY)
      reach = Box(minX: point.x - x, minY: point.y - y, maxX: point.x + x, maxY: point.y + y)
    }
    let middle = WorldPoint(place).map { WorldBox(minX: $0.x, minY: $0.y, maxX: $0.x, maxY: $0.y) }
    let units = tolerance / camera.worldDots * WorldPoint.worldWidth + 1
    window = (middle ?? .empty).expanded(by: Int64(min(units, WorldPoint.worldWidth)))
    span = (Float(reach.minY).nextDown, Float(reach.maxY).nextUp)
  }

  /// The distance of a feature near the point.
  package struct Hit: Hashable, Sendable {
    /// In dots; 0 inside of an area.
    package var distance: Double
    /// 0 for points, 1 for lines, 2 for areas.
    package var dimension: Int
  }

  /// Whether anything in a box can be within tolerance.
  package func mayTouch(_ box: Box) -> Bool {
    let box = isGeographic ? box.reachOnGlobe : box
    guard isNearRow(box) else { return false }
    if isCurved { return camera.plane.worldBox(box).intersects(window) }
    if reach.maxX >= box.minX && reach.minX <= box.maxX { return true }
    return isGeographic && reach.turns(meeting: box.minX...box.maxX) != nil
  }

  /// The features of a block within tolerance, by rising row.
  package func hits(in block: GeometryBlock) -> [(row: Int, hit: Hit)] {
    rowsNear(in: block).compactMap { row in hit(block, row: row).map { (row, $0) } }
  }

  /// The features of a block with boxes within tolerance, by rising row.
  ///
  /// - Complexity: O(features), about 1 ns each.
  package func rowsNear(in block: GeometryBlock) -> [Int] {
    guard mayTouch(block.box) else { return [] }
    var rows: [Int] = []
    let (low, high) = span
    block.spansY.withUnsafeBufferPointer { spans in
      for row in spans.indices where low <= spans[row].y && high >= spans[row].x {
        if mayTouch(block.boxes[row]) { rows.append(row) }
      }
    }
    return rows
  }

  /// Whether a feature of a block is within tolerance.
  ///
  /// - Precondition: `row` is below the block's `featureCount`.
  /// - Complexity: O(vertices) for up to 512 vertices; above, O(vertices / 64) plus the near parts.
  package func hit(_ block: GeometryBlock, row: Int) -> Hit? {
    let box = isGeographic ? block.boxes[row].reachOnGlobe : block.boxes[row]
    guard isNearRow(box) else { return nil }
    let mayJump = isGeographic && block.boxes[row].mayJump
    // A shape that jumps may continue its box for a turn.
    let around = mayJump ? 360.0 : 0
    guard box.minX <= box.maxX,
      let turns = isGeographic
        ? reach.turns(meeting: (box.minX - around)...(box.maxX + around))
        : reach.minX <= box.maxX && box.minX <= reach.maxX ? 0...0 : nil
    else { return nil }
    var best: Hit?
    for turn in turns {
      guard let hit = hit(block, row, point.x + 360 * Double(turn), mayJump) else { continue }
      if best.map({ hit.distance < $0.distance }) ?? true { best = hit }
    }
    return best
  }

  /// The squared distance between a coordinate and a place on the point's parallel, in dots.
  package func square(_ coordinate: Coordinate, _ x: Double) -> Double {
    let coordinate = flattened(coordinate)
    let across = (coordinate.x - x) * scaleX
    let down = (coordinate.y - point.y) * scaleY
    return across * across + down * down
  }

  /// The coordinate that has a place's distance from the point on a map whose meridians are all as
  /// that of the point; itself where they are.
  @inline(__always)
  package func flattened(_ coordinate: Coordinate) -> Coordinate {
    guard isCurved else { return coordinate }
    let there = camera.plane.forward(coordinate)
    return Coordinate(
      x: (there.x - 0.5) * camera.worldDots / scaleX,
      y: point.y - (there.y - place.y) * camera.worldDots / scaleY)
  }

  /// Whether a box, which is not near, lies wholly to the east of the point.
  func isWest(of box: Box) -> Bool { camera.plane.worldBox(box).minX > window.maxX }

  /// The stretches of a path's vertices that can be within tolerance, in order: all of a small
  /// feature's, some of a large one's. Neighbouring stretches share a vertex.
  package func nearStretches(
    of vertices: Range<Int>, ofFeature row: Int, in block: GeometryBlock
  ) -> [Range<Int>] {
    guard let parts = block.parts[row], !vertices.isEmpty else { return [vertices] }
    var result: [Range<Int>] = []
    for part in parts.index(of: vertices.lowerBound)...parts.index(of: vertices.upperBound - 1)
    where mayTouch(parts.boxes[part]) {
      result.append(stretch(part, of: vertices, parts))
    }
    return result
  }

  /// The squared distance from the origin to a segment.
  package static func squareToSegment(
    _ aX: Double, _ aY: Double, _ bX: Double, _ bY: Double
  ) -> Double {
    let dX = bX - aX
    let dY = bY - aY
    let length = dX * dX + dY * dY
    let part = length > 0 ? min(max(-(aX * dX + aY * dY) / length, 0), 1) : 0
    let x = aX + part * dX
    let y = aY + part * dY
    return x * x + y * y
  }

  @inline(__always)
  private func isNearRow(_ box: Box) -> Bool {
    reach.maxY >= box.minY && reach.minY <= box.maxY
  }

  private func stretch(_ part: Int, of vertices: Range<Int>, _ parts: FeatureParts) -> Range<Int> {
    let first = parts.start + part * FeatureParts.size
    return max(
      first, vertices.lowerBound)..<min(
        first + FeatureParts.size + 1, vertices.upperBound)
  }

  // MARK: One feature

  private func hit(_ block: GeometryBlock, _ row: Int, _ x: Double, _ mayJump: Bool) -> Hit? {
    var measure = PathMeasure(picker: self, x: x)
    var dimension = 0
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      let vertices = block.vertices(ofPath: path)
      guard !vertices.isEmpty else { continue }
      dimension = max(dimension, role.kind.dimension ?? 0)
      if role.kind.dimension == 0 {
        measure.addPoints(block, vertices)
        continue
      }
      measure.beginPath(of: block, isRing: role.isRing, mayJump: mayJump)
      if let parts = block.parts[row] {
        let first = parts.index(of: vertices.lowerBound)
        for part in first...parts.index(of: vertices.upperBound - 1) {
          measure.addPart(block, stretch(part, of: vertices, parts), parts.boxes[part])
        }
      } else if mayJump {
        measure.addUnwrapped(block, vertices)
      } else {
        measure.add(block, vertices)
      }
      measure.endPath()
    }
    if measure.isInside { return Hit(distance: 0, dimension: 2) }
    let distance = measure.square.squareRoot()
    return distance <= tolerance ? Hit(distance: distance, dimension: dimension) : nil
  }
}
