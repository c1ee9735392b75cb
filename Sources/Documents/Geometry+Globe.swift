package import PortolanGraphics

/// Shapes in degrees that jump across the antimeridian or leave -180 to 180: see `Longitude`.
extension Geometry {
  /// The same shape with longitudes continued beyond 180 where its steps go the short way round.
  package var unwrapped: Geometry {
    guard box.mayJump else { return self }
    var geometry = self
    for path in paths.indices where paths[path].role.kind.dimension != 0 {
      geometry.paths[path].vertices = Self.unwrapped(paths[path].vertices).vertices
    }
    return geometry
  }

  /// The number of its steps that go the short way across the antimeridian.
  package var jumpCount: Int {
    guard box.mayJump else { return 0 }
    return paths.reduce(0) { count, path in
      path.role.kind.dimension == 0 ? count : count + Self.unwrapped(path.vertices).jumps
    }
  }

  /// The positions of a path of a shape that may jump, continued, and the number of its jumps.
  package static func unwrapped(
    _ vertices: [Coordinate]
  ) -> (vertices: [Coordinate], jumps: Int) {
    var result = vertices
    var walk = Longitude.Walk()
    var jumps = 0
    for index in vertices.indices {
      let former = walk.turns
      _ = walk.next(vertices[index].x)
      if walk.turns != former { jumps += 1 }
      if walk.turns != 0 { result[index].x = NumberText.sum(vertices[index].x, walk.turns) }
    }
    return (result, jumps)
  }

  /// Changes the shape as it lies on the globe: with its longitudes continued.
  ///
  /// It is written as before as far as that says the same: a shape that jumped still does, one that
  /// left -180 to 180 stays there, and any other comes back if it lies wholly beyond.
  package mutating func changeOnGlobe(_ change: (inout Geometry) throws -> Void) rethrows {
    let former = self
    let whole = former.unwrapped
    var changed = whole
    try change(&changed)
    if whole != former, let jumping = changed.jumping(like: former, whole) {
      self = jumping
      return
    }
    if !former.box.leavesWorld { changed.returnToWorld() }
    // Straight steps must not become jumps: a turn away they stand for themselves.
    if changed.unwrapped != changed { changed.turn(by: changed.box.center.x > 0 ? -360 : 360) }
    self = changed
  }

  /// The shape with its longitudes within -180 to 180; `nil` if it would be another one then.
  ///
  /// - Parameters:
  ///   - former: the shape before a change, which jumped.
  ///   - whole: the same with its longitudes continued.
  private func jumping(like former: Geometry, _ whole: Geometry) -> Geometry? {
    var known: [Coordinate: Coordinate] = [:]
    for (path, other) in zip(former.paths, whole.paths) {
      for (vertex, continued) in zip(path.vertices, other.vertices) { known[continued] = vertex }
    }
    var jumping = self
    for path in paths.indices {
      jumping.paths[path].vertices = paths[path].vertices.map { vertex in
        known[vertex] ?? Coordinate(x: Longitude.wrapped(vertex.x), y: vertex.y)
      }
    }
    let again = jumping.unwrapped
    let isSame = zip(again.paths, paths).allSatisfy { path, wanted in
      guard let start = path.vertices.first, let first = wanted.vertices.first else { return true }
      let turn = ((start.x - first.x) / 360).rounded() * 360
      return path.role.kind.dimension == 0
        || zip(path.vertices, wanted.vertices).allSatisfy {
          ($0.x - $1.x - turn).magnitude < 1e-6
        }
    }
    return isSame ? jumping : nil
  }

  /// Turns a shape that lies wholly beyond 180 degrees back by whole turns.
  ///
  /// Points are turned one by one: they need not stay together.
  private mutating func returnToWorld() {
    if kind.dimension == 0 {
      for path in paths.indices {
        for vertex in paths[path].vertices.indices {
          paths[path].vertices[vertex].x = Longitude.wrapped(paths[path].vertices[vertex].x)
        }
      }
      return
    }
    let box = self.box
    if box.isEmpty || box.minX <= 180 && box.maxX >= -180 { return }
    turn(by: -360 * (box.center.x / 360).rounded())
  }

  private mutating func turn(by degrees: Double) {
    guard degrees.isFinite, degrees != 0 else { return }
    for path in paths.indices {
      for vertex in paths[path].vertices.indices {
        paths[path].vertices[vertex].x = NumberText.sum(paths[path].vertices[vertex].x, degrees)
      }
    }
  }
}
