import Synchronization

/// The features of a layer, found by where they lie.
///
/// Features are numbered through all blocks. Their shapes are made ready when they are first
/// needed, and kept.
package final class ShapeIndex: Sendable {
  /// What is looked for: a position, or the shape of a feature.
  package enum Subject: Sendable {
    case place(Coordinate)
    case shape(IndexedShape)

    /// A row of a block; `nil` if it has no vertices.
    package init?(_ block: GeometryBlock, row: Int, isGeographic: Bool) {
      let box = block.boxes[row]
      if box.isEmpty { return nil }
      if block.kinds[row] == .point {
        self = .place(Coordinate(x: box.minX, y: box.minY))
      } else {
        self = .shape(IndexedShape(block, row: row, isGeographic: isGeographic))
      }
    }

    /// The way to a position: 0 within areas; metres where coordinates are degrees.
    package func distance(to place: Coordinate, isGeographic: Bool) -> Double? {
      switch self {
      case .place(let own): ShapeMetric(isGeographic: isGeographic).distance(own, place)
      case .shape(let shape): shape.distance(to: place)
      }
    }

    var box: Box {
      switch self {
      case .place(let place):
        Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)
      case .shape(let shape): shape.box
      }
    }
  }

  /// How a subject lies to a feature.
  package enum Relation: Sendable {
    /// All of it is in the feature's areas, edges included.
    case within
    /// They have a point in common.
    case intersecting
  }

  private let blocks: [GeometryBlock]
  /// The number of each block's first feature.
  private let starts: [Int]
  private let isGeographic: Bool
  private let tree: BoxTree
  private let reach: Box
  private let shapes: Mutex<[IndexedShape?]>

  /// - Complexity: O(n log n) in the number of features.
  package init(_ blocks: [GeometryBlock], isGeographic: Bool) {
    self.blocks = blocks
    self.isGeographic = isGeographic
    var starts: [Int] = []
    var boxes: [Box] = []
    for block in blocks {
      starts.append(boxes.count)
      boxes += block.boxes.map { isGeographic && $0.mayJump ? $0.reachOnGlobe : $0 }
    }
    self.starts = starts
    tree = BoxTree(boxes)
    reach = boxes.reduce(.empty) { $0.union($1) }
    shapes = Mutex(Array(repeating: nil, count: boxes.count))
  }

  /// The block and the row of a feature.
  package func place(of feature: Int) -> (block: Int, row: Int) {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= feature { low = middle } else { high = middle }
    }
    return (low, feature - starts[low])
  }

  /// The number of a row of a block.
  package func number(ofBlock block: Int, row: Int) -> Int { starts[block] + row }

  private func shape(_ feature: Int) -> IndexedShape {
    if let known = shapes.withLock({ $0[feature] }) { return known }
    let (block, row) = place(of: feature)
    let made = IndexedShape(blocks[block], row: row, isGeographic: isGeographic)
    shapes.withLock { $0[feature] = made }
    return made
  }

  // MARK: Relations

  /// The features to which a subject has a relation, by rising number; at most `limit` of them.
  ///
  /// - Parameter left: a feature that does not count, such as the subject itself.
  /// - Complexity: about O(log n) for each feature near it.
  package func features(
    _ relation: Relation, _ subject: Subject, besides left: Int? = nil, limit: Int = .max
  ) -> [Int] {
    var found: [Int] = []
    for feature in candidates(near: subject.box) where feature != left {
      if found.count >= limit { break }
      if has(relation, subject, shape(feature)) { found.append(feature) }
    }
    return found
  }

  private func has(_ relation: Relation, _ subject: Subject, _ shape: IndexedShape) -> Bool {
    switch (relation, subject) {
    case (.within, .place(let place)): shape.holds(MiddlePoint(place))
    case (.within, .shape(let other)): shape.covers(other)
    case (.intersecting, .place(let place)): shape.meets(place)
    case (.intersecting, .shape(let other)): shape.meets(other)
    }
  }

  /// The features whose boxes meet another one, on any turn of the globe, by rising number.
  private func candidates(near box: Box) -> [Int] {
    guard !box.isEmpty, !reach.isEmpty else { return [] }
    let isOnGlobe = isGeographic && box.isOnGlobe
    var found: [Int] = []
    for turns in isOnGlobe ? box.turns(meeting: reach.minX...reach.maxX) ?? 0...0 : 0...0 {
      tree.visit(meeting: turns == 0 ? box : box.moved(turns).widened) {
        found.append($0)
        return true
      }
    }
    found.sort()
    return zip(found, [-1] + found).compactMap { $0 == $1 ? nil : $0 }
  }

  // MARK: Distances

  /// The feature nearest to a subject, and its distance: metres where coordinates are degrees.
  ///
  /// - Complexity: about O(log n) for each of the nearest features.
  package func nearest(
    to subject: Subject, besides left: Int? = nil
  ) -> (feature: Int, distance: Double)? {
    // Whatever it meets is nearest, and found without measuring.
    if let met = features(.intersecting, subject, besides: left, limit: 1).first {
      return (met, 0)
    }
    let metric = ShapeMetric(isGeographic: isGeographic)
    let box = subject.box
    var found: (feature: Int, distance: Double)?
    tree.visitNearest {
      metric.reach(box, $0)
    } within: {
      found?.distance ?? .infinity
    } _: { feature in
      if feature == left { return }
      let bound = found?.distance ?? .infinity
      guard let distance = distance(from: subject, to: feature, within: bound) else { return }
      // Of equal distances the first feature counts.
      if distance < bound || feature < (found?.feature ?? .max) { found = (feature, distance) }
    }
    return found
  }

  private func distance(from subject: Subject, to feature: Int, within bound: Double) -> Double? {
    switch subject {
    case .place(let place):
      let (block, row) = self.place(of: feature)
      guard blocks[block].kinds[row] == .point else {
        return shape(feature).distance(to: place, within: bound)
      }
      let box = blocks[block].boxes[row]
      let distance = ShapeMetric(isGeographic: isGeographic)
        .distance(place, Coordinate(x: box.minX, y: box.minY))
      return distance <= bound ? distance : nil
    case .shape(let other): return other.distance(to: shape(feature), within: bound)
    }
  }
}

extension IndexedShape {
  /// Whether a position is on the shape or in it.
  package func meets(_ place: Coordinate) -> Bool {
    let point = Segment(a: place, b: place)
    guard let frames = frames(meeting: point.box.widened) else { return false }
    return frames.contains { turns in
      let moved = point.moved(turns)
      if location(of: MiddlePoint(moved.a)) != .outside { return true }
      var isMet = false
      visitSteps(meeting: moved.box) { path, vertex in
        isMet = moved.meeting(segment(path, vertex)) != .apart
        return !isMet
      }
      return isMet
    }
  }
}
