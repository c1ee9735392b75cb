import PortolanGraphics

/// Edges of borders that are replaced by others.
///
/// Two edges meet if they have more in common than an end of both; they come near if a vertex of
/// one is within the tolerance of the other, as the check of coverages has it.
struct BorderChange {
  private struct Edge: Hashable {
    var a: Coordinate
    var b: Coordinate

    init(_ a: Coordinate, _ b: Coordinate) {
      // The same whichever way it goes.
      (self.a, self.b) = (a.x, a.y) < (b.x, b.y) ? (a, b) : (b, a)
    }
  }

  /// The edges that go, with those that come in their places.
  private var replaced: [Edge: [Edge]] = [:]
  /// Triangles over which an edge passes.
  var swept: [[Coordinate]] = []
  private let tolerance: BorderTolerance

  init(isGeographic: Bool) { tolerance = BorderTolerance(isGeographic: isGeographic) }

  mutating func replace(
    _ a: Coordinate, _ b: Coordinate, by edges: [(Coordinate, Coordinate)]
  ) {
    replaced[Edge(a, b)] = edges.map { Edge($0, $1) }
  }

  /// The box around all that changes.
  var box: Box {
    var box = Box.empty
    for corner in swept.joined() { box.formUnion(corner) }
    return box
  }

  /// Where the change has a fault with an edge of the layer; `nil` if it has none, or it had one
  /// before.
  func fault(with a: Coordinate, _ b: Coordinate) -> Coordinate? {
    let edge = Edge(a, b)
    if replaced[edge] != nil { return nil }
    for corner in [a, b] where isSwept(corner) { return corner }
    for (old, edges) in replaced {
      for new in edges where isWorse(new, than: old, beside: edge) { return new.b }
    }
    return nil
  }

  /// Whether a new edge meets another one, or comes near it, and the one in its place did not.
  private func isWorse(_ new: Edge, than old: Edge, beside edge: Edge) -> Bool {
    if Self.meet(new, edge) { return !Self.meet(old, edge) }
    return isNear(new, edge) && !isNear(old, edge) && !Self.meet(old, edge)
  }

  /// Whether a vertex of one edge that is no end of the other comes near the other.
  private func isNear(_ one: Edge, _ other: Edge) -> Bool {
    func isNear(_ place: Coordinate, _ edge: Edge) -> Bool {
      place != edge.a && place != edge.b && tolerance.isNearInside(place, edge.a, edge.b)
    }
    return isNear(one.a, other) || isNear(one.b, other) || isNear(other.a, one)
      || isNear(other.b, one)
  }

  /// Where new edges meet each other but in a common end, or come near where the old ones did not.
  var ownFault: Coordinate? {
    let all = replaced.flatMap { old, edges in edges.map { (old, $0) } }
    for (index, (old, edge)) in all.enumerated() {
      for (otherOld, other) in all[(index + 1)...] where edge != other {
        if Self.meet(edge, other) { return edge.b }
        if old != otherOld, isNear(edge, other), !isNear(old, otherOld) { return edge.b }
      }
    }
    return nil
  }

  private func isSwept(_ place: Coordinate) -> Bool {
    swept.contains { triangle in
      if triangle.contains(place) { return false }
      let box = triangle.reduce(into: Box.empty) { $0.formUnion($1) }
      guard box.contains(place) else { return false }
      let sides = [(0, 1), (1, 2), (2, 0)].map {
        Orientation.side(of: place, from: triangle[$0.0], to: triangle[$0.1])
      }
      return !(sides.contains(1) && sides.contains(-1))
    }
  }

  /// Whether two edges have more in common than an end of both.
  private static func meet(_ one: Edge, _ other: Edge) -> Bool {
    if one == other { return true }
    for (end, far) in [(other.a, other.b), (other.b, other.a)] {
      let common = end == one.a || end == one.b
      if common {
        // Beyond the common end they may lie on each other.
        let rest = end == one.a ? one.b : one.a
        return isOn(far, one) || isOn(rest, other)
      }
    }
    if isOn(other.a, one) || isOn(other.b, one) || isOn(one.a, other) || isOn(one.b, other) {
      return true
    }
    let (a, b) = (side(other.a, one), side(other.b, one))
    let (c, d) = (side(one.a, other), side(one.b, other))
    return a * b < 0 && c * d < 0
  }

  private static func side(_ place: Coordinate, _ edge: Edge) -> Int {
    Orientation.side(of: place, from: edge.a, to: edge.b)
  }

  private static func isOn(_ place: Coordinate, _ edge: Edge) -> Bool {
    min(edge.a.x, edge.b.x) <= place.x && place.x <= max(edge.a.x, edge.b.x)
      && min(edge.a.y, edge.b.y) <= place.y && place.y <= max(edge.a.y, edge.b.y)
      && side(place, edge) == 0
  }
}
