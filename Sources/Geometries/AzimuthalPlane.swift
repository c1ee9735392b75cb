package import PortolanGraphics

/// A plane around a place of the globe: a position lies there as far and in the direction that the
/// geodesic from the centre to it has (the azimuthal equidistant projection of the ellipsoid).
///
/// Distances from the centre are exact. Within 300 km of it, distances between positions are right
/// to four hundredths of a percent: across the radius they are r² / 6R² too long.
package struct AzimuthalPlane: Sendable {
  package let center: Coordinate
  /// The poles' places on the y axis, in metres.
  let north: Double
  let south: Double

  package init(center: Coordinate) {
    self.center = center
    north = Geodesy.distance(from: center, to: Coordinate(x: center.x, y: 90))
    south = -Geodesy.distance(from: center, to: Coordinate(x: center.x, y: -90))
  }

  /// The place of a position, in metres east and north.
  package func place(of position: Coordinate) -> Coordinate {
    let way = Geodesy.way(from: center, to: position)
    let angle = way.initialBearing * (.pi / 180)
    return Coordinate(
      x: way.length * Mathematics.sine(angle), y: way.length * Mathematics.cosine(angle))
  }

  /// The position at a place; its longitude is at most half a turn from that of the centre.
  package func position(of place: Coordinate) -> Coordinate {
    let distance = (place.x * place.x + place.y * place.y).squareRoot()
    let bearing = Mathematics.angle(y: place.x, x: place.y) * (180 / .pi)
    return Geodesy.direct(from: center, bearing: bearing, distance: distance)
  }

  // MARK: Shapes

  /// A shape in the plane; long edges, which are straight in degrees, get vertices in between.
  ///
  /// - Parameter tolerance: how far an edge may be off, in metres.
  func shape(_ flat: FlatGeometry, tolerance: Double) -> FlatGeometry {
    var plane = FlatGeometry(flat.kind)
    for path in flat.roles.indices {
      let range = flat.vertices(ofPath: path)
      var vertices: [Coordinate] = []
      for vertex in range {
        if vertex > range.lowerBound, flat.roles[path].kind.dimension != 0 {
          let (start, end) = (flat[vertex - 1], flat[vertex])
          let pieces = Self.pieces(from: start, to: end, tolerance: tolerance)
          for piece in 1..<max(pieces, 1) {
            let part = Double(piece) / Double(pieces)
            vertices.append(
              place(
                of: Coordinate(
                  x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)))
          }
        }
        vertices.append(place(of: flat[vertex]))
      }
      plane.append(flat.roles[path], vertices)
    }
    return plane
  }

  /// The number of pieces of an edge, straight in degrees, that are straight on the ground but for
  /// a tolerance in metres: a piece of length l along a parallel bends by l² tan φ / 8R.
  static func pieces(from start: Coordinate, to end: Coordinate, tolerance: Double) -> Int {
    if start.x == end.x || start == end { return 1 }
    let latitude = min(max(start.y.magnitude, end.y.magnitude), 89.99) * (.pi / 180)
    let cosine = Mathematics.cosine(min(start.y.magnitude, end.y.magnitude) * (.pi / 180))
    let degree = Geodesy.meanRadius * .pi / 180
    let (x, y) = ((end.x - start.x) * degree * cosine, (end.y - start.y) * degree)
    let bend = Mathematics.sine(latitude) / Mathematics.cosine(latitude) + 0.1
    let longest = (8 * Geodesy.meanRadius * tolerance / bend).squareRoot()
    let count = max(
      (x * x + y * y).squareRoot() / longest, (end.x - start.x).magnitude / 2)
    return Int(min(max(count.rounded(.up), 1), 4096))
  }

  /// A shape of the plane in degrees, where it does not reach a pole; its longitudes are at most
  /// half a turn from the centre's.
  func degrees(_ plane: FlatGeometry, tolerance: Double, side: Side = .both) -> FlatGeometry {
    var flat = FlatGeometry(plane.kind)
    for path in plane.roles.indices {
      var outline = Outline(plane: self, side: side, tolerance: tolerance)
      for vertex in plane.vertices(ofPath: path) {
        outline.add(plane[vertex], isJoined: plane.roles[path].kind.dimension != 0)
      }
      flat.append(plane.roles[path], outline.positions)
    }
    return flat
  }

  /// Which half of the globe a shape lies in, seen from the centre's meridian.
  enum Side {
    case both, east, west
  }

  /// The positions of a path, with vertices in between where edges would not be straight in
  /// degrees.
  private struct Outline {
    let plane: AzimuthalPlane
    let side: Side
    let tolerance: Double
    var positions: [Coordinate] = []
    private var former: (place: Coordinate, position: Coordinate)?

    init(plane: AzimuthalPlane, side: Side, tolerance: Double) {
      (self.plane, self.side, self.tolerance) = (plane, side, tolerance)
    }

    mutating func add(_ place: Coordinate, isJoined: Bool) {
      let position = position(of: place)
      if isJoined, let former {
        if side != .both, former.place.x == 0, place.x == 0 {
          addPoles(from: former.place.y, to: place.y)
        } else {
          addBetween(former, (place, position), depth: 0)
        }
      }
      positions.append(position)
      former = (place, position)
    }

    /// The corners of an edge along the axis that runs over a pole.
    private mutating func addPoles(from start: Double, to end: Double) {
      let beyond = side == .east ? plane.center.x + 180 : plane.center.x - 180
      let poles = [(plane.north, 90.0), (plane.south, -90.0)].filter {
        min(start, end) < $0.0 && $0.0 < max(start, end)
      }
      for (place, latitude) in start < end ? poles.reversed() : poles {
        let near = Coordinate(x: plane.center.x, y: latitude)
        let far = Coordinate(x: beyond, y: latitude)
        // Towards the pole from the centre's side, or back from beyond.
        let isBeyond = latitude > 0 ? start > place : start < place
        positions += isBeyond ? [far, near] : [near, far]
      }
    }

    private mutating func addBetween(
      _ start: (place: Coordinate, position: Coordinate),
      _ end: (place: Coordinate, position: Coordinate), depth: Int
    ) {
      guard depth < 10, isBent(start, end) else { return }
      let place = Coordinate(
        x: (start.place.x + end.place.x) / 2, y: (start.place.y + end.place.y) / 2)
      let middle = position(of: place)
      let degree = Geodesy.meanRadius * .pi / 180
      let x = (middle.x - (start.position.x + end.position.x) / 2) * degree
      let y = (middle.y - (start.position.y + end.position.y) / 2) * degree
      let across = x * Mathematics.cosine(middle.y * (.pi / 180))
      guard (across * across + y * y).squareRoot() > tolerance else { return }
      addBetween(start, (place, middle), depth: depth + 1)
      positions.append(middle)
      addBetween((place, middle), end, depth: depth + 1)
    }

    /// Whether an edge may be off by more than the tolerance.
    private func isBent(
      _ start: (place: Coordinate, position: Coordinate),
      _ end: (place: Coordinate, position: Coordinate)
    ) -> Bool {
      let latitude = max(start.position.y.magnitude, end.position.y.magnitude)
      if latitude > 89 || start.position.y * end.position.y < 0 { return true }
      let angle = latitude * (.pi / 180)
      let (x, y) = (end.place.x - start.place.x, end.place.y - start.place.y)
      let bend = Mathematics.sine(angle) / Mathematics.cosine(angle) + 0.1
      return (x * x + y * y) * bend > 4 * Geodesy.meanRadius * tolerance
    }

    private func position(of place: Coordinate) -> Coordinate {
      var position = plane.position(of: place)
      let turned = position.x - plane.center.x
      switch side {
      case .both: break
      case .east:
        let isBeyond = place.x == 0 && (place.y > plane.north || place.y < plane.south)
        position.x =
          isBeyond ? plane.center.x + 180 : turned < -90 ? position.x + 360 : position.x
        if place.x == 0, !isBeyond { position.x = plane.center.x }
      case .west:
        let isBeyond = place.x == 0 && (place.y > plane.north || place.y < plane.south)
        position.x = isBeyond ? plane.center.x - 180 : turned > 90 ? position.x - 360 : position.x
        if place.x == 0, !isBeyond { position.x = plane.center.x }
      }
      return position
    }
  }
}
