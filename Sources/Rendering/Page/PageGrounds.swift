import PortolanGraphics

/// The areas beneath some places of a page: the style of the last one painted over each.
struct PageGrounds {
  private let places: [PagePoint]
  /// The numbers of the places from left to right.
  private let order: [Int]
  private(set) var styles: [MarkStyle?]

  init(_ places: [PagePoint]) {
    self.places = places
    order = places.indices.sorted { (places[$0].x, $0) < (places[$1].x, $1) }
    styles = Array(repeating: nil, count: places.count)
  }

  /// Notes the areas of a shape that is painted.
  mutating func cover(with shape: PageShape) {
    guard shape.style.fill != nil, !places.isEmpty else { return }
    var (left, right) = (Double.infinity, -Double.infinity)
    for path in shape.paths where path.isClosed {
      for point in path.points {
        left = min(left, point.x)
        right = max(right, point.x)
      }
    }
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if places[order[middle]].x < left { low = middle + 1 } else { high = middle }
    }
    while low < order.count, places[order[low]].x <= right {
      if Self.covers(shape.paths, places[order[low]]) { styles[order[low]] = shape.style }
      low += 1
    }
  }

  /// Whether closed paths enclose a place, by the even-odd rule.
  private static func covers(_ paths: [PagePath], _ place: PagePoint) -> Bool {
    var isInside = false
    for path in paths where path.isClosed {
      guard var former = path.points.last else { continue }
      for point in path.points {
        if (point.y > place.y) != (former.y > place.y),
          place.x < (former.x - point.x) * (place.y - point.y) / (former.y - point.y) + point.x
        {
          isInside.toggle()
        }
        former = point
      }
    }
    return isInside
  }
}
