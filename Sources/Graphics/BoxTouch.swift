/// Tests which features touch a box: have a point in common with it, its edges and theirs included.
///
/// Points, lines and areas count by their shape, not by their own boxes; a box wholly inside of an
/// area touches it, one in a hole does not. The comparison is exact, so that neither the zoom nor
/// rounding decides. In degrees, shapes are as they are drawn: their steps as `Longitude` has them,
/// a ring once around the world up to its pole, and a box and a shape also touch where they are
/// whole turns of the globe apart.
package struct BoxTouch: Sendable {
  /// The box; on the globe its east may be less than its west by up to one turn.
  let box: Box
  /// Whether coordinates are degrees.
  let isGeographic: Bool
  /// The number of turns to add to its east: 1 for a box across the antimeridian.
  private let turnsAcross: Double

  /// A test against a box.
  ///
  /// - Parameters:
  ///   - box: In the coordinates' own units. In degrees `minX > maxX` spans the antimeridian.
  ///   - isGeographic: Whether coordinates are degrees.
  package init(_ box: Box, isGeographic: Bool) {
    var box = box
    turnsAcross = isGeographic && box.minX > box.maxX ? 1 : 0
    // Numbers far from the globe would take many turns to compare.
    if isGeographic && !(abs(box.minX) <= 1080 && abs(box.maxX) <= 1080) {
      let width = box.maxX - box.minX
      box.minX = width < 360 ? box.minX.remainder(dividingBy: 360) : -180
      box.maxX = box.minX + min(width, 360)
    }
    self.box = box
    self.isGeographic = isGeographic
  }

  /// Whether anything with vertices in a block's box can be touched.
  package func mayTouch(_ bounds: Box) -> Bool {
    guard !bounds.isEmpty else { return false }
    // A box outside of the globe may still contain features on it.
    if isGeographic && (bounds.width >= Longitude.leastJump || !bounds.isOnGlobe) { return true }
    return meets(bounds)
  }

  /// The rows of the features of a block that touch the box, by rising number.
  ///
  /// - Complexity: O(features), plus O(vertices) of those whose boxes intersect it and are not
  ///   inside.
  package func rows(in block: GeometryBlock) -> [Int] {
    guard mayTouch(block.box) else { return [] }
    return (0..<block.featureCount).filter { touches(block, row: $0) }
  }

  /// Whether a feature touches the box; one without vertices never does.
  ///
  /// - Precondition: `row` is below the block's `featureCount`.
  /// - Complexity: O(1) if its box is apart from it, or inside; else O(vertices), of features of
  ///   more than 512 about O(vertices / 64).
  package func touches(_ block: GeometryBlock, row: Int) -> Bool {
    let bounds = block.boxes[row]
    guard !bounds.isEmpty else { return false }
    let isOnGlobe = isGeographic && bounds.isOnGlobe
    let mayJump = isGeographic && bounds.mayJump
    // A shape with jumps may enclose a pole, which is outside of its box.
    let (south, north) = mayJump ? (-90, 90) : (bounds.minY, bounds.maxY)
    guard south <= box.maxY, north >= box.minY else { return false }
    let frames = isOnGlobe ? frames(meeting: bounds.minX...bounds.maxX) : 0...0
    if !mayJump {
      if !frames.contains(where: { Self.meet(frame($0), bounds) }) { return false }
      if frames.contains(where: { Self.holds(frame($0), bounds) }) { return true }
    }
    func isTouched(by frames: [Box]) -> Bool {
      var walk = TouchWalk(test: self, block: block, frames: frames)
      return walk.touches(row: row, mayJump: mayJump)
    }
    let boxes = frames.map { frame($0) }
    // A shape wider than the world can contain the box on several turns.
    if isOnGlobe, !mayJump, bounds.width >= 360 { return boxes.contains { isTouched(by: [$0]) } }
    return isTouched(by: boxes)
  }

  // MARK: Indexes

  /// What to ask an index of the shapes' own boxes, so that it misses no shape that touches a box,
  /// in any units: shapes whose boxes meet one of these. Beside them those on both sides of x = 0
  /// that are `Longitude.leastJump` wide are to be asked for: they may jump beyond their boxes.
  ///
  /// - Returns: `nil` if the index cannot be asked for it.
  package static func frames(forIndexOf box: Box) -> [Box]? {
    let edges = [box.minX, box.minY, box.maxX, box.maxY]
    guard edges.allSatisfy(\.isFinite), box.minY <= box.maxY else { return nil }
    var across = box
    if box.minX > box.maxX { across.maxX += 360 }
    if box.minX.magnitude <= 1080, box.maxX.magnitude <= 1080 {
      // From such a box to shapes of at most 3,600 degrees.
      return (-13...13).map { across.moved($0).widened }
    }
    // If these are degrees, they are so of any turn.
    return [across, Box(minX: -3600, minY: box.minY, maxX: 3600, maxY: box.maxY)]
  }

  /// Whether a box intersects it, on the globe on any turn.
  private func meets(_ bounds: Box) -> Bool {
    guard isGeographic && bounds.isOnGlobe else { return Self.meet(frame(0), bounds) }
    return frames(meeting: bounds.minX...bounds.maxX).contains { Self.meet(frame($0), bounds) }
  }

  // MARK: Frames

  /// The box moved by some turns of the globe to the east.
  func frame(_ turns: Int) -> Box {
    if turns == 0 && turnsAcross == 0 { return box }
    return Box(
      minX: box.minX + 360 * Double(turns), minY: box.minY,
      maxX: box.maxX + 360 * (Double(turns) + turnsAcross), maxY: box.maxY)
  }

  /// The turns on which the box can intersect a range of longitudes, and perhaps one more.
  func frames(meeting range: ClosedRange<Double>) -> ClosedRange<Int> {
    frame(0).turns(meeting: range) ?? 0...0
  }

  static func meet(_ a: Box, _ b: Box) -> Bool {
    a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY
  }

  static func holds(_ a: Box, _ b: Box) -> Bool {
    a.minX <= b.minX && b.maxX <= a.maxX && a.minY <= b.minY && b.maxY <= a.maxY
  }
}

/// Walks along a feature's paths to test whether they touch a box.
///
/// A polygon whose rings do not touch the box contains all of it or nothing: a ray from the box's
/// southwest corner to the north crosses its rings an odd number of times if it does. On the globe
/// that ray is tested on all turns, so no vertex has to be moved.
private struct TouchWalk {
  let test: BoxTouch
  let block: GeometryBlock
  /// The box on all turns that the feature's vertices can touch.
  let frames: [Box]
  /// Whether the rings of the polygon so far contain the box.
  private var isInside = false
  /// The number of turns of the globe in the present path.
  private var turns = 0

  init(test: BoxTouch, block: GeometryBlock, frames: [Box]) {
    self.test = test
    self.block = block
    self.frames = frames
  }

  mutating func touches(row: Int, mayJump: Bool) -> Bool {
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      let vertices = block.vertices(ofPath: path)
      if !role.isHole {
        if isInside { return true }
        isInside = false
      }
      guard let first = vertices.first, let last = vertices.last else { continue }
      if role.kind.dimension == 0 || vertices.count == 1 {
        if vertices.contains(where: { holds(block.coordinate(at: $0)) }) { return true }
        continue
      }
      turns = 0
      if walk(vertices, row, role.isRing, mayJump) { return true }
      guard role.isRing else { continue }
      let (start, end) = (block.coordinate(at: first), block.coordinate(at: last))
      if start != end, step(end, start, isRing: true, mayJump) { return true }
      // A ring around the north pole contains the end of the ray.
      if turns % 2 != 0, Longitude.pole(inRingFrom: start) > 0 { isInside.toggle() }
    }
    return isInside
  }

  private func holds(_ place: Coordinate) -> Bool { frames.contains { $0.contains(place) } }

  /// Walks along a path; of a large feature only through the near parts.
  private mutating func walk(
    _ vertices: Range<Int>, _ row: Int, _ isRing: Bool, _ mayJump: Bool
  ) -> Bool {
    guard let parts = block.parts[row] else { return steps(vertices, isRing, mayJump) }
    for part in parts.index(of: vertices.lowerBound)...parts.index(of: vertices.upperBound - 1) {
      let start = parts.start + part * FeatureParts.size
      let stretch =
        max(
          start, vertices.lowerBound)..<min(start + FeatureParts.size + 1, vertices.upperBound)
      let bounds = parts.boxes[part]
      if mayJump && bounds.width >= Longitude.leastJump
        || frames.contains(where: { BoxTouch.meet($0, bounds) })
      {
        if steps(stretch, isRing, mayJump) { return true }
      } else if isRing, bounds.maxY >= test.box.minY {
        pass(stretch, bounds)
      }
    }
    return false
  }

  /// Counts the crossings of a stretch that does not touch the box.
  private mutating func pass(_ stretch: Range<Int>, _ bounds: Box) {
    let isAbove = bounds.minY > test.box.minY
    for frame in frames where bounds.minX <= frame.minX && bounds.maxX >= frame.minX {
      if isAbove {
        // Whatever its windings, only the sides of its two ends count.
        let start = block.coordinate(at: stretch.lowerBound)
        let end = block.coordinate(at: stretch.upperBound - 1)
        if (start.x > frame.minX) != (end.x > frame.minX) { isInside.toggle() }
        continue
      }
      for vertex in stretch.dropLast() {
        let (a, b) = (block.coordinate(at: vertex), block.coordinate(at: vertex + 1))
        if crosses(a, b, frame) { isInside.toggle() }
      }
    }
  }

  /// Walks along a run of vertices; returns whether it touches the box.
  private mutating func steps(_ vertices: Range<Int>, _ isRing: Bool, _ mayJump: Bool) -> Bool {
    block.coordinates.withUnsafeBufferPointer { numbers in
      var a = Coordinate(
        x: numbers[2 * vertices.lowerBound], y: numbers[2 * vertices.lowerBound + 1])
      for vertex in vertices.dropFirst() {
        let b = Coordinate(x: numbers[2 * vertex], y: numbers[2 * vertex + 1])
        if step(a, b, isRing: isRing, mayJump) { return true }
        a = b
      }
      return false
    }
  }

  @inline(__always)
  private mutating func step(
    _ a: Coordinate, _ b: Coordinate, isRing: Bool, _ mayJump: Bool
  ) -> Bool {
    if mayJump {
      let turn = Longitude.turn(from: a.x, to: b.x)
      if turn != 0 { return jump(a, b, turn, isRing) }
    }
    for frame in frames {
      if meets(a, b, frame) { return true }
      if isRing, crosses(a, b, frame) { isInside.toggle() }
    }
    return false
  }

  /// Takes a step across the antimeridian: the short way round.
  private mutating func jump(
    _ a: Coordinate, _ b: Coordinate, _ turn: Double, _ isRing: Bool
  ) -> Bool {
    turns += turn < 0 ? -1 : 1
    let end = Coordinate(x: b.x + turn, y: b.y)
    for turn in test.frames(meeting: min(a.x, end.x)...max(a.x, end.x)) {
      let frame = test.frame(turn)
      if meets(a, end, frame) { return true }
      if isRing, crosses(a, end, frame) { isInside.toggle() }
    }
    return false
  }

  /// Whether a segment has a point in a box.
  @inline(__always)
  private func meets(_ a: Coordinate, _ b: Coordinate, _ box: Box) -> Bool {
    if a.x < box.minX && b.x < box.minX || a.x > box.maxX && b.x > box.maxX { return false }
    if a.y < box.minY && b.y < box.minY || a.y > box.maxY && b.y > box.maxY { return false }
    return box.contains(a) || box.contains(b) || isCut(a, b, box)
  }

  /// Whether the line through a and b, whose box intersects the other, has corners on both sides.
  private func isCut(_ a: Coordinate, _ b: Coordinate, _ box: Box) -> Bool {
    guard a.x.isFinite, a.y.isFinite, b.x.isFinite, b.y.isFinite else { return false }
    let isRising = (b.x > a.x) == (b.y > a.y)
    let left = Coordinate(x: box.minX, y: isRising ? box.maxY : box.minY)
    let right = Coordinate(x: box.maxX, y: isRising ? box.minY : box.maxY)
    return Orientation.side(of: left, from: a, to: b) * Orientation.side(of: right, from: a, to: b)
      <= 0
  }

  /// Whether a segment crosses the ray that goes north from a box's southwest corner.
  @inline(__always)
  private func crosses(_ a: Coordinate, _ b: Coordinate, _ box: Box) -> Bool {
    guard (a.x > box.minX) != (b.x > box.minX), a.y >= box.minY || b.y >= box.minY else {
      return false
    }
    if a.y > box.minY && b.y > box.minY { return true }
    let side = Orientation.side(
      of: Coordinate(x: box.minX, y: box.minY), from: a, to: b)
    return b.x > a.x ? side < 0 : side > 0
  }
}
