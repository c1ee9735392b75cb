/// The boxes of a block's features in a tree: whether one is visible is found without looking at
/// all.
///
/// Boxes in the order of a curve that keeps near ones together, in groups of 16; these groups in
/// groups of 16, and so on.
package struct BoxTree: Sendable {
  private static let width = 16

  private let boxes: [Box]
  /// The numbers of the boxes along the curve.
  private let order: [Int32]
  /// The reach of each group, the groups of boxes first.
  private let levels: [[Box]]

  /// - Complexity: O(n log n), about 0.2 µs a box.
  package init(_ boxes: [Box]) {
    self.boxes = boxes
    let all = boxes.reduce(Box.empty) { $0.union($1) }
    let places = boxes.map { Self.place($0, in: all) }
    order = boxes.indices.filter { !boxes[$0].isEmpty }
      .sorted { (places[$0], $0) < (places[$1], $1) }
      .map { Int32(truncatingIfNeeded: $0) }
    var levels: [[Box]] = []
    var level = order.map { boxes[Int($0)].reachOnGlobe.union(boxes[Int($0)]) }
    repeat {
      level = stride(from: 0, to: level.count, by: Self.width).map { first in
        level[first..<min(first + Self.width, level.count)].reduce(.empty) { $0.union($1) }
      }
      levels.append(level)
    } while level.count > Self.width
    self.levels = levels
  }

  /// Whether a box passes a test that only boxes in a window do, on whatever turn of the globe.
  ///
  /// - Parameter visits: is raised by the number of boxes and groups that are looked at.
  package func contains(
    in visible: Box, visits: inout Int, where isShown: (Box) -> Bool
  ) -> Bool {
    var open = (levels.last ?? []).indices.map { (level: levels.count - 1, group: $0) }
    while let (level, group) = open.popLast() {
      visits += 1
      guard levels[level][group].mayShow(in: visible, isGeographic: true) else { continue }
      let first = group * Self.width
      if level > 0 {
        for next in first..<min(first + Self.width, levels[level - 1].count) {
          open.append((level - 1, next))
        }
        continue
      }
      for place in first..<min(first + Self.width, order.count) {
        visits += 1
        if isShown(boxes[Int(order[place])]) { return true }
      }
    }
    return false
  }

  /// Calls a body with the numbers of the boxes that meet another one, in any order, until it
  /// returns `false`. Turns of the globe are the caller's.
  ///
  /// - Complexity: O(log n + found), for boxes that overlap little.
  package func visit(meeting box: Box, _ body: (Int) -> Bool) {
    var open = (levels.last ?? []).indices.map { (level: levels.count - 1, group: $0) }
    while let (level, group) = open.popLast() {
      guard levels[level][group].intersects(box) else { continue }
      let first = group * Self.width
      if level > 0 {
        for next in first..<min(first + Self.width, levels[level - 1].count) {
          open.append((level - 1, next))
        }
        continue
      }
      for place in first..<min(first + Self.width, order.count) {
        let number = Int(order[place])
        if boxes[number].intersects(box), !body(number) { return }
      }
    }
  }

  /// Calls a body with the number of each box that holds a place, in no order.
  package func forEach(holding place: Coordinate, _ body: (Int) -> Void) {
    visit(meeting: Box(minX: place.x, minY: place.y, maxX: place.x, maxY: place.y)) {
      body($0)
      return true
    }
  }

  /// Visits boxes, near ones first, as long as a bound lets them.
  ///
  /// - Parameters:
  ///   - reach: a number that no smaller box within another exceeds, such as a least distance.
  ///   - bound: the greatest reach that is of interest still; it may fall with each visit.
  package func visitNearest(
    reach: (Box) -> Double, within bound: () -> Double, _ body: (Int) -> Void
  ) {
    var open = (levels.last ?? []).indices.map {
      (reach: reach(levels[levels.count - 1][$0]), level: levels.count - 1, group: $0)
    }
    open.sort { $0.reach > $1.reach }
    while let next = open.popLast() {
      guard next.reach <= bound() else { continue }
      if next.level < 0 {
        body(next.group)
        continue
      }
      let first = next.group * Self.width
      let end = min(
        first + Self.width, next.level > 0 ? levels[next.level - 1].count : order.count)
      let start = open.count
      for place in first..<end {
        let group = next.level > 0 ? place : Int(order[place])
        let box = next.level > 0 ? levels[next.level - 1][place] : boxes[group]
        let distance = reach(box)
        if distance <= bound() { open.append((distance, next.level - 1, group)) }
      }
      open[start...].sort { $0.reach > $1.reach }
    }
  }

  /// The place of a box's middle along the curve: the bits of x and y in turn.
  private static func place(_ box: Box, in all: Box) -> UInt32 {
    func part(_ value: Double, _ low: Double, _ size: Double) -> UInt32 {
      let part = (value - low) / size
      var bits = part > 0 ? UInt32(min(part, 1) * 65_535) : 0
      bits = (bits | bits << 8) & 0x00FF_00FF
      bits = (bits | bits << 4) & 0x0F0F_0F0F
      bits = (bits | bits << 2) & 0x3333_3333
      return (bits | bits << 1) & 0x5555_5555
    }
    guard !box.isEmpty else { return 0 }
    return part(box.center.x, all.minX, all.width) | part(box.center.y, all.minY, all.height) << 1
  }
}
