import PortolanGraphics

/// How much vertices matter: areas of triangles, and distances from lines.
struct VertexImportance {
  /// The radius of the sphere of the earth's mean radius, in metres (IUGG).
  private static let radius = 6_371_008.8

  /// The places in space: metres on the sphere, or the units of the plane.
  private let points: [SIMD3<Double>]

  /// - Parameter isGeographic: whether places are degrees: then they are points of a sphere, so
  ///   that 180 degrees and the poles are places as any other.
  init(_ places: [Coordinate], isGeographic: Bool) {
    points = places.map { place in
      guard isGeographic else { return SIMD3(place.x, place.y, 0) }
      let (x, y) = (place.x * (.pi / 180), place.y * (.pi / 180))
      let scale = Mathematics.cosine(y) * Self.radius
      return SIMD3(
        Mathematics.cosine(x) * scale, Mathematics.sine(x) * scale,
        Mathematics.sine(y) * Self.radius)
    }
  }

  /// The area of the triangle of three places, given by their numbers.
  ///
  /// - Parameter isWeighted: whether it is 0.3 of that at a sharp corner and 1.7 at a flat one, by
  ///   the cosine of the angle at the middle one, as in mapshaper.
  @inline(__always)
  func area(_ a: Int32, _ b: Int32, _ c: Int32, isWeighted: Bool) -> Double {
    let (first, second) = (points[Int(a)] - points[Int(b)], points[Int(c)] - points[Int(b)])
    let cross = SIMD3(
      first.y * second.z - first.z * second.y, first.z * second.x - first.x * second.z,
      first.x * second.y - first.y * second.x)
    let area = (cross * cross).sum().squareRoot() / 2
    guard isWeighted else { return Self.sound(area) }
    let lengths = ((first * first).sum() * (second * second).sum()).squareRoot()
    let cosine = lengths > 0 ? (first * second).sum() / lengths : 0
    return Self.sound(area * (1 - 0.7 * cosine))
  }

  func distance(_ a: Int32, _ b: Int32) -> Double {
    let step = points[Int(a)] - points[Int(b)]
    return Self.sound((step * step).sum().squareRoot())
  }

  /// The distance of a place from the straight way between two others.
  private func distance(_ p: Int32, from a: Int32, to b: Int32) -> Double {
    let start = points[Int(a)]
    let (way, step) = (points[Int(b)] - start, points[Int(p)] - start)
    let square = (way * way).sum()
    let part = square > 0 ? min(max((way * step).sum() / square, 0), 1) : 0
    let rest = step - way * part
    return Self.sound((rest * rest).sum().squareRoot())
  }

  /// Numbers beyond those of maps: such a vertex stays.
  private static func sound(_ value: Double) -> Double { value.isFinite ? value : .infinity }

  /// The distance below which Douglas and Peucker's method leaves out each vertex of a line;
  /// infinite for its ends.
  ///
  /// - Parameter budget: how many distances may still be measured; without, vertices stay.
  /// - Complexity: O(n log n) for usual lines.
  func distances(along line: ArraySlice<Int32>, budget: inout Int) -> [Double] {
    var result = Array(repeating: Double.infinity, count: line.count)
    var open = [(first: 0, last: line.count - 1, limit: Double.infinity)]
    let base = line.startIndex
    while let (first, last, limit) = open.popLast() {
      guard last - first > 1, budget > 0 else { continue }
      budget -= last - first
      var (farthest, most) = (first + 1, -1.0)
      for index in first + 1..<last {
        let distance = distance(line[base + index], from: line[base + first], to: line[base + last])
        if distance > most { (farthest, most) = (index, distance) }
      }
      let own = min(limit, most)
      result[farthest] = own
      open.append((first, farthest, own))
      open.append((farthest, last, own))
    }
    return result
  }
}
