import PortolanGraphics

/// Collects the distance of a feature's paths from a picker's point, and whether they enclose it.
///
/// A path is begun, added in one or several stretches of which each begins at the end of the one
/// before, and ended. Paths of shapes that may jump cross the antimeridian as `Longitude` has it.
struct PathMeasure {
  let picker: Picker
  /// The point's x, perhaps turned around the globe.
  let x: Double
  /// The square of the least distance so far, in dots.
  private(set) var square = Double.infinity
  /// Whether rings enclose the point, by the even-odd rule.
  private(set) var isInside = false

  private var isRing = false
  private var mayJump = false
  /// The degrees added to the path by crossings of the antimeridian.
  private var offset = 0.0
  private var block: GeometryBlock?
  private var first: Int?
  private var last: Int?

  init(picker: Picker, x: Double) {
    self.picker = picker
    self.x = x
  }

  mutating func addPoints(_ block: GeometryBlock, _ vertices: Range<Int>) {
    for vertex in vertices { square = min(square, picker.square(block.coordinate(at: vertex), x)) }
  }

  mutating func beginPath(of block: GeometryBlock, isRing: Bool, mayJump: Bool) {
    self.isRing = isRing
    self.mayJump = mayJump
    offset = 0
    first = nil
    last = nil
    self.block = block
  }

  /// Adds a stretch of a large path, and inspects it only if its box is near enough.
  mutating func addPart(_ block: GeometryBlock, _ vertices: Range<Int>, _ box: Box) {
    if mayJump && box.width >= Longitude.leastJump {
      addUnwrapped(block, vertices)
      return
    }
    let (x, y) = (x - offset, picker.point.y)
    let reachX = picker.tolerance / picker.scaleX
    let reachY = picker.tolerance / picker.scaleY
    let isNear =
      picker.isCurved
      ? x != picker.point.x || picker.mayTouch(box)
      : x >= box.minX - reachX && x <= box.maxX + reachX && y >= box.minY - reachY
        && y <= box.maxY + reachY
    if isNear {
      add(block, vertices)
      return
    }
    let isWest = picker.isCurved ? picker.isWest(of: box) : box.minX > x
    if isRing && isWest && box.minY <= y && box.maxY > y {
      // Wholly to the east: the ray crosses it an odd number of times if its ends lie on different
      // sides.
      let start = block.coordinate(at: vertices.lowerBound)
      let end = block.coordinate(at: vertices.upperBound - 1)
      if (start.y > y) != (end.y > y) { isInside.toggle() }
    }
    pass(vertices)
  }

  /// Adds a stretch without jumps.
  mutating func add(_ block: GeometryBlock, _ vertices: Range<Int>) {
    let (x, y) = (x - offset, picker.point.y)
    let (scaleX, scaleY) = (picker.scaleX, picker.scaleY)
    let start = block.coordinate(at: vertices.lowerBound)
    var least = picker.square(start, x)
    var isOdd = false
    block.coordinates.withUnsafeBufferPointer { numbers in
      let isCurved = picker.isCurved
      let first = picker.flattened(start)
      var (aX, aY) = (first.x, first.y)
      for vertex in vertices.dropFirst() {
        var (bX, bY) = (numbers[2 * vertex], numbers[2 * vertex + 1])
        if isCurved {
          let flat = picker.flattened(Coordinate(x: bX, y: bY))
          (bX, bY) = (flat.x, flat.y)
        }
        let distance = Picker.squareToSegment(
          (aX - x) * scaleX, (aY - y) * scaleY, (bX - x) * scaleX, (bY - y) * scaleY)
        if distance < least { least = distance }
        if (aY > y) != (bY > y), x < (bX - aX) * (y - aY) / (bY - aY) + aX { isOdd.toggle() }
        (aX, aY) = (bX, bY)
      }
    }
    square = min(square, least)
    if isRing && isOdd { isInside.toggle() }
    pass(vertices)
  }

  /// Adds a stretch that may jump across the antimeridian.
  mutating func addUnwrapped(_ block: GeometryBlock, _ vertices: Range<Int>) {
    for vertex in vertices {
      let raw = block.coordinate(at: vertex)
      guard raw.x.isFinite && raw.y.isFinite else { continue }
      guard let last else {
        pass(vertex..<(vertex + 1))
        square = min(square, picker.square(raw, x))
        continue
      }
      var former = block.coordinate(at: last)
      former.x += offset
      offset += Longitude.turn(from: block.coordinate(at: last).x, to: raw.x)
      addSegment(
        picker.flattened(former), picker.flattened(Coordinate(x: raw.x + offset, y: raw.y)))
      self.last = vertex
    }
  }

  /// Ends a path: a ring once around the world is closed along the pole.
  mutating func endPath() {
    guard isRing, offset != 0, let block, let first, let last else { return }
    let start = block.coordinate(at: first)
    var end = block.coordinate(at: last)
    end.x += offset
    guard abs(abs(end.x - start.x) - 360) < 1e-9 else { return }
    let pole = Longitude.pole(inRingFrom: start)
    cross(end, Coordinate(x: end.x, y: pole))
    cross(Coordinate(x: start.x, y: pole), start)
  }

  /// Records the range of added vertices.
  private mutating func pass(_ vertices: Range<Int>) {
    if first == nil { first = vertices.lowerBound }
    last = vertices.upperBound - 1
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
