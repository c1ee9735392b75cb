package import PortolanGraphics

/// Shapes in degrees, on a globe where 180 is -180.
extension FlatGeometry {
  /// The shape with longitudes continued where steps go the short way round, as `Longitude` has
  /// them; a ring once around the world is closed along its pole.
  package var unwrapped: FlatGeometry {
    guard box.mayJump else { return self }
    var flat = FlatGeometry(kind)
    for path in roles.indices {
      let role = roles[path]
      let range = vertices(ofPath: path)
      if role.kind.dimension == 0 {
        flat.append(self, path: path)
        continue
      }
      var walk = Longitude.Walk()
      var continued = range.map { Coordinate(x: walk.next(self[$0].x), y: self[$0].y) }
      if role.isRing, let first = continued.first, let last = continued.last,
        (last.x - first.x).magnitude >= Longitude.leastJump
      {
        let pole = Longitude.pole(inRingFrom: first)
        continued.append(Coordinate(x: last.x, y: pole))
        continued.append(Coordinate(x: first.x, y: pole))
        continued.append(first)
        flat.append(role, continued)
      } else {
        flat.append(
          role, pairs: continued.flatMap { [$0.x, $0.y] },
          heights: heights.isEmpty ? [] : Array(heights[range]))
      }
    }
    return flat
  }

  /// The shape moved to the east by some degrees.
  func moved(by degrees: Double) -> FlatGeometry {
    if degrees == 0 { return self }
    var flat = self
    for index in stride(from: 0, to: pairs.count, by: 2) { flat.pairs[index] += degrees }
    return flat
  }

  /// The shape with at most nine decimals, a tenth of a millimetre of degrees.
  package var rounded: FlatGeometry {
    var flat = self
    for index in pairs.indices where pairs[index].magnitude < 1e6 {
      flat.pairs[index] = Geodesy.rounded(pairs[index])
    }
    return flat
  }

  /// Whether an edge from a vertex to the next one lies where the world is cut, so that the area
  /// goes on beyond it.
  func isSeam(_ vertex: Int) -> Bool {
    let (a, b) = (self[vertex], self[vertex + 1])
    return a.x == b.x && a.x.magnitude == 180 || a.y == b.y && a.y.magnitude == 90
  }
}

extension Geos {
  private static let world = Box(minX: -180, minY: -90, maxX: 180, maxY: 90)

  /// A shape in degrees between -180 and 180: what lies beyond is cut off and moved by whole turns.
  ///
  /// Shapes whose numbers cannot be degrees stay as they are.
  ///
  /// - Parameter isUnwrapped: whether the longitudes are continued already.
  package func worldShape(
    _ flat: FlatGeometry, isUnwrapped: Bool = false
  ) throws(GeometryError) -> GeosShape {
    try shape(try inWorld(flat, isUnwrapped: isUnwrapped))
  }

  /// The same in flat arrays.
  package func inWorld(
    _ flat: FlatGeometry, isUnwrapped: Bool = false
  ) throws(GeometryError) -> FlatGeometry {
    guard flat.box.isOnGlobe else { return flat }
    let whole = isUnwrapped ? flat : flat.unwrapped
    guard whole.box.leavesWorld else { return whole }
    return try cut(whole) ?? FlatGeometry(flat.kind)
  }

  /// The parts of a shape in each turn of the globe, moved to the world; `nil` without any.
  private func cut(_ whole: FlatGeometry) throws(GeometryError) -> FlatGeometry? {
    var parts: [FlatGeometry] = []
    let world = try rectangle(Self.world)
    for part in whole.separated {
      let box = part.box
      if part.dimension == 0 {
        var point = part
        point.pairs[0] = Longitude.nearest(point.pairs[0], to: 0)
        parts.append(point)
        continue
      }
      var made = try shape(part)
      if part.dimension == 2, try !isValid(made) { made = try repaired(made) }
      let sound = try flat(made, dimension: part.dimension) ?? part
      let turns =
        Int(
          ((box.minX + 180) / 360).rounded(.down))...Int(
          ((box.maxX - 180) / 360).rounded(.up))
      for turn in turns {
        let moved = try shape(sound.moved(by: -360 * Double(turn)))
        let inside = try flat(try intersection(moved, world), dimension: part.dimension)
        parts += inside?.separated ?? []
      }
    }
    return FlatGeometry(collecting: parts)
  }
}
