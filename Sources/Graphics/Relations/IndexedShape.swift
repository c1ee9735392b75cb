/// A feature's shape, made ready for many questions about where others lie.
///
/// In degrees its longitudes go on across the antimeridian as `Longitude` has them, and a ring once
/// around the world is closed along its pole; so all steps are straight, and a shape may leave -180
/// to 180. What is compared with it is moved by whole turns.
package final class IndexedShape: Sendable {
  struct Path: Sendable {
    /// The vertices; of a ring the last equals the first.
    var vertices: Range<Int>
    var dimension: Int
    /// The number of its polygon among those of the shape; 0 for lines and points.
    var polygon: Int
    var tree: PathTree
  }

  /// Two doubles a vertex.
  let coordinates: [Double]
  let paths: [Path]
  package let box: Box
  let isGeographic: Bool
  /// Whether it may lie on other turns of the globe.
  private let isOnGlobe: Bool
  /// The first vertices of the steps that only close a ring along a pole.
  private let closings: Set<Int>
  let hasSeveralPolygons: Bool
  /// The tree of the paths' boxes, where there are many.
  let pathTree: BoxTree?

  private static let pathTreeMin = 32

  /// The shape of a row of a block.
  ///
  /// - Complexity: O(vertices).
  package init(_ block: GeometryBlock, row: Int, isGeographic: Bool) {
    var maker = Maker(block: block, row: row, isGeographic: isGeographic)
    maker.make()
    coordinates = maker.coordinates
    closings = maker.closings
    let found = maker.coordinates
    paths = maker.paths.map { path in
      Path(
        vertices: path.vertices, dimension: path.dimension, polygon: path.polygon,
        tree: PathTree(found, path.vertices, isPoints: path.dimension == 0))
    }
    box = paths.reduce(.empty) { $0.union($1.tree.box) }
    self.isGeographic = isGeographic
    isOnGlobe = isGeographic && box.isOnGlobe
    hasSeveralPolygons = maker.polygons > 1
    pathTree = paths.count < Self.pathTreeMin ? nil : BoxTree(paths.map(\.tree.box))
  }

  /// 0 for points, 1 if it has lines, 2 if it has areas; `nil` without vertices.
  package var dimension: Int? { paths.map(\.dimension).max() }

  @inline(__always) func coordinate(_ vertex: Int) -> Coordinate {
    Coordinate(x: coordinates[2 &* vertex], y: coordinates[2 &* vertex &+ 1])
  }

  /// Whether a step lies where the world is cut, so that the area may go on beyond it.
  func isSeam(_ vertex: Int) -> Bool {
    guard isOnGlobe else { return false }
    if closings.contains(vertex) { return true }
    let (a, b) = (coordinate(vertex), coordinate(vertex + 1))
    return a.x == b.x && a.x.magnitude == 180 || a.y == b.y && a.y.magnitude == 90
  }

  /// The turns of the globe by which another box is to be moved to meet this one.
  func frames(meeting other: Box) -> ClosedRange<Int>? {
    guard !box.isEmpty, !other.isEmpty else { return nil }
    guard isOnGlobe, other.isOnGlobe else { return box.intersects(other) ? 0...0 : nil }
    guard box.minY <= other.maxY, other.minY <= box.maxY else { return nil }
    return other.turns(meeting: box.minX...box.maxX)
  }

  /// Calls a body with the numbers of the paths whose boxes meet another one until it returns
  /// `false`.
  func visitPaths(meeting other: Box, _ body: (Int) -> Bool) {
    if let pathTree { return pathTree.visit(meeting: other, body) }
    for (number, path) in paths.enumerated() where path.tree.box.intersects(other) {
      if !body(number) { return }
    }
  }

  /// Calls a body with the ends of the steps and points whose boxes meet another one, until it
  /// returns `false`.
  ///
  /// - Parameter isArea: whether only rings count.
  func visitSteps(
    meeting other: Box, isArea: Bool = false, _ body: (_ path: Int, _ vertex: Int) -> Bool
  ) {
    visitPaths(meeting: other) { number in
      let tree = paths[number].tree
      if isArea, paths[number].dimension != 2 { return true }
      return tree.walk(choose: { box, _ in box.intersects(other) ? .enter : .skip }) { vertex in
        let (a, b) = (coordinate(vertex), coordinate(vertex + tree.step))
        guard min(a.x, b.x) <= other.maxX, max(a.x, b.x) >= other.minX,
          min(a.y, b.y) <= other.maxY, max(a.y, b.y) >= other.minY
        else { return true }
        return body(number, vertex)
      }
    }
  }
}

extension IndexedShape {
  /// Collects the paths of a shape.
  private struct Maker {
    let block: GeometryBlock
    let row: Int
    let isGeographic: Bool
    var coordinates: [Double] = []
    var paths: [(vertices: Range<Int>, dimension: Int, polygon: Int)] = []
    var closings: Set<Int> = []
    var polygons = 0

    mutating func make() {
      let range = block.paths(ofFeature: row)
      let mayJump = isGeographic && block.boxes[row].mayJump
      let isPlain = !mayJump && range.allSatisfy { isWhole($0) }
      // What needs no change shares the arrays of its block.
      if isPlain { coordinates = block.coordinates }
      for path in range {
        let role = block.pathRoles[path]
        let vertices = block.vertices(ofPath: path)
        if role.beginsPolygon { polygons += 1 }
        var made = vertices
        if !isPlain {
          let start = coordinates.count / 2
          add(vertices, role, mayJump: mayJump && role.kind.dimension != 0)
          made = start..<coordinates.count / 2
        }
        if made.isEmpty { continue }
        let dimension = made.count == 1 ? 0 : role.kind.dimension ?? 0
        paths.append((made, dimension, role.isRing ? max(0, polygons - 1) : 0))
      }
    }

    /// Whether a path is finite, and closed if it is a ring.
    private func isWhole(_ path: Int) -> Bool {
      let vertices = block.vertices(ofPath: path)
      let isClosed =
        vertices.isEmpty || !block.pathRoles[path].isRing
        || block.coordinate(at: vertices.lowerBound)
          == block.coordinate(at: vertices.upperBound - 1)
      return isClosed
        && block.coordinates[2 * vertices.lowerBound..<2 * vertices.upperBound]
          .allSatisfy(\.isFinite)
    }

    private mutating func add(_ vertices: Range<Int>, _ role: PathRole, mayJump: Bool) {
      let start = coordinates.count / 2
      let numbers = block.coordinates
      block.eachOnGlobe(vertices, mayJump: mayJump) { vertex, x in
        coordinates.append(x)
        coordinates.append(numbers[2 * vertex + 1])
      }
      let end = coordinates.count / 2
      guard role.isRing, end > start + 1 else { return }
      let first = Coordinate(x: coordinates[2 * start], y: coordinates[2 * start + 1])
      let last = Coordinate(x: coordinates[2 * end - 2], y: coordinates[2 * end - 1])
      if first == last { return }
      if (last.x - first.x).magnitude >= Longitude.leastJump {
        let pole = Longitude.pole(inRingFrom: first)
        closings = closings.union(end - 1...end + 1)
        coordinates += [last.x, pole, first.x, pole]
      }
      coordinates += [first.x, first.y]
    }
  }
}
