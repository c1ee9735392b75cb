import Graphics
import Rendering

/// Measures how far features are from a point of the map, in dots of the screen.
///
/// Near the point the map is taken as flat: one dot is the same number of units everywhere, so no
/// vertex has to be projected.
struct Picker {
  /// The point, in the document's coordinates.
  let point: Coordinate
  /// Dots per unit of the coordinates.
  let scaleX: Double
  let scaleY: Double
  /// What is farther than this, in dots, is not there.
  let tolerance: Double
  private let turns: [Double]

  init(camera: Camera, point: Coordinate, tolerance: Double) {
    self.point = point
    self.tolerance = tolerance
    let dot = camera.dot(at: point) ?? DotPoint(x: 0, y: 0)
    let next = camera.coordinate(at: DotPoint(x: dot.x + 1, y: dot.y + 1))
    let before = camera.coordinate(at: DotPoint(x: dot.x - 1, y: dot.y - 1))
    scaleX = 2 / max(abs(next.x - before.x), 1e-12)
    scaleY = 2 / max(abs(next.y - before.y), 1e-12)
    turns = camera.plane.isGeographic ? [0, 360, -360] : [0]
  }

  /// A place on a feature that is near the point.
  struct Hit {
    /// In dots; 0 inside of an area.
    var distance: Double
    /// 0 for points, 1 for lines, 2 for areas.
    var dimension: Int
    /// The nearest vertex within tolerance, if asked for.
    var coordinate: Coordinate
  }

  /// How far a box is at least, in dots, or more than the tolerance.
  func mayTouch(_ box: Box) -> Bool {
    turns.contains { turn in
      let x = point.x + turn
      return x >= box.minX - tolerance / scaleX && x <= box.maxX + tolerance / scaleX
        && point.y >= box.minY - tolerance / scaleY && point.y <= box.maxY + tolerance / scaleY
    }
  }

  /// Whether a feature of a block is within tolerance.
  func hit(_ block: GeometryBlock, row: Int) -> Hit? {
    var best: Hit?
    for turn in turns {
      guard let hit = hit(block, row: row, x: point.x + turn) else { continue }
      if best.map({ hit.distance < $0.distance }) ?? true { best = hit }
    }
    return best
  }

  private func hit(_ block: GeometryBlock, row: Int, x: Double) -> Hit? {
    var nearest = Double.infinity
    var dimension = 0
    var isInside = false
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      let vertices = block.vertices(ofPath: path)
      dimension = max(dimension, role.kind.dimension ?? 0)
      if role.kind.dimension == 0 {
        for vertex in vertices {
          nearest = min(nearest, square(block.coordinate(at: vertex), x))
        }
      } else {
        nearest = min(nearest, squareToPath(block, vertices, x))
        if role.isRing && crossesOdd(block, vertices, x) { isInside.toggle() }
      }
    }
    if isInside { return Hit(distance: 0, dimension: 2, coordinate: point) }
    let distance = nearest.squareRoot()
    guard distance <= tolerance else { return nil }
    return Hit(distance: distance, dimension: dimension, coordinate: point)
  }

  /// The square of the distance to a coordinate, in dots.
  func square(_ coordinate: Coordinate, _ x: Double) -> Double {
    let across = (coordinate.x - x) * scaleX
    let down = (coordinate.y - point.y) * scaleY
    return across * across + down * down
  }

  private func squareToPath(_ block: GeometryBlock, _ vertices: Range<Int>, _ x: Double) -> Double {
    guard let first = vertices.first else { return .infinity }
    var nearest = square(block.coordinate(at: first), x)
    block.coordinates.withUnsafeBufferPointer { numbers in
      var aX = (numbers[2 * first] - x) * scaleX
      var aY = (numbers[2 * first + 1] - point.y) * scaleY
      for vertex in vertices.dropFirst() {
        let bX = (numbers[2 * vertex] - x) * scaleX
        let bY = (numbers[2 * vertex + 1] - point.y) * scaleY
        nearest = min(nearest, Self.squareToSegment(aX, aY, bX, bY))
        aX = bX
        aY = bY
      }
    }
    return nearest
  }

  /// The square of the distance from the origin to a segment.
  static func squareToSegment(_ aX: Double, _ aY: Double, _ bX: Double, _ bY: Double) -> Double {
    let dX = bX - aX
    let dY = bY - aY
    let length = dX * dX + dY * dY
    let part = length > 0 ? min(max(-(aX * dX + aY * dY) / length, 0), 1) : 0
    let x = aX + part * dX
    let y = aY + part * dY
    return x * x + y * y
  }

  /// Whether a ray from the point to the east crosses a ring an odd number of times.
  private func crossesOdd(_ block: GeometryBlock, _ vertices: Range<Int>, _ x: Double) -> Bool {
    var isOdd = false
    block.coordinates.withUnsafeBufferPointer { numbers in
      guard let first = vertices.first else { return }
      var aX = numbers[2 * first]
      var aY = numbers[2 * first + 1]
      for vertex in vertices.dropFirst() {
        let bX = numbers[2 * vertex]
        let bY = numbers[2 * vertex + 1]
        if (aY > point.y) != (bY > point.y), x < (bX - aX) * (point.y - aY) / (bY - aY) + aX {
          isOdd.toggle()
        }
        aX = bX
        aY = bY
      }
    }
    return isOdd
  }
}
