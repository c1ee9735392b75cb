import PortolanGraphics

/// The line on which the letters of a name stand along its river or road: straight, or bent once.
/// It never leads to the left, so no name is upside down.
package struct PageBaseline: Hashable, Sendable {
  package var start: PagePoint
  package var end: PagePoint
  /// The height of the middle above the straight line from start to end.
  package var bend: Double

  /// The greatest bend, as a part of the length: letters then turn by half a right angle or so.
  package static let bendMax = 0.1
  /// Lines with smaller bends are straight.
  private static let straightBend = 0.02
  /// The farthest that the line of the feature strays from the curve of its name.
  package static let strayMax = 4.0
  /// The room between the line and the letters, and the height of letters above their baseline.
  private static let (gap, height) = (2.2, 7.4)

  package var length: Double { Self.distance(start, end) }

  /// Whether its letters stand on a straight line.
  package var isStraight: Bool { bend == 0 }

  /// Its direction: a part of 1 to the right, and one down.
  package var direction: (x: Double, y: Double) {
    let length = max(length, 1e-9)
    return ((end.x - start.x) / length, (end.y - start.y) / length)
  }

  /// The point at a part of its length, 0 to 1; beyond these the curve goes on.
  package func point(at part: Double, above: Double = 0) -> PagePoint {
    let (x, y) = direction
    let up = 4 * bend * part * (1 - part) + above
    return PagePoint(
      x: start.x + part * length * x + up * y, y: start.y + part * length * y - up * x)
  }

  /// The directions of the curve at a part of its length.
  package func direction(at part: Double) -> (x: Double, y: Double) {
    let slope = 4 * bend * (1 - 2 * part) / max(length, 1e-9)
    let (x, y) = direction
    let size = (1 + slope * slope).squareRoot()
    return ((x + slope * y) / size, (y - slope * x) / size)
  }

  /// The curve as a quadratic one of Bézier, beyond both ends by a fifth: letters that are wider
  /// than they were taken for need a line too.
  package var extended: (start: PagePoint, control: PagePoint, end: PagePoint) {
    // The tangents at the ends meet 2.96 bends above the straight line.
    (point(at: -0.2), point(at: 0.5, above: 1.96 * bend), point(at: 1.2))
  }

  /// The baselines beside a stretch of a line, above and below it; none where it winds too much.
  ///
  /// The curve is the parabola through the ends of the stretch that is nearest to it; the letters
  /// stand where no part of the stretch reaches.
  ///
  /// - Parameter stretch: points at equal distances along the line.
  static func beside(_ stretch: [PagePoint], strayMax: Double = strayMax) -> [PageBaseline] {
    guard let first = stretch.first, let last = stretch.last, stretch.count > 2 else { return [] }
    let goesLeft = last.x < first.x || last.x == first.x && last.y > first.y
    let points = goesLeft ? Array(stretch.reversed()) : stretch
    var line = PageBaseline(start: points[0], end: points[points.count - 1], bend: 0)
    guard line.length > 0 else { return [] }
    let (x, y) = line.direction
    let places = points.map { point -> (part: Double, up: Double) in
      let (stepX, stepY) = (point.x - line.start.x, point.y - line.start.y)
      return ((stepX * x + stepY * y) / line.length, stepX * y - stepY * x)
    }
    func curve(_ part: Double) -> Double { 4 * part * (1 - part) }
    let square = places.reduce(0) { $0 + curve($1.part) * curve($1.part) }
    let bend = places.reduce(0) { $0 + $1.up * curve($1.part) } / max(square, 1e-9)
    line.bend = abs(bend) < straightBend * line.length ? 0 : bend
    guard abs(line.bend) <= bendMax * line.length else { return [] }
    let strays = places.map { $0.up - line.bend * curve($0.part) }
    guard let low = strays.min(), let high = strays.max(), max(high, -low) <= strayMax else {
      return []
    }
    return [line.moved(up: high + gap), line.moved(up: low - gap - height)]
  }

  private func moved(up: Double) -> PageBaseline {
    let (x, y) = direction
    func moved(_ point: PagePoint) -> PagePoint {
      PagePoint(x: point.x + up * y, y: point.y - up * x)
    }
    return PageBaseline(start: moved(start), end: moved(end), bend: bend)
  }

  /// Points in the middle of its letters, each so near to the next that nothing fits between.
  var middles: [PagePoint] {
    let count = max(2, Int((length / 5).rounded(.up)))
    return (0...count).map { point(at: Double($0) / Double(count), above: Self.height / 2) }
  }

  static func distance(_ one: PagePoint, _ other: PagePoint) -> Double {
    ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y)).squareRoot()
  }
}

/// Finds the places of names along lines, among the other names and signs of a map.
struct LineNamePlaces {
  /// The rectangles of other names and signs.
  private var taken: [PageRect]
  private let area: PageRect
  /// The distance between the stretches that are tried, the points of a stretch, and the most
  /// places that are compared with other names.
  private static let (step, points, triesMax) = (4.0, 13, 400)

  init(taken: [PageRect], in area: PageRect) {
    self.taken = taken
    self.area = area
  }

  /// Keeps a rectangle free.
  mutating func take(_ rect: PageRect) { taken.append(rect) }

  /// Keeps the letters on a baseline free.
  mutating func take(_ line: PageBaseline) {
    taken += line.middles.map { PageRect(x: $0.x, y: $0.y, width: 0, height: 0).expanded(by: 4) }
  }

  /// The best place along some lines: where they are straightest and most level, near a place, and
  /// rather above than below the line; `nil` if there is none.
  func best(
    along paths: [PagePath], length: Double, near place: PagePoint
  ) -> PageBaseline? {
    var found: [(cost: Double, line: PageBaseline)] = []
    for path in paths {
      let measured = MeasuredPath(path)
      var from = 0.0
      while from + length <= measured.length {
        let stretch = measured.points(from: from, to: from + length, count: Self.points)
        for (side, line) in PageBaseline.beside(stretch).enumerated() {
          let middle = line.point(at: 0.5)
          let stray =
            (0..<stretch.count).map { index in
              PageBaseline.distance(
                stretch[index], line.point(at: Double(index) / Double(stretch.count - 1)))
            }.max() ?? 0
          let cost =
            3 * stray + 60 * abs(line.bend) / line.length + 6 * abs(line.direction.y)
            + PageBaseline.distance(middle, place) / 25 + Double(side) * 3
          found.append((cost, line))
        }
        from += Self.step
      }
    }
    let order = found.indices.sorted { (found[$0].cost, $0) < (found[$1].cost, $1) }
    return order.prefix(Self.triesMax).lazy.map { found[$0].line }.first(where: isFree)
  }

  private func isFree(_ line: PageBaseline) -> Bool {
    let middles = line.middles
    let inside = area.expanded(by: -6)
    guard middles.allSatisfy(inside.contains) else { return false }
    let (left, right) = (middles.map(\.x).min() ?? 0, middles.map(\.x).max() ?? 0)
    let (top, bottom) = (middles.map(\.y).min() ?? 0, middles.map(\.y).max() ?? 0)
    let box = PageRect(x: left, y: top, width: right - left, height: bottom - top).expanded(by: 5)
    return !taken.contains { rect in
      rect.intersects(box) && middles.contains { rect.expanded(by: 5).contains($0) }
    }
  }
}

/// A path and the distances of its points from its start.
private struct MeasuredPath {
  private let points: [PagePoint]
  private let distances: [Double]

  init(_ path: PagePath) {
    points = path.points
    var distance = 0.0
    distances = path.points.indices.map { index in
      if index > 0 {
        distance += PageBaseline.distance(path.points[index - 1], path.points[index])
      }
      return distance
    }
  }

  var length: Double { distances.last ?? 0 }

  /// Some points at equal distances between two distances from the start.
  func points(from: Double, to: Double, count: Int) -> [PagePoint] {
    var segment = max(1, distances.partitioningIndex { $0 > from })
    return (0..<count).map { index in
      let distance = from + (to - from) * Double(index) / Double(count - 1)
      while segment < points.count - 1, distances[segment] < distance { segment += 1 }
      let (start, end) = (distances[segment - 1], distances[segment])
      let part = end > start ? min(1, max(0, (distance - start) / (end - start))) : 0
      let (one, other) = (points[segment - 1], points[segment])
      return PagePoint(x: one.x + part * (other.x - one.x), y: one.y + part * (other.y - one.y))
    }
  }
}

extension [Double] {
  /// The first index whose element meets a condition that all later ones meet too.
  fileprivate func partitioningIndex(where meets: (Double) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if meets(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension [PagePath] {
  /// The lines, joined where one ends at the beginning or the end of another.
  var joined: [PagePath] {
    var lines = filter { $0.points.count > 1 && !$0.isClosed }
    guard lines.count > 1, lines.count <= 200 else { return lines }
    func isNear(_ one: PagePoint?, _ other: PagePoint?) -> Bool {
      guard let one, let other else { return false }
      return abs(one.x - other.x) < 0.6 && abs(one.y - other.y) < 0.6
    }
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let next = lines.indices.first { other in
        guard other > index else { return false }
        let points = lines[other].points
        return [line.points.first, line.points.last].contains { end in
          isNear(end, points.first) || isNear(end, points.last)
        }
      }
      guard let next else {
        index += 1
        continue
      }
      var (one, other) = (line.points, lines.remove(at: next).points)
      if !isNear(one.last, other.first), !isNear(one.last, other.last) { one.reverse() }
      if !isNear(one.last, other.first) { other.reverse() }
      lines[index].points = one + other.dropFirst()
    }
    return lines
  }
}
