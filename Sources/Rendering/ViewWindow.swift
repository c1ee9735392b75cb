import PortolanGraphics

/// The camera's window in world units, for each copy of the world beside the other.
struct ViewWindow {
  let scale: DotScale
  let originX: Int
  let originY: Int
  /// The size in dots.
  let width: Int
  let height: Int
  private let minX: Int64
  private let maxX: Int64
  private let minY: Int64
  private let maxY: Int64
  /// The copies of the world to draw: itself and its neighbours to the west and east.
  let copies: ClosedRange<Int>

  /// The window with a margin of two dots on every side.
  init(_ camera: Camera) {
    scale = camera.scale
    originX = camera.originX
    originY = camera.originY
    (width, height) = (camera.dotWidth, camera.dotHeight)
    let units = WorldPoint.worldWidth / camera.worldDots
    minX = Int64(limiting: (Double(originX - 2) * units).rounded(.down))
    maxX = Int64(limiting: (Double(originX + camera.dotWidth + 2) * units).rounded(.up))
    minY = Int64(limiting: (Double(originY - 2) * units).rounded(.down))
    maxY = Int64(limiting: (Double(originY + camera.dotHeight + 2) * units).rounded(.up))
    copies = camera.plane.repeats ? -1...1 : 0...0
  }

  /// The window in the coordinates of a copy of the world; `nil` if no coordinate can be in it.
  func box(copy: Int) -> WorldBox? {
    let offset = Int64(copy) << 31
    let (low, high) = (Int64(Int32.min), Int64(Int32.max))
    guard minX - offset <= high, maxX - offset >= low, minY <= high, maxY >= low else { return nil }
    return WorldBox(
      minX: Int32(clamping: minX - offset), minY: Int32(clamping: minY),
      maxX: Int32(clamping: maxX - offset), maxY: Int32(clamping: maxY))
  }

  /// The part of the window in some columns, in the coordinates of a copy of the world; `nil` if no
  /// coordinate can be in it.
  func box(copy: Int, columns: Range<Int>) -> WorldBox? {
    guard var box = box(copy: copy) else { return nil }
    let offset = Int64(copy) << 31
    let units = WorldPoint.worldWidth / scale.worldDots
    let first =
      Int64(limiting: (Double(originX + 2 * columns.lowerBound) * units).rounded(.down)) - offset
    let last =
      Int64(limiting: (Double(originX + 2 * columns.upperBound) * units).rounded(.up)) - offset
    box.minX = max(box.minX, Int32(clamping: first))
    box.maxX = min(box.maxX, Int32(clamping: last))
    return box.isEmpty ? nil : box
  }

  /// Whether any copy of a box intersects the window.
  func sees(_ box: WorldBox) -> Bool {
    guard !box.isEmpty else { return false }
    return copies.contains { copy in self.box(copy: copy)?.intersects(box) ?? false }
  }

  /// The dot of the window at a place in world units.
  @inline(__always)
  func dotX(_ x: Int64) -> Int { scale.dot(x) &- originX }

  @inline(__always)
  func dotY(_ y: Int64) -> Int { scale.dot(y) &- originY }

  /// The dot of the window at a world coordinate.
  @inline(__always)
  func dotX(_ x: Int32, copy: Int) -> Int {
    scale.dot(Int64(x) &+ Int64(copy) &<< 31) &- originX
  }

  @inline(__always)
  func dotY(_ y: Int32) -> Int { scale.dot(Int64(y)) &- originY }
}

extension Int64 {
  /// A number of world units, at most 2^62: windows far from a small world are wider and farther
  /// away than integers tell.
  @inline(__always)
  init(limiting units: Double) { self.init(Swift.min(Swift.max(units, -0x1p62), 0x1p62)) }
}
