import PortolanDocuments
import PortolanGraphics

/// Drawing in degrees: what is drawn goes the way that the map shows, beyond 180 degrees too.
extension Draft {
  /// A place on the turn of the globe on which the part being drawn goes on to it.
  ///
  /// - Parameter center: The longitude in the middle of the map; `nil` without one, where steps go
  ///   as those of files do.
  func continued(to place: Coordinate, center: Double?) -> Coordinate {
    guard kind != .point, let last = vertices.last else { return place }
    let step: Double
    if let center {
      step = Geodesy.wrapped(place.x - center) - Geodesy.wrapped(last.x - center)
    } else {
      let from = Longitude.wrapped(last.x)
      step = place.x - from + Longitude.turn(from: from, to: place.x)
    }
    let turns = ((last.x + step - place.x) / 360).rounded()
    guard turns.isFinite else { return place }
    return Coordinate(x: NumberText.sum(place.x, 360 * turns), y: place.y)
  }

  /// Closes the ring being drawn along the pole if it has gone once around the world.
  mutating func closeAlongPole(center: Double?) {
    guard kind == .polygon, let first = vertices.first else { return }
    let end = continued(to: first, center: center)
    guard end.x != first.x else { return }
    // On a map a longer step is that of a ring that the edge of the map now divides.
    if center != nil, let last = vertices.last, abs(end.x - last.x) > 180 { return }
    let pole = Longitude.pole(inRingFrom: first)
    parts[parts.count - 1] += [
      end, Coordinate(x: end.x, y: pole), Coordinate(x: first.x, y: pole),
    ]
  }
}

extension Geometry.Path {
  /// Inserts vertices at an index, on the turn of the globe of the one before.
  mutating func append(_ new: [Coordinate], at place: Int, isGeographic: Bool) {
    var new = new
    if isGeographic, let first = new.first, place > 0, vertices.indices.contains(place - 1) {
      let turn = Longitude.nearest(first.x, to: vertices[place - 1].x) - first.x
      for index in new.indices { new[index].x = NumberText.sum(new[index].x, turn) }
    }
    insert(new, at: place)
  }
}
