import PortolanGraphics

/// A rectangle in world units (see `WorldPoint`); both ends belong to it.
struct WorldBox: Hashable, Sendable {
  var minX: Int32
  var minY: Int32
  var maxX: Int32
  var maxY: Int32

  static let empty = WorldBox(minX: .max, minY: .max, maxX: .min, maxY: .min)

  var isEmpty: Bool { minX > maxX || minY > maxY }
  var width: Int64 { isEmpty ? 0 : Int64(maxX) - Int64(minX) }
  var height: Int64 { isEmpty ? 0 : Int64(maxY) - Int64(minY) }

  @inline(__always)
  func intersects(_ other: WorldBox) -> Bool {
    minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
  }

  @inline(__always)
  func contains(x: Int32, y: Int32) -> Bool { x >= minX && x <= maxX && y >= minY && y <= maxY }

  @inline(__always)
  mutating func formUnion(x: Int32, y: Int32) {
    if x < minX { minX = x }
    if x > maxX { maxX = x }
    if y < minY { minY = y }
    if y > maxY { maxY = y }
  }

  mutating func formUnion(_ other: WorldBox) {
    minX = min(minX, other.minX)
    minY = min(minY, other.minY)
    maxX = max(maxX, other.maxX)
    maxY = max(maxY, other.maxY)
  }

  /// Whether all of another box is in this one.
  func contains(_ other: WorldBox) -> Bool {
    minX <= other.minX && maxX >= other.maxX && minY <= other.minY && maxY >= other.maxY
  }

  /// What both have; empty if that is nothing.
  func intersection(_ other: WorldBox) -> WorldBox {
    WorldBox(
      minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
      maxY: min(maxY, other.maxY))
  }

  /// The box moved by whole worlds and clamped to the range of `Int32`.
  func shifted(byWorlds worlds: Int) -> WorldBox {
    let offset = Int64(worlds) << 31
    return WorldBox(
      minX: Int32(clamping: Int64(minX) + offset), minY: minY,
      maxX: Int32(clamping: Int64(maxX) + offset), maxY: maxY)
  }

  func expanded(by units: Int64) -> WorldBox {
    WorldBox(
      minX: Int32(clamping: Int64(minX) - units), minY: Int32(clamping: Int64(minY) - units),
      maxX: Int32(clamping: Int64(maxX) + units), maxY: Int32(clamping: Int64(maxY) + units))
  }
}

extension MapPlane {
  /// An outline, in world units, that surely contains a projected box of coordinates.
  func worldBox(_ box: Box) -> WorldBox {
    var box = isGeographic ? box.reachOnGlobe : box
    // Shapes that leave -180 to 180 are moved by whole worlds.
    // So are those across the antimeridian where meridians are curved.
    if isGeographic && box.leavesWorld || isCurved && box.width >= Longitude.leastJump {
      (box.minX, box.maxX) = (-360, 360)
    }
    guard !box.isEmpty else { return .empty }
    let corners = corners(of: box)
    guard let start = WorldPoint(corners.start), let end = WorldPoint(corners.end) else {
      return .empty
    }
    return WorldBox(minX: start.x, minY: start.y, maxX: end.x, maxY: end.y).expanded(by: 2)
  }
}
