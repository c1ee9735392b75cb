/// Distances of positions, steps and boxes: geodesic in metres where coordinates are degrees, else
/// in the units of the plane.
struct ShapeMetric: Sendable {
  let isGeographic: Bool

  /// The least radius of curvature of WGS 84, along the meridian at the equator, rounded down: no
  /// way is shorter than this by the angle between its ends on a sphere of their latitudes.
  private static let leastRadius = 6_335_439.0
  /// Longer steps are halved, so that the distance falls and rises once along each.
  private static let longStep = 2.0

  /// The nearest place of a step.
  struct Near {
    var distance: Double
    var foot: Coordinate
  }

  func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    if isGeographic { return Geodesy.distance(from: a, to: b) }
    let (x, y) = (b.x - a.x, b.y - a.y)
    // Squares of large numbers would be infinite.
    let size = max(x.magnitude, y.magnitude)
    if size == 0 || !size.isFinite { return size }
    return size * (x / size * (x / size) + y / size * (y / size)).squareRoot()
  }

  /// A distance that no two positions in the boxes are below.
  func reach(_ a: Box, _ b: Box) -> Double {
    guard isGeographic else {
      let x = max(0, a.minX - b.maxX, b.minX - a.maxX)
      let y = max(0, a.minY - b.maxY, b.minY - a.maxY)
      let diagonal = (x * x + y * y).squareRoot() * (1 - 4 * Double.ulpOfOne)
      return diagonal.isFinite ? max(x, y, diagonal) : max(x, y)
    }
    // Latitudes are never beyond the poles, as in `Geodesy`.
    let y = max(0, max(a.minY, -90) - min(b.maxY, 90), max(b.minY, -90) - min(a.maxY, 90))
    let middles = (a.minX / 2 + a.maxX / 2) - (b.minX / 2 + b.maxX / 2)
    let x = middles.remainder(dividingBy: 360).magnitude - (a.width + b.width) / 2
    if x <= 0 { return Geodesy.radians(y) * Self.leastRadius }
    let sineY = Mathematics.sine(Geodesy.radians(y) / 2)
    let sineX = Mathematics.sine(Geodesy.radians(x) / 2)
    let square = sineY * sineY + Self.leastCosine(a) * Self.leastCosine(b) * sineX * sineX
    let angle =
      2
      * Mathematics.angle(
        y: square.squareRoot(), x: max(0, 1 - square).squareRoot())
    // Rounding may have made it more.
    return angle * Self.leastRadius * (1 - 1e-12)
  }

  private static func leastCosine(_ box: Box) -> Double {
    let latitude = min(max(box.minY.magnitude, box.maxY.magnitude), 90)
    return max(0, Mathematics.cosine(Geodesy.radians(latitude)))
  }

  /// The place of a step that is nearest to a position; `nil` if none is nearer than a bound.
  ///
  /// Steps are straight in coordinates. On the earth the distance is that to the nearest place of
  /// such a step, within a relative 1e-9.
  func nearest(on segment: Segment, to place: Coordinate, within bound: Double) -> Near? {
    if segment.a == segment.b {
      let distance = distance(place, segment.a)
      return distance <= bound ? Near(distance: distance, foot: segment.a) : nil
    }
    guard isGeographic else { return nearestOnPlane(segment, place, bound) }
    let here = Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
    var open = [segment]
    var found: Near?
    while let next = open.popLast() {
      let box = next.box
      guard reach(here, box) <= found?.distance ?? bound else { continue }
      // A step that no world has would be halved without end.
      if max(box.width, box.height) > Self.longStep, box.isOnGlobe {
        let middle = Coordinate(x: (next.a.x + next.b.x) / 2, y: (next.a.y + next.b.y) / 2)
        open.append(Segment(a: next.a, b: middle))
        open.append(Segment(a: middle, b: next.b))
        continue
      }
      let near = nearestOnGlobe(next, place)
      if near.distance <= found?.distance ?? bound { found = near }
    }
    return found
  }

  private func nearestOnPlane(
    _ segment: Segment, _ place: Coordinate, _ bound: Double
  ) -> Near? {
    let (x, y) = (segment.b.x - segment.a.x, segment.b.y - segment.a.y)
    let size = max(x.magnitude, y.magnitude)
    let (dx, dy) = (x / size, y / size)
    let part =
      ((place.x - segment.a.x) / size * dx + (place.y - segment.a.y) / size * dy)
      / (dx * dx + dy * dy)
    let foot = segment.place(min(max(part, 0), 1))
    let distance = distance(place, foot)
    return distance <= bound ? Near(distance: distance, foot: foot) : nil
  }

  // MARK: On the earth

  /// A place of a step, and how the distance grows from there along the step.
  private struct Trial {
    var part: Double
    var distance: Double
    /// The cosine of the angle between the step and the way back from the position: 0 at the
    /// nearest place.
    var slope: Double
  }

  private func trial(_ segment: Segment, _ part: Double, _ place: Coordinate) -> Trial {
    let foot = segment.place(part)
    let way = Geodesy.way(from: foot, to: place)
    let latitude = Geodesy.radians(Geodesy.latitude(foot))
    let (sine, cosine) = (Mathematics.sine(latitude), Mathematics.cosine(latitude))
    let square = Geodesy.flattening * (2 - Geodesy.flattening)
    let bend = 1 - square * sine * sine
    // The step in metres, but for a common factor: by the radii N and M of curvature.
    let east = (segment.b.x - segment.a.x) * cosine * bend
    let north = (segment.b.y - segment.a.y) * (1 - square)
    let length = (east * east + north * north).squareRoot()
    let bearing = Geodesy.radians(way.initialBearing)
    let along = east * Mathematics.sine(bearing) + north * Mathematics.cosine(bearing)
    return Trial(
      part: part, distance: way.length, slope: length > 0 ? -along / length : 0)
  }

  /// The root of the slope between both ends, by the rule of false position (the Illinois way).
  private func nearestOnGlobe(_ segment: Segment, _ place: Coordinate) -> Near {
    func near(_ trial: Trial) -> Near {
      Near(distance: trial.distance, foot: segment.place(trial.part))
    }
    var low = trial(segment, 0, place)
    if low.slope >= 0 || low.distance == 0 { return near(low) }
    var high = trial(segment, 1, place)
    if high.slope <= 0 || high.distance == 0 { return near(high) }
    var best = low.distance <= high.distance ? low : high
    var guess = flatGuess(segment, place)
    var side = 0
    for _ in 0..<80 {
      let next = trial(segment, guess, place)
      if next.distance < best.distance { best = next }
      // The distance is off by half the square of the slope.
      if next.slope.magnitude < 1e-6 || next.distance < 1e-9 { break }
      if next.slope < 0 {
        low = next
        if side < 0 { high.slope /= 2 }
        side = -1
      } else {
        high = next
        if side > 0 { low.slope /= 2 }
        side = 1
      }
      guess = low.part + (high.part - low.part) * (low.slope / (low.slope - high.slope))
      if !(guess > low.part && guess < high.part) { break }
    }
    return near(best)
  }

  /// The nearest place on a plane that touches the earth near the step: for near positions almost
  /// right.
  private func flatGuess(_ segment: Segment, _ place: Coordinate) -> Double {
    let middle = Geodesy.radians(Geodesy.latitude(segment.place(0.5)))
    let scale = Mathematics.cosine(middle)
    let (x, y) = ((segment.b.x - segment.a.x) * scale, segment.b.y - segment.a.y)
    let east = (place.x - segment.a.x).remainder(dividingBy: 360) * scale
    let north = place.y - segment.a.y
    let part = (east * x + north * y) / (x * x + y * y)
    return part > 0 && part < 1 ? part : 0.5
  }
}

extension Segment {
  /// A place between its ends, from 0 to 1.
  func place(_ part: Double) -> Coordinate {
    if part <= 0 { return a }
    if part >= 1 { return b }
    return Coordinate(x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part)
  }
}
