package import PortolanGraphics

/// Points that stand for shapes.
package enum ShapeMiddle {
  /// The centre of mass: of the areas, else of the lines, else of the points; `nil` without any.
  ///
  /// Of degrees it is found on a plane around the place itself, on which areas are as they are on
  /// the earth (Lambert's, with geodesic distances), in a few steps.
  ///
  /// - Parameter flat: a valid shape.
  package static func centroid(
    _ flat: FlatGeometry, _ geos: Geos, isGeographic: Bool
  ) throws(GeometryError) -> Coordinate? {
    guard isGeographic else {
      return try geos.flat(try geos.centroid(try geos.shape(flat)))?.place
    }
    let whole = flat.unwrapped.together
    guard whole.box.isOnGlobe else { throw .offGlobe }
    if whole.isEmpty { return nil }
    var center = whole.box.center
    for _ in 0..<4 {
      let plane = AzimuthalPlane(center: center)
      let equal = plane.shape(whole, tolerance: max(1, whole.box.width * 50)).onEqualAreas
      guard let place = try geos.flat(try geos.centroid(try geos.shape(equal)))?.place else {
        return nil
      }
      center = plane.position(of: place)
      if (place.x * place.x + place.y * place.y).squareRoot() < 0.001 { break }
    }
    return Coordinate(
      x: Geodesy.rounded(Longitude.nearest(center.x, to: 0)), y: Geodesy.rounded(center.y))
  }

  /// A point that lies in the shape; `nil` where it is empty.
  package static func inside(
    _ flat: FlatGeometry, _ geos: Geos, isGeographic: Bool
  ) throws(GeometryError) -> Coordinate? {
    let shape = try isGeographic ? geos.worldShape(flat) : geos.shape(flat)
    return try geos.flat(try geos.pointOnSurface(shape))?.place
  }
}

extension FlatGeometry {
  /// A single point.
  package static func point(_ place: Coordinate) -> FlatGeometry {
    var flat = FlatGeometry(.point)
    flat.append(.point, [place])
    return flat
  }

  fileprivate var place: Coordinate? { isEmpty ? nil : self[0] }

  /// The places of an `AzimuthalPlane` moved to where areas are as on the earth.
  fileprivate var onEqualAreas: FlatGeometry {
    var flat = self
    let radius = Geodesy.authalicRadius
    for index in stride(from: 0, to: pairs.count, by: 2) {
      let distance = (pairs[index] * pairs[index] + pairs[index + 1] * pairs[index + 1])
        .squareRoot()
      guard distance > 1 else { continue }
      let factor = 2 * radius * Mathematics.sine(distance / (2 * radius)) / distance
      flat.pairs[index] *= factor
      flat.pairs[index + 1] *= factor
    }
    return flat
  }

  /// A shape of continued longitudes whose parts are moved by whole turns to lie as near together
  /// as they do on the globe.
  package var together: FlatGeometry {
    guard box.isOnGlobe, box.width > 180 else { return self }
    var arc = LongitudeArc()
    let parts = separated
    for part in parts { arc.add(from: part.box.minX, to: part.box.maxX) }
    guard let bounds = arc.bounds, bounds.end - bounds.start < box.width else { return self }
    let moved = parts.map { part -> FlatGeometry in
      let turns = ((part.box.minX - bounds.start) / 360 + 1e-12).rounded(.down)
      return part.moved(by: -360 * turns)
    }
    return FlatGeometry(collecting: moved, isMulti: true) ?? self
  }
}
