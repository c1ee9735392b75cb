/// The narrowest range of longitudes that contains all added ones, on a globe where 180 is -180.
package struct LongitudeArc: Sendable {
  private var stretches: [(start: Double, width: Double)] = []

  package init() {}

  /// Adds the stretch between two longitudes; `end` is not below `start` and may lie beyond 180.
  package mutating func add(from start: Double, to end: Double) {
    guard start.isFinite, end.isFinite, end >= start else { return }
    stretches.append((start - 360 * ((start + 180) / 360).rounded(.down), end - start))
  }

  /// From -180 up to 180, and from there up to a turn farther; `nil` if nothing was added.
  ///
  /// - Complexity: O(n log n) in the number of stretches.
  package var bounds: (start: Double, end: Double)? {
    let sorted = stretches.sorted { $0.start < $1.start }
    guard let first = sorted.first, let last = sorted.map({ $0.start + $0.width }).max() else {
      return nil
    }
    // A stretch that reaches past 180 continues from -180.
    var end = max(first.start, last - 360)
    var widest = (gap: 0.0, next: first.start)
    for stretch in sorted {
      if stretch.start - end > widest.gap { widest = (stretch.start - end, stretch.start) }
      end = max(end, stretch.start + stretch.width)
    }
    let behind = first.start + 360 - last
    if behind >= widest.gap { return behind <= 0 ? (-180, 180) : (first.start, last) }
    return (widest.next, widest.next + 360 - widest.gap)
  }
}

extension GeometryBlock {
  /// Adds the longitudes of a feature's parts, as they are drawn.
  ///
  /// - Complexity: O(1) where the feature has no place across the antimeridian, else O(vertices).
  package func addLongitudes(ofFeature row: Int, to arc: inout LongitudeArc) {
    let box = boxes[row]
    guard !box.isEmpty else { return }
    guard box.mayJump || box.isOnGlobe && box.leavesWorld else {
      arc.add(from: box.minX, to: box.maxX)
      return
    }
    for path in paths(ofFeature: row) {
      let isApart = pathRoles[path].kind.dimension == 0
      var (low, high) = (Double.infinity, -Double.infinity)
      eachOnGlobe(vertices(ofPath: path), mayJump: box.mayJump && !isApart) { _, x in
        if isApart { arc.add(from: x, to: x) }
        (low, high) = (min(low, x), max(high, x))
      }
      if !isApart { arc.add(from: low, to: high) }
    }
  }
}
