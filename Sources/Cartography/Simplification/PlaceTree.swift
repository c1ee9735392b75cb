import PortolanGraphics

/// Places that are removed one by one: whether a triangle holds one that is still there.
///
/// Places in the order of a curve that keeps near ones together, in groups of eight; these groups
/// in groups of eight, and so on. A group knows its box and how many of its places are left.
struct PlaceTree {
  private static let width = 8

  private let places: [Coordinate]
  /// The numbers of the places along the curve, and where each number is.
  private let order: [Int32]
  private let slots: [Int32]
  private var isLeft: [Bool]
  private let boxes: [[Box]]
  private var counts: [[Int32]]
  /// How many groups and places may still be looked at: bounds the time for odd data.
  private var budget: Int
  private var open: [(level: Int, group: Int)] = []

  /// Whether so much was looked at that the answers are guesses on the safe side.
  var isExhausted: Bool { budget <= 0 }

  /// - Complexity: O(n log n).
  init(_ places: [Coordinate]) {
    self.places = places
    let all = places.reduce(into: Box.empty) { $0.formUnion($1) }
    let keys = places.indices.map { number in
      UInt64(Self.key(places[number], in: all)) << 32 | UInt64(UInt32(truncatingIfNeeded: number))
    }.sorted()
    order = keys.map { Int32(truncatingIfNeeded: $0) }
    var slots = Array(repeating: Int32(0), count: places.count)
    for (slot, number) in order.enumerated() {
      slots[Int(number)] = Int32(truncatingIfNeeded: slot)
    }
    self.slots = slots
    isLeft = Array(repeating: true, count: places.count)
    let leaves = Self.groups(of: order.count) { slots in
      slots.reduce(into: Box.empty) { $0.formUnion(places[Int(keys[$1] & 0xFFFF_FFFF)]) }
    }
    var boxes = [leaves]
    var counts = [Self.groups(of: order.count) { Int32(truncatingIfNeeded: $0.count) }]
    while let last = boxes.last, let lastCounts = counts.last, last.count > Self.width {
      boxes.append(Self.groups(of: last.count) { $0.reduce(.empty) { $0.union(last[$1]) } })
      counts.append(Self.groups(of: last.count) { $0.reduce(0) { $0 &+ lastCounts[$1] } })
    }
    self.boxes = boxes
    self.counts = counts
    budget = 10_000_000 + places.count * 2_000
  }

  private static func groups<Value>(of count: Int, _ make: (Range<Int>) -> Value) -> [Value] {
    stride(from: 0, to: count, by: width).map { make($0..<min($0 + width, count)) }
  }

  mutating func remove(_ number: Int32) {
    var slot = Int(slots[Int(number)])
    guard isLeft[slot] else { return }
    isLeft[slot] = false
    for level in counts.indices {
      slot /= Self.width
      counts[level][slot] &-= 1
    }
  }

  /// Whether a triangle holds a place that is left, on its edges too, other than its corners; with
  /// an exhausted budget always.
  mutating func hasPlace(inTriangle a: Int32, _ b: Int32, _ c: Int32) -> Bool {
    if budget <= 0 { return true }
    let corners = (places[Int(a)], places[Int(b)], places[Int(c)])
    var box = Box.empty
    box.formUnion(corners.0)
    box.formUnion(corners.1)
    box.formUnion(corners.2)
    let top = boxes.count - 1
    open.removeAll(keepingCapacity: true)
    for group in boxes[top].indices { open.append((top, group)) }
    while let (level, group) = open.popLast() {
      budget -= 1
      guard counts[level][group] > 0, boxes[level][group].intersects(box) else { continue }
      let first = group * Self.width
      if level > 0 {
        for next in first..<min(first + Self.width, boxes[level - 1].count) {
          open.append((level - 1, next))
        }
        continue
      }
      for slot in first..<min(first + Self.width, order.count) where isLeft[slot] {
        let number = order[slot]
        let place = places[Int(number)]
        guard box.contains(place), number != a, number != b, number != c else { continue }
        if Self.isInside(place, corners) { return true }
      }
    }
    return false
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
