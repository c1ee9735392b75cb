/// The regions between arcs, where borders meet in vertices only.
extension ArcTable {
  /// The way around each bounded region, counter-clockwise: the region lies on the left of its
  /// steps. Regions that lie wholly inside of another one are not cut out of its way.
  ///
  /// - Complexity: O(vertices + arcs · log arcs at a place).
  package var regions: [[Step]] {
    let next = followers
    var isUsed = Array(repeating: false, count: next.count)
    var regions: [[Step]] = []
    for start in next.indices where !isUsed[start] {
      var walk: [Step] = []
      var number = start
      while !isUsed[number] {
        isUsed[number] = true
        walk.append(Self.step(number))
        number = next[number]
      }
      if PortolanGraphics.Ring.signedArea(coordinates(along: walk)) > 0 { regions.append(walk) }
    }
    return regions
  }

  /// The places along steps that follow each other, each once, but the first again at the end.
  package func coordinates(along steps: [Step]) -> [Coordinate] {
    var places: [Coordinate] = []
    for step in steps {
      let along = coordinates(of: step)
      places += places.isEmpty ? along[...] : along.dropFirst()
    }
    return places
  }

  /// The outlines of an area that is given by the steps around its parts, the area on their left;
  /// steps that go both ways cancel each other.
  ///
  /// - Returns: `nil` if a step goes the same way twice: parts overlap then.
  package func outlines(along steps: [Step]) -> [Outline]? {
    var counts: [Step: Int] = [:]
    for step in steps {
      let back = Step(arc: step.arc, isReversed: !step.isReversed)
      if let count = counts[back], count > 0 {
        counts[back] = count - 1
      } else {
        counts[step, default: 0] += 1
      }
    }
    guard counts.values.allSatisfy({ $0 < 2 }) else { return nil }
    var left: [Step] = []
    for step in steps where counts[step] == 1 {
      counts[step] = 0
      left.append(step)
    }
    return polygons(of: walks(along: left))
  }

  /// A step by its number: twice its arc, and one more against the arc's direction.
  private static func step(_ number: Int) -> Step {
    Step(arc: Int32(truncatingIfNeeded: number / 2), isReversed: number & 1 == 1)
  }

  /// The number of the step that follows each step around the region on its left.
  private var followers: [Int] {
    var leaving: [Int32: [Int]] = [:]
    for number in 0..<2 * arcCount {
      leaving[place(of: Self.step(number), isLast: false), default: []].append(number)
    }
    var next = Array(repeating: 0, count: 2 * arcCount)
    for (place, numbers) in leaving {
      let here = places[Int(place)]
      let ahead = Dictionary(uniqueKeysWithValues: numbers.map { ($0, second(of: Self.step($0))) })
      let sorted = numbers.sorted {
        Self.isBefore(ahead[$0] ?? here, ahead[$1] ?? here, around: here)
      }
      for (index, number) in sorted.enumerated() {
        next[number ^ 1] = sorted[(index + sorted.count - 1) % sorted.count]
      }
    }
    return next
  }

  /// The second place of a step.
  private func second(of step: Step) -> Coordinate {
    let range = range(ofArc: Int(step.arc))
    let index = step.isReversed ? range.upperBound - 2 : range.lowerBound + 1
    return places[Int(vertices[range.contains(index) ? index : range.lowerBound])]
  }

  /// Whether a direction comes before another one, counter-clockwise from the east; exact.
  private static func isBefore(
    _ first: Coordinate, _ second: Coordinate, around here: Coordinate
  ) -> Bool {
    func isBelow(_ place: Coordinate) -> Bool {
      place.y < here.y || place.y == here.y && place.x < here.x
    }
    if isBelow(first) != isBelow(second) { return isBelow(second) }
    return Orientation.side(of: second, from: here, to: first) > 0
  }
}
