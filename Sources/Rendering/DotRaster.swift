/// The dots of a window, by cell: eight bits each in the order of the braille characters, and the
/// style drawn last.
///
///     bit of dot (x, y) in its cell:   0 3
///                                      1 4
///                                      2 5
///                                      6 7
struct DotRaster {
  let columns: Int
  let rows: Int
  var bits: [UInt8]
  /// The style index of the topmost dot of each cell.
  var styles: [UInt16]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    bits = [UInt8](repeating: 0, count: columns * rows)
    styles = [UInt16](repeating: 0, count: columns * rows)
  }

  /// Draws with one style; the pen must not leave the closure.
  mutating func withPen(
    style: UInt16, dash: DotPen.Dash, originX: Int, originY: Int, _ body: (DotPen) -> Void
  ) {
    let (columns, rows) = (columns, rows)
    guard columns > 0 && rows > 0 else { return }
    bits.withUnsafeMutableBufferPointer { bits in
      styles.withUnsafeMutableBufferPointer { styles in
        guard let bits = bits.baseAddress, let styles = styles.baseAddress else { return }
        body(
          DotPen(
            bits: bits, styles: styles, columns: columns, width: 2 * columns, height: 4 * rows,
            style: style, dash: dash, originX: originX, originY: originY))
      }
    }
  }
}

/// Draws dots and lines into a raster; never outside of it.
///
/// Lines are clipped to the window so that exactly those dots are set that the whole line would set
/// there, in integers throughout: moving the window by whole dots moves the picture.
struct DotPen {
  /// The dots of a line to leave out, by the coordinate of its longer axis.
  enum Dash {
    case solid, dashed, dotted, light
  }

  let bits: UnsafeMutablePointer<UInt8>
  let styles: UnsafeMutablePointer<UInt16>
  let columns: Int
  let width: Int
  let height: Int
  let style: UInt16
  let dash: Dash
  let originX: Int
  let originY: Int

  /// Sets a dot that is known to be inside.
  @inline(__always)
  func set(_ x: Int, _ y: Int) {
    let cell = (y &>> 2) &* columns &+ (x &>> 1)
    let place = UInt64(truncatingIfNeeded: (y & 3) &<< 1 | x & 1)
    bits[cell] |= UInt8(truncatingIfNeeded: Self.places &>> (place &<< 3))
    styles[cell] = style
  }

  /// The bit of each dot of a cell, row by row, a byte each.
  private static var places: UInt64 {
    @inline(__always) get { 0x8040_2004_1002_0801 }
  }

  /// Sets dots of the window.
  func set(_ dots: UnsafeBufferPointer<WindowDot>) {
    // A copy, for the bits might be parts of the pen as far as the compiler knows.
    let pen = self
    for dot in dots { pen.set(Int(dot.x), Int(dot.y)) }
  }

  @inline(__always)
  func contains(_ x: Int, _ y: Int) -> Bool {
    UInt(bitPattern: x) < UInt(bitPattern: width) && UInt(bitPattern: y) < UInt(bitPattern: height)
  }

  @inline(__always)
  private func isOn(_ major: Int) -> Bool {
    switch dash {
    case .solid: true
    case .dashed: major & 7 < 5
    case .dotted: major & 3 == 0
    case .light: major & 1 == 0
    }
  }

  /// Draws a line between two dots, both included; either may be anywhere.
  @inline(__always)
  func line(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) {
    if x0 == x1 && y0 == y1 {
      if contains(x0, y0) && isOn(originX &+ x0) { set(x0, y0) }
    } else if contains(x0, y0) && contains(x1, y1) {
      inside(x0, y0, x1, y1)
    } else if max(x0, x1) >= 0 && min(x0, x1) < width && max(y0, y1) >= 0 && min(y0, y1) < height {
      cut(x0, y0, x1, y1)
    }
  }

  /// Draws a line with both ends inside.
  private func inside(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) {
    let (dx, dy) = (abs(x1 &- x0), abs(y1 &- y0))
    if dx >= dy {
      let isForward = x0 < x1
      let (startX, startY, endX) = isForward ? (x0, y0, x1) : (x1, y1, x0)
      let rise = (isForward ? y1 &- y0 : y0 &- y1)
      let step = rise < 0 ? -1 : 1
      // The exact y is start + floor((2 i·rise + dx) / 2dx); a falling line needs the same ties.
      var error = rise < 0 ? dx &- 1 : dx
      var y = startY
      var x = startX
      while x <= endX {
        if isOn(originX &+ x) { set(x, y) }
        error &+= 2 &* dy
        if error >= 2 &* dx {
          error &-= 2 &* dx
          y &+= step
        }
        x &+= 1
      }
    } else {
      let isForward = y0 < y1
      let (startX, startY, endY) = isForward ? (x0, y0, y1) : (x1, y1, y0)
      let run = (isForward ? x1 &- x0 : x0 &- x1)
      let step = run < 0 ? -1 : 1
      var error = run < 0 ? dy &- 1 : dy
      var x = startX
      var y = startY
      while y <= endY {
        if isOn(originY &+ y) { set(x, y) }
        error &+= 2 &* dx
        if error >= 2 &* dy {
          error &-= 2 &* dy
          x &+= step
        }
        y &+= 1
      }
    }
  }

  /// Draws a line that may leave the window: each dot inside is computed from the line's true ends.
  private func cut(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int) {
    guard let span = SegmentSpan(x0, y0, x1, y1, width: width, height: height) else { return }
    var major = span.first
    var walker = span.walker()
    while major <= span.last {
      let (x, y) = span.isSteep ? (walker.minor, major) : (major, walker.minor)
      if contains(x, y) && isOn((span.isSteep ? originY : originX) &+ major) { set(x, y) }
      walker.advance()
      major &+= 1
    }
  }
}

/// The stretch of a line that can intersect the window, along its longer axis.
struct SegmentSpan {
  let isSteep: Bool
  /// The first and last coordinate on the longer axis.
  let first: Int
  let last: Int
  private let start: Int
  private let minorStart: Int
  private let length: Int
  private let rise: Int

  init?(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, width: Int, height: Int) {
    isSteep = abs(x1 &- x0) < abs(y1 &- y0)
    let (a0, b0, a1, b1) = isSteep ? (y0, x0, y1, x1) : (x0, y0, x1, y1)
    let (majorSize, minorSize) = isSteep ? (height, width) : (width, height)
    (start, minorStart, length, rise) =
      a0 <= a1 ? (a0, b0, a1 &- a0, b1 &- b0) : (a1, b1, a0 &- a1, b0 &- b1)
    var low = max(0, start)
    var high = min(majorSize - 1, start &+ length)
    if rise != 0 {
      // The line's crossings of the window's edges on the shorter axis, two dots wider.
      let slope = Double(length) / Double(rise)
      let near = Double(start) + (-0.5 - Double(minorStart)) * slope
      let far = Double(start) + (Double(minorSize) - 0.5 - Double(minorStart)) * slope
      let margin = 2 + 2 * abs(slope)
      low = max(low, Self.whole(min(near, far) - margin))
      high = min(high, Self.whole(max(near, far) + margin))
    }
    guard low <= high else { return nil }
    first = low
    last = high
  }

  private static func whole(_ value: Double) -> Int { Int(min(max(value, -1e15), 1e15)) }

  /// Returns the coordinates on the shorter axis one after the other, from `first` on.
  func walker() -> Walker {
    // minor = minorStart + floor((2·(major - start)·rise + length) / (2·length))
    let double = Int128(2 * length)
    let numerator = 2 * Int128(first - start) * Int128(rise) + Int128(length)
    var quotient = numerator / max(1, double)
    var remainder = numerator - quotient * double
    if remainder < 0 {
      remainder += double
      quotient -= 1
    }
    let whole = length == 0 ? 0 : 2 * rise / (2 * length)
    var rest = 2 * rise - whole * 2 * length
    var step = whole
    if rest < 0 {
      rest += 2 * length
      step -= 1
    }
    return Walker(
      minor: minorStart + Int(quotient), error: Int(remainder), double: 2 * length, step: step,
      rest: rest)
  }

  struct Walker {
    var minor: Int
    var error: Int
    let double: Int
    let step: Int
    let rest: Int

    @inline(__always)
    mutating func advance() {
      minor &+= step
      error &+= rest
      if error >= double {
        error &-= double
        minor &+= 1
      }
    }
  }
}
