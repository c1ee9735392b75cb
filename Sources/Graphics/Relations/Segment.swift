/// A straight step between two positions, or a point where both are one.
struct Segment {
  var a: Coordinate
  var b: Coordinate

  var box: Box {
    Box(minX: min(a.x, b.x), minY: min(a.y, b.y), maxX: max(a.x, b.x), maxY: max(a.y, b.y))
  }

  func moved(_ turns: Int) -> Segment {
    turns == 0 ? self : Segment(a: a.moved(turns), b: b.moved(turns))
  }

  /// How two segments meet.
  enum Meeting {
    case apart
    /// At an end of one of them, or along a common stretch.
    case touching
    /// At a point inside of both.
    case crossing
  }

  /// How it meets another one; exact.
  func meeting(_ other: Segment) -> Meeting {
    guard box.intersects(other.box) else { return .apart }
    let first = Orientation.side(of: other.a, from: a, to: b)
    let second = Orientation.side(of: other.b, from: a, to: b)
    if first * second > 0 { return .apart }
    let third = Orientation.side(of: a, from: other.a, to: other.b)
    let fourth = Orientation.side(of: b, from: other.a, to: other.b)
    if third * fourth > 0 { return .apart }
    return first * second < 0 && third * fourth < 0 ? .crossing : .touching
  }

  /// Whether a position lies on the segment, its ends excluded.
  func holdsInside(_ place: Coordinate) -> Bool {
    place != a && place != b && box.contains(place)
      && Orientation.side(of: place, from: a, to: b) == 0
  }

  /// About where another segment crosses it.
  func crossing(_ other: Segment) -> Coordinate {
    let (x, y) = (b.x - a.x, b.y - a.y)
    let (otherX, otherY) = (other.b.x - other.a.x, other.b.y - other.a.y)
    let slope = x * otherY - y * otherX
    if slope == 0 { return a }
    let part = ((other.a.x - a.x) * otherY - (other.a.y - a.y) * otherX) / slope
    let share = min(max(part, 0), 1)
    return Coordinate(x: a.x + x * share, y: a.y + y * share)
  }

  /// Positions on the segment in their order from its start.
  func sorted(_ places: [Coordinate]) -> [Coordinate] {
    let isAlongX = (b.x - a.x).magnitude >= (b.y - a.y).magnitude
    return places.sorted { left, right in
      isAlongX
        ? (b.x > a.x ? left.x < right.x : left.x > right.x)
        : (b.y > a.y ? left.y < right.y : left.y > right.y)
    }
  }
}
