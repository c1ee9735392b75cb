import PortolanGraphics

/// Places that are removed one by one: whether a triangle holds one that is still there.
///
/// Places in the order of a curve that keeps near ones together: those in a box lie between its
/// lower left and its upper right corner on the curve. Eight of them are a group with a box, eight
/// groups one of the next level, and so on, so that those beside the triangle are passed over.
struct PlaceTree {
  private static let width = 8

  private let all: [Coordinate]
  private let bounds: Box
  /// The numbers of the places along the curve, and where each number is.
  private var order: [Int32]
  private var slots: [Int32]
  /// The places along the curve; removed ones are no numbers, and go when they are half of them.
  private var places: [Coordinate] = []
  private var keys: [UInt32] = []
  private var goneCount = 0
  /// The boxes of all groups, level by level, and where each level begins.
  private var boxes: [Box] = []
  private var levels: [Int] = []
  /// How many groups and places may still be looked at: bounds the time for odd data.
  private var budget: Int

  /// Whether so much was looked at that the answers are guesses on the safe side.
  var isExhausted: Bool { budget <= 0 }

  /// - Complexity: O(n log n).
  init(_ places: [Coordinate]) {
    let bounds = places.reduce(into: Box.empty) { $0.formUnion($1) }
    all = places
    self.bounds = bounds
    order = places.indices.map { number in
      UInt64(Self.key(places[number], in: bounds)) << 32
        | UInt64(UInt32(truncatingIfNeeded: number))
    }.sorted().map { Int32(truncatingIfNeeded: $0) }
    slots = Array(repeating: 0, count: places.count)
    budget = 10_000_000 + places.count * 2_000
    arrange()
  }

  /// Makes the slots and groups of the order.
  private mutating func arrange() {
    goneCount = 0
    for (slot, number) in order.enumerated() {
      slots[Int(number)] = Int32(truncatingIfNeeded: slot)
    }
    places = order.map { all[Int($0)] }
    keys = places.map { Self.key($0, in: bounds) }
    boxes = stride(from: 0, to: places.count, by: Self.width).map { first in
      places[first..<min(first + Self.width, places.count)].reduce(into: .empty) {
        $0.formUnion($1)
      }
    }
    levels = [0]
    while boxes.count - (levels.last ?? 0) > Self.width {
      let start = levels.last ?? 0
      levels.append(boxes.count)
      for first in stride(from: start, to: boxes.count, by: Self.width) {
        let end = min(first + Self.width, levels.last ?? 0)
        boxes.append(boxes[first..<end].reduce(.empty) { $0.union($1) })
      }
    }
  }

  mutating func remove(_ number: Int32) {
    let slot = Int(slots[Int(number)])
    guard order[slot] == number, !places[slot].x.isNaN else { return }
    places[slot] = Coordinate(x: .nan, y: .nan)
    goneCount += 1
    if 2 * goneCount > places.count {
      order = order.indices.compactMap { places[$0].x.isNaN ? nil : order[$0] }
      arrange()
    }
  }

  /// Whether a triangle holds a place that is left, on its edges too, other than its corners; with
  /// an exhausted budget always.
  ///
  /// - Precondition: the second corner is left.
  mutating func hasPlace(inTriangle a: Int32, _ b: Int32, _ c: Int32) -> Bool {
    let corners = (all[Int(a)], all[Int(b)], all[Int(c)])
    var box = Box.empty
    box.formUnion(corners.0)
    box.formUnion(corners.1)
    box.formUnion(corners.2)
    let last = Self.key(Coordinate(x: box.maxX, y: box.maxY), in: bounds)
    var slot = firstSlot(
      from: Self.key(Coordinate(x: box.minX, y: box.minY), in: bounds),
      before: Int(slots[Int(b)]))
    while slot < places.count, keys[slot] <= last {
      budget -= 1
      if budget <= 0 { return true }
      let passed = groupWidth(at: slot, beside: box)
      if passed > 0 {
        slot += passed
        continue
      }
      if box.contains(places[slot]) {
        let number = order[slot]
        if number != a, number != b, number != c, Self.isInside(places[slot], corners) {
          return true
        }
      }
      slot += 1
    }
    return false
  }

  /// The places in the largest group that begins at a slot and lies beside a box; 0 without one.
  @inline(__always)
  private func groupWidth(at slot: Int, beside box: Box) -> Int {
    var (passed, size) = (0, Self.width)
    for level in levels {
      guard slot % size == 0, !boxes[level + slot / size].intersects(box) else { break }
      (passed, size) = (size, size * Self.width)
    }
    return passed
  }

  /// The first slot from a key on, sought backwards from a slot that is not before it.
  private func firstSlot(from key: UInt32, before slot: Int) -> Int {
    var (first, end, step) = (slot, slot, 1)
    while first > 0, keys[first - 1] >= key {
      end = first - 1
      first = max(0, first - step)
      step *= 2
    }
    while first < end {
      let middle = (first + end) / 2
      if keys[middle] < key { first = middle + 1 } else { end = middle }
    }
    return first
  }

  private static func isInside(
    _ place: Coordinate, _ corners: (Coordinate, Coordinate, Coordinate)
  ) -> Bool {
    let first = Orientation.side(of: place, from: corners.0, to: corners.1)
    let second = Orientation.side(of: place, from: corners.1, to: corners.2)
    if first * second < 0 { return false }
    let third = Orientation.side(of: place, from: corners.2, to: corners.0)
    return first * third >= 0 && second * third >= 0
  }

  /// The place along the curve: the bits of x and y in turn.
  private static func key(_ place: Coordinate, in all: Box) -> UInt32 {
    func part(_ value: Double, _ low: Double, _ size: Double) -> UInt32 {
      let part = (value - low) / size
      var bits = part > 0 ? UInt32(min(part, 1) * 65_535) : 0
      bits = (bits | bits << 8) & 0x00FF_00FF
      bits = (bits | bits << 4) & 0x0F0F_0F0F
      bits = (bits | bits << 2) & 0x3333_3333
      return (bits | bits << 1) & 0x5555_5555
    }
    return part(place.x, all.minX, all.width) | part(place.y, all.minY, all.height) << 1
  }
}
