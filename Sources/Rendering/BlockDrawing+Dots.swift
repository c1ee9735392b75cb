import PortolanGraphics

/// A dot of a window, from its upper left one.
struct WindowDot {
  let x: Int32
  let y: Int32
}

/// Points, and features no larger than a dot.
extension BlockDrawing {
  /// Draws the points of the block: as dots, or as symbols.
  func drawPoints(
    _ box: WorldBox, _ copy: Int, _ index: UInt16, _ picture: inout CellPicture
  ) {
    guard !paths.points.isEmpty, style.stroke != nil || !style.symbol.isEmpty else { return }
    withDots(paths.points, paths.points(near: box), box, copy) { dots in
      if style.symbol.isEmpty {
        picture.raster.withPen(
          style: index, dash: .solid, originX: window.originX, originY: window.originY
        ) { pen in pen.set(dots) }
      } else {
        for dot in dots { picture.addSymbol(index, dotX: Int(dot.x), dotY: Int(dot.y)) }
      }
    }
  }

  /// Calls a body with the dots of a set that lie in the window, without excluded features.
  ///
  /// - Parameter near: the numbers of the positions near the window; `nil` for all.
  func withDots(
    _ set: DotSet, _ near: BoxGroups.Members?, _ box: WorldBox, _ copy: Int,
    _ body: (UnsafeBufferPointer<WindowDot>) -> Void
  ) {
    let count = set.rows.count + (rows.isAll ? 0 : set.spareRows.count)
    guard count > 0 else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
    withUnsafeTemporaryAllocation(of: WindowDot.self, capacity: count) { dots in
      var gathered = GatheredDots(window: window, copy: copy, dots: dots)
      if rows.isAll {
        gathered.add(set.coordinates, near) { _ in true }
      } else {
        gathered.add(set.coordinates, near) { rows.contains(Int(set.rows[$0])) }
        gathered.add(set.spareCoordinates, nil) { rows.contains(Int(set.spareRows[$0])) }
      }
      body(UnsafeBufferPointer(rebasing: dots[..<gathered.count]))
    }
  }
}

/// The dots in a window, gathered without a branch for each: of a whole map half may lie outside,
/// in no order that a processor could predict.
private struct GatheredDots {
  private let scale: DotScale
  private let originX: Int
  private let originY: Int
  private let width: Int
  private let height: Int
  private let offset: Int64
  private let dots: UnsafeMutableBufferPointer<WindowDot>
  private(set) var count = 0

  init(window: ViewWindow, copy: Int, dots: UnsafeMutableBufferPointer<WindowDot>) {
    scale = window.scale
    (originX, originY) = (window.originX, window.originY)
    (width, height) = (window.width, window.height)
    offset = Int64(copy) << 31
    self.dots = dots
  }

  /// Adds those of some world coordinates (x and y in turn) that are chosen; there is room for all.
  @inline(__always)
  mutating func add(
    _ coordinates: [Int32], _ near: BoxGroups.Members?, isChosen: (_ number: Int) -> Bool
  ) {
    // Copies, for the dots might be parts of them as far as the compiler knows.
    var next = self
    coordinates.withUnsafeBufferPointer { world in
      near.each(in: 0..<world.count / 2) { number in
        guard isChosen(number) else { return }
        let x = next.scale.dot(Int64(world[2 &* number]) &+ next.offset) &- next.originX
        let y = next.scale.dot(Int64(world[2 &* number &+ 1])) &- next.originY
        next.dots[next.count] = WindowDot(
          x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y))
        // Negative where one of the four is: the dot is outside, and the next one takes its place.
        let least = x | y | (next.width &- 1 &- x) | (next.height &- 1 &- y)
        next.count &+= 1 &+ least &>> (Int.bitWidth &- 1)
      }
    }
    count = next.count
  }
}
