import PortolanGraphics

/// The edges of areas along which data is cut: they are no coast and have no outline.
///
/// Data in degrees is cut at 180 degrees, where the map ends, and areas around a pole are closed
/// along it.
struct PathCuts: Sendable {
  /// The vertices at which a cut edge begins, rising.
  private(set) var starts: [UInt32] = []

  static let none = PathCuts()

  var isEmpty: Bool { starts.isEmpty }

  /// Adds the edge from a vertex to the next one; edges come in order.
  mutating func add(_ vertex: Int) { starts.append(UInt32(truncatingIfNeeded: vertex)) }

  /// Forgets all but the first edges.
  mutating func keep(first count: Int) { starts.removeLast(max(0, starts.count - count)) }

  /// The place among the cuts of the first one at a vertex or after it.
  func index(from vertex: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(starts[middle]) < vertex { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func contains(_ vertex: Int) -> Bool {
    let index = index(from: vertex)
    return index < starts.count && Int(starts[index]) == vertex
  }

  /// Whether one of some edges is a cut.
  ///
  /// - Parameter vertices: the vertices at which they begin.
  func contains(anyOf vertices: Range<Int>) -> Bool {
    let index = index(from: vertices.lowerBound)
    return index < starts.count && Int(starts[index]) < vertices.upperBound
  }

  /// Calls a body with the parts of a line between the cuts, each of two vertices or more.
  @inline(__always)
  func each(between line: Range<Int>, _ body: (Range<Int>) -> Void) {
    var first = line.lowerBound
    var index = isEmpty ? 0 : index(from: first)
    while true {
      let isCut = index < starts.count && Int(starts[index]) &+ 1 < line.upperBound
      let end = isCut ? Int(starts[index]) &+ 1 : line.upperBound
      if first &+ 1 < end { body(first..<end) }
      guard isCut else { return }
      first = end
      index &+= 1
    }
  }
}

/// Finds the cut edges of rings in world units.
///
/// Data rounds the places of the cut: both ends of an edge are within 0.001 degrees of the meridian
/// and one within a tenth of that, and the edge is ten times as steep as wide. An edge along a pole
/// lies within 0.01 degrees of it, or beyond the end of the projection.
struct CutFinder {
  private static let meridian = 1 << 30
  private static let nearMeridian = Int(WorldPoint.worldWidth / 360 * 0.001)
  private static let atMeridian = nearMeridian / 10
  private static let nearPole = Int(WorldPoint.worldWidth / 360 * 0.01)

  /// Edges with both ends farther from the equator run along a pole.
  private let poleFrom: Int
  /// A box within it has no cut.
  private let inner: WorldBox

  /// - Returns: `nil` for planes that do not repeat themselves.
  init?(_ plane: MapPlane) {
    guard plane.repeats, let pole = WorldPoint(plane.forward(Coordinate(x: 0, y: -90)))
    else { return nil }
    poleFrom = Int(pole.y) - Self.nearPole
    let side = Int32(Self.meridian - Self.nearMeridian - 1)
    let end = Int32(clamping: poleFrom - 1)
    inner = WorldBox(minX: -side, minY: -end, maxX: side, maxY: end)
  }

  /// Whether a box may have a cut.
  @inline(__always)
  func mayCut(_ box: WorldBox) -> Bool { !inner.contains(box) }

  /// Whether the edge between two vertices is a cut.
  func isCut(_ x: Int32, _ y: Int32, _ nextX: Int32, _ nextY: Int32) -> Bool {
    let (y, nextY) = (Int(y), Int(nextY))
    if min(y, nextY) >= poleFrom || max(y, nextY) <= -poleFrom { return true }
    let side = x < 0 ? -Self.meridian : Self.meridian
    let (one, other) = (abs(Int(x) - side), abs(Int(nextX) - side))
    return max(one, other) <= Self.nearMeridian && min(one, other) <= Self.atMeridian
      && abs(Int(nextX) - Int(x)) * 10 <= abs(nextY - y)
  }
}
