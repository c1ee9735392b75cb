import Graphics

/// Gathers how near a feature's paths come to a picker's point, and whether they enclose it.
struct PathMeasure {
  let picker: Picker
  /// The point's x, perhaps turned around the globe.
  let x: Double
  /// The square of the least distance so far, in dots.
  private(set) var square = Double.infinity
  /// Whether rings enclose the point, by the even-odd rule.
  private(set) var isInside = false

  init(picker: Picker, x: Double) {
    self.picker = picker
    self.x = x
  }

  mutating func addPoints(_ block: GeometryBlock, _ vertices: Range<Int>) {
    for vertex in vertices { square = min(square, picker.square(block.coordinate(at: vertex), x)) }
  }

  /// Adds a stretch of a large path, looking into it only where its box says that it can matter.
  mutating func add(
    _ block: GeometryBlock, _ vertices: Range<Int>, _ box: Box, isRing: Bool
  ) {
    let y = picker.point.y
    let reachX = picker.tolerance / picker.scaleX
    let reachY = picker.tolerance / picker.scaleY
    let isNear =
      x >= box.minX - reachX && x <= box.maxX + reachX && y >= box.minY - reachY
      && y <= box.maxY + reachY
    if isNear {
      add(block, vertices, isRing: isRing)
    } else if isRing, vertices.count > 1, box.minX > x, box.minY <= y, box.maxY > y {
      // Wholly to the east: the ray crosses it oddly if its ends lie on different sides.
      let first = block.coordinates[2 * vertices.lowerBound + 1]
      let last = block.coordinates[2 * vertices.upperBound - 1]
      if (first > y) != (last > y) { isInside.toggle() }
    }
  }

  mutating func add(_ block: GeometryBlock, _ vertices: Range<Int>, isRing: Bool) {
    guard let first = vertices.first else { return }
    let (x, y) = (x, picker.point.y)
    let (scaleX, scaleY) = (picker.scaleX, picker.scaleY)
    var least = picker.square(block.coordinate(at: first), x)
    var isOdd = false
    block.coordinates.withUnsafeBufferPointer { numbers in
      var (aX, aY) = (numbers[2 * first], numbers[2 * first + 1])
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
  }

  /// Adds a path that may jump across the antimeridian, carried on beyond it as it is drawn.
  mutating func addUnwrapped(_ block: GeometryBlock, _ vertices: Range<Int>, isRing: Bool) {
    var previous: (raw: Double, x: Double, y: Double)?
    var start: (x: Double, y: Double)?
    for vertex in vertices {
      let raw = block.coordinate(at: vertex)
      guard raw.x.isFinite && raw.y.isFinite else { continue }
      guard let former = previous else {
        previous = (raw.x, raw.x, raw.y)
        start = (raw.x, raw.y)
        square = min(square, picker.square(raw, x))
        continue
      }
      let step = raw.x - former.raw
      let isJump = abs(step) > 180 && abs(step) < 360
      let next = former.x + step + (isJump ? (step > 0 ? -360 : 360) : 0)
      addSegment(former.x, former.y, next, raw.y, isRing: isRing)
      previous = (raw.x, next, raw.y)
    }
    guard isRing, let start, let last = previous, abs(abs(last.x - start.x) - 360) < 1e-9 else {
      return
    }
    // Once around the world: closed along the pole.
    let pole = start.y < 0 ? -90.0 : 90
    cross(last.x, last.y, last.x, pole)
    cross(start.x, pole, start.x, start.y)
  }

  private mutating func addSegment(
    _ aX: Double, _ aY: Double, _ bX: Double, _ bY: Double, isRing: Bool
  ) {
    let y = picker.point.y
    square = min(
      square,
      Picker.squareToSegment(
        (aX - x) * picker.scaleX, (aY - y) * picker.scaleY, (bX - x) * picker.scaleX,
        (bY - y) * picker.scaleY))
    if isRing { cross(aX, aY, bX, bY) }
  }

  private mutating func cross(_ aX: Double, _ aY: Double, _ bX: Double, _ bY: Double) {
    let y = picker.point.y
    if (aY > y) != (bY > y), x < (bX - aX) * (y - aY) / (bY - aY) + aX { isInside.toggle() }
  }
}
