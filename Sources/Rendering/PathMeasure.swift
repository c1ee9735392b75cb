import Graphics

/// Gathers how near a feature's paths come to a picker's point, and whether they enclose it.
///
/// A path is begun, added in one or several stretches of which each begins where the former ended,
/// and ended. Where neighbours on a globe are more than half of it apart the path goes on across the
/// antimeridian, as it is drawn.
struct PathMeasure {
  let picker: Picker
  /// The point's x, perhaps turned around the globe.
  let x: Double
  /// The square of the least distance so far, in dots.
  private(set) var square = Double.infinity
  /// Whether rings enclose the point, by the even-odd rule.
  private(set) var isInside = false

  private var isRing = false
  /// Degrees that the path has been carried on across the antimeridian.
  private var offset = 0.0
  private var first: Coordinate?
  private var last: Coordinate?

  init(picker: Picker, x: Double) {
    self.picker = picker
    self.x = x
  }

  mutating func addPoints(_ block: GeometryBlock, _ vertices: Range<Int>) {
    for vertex in vertices { square = min(square, picker.square(block.coordinate(at: vertex), x)) }
  }

  mutating func beginPath(isRing: Bool) {
    self.isRing = isRing
    offset = 0
    first = nil
    last = nil
  }

  /// Adds a stretch of a large path, looking into it only where its box says that it can matter.
  mutating func addPart(_ block: GeometryBlock, _ vertices: Range<Int>, _ box: Box) {
    if picker.isGeographic && box.width > 180 {
      addUnwrapped(block, vertices)
      return
    }
    let (x, y) = (x - offset, picker.point.y)
    let reachX = picker.tolerance / picker.scaleX
    let reachY = picker.tolerance / picker.scaleY
    let isNear =
      x >= box.minX - reachX && x <= box.maxX + reachX && y >= box.minY - reachY
      && y <= box.maxY + reachY
    if isNear {
      add(block, vertices)
      return
    }
    let start = block.coordinate(at: vertices.lowerBound)
    let end = block.coordinate(at: vertices.upperBound - 1)
    if isRing && box.minX > x && (start.y > y) != (end.y > y) {
      // Wholly to the east: the ray crosses it oddly if its ends lie on different sides.
      isInside.toggle()
    }
    pass(from: start, to: end)
  }

  /// Adds a stretch without jumps.
  mutating func add(_ block: GeometryBlock, _ vertices: Range<Int>) {
    let (x, y) = (x - offset, picker.point.y)
    let (scaleX, scaleY) = (picker.scaleX, picker.scaleY)
    let start = block.coordinate(at: vertices.lowerBound)
    var least = picker.square(start, x)
    var isOdd = false
    block.coordinates.withUnsafeBufferPointer { numbers in
      var (aX, aY) = (start.x, start.y)
      for vertex in vertices.dropFirst() {
        let (bX, bY) = (numbers[2 * vertex], numbers[2 * vertex + 1])
        let distance = Picker.squareToSegment(
          (aX - x) * scaleX, (aY - y) * scaleY, (bX - x) * scaleX, (bY - y) * scaleY)
        if distance < least { least = distance }
        if (aY > y) != (bY > y), x < (bX - aX) * (y - aY) / (bY - aY) + aX { isOdd.toggle() }
        (aX, aY) = (bX, bY)
      }
    }
    square = min(square, least)
    if isRing && isOdd { isInside.toggle() }
    pass(from: start, to: block.coordinate(at: vertices.upperBound - 1))
  }

  /// Adds a stretch that may jump across the antimeridian.
  mutating func addUnwrapped(_ block: GeometryBlock, _ vertices: Range<Int>) {
    for vertex in vertices {
      let raw = block.coordinate(at: vertex)
      guard raw.x.isFinite && raw.y.isFinite else { continue }
      guard let former = last else {
        pass(from: raw, to: raw)
        square = min(square, picker.square(raw, x))
        continue
      }
      let step = raw.x + offset - former.x
      if abs(step) > 180 && abs(step) < 360 { offset += step > 0 ? -360 : 360 }
      let next = Coordinate(x: raw.x + offset, y: raw.y)
      addSegment(former, next)
      last = next
    }
  }

  /// Ends a path: a ring once around the world is closed along the pole.
  mutating func endPath() {
    guard isRing, let first, let last, abs(abs(last.x - first.x) - 360) < 1e-9 else { return }
    let pole = first.y < 0 ? -90.0 : 90
    cross(last, Coordinate(x: last.x, y: pole))
    cross(Coordinate(x: first.x, y: pole), first)
  }

  /// Remembers where a stretch began and ended.
  private mutating func pass(from start: Coordinate, to end: Coordinate) {
    if first == nil { first = Coordinate(x: start.x + offset, y: start.y) }
    last = Coordinate(x: end.x + offset, y: end.y)
  }

  private mutating func addSegment(_ a: Coordinate, _ b: Coordinate) {
    let y = picker.point.y
    square = min(
      square,
      Picker.squareToSegment(
        (a.x - x) * picker.scaleX, (a.y - y) * picker.scaleY, (b.x - x) * picker.scaleX,
        (b.y - y) * picker.scaleY))
    if isRing { cross(a, b) }
  }

  private mutating func cross(_ a: Coordinate, _ b: Coordinate) {
    let y = picker.point.y
    if (a.y > y) != (b.y > y), x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x {
      isInside.toggle()
    }
  }
}
