extension Geodesy {
  /// The length of a geometry's lines and rings, in metres.
  ///
  /// Steps are geodesics; those of half a turn and more are straight in longitude and latitude, as
  /// the map draws them, for the geodesic goes the other way round.
  package static func length(of geometry: Geometry) -> Double {
    let mayJump = geometry.box.mayJump
    return geometry.paths.reduce(0) { sum, path in
      path.role.kind.dimension == 0 ? sum : sum + length(ofPath: path.vertices, mayJump: mayJump)
    }
  }

  private static func length(ofPath path: [Coordinate], mayJump: Bool) -> Double {
    var start = 0
    var sum = 0.0
    for (index, step) in zip(path, path.dropFirst()).enumerated() {
      let turn = mayJump ? Longitude.turn(from: step.0.x, to: step.1.x) : 0
      let width = step.1.x - step.0.x + turn
      guard width.magnitude >= 180 else { continue }
      sum += length(of: Array(path[start...index]))
      sum += straightLength(from: step.0, to: step.1, width)
      start = index + 1
    }
    return sum + (start == 0 ? length(of: path) : length(of: Array(path[start...])))
  }

  /// The length of a step that is straight in longitude and latitude, by Simpson's rule.
  ///
  /// - Parameter width: its degrees to the east; more than a thousand turns count as those.
  private static func straightLength(
    from start: Coordinate, to end: Coordinate, _ width: Double
  ) -> Double {
    guard isFinite(start), isFinite(end) else { return .nan }
    let (low, rise) = (radians(latitude(start)), radians(latitude(end) - latitude(start)))
    let across = radians(min(max(width, -360_000), 360_000))
    let square = flattening * (2 - flattening)
    func speed(_ part: Double) -> Double {
      let sine = Mathematics.sine(low + part * rise)
      let bend = 1 - square * sine * sine
      let radius = equatorialRadius / bend.squareRoot()
      let x = radius * max(0, 1 - sine * sine).squareRoot() * across
      let y = radius * (1 - square) / bend * rise
      return (x * x + y * y).squareRoot()
    }
    let parts = 128
    let weighted = (1..<parts).reduce(0.0) { sum, part in
      sum + (part % 2 == 0 ? 2 : 4) * speed(Double(part) / Double(parts))
    }
    return (speed(0) + weighted + speed(1)) / Double(3 * parts)
  }
}
