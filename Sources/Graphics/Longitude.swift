/// Degrees of longitude, and the ways of the steps between them.
///
/// A shape that leaves -180 to 180 was unwrapped by its writer and is taken as it stands. Within,
/// steps are straight (RFC 7946 section 3.1.1) but for those of 330 degrees and more: both their
/// ends are near the antimeridian, together at most 30 degrees away, and they go the short way
/// across it. A whole turn, from -180 to 180, is straight: the edge of a box around the world.
package enum Longitude {
  /// The narrowest step that goes the short way round.
  package static let leastJump = 330.0
  /// The widest one: decimals of a whole turn are not exact as doubles.
  private static let mostJump = 360 - 1e-9

  /// The whole turn to add to the end of a step, and to all that follows, if it goes the short way
  /// round; else 0.
  ///
  /// - Precondition: both longitudes are of a shape whose box `mayJump`.
  @inline(__always)
  package static func turn(from: Double, to: Double) -> Double {
    let step = to - from
    guard step.magnitude >= leastJump, step.magnitude <= mostJump else { return 0 }
    return step > 0 ? -360 : 360
  }

  /// The same meridian, at most half a turn from another longitude.
  package static func nearest(_ longitude: Double, to other: Double) -> Double {
    let step = longitude - other
    return step.magnitude <= 180 ? longitude : longitude - 360 * (step / 360).rounded()
  }

  /// The same meridian from -180 to 180; as it is if it is one of them.
  package static func onGlobe(_ longitude: Double) -> Double {
    longitude.magnitude <= 180 ? longitude : nearest(longitude, to: 0)
  }

  /// The latitude of the pole in a ring that runs once around the world.
  package static func pole(inRingFrom start: Coordinate) -> Double { start.y < 0 ? -90 : 90 }

  /// Follows the longitudes of one path across the antimeridian.
  package struct Walk {
    private var former: Double?
    /// The degrees that the jumps so far have added.
    package private(set) var turns = 0.0

    package init() {}

    /// The next longitude, continued from the ones before; those that are not finite are left out.
    @inline(__always)
    package mutating func next(_ longitude: Double) -> Double {
      if let former { turns += Longitude.turn(from: former, to: longitude) }
      former = longitude
      return longitude + turns
    }
  }
}

extension GeometryBlock {
  /// Calls a body with the finite vertices of a path and their longitudes, continued across the
  /// antimeridian if the path belongs to a shape that may jump.
  @inline(__always)
  package func eachOnGlobe(
    _ vertices: Range<Int>, mayJump: Bool, _ body: (_ vertex: Int, _ x: Double) -> Void
  ) {
    let numbers = coordinates
    var walk = Longitude.Walk()
    for vertex in vertices {
      let (x, y) = (numbers[2 * vertex], numbers[2 * vertex + 1])
      guard x.isFinite, y.isFinite else { continue }
      body(vertex, mayJump ? walk.next(x) : x)
    }
  }
}
