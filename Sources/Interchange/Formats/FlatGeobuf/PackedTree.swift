import PortolanGraphics

/// The index of a FlatGeobuf: boxes in the order of a curve through their middles, and boxes around
/// sixteen of the level below each, up to one.
///
///     40 bytes a box: W, S, E, N, and the place of the feature among their bytes, or the number of
///     the first of its boxes; the outermost one comes first
struct PackedTree {
  static let size = 16

  /// The order of boxes along a curve through their middles, so that those that are near each other
  /// come together.
  static func order(_ boxes: [Box]) -> [Int] {
    let whole = boxes.reduce(Box.empty) { $0.union($1) }
    let places = boxes.map { box -> UInt32 in
      func step(_ value: Double, _ least: Double, _ width: Double) -> UInt32 {
        let part = width > 0 ? (value - least) / width * 65_535 : 0
        return UInt32(min(max(part.isFinite ? part : 0, 0), 65_535))
      }
      let middle = box.center
      return hilbert(
        step(middle.x, whole.minX, whole.width), step(middle.y, whole.minY, whole.height))
    }
    return places.indices.sorted { (places[$0], $0) < (places[$1], $1) }
  }

  /// The place of a cell of a grid of 65,536 cells each way on Hilbert's curve.
  static func hilbert(_ x: UInt32, _ y: UInt32) -> UInt32 {
    var (x, y, place) = (x, y, UInt32(0))
    var side: UInt32 = 1 << 15
    while side > 0 {
      let (isEast, isNorth) = (x & side != 0, y & side != 0)
      place = place &* 4 &+ (isEast ? (isNorth ? 2 : 3) : (isNorth ? 1 : 0))
      if !isNorth {
        if isEast { (x, y) = (65_535 - x, 65_535 - y) }
        (x, y) = (y, x)
      }
      side >>= 1
    }
    return place
  }

  /// The bytes of the index.
  ///
  /// - Parameters:
  ///   - boxes: those of the features in their order.
  ///   - places: where each begins among their bytes.
  static func bytes(_ boxes: [Box], _ places: [Int]) -> FlatBytes {
    var (levels, last) = ([boxes], boxes)
    // A single box has one around it, too.
    repeat {
      last = stride(from: 0, to: last.count, by: size).map { start in
        last[start..<min(start + size, last.count)].reduce(Box.empty) { $0.union($1) }
      }
      levels.append(last)
    } while last.count > 1
    var out = FlatBytes()
    // The number of the first box of the level below.
    var below = 0
    for (level, boxes) in levels.enumerated().reversed() {
      below += boxes.count
      for (index, box) in boxes.enumerated() {
        for edge in [box.minX, box.minY, box.maxX, box.maxY] { out.append(edge) }
        out.append(UInt64(level == 0 ? places[index] : below + size * index))
      }
    }
    return out
  }
}
