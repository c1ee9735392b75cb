/// Areas at the resolution of dots: a dot is inside if its middle is, by the even-odd rule.
///
/// Each edge flips one bit a row where it crosses the row's middle line; running exclusive-or along
/// the row then fills between pairs of crossings. One feature at a time, only within its own box.
struct FillPlane {
  let width: Int
  let height: Int
  let wordsPerRow: Int
  /// The crossings of the feature in progress.
  private var edges: [UInt64]
  /// The covered dots of all features of the style so far.
  private(set) var covered: [UInt64]
  private(set) var isEmpty = true
  private var rowFirst = Int.max
  private var rowLast = -1

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    wordsPerRow = (width + 63) / 64
    edges = [UInt64](repeating: 0, count: wordsPerRow * height)
    covered = edges
  }

  mutating func reset() {
    guard !isEmpty else { return }
    covered.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    isEmpty = true
  }

  /// Covers dots of the window, for areas no larger than that.
  mutating func cover(_ dots: UnsafeBufferPointer<WindowDot>) {
    guard !dots.isEmpty else { return }
    isEmpty = false
    let words = wordsPerRow
    covered.withUnsafeMutableBufferPointer { covered in
      for dot in dots {
        covered[Int(dot.y) &* words &+ Int(dot.x) &>> 6] |=
          1 &<< UInt64(truncatingIfNeeded: dot.x & 63)
      }
    }
  }

  /// The first row whose middle is not above a position, from 0 to the height: an edge crosses the
  /// rows from that of its upper end up to, but without, that of its lower one.
  @inline(__always)
  func row(at y: Double) -> Int {
    guard y > 0.5 else { return 0 }
    return y - 0.5 < Double(height) ? Self.ceiling(y - 0.5) : height
  }

  /// Flips the inside of one edge, in dots of the window as fractions (x) and rows.
  ///
  /// - Parameters are positions in dots; the middle of dot (x, y) is (x + 0.5, y + 0.5).
  @inline(__always)
  mutating func addEdge(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) {
    let (row0, row1) = (row(at: y0), row(at: y1))
    if row0 < row1 {
      cross(row0..<row1, x0, y0, x1, y1)
    } else if row1 < row0 {
      cross(row1..<row0, x1, y1, x0, y0)
    }
  }

  /// Flips the inside of an edge in the rows that it crosses, from its upper end to its lower one.
  mutating func cross(
    _ rows: Range<Int>, _ topX: Double, _ topY: Double, _ bottomX: Double, _ bottomY: Double
  ) {
    let least = min(topX, bottomX)
    let most = max(topX, bottomX)
    let edge = Double(width)
    guard least < edge else { return }
    let slope = (bottomX - topX) / (bottomY - topY)
    rowFirst = min(rowFirst, rows.lowerBound)
    rowLast = max(rowLast, rows.upperBound &- 1)
    let words = wordsPerRow
    edges.withUnsafeMutableBufferPointer { edges in
      var row = rows.lowerBound
      while row < rows.upperBound {
        let exact = topX + (Double(row) + 0.5 - topY) * slope
        let crossing = min(max(exact, least), most)
        if crossing < edge - 0.5 {
          let x = crossing <= 0.5 ? 0 : Self.ceiling(crossing - 0.5)
          edges[row &* words &+ x &>> 6] ^= 1 &<< UInt64(truncatingIfNeeded: x & 63)
        }
        row &+= 1
      }
    }
  }

  /// Ends a feature: fills between its crossings and adds the result to the covered dots.
  mutating func endFeature() {
    guard rowFirst <= rowLast else { return }
    let words = wordsPerRow
    let tail = width & 63 == 0 ? UInt64.max : (1 << UInt64(width & 63)) - 1
    edges.withUnsafeMutableBufferPointer { edges in
      covered.withUnsafeMutableBufferPointer { covered in
        for row in rowFirst...rowLast {
          var carry: UInt64 = 0
          for index in (row * words)..<((row + 1) * words) {
            var word = edges[index]
            if word == 0 && carry == 0 { continue }
            edges[index] = 0
            word ^= word << 1
            word ^= word << 2
            word ^= word << 4
            word ^= word << 8
            word ^= word << 16
            word ^= word << 32
            word ^= carry
            carry = word >> 63 == 1 ? UInt64.max : 0
            if index == (row + 1) * words - 1 { word &= tail }
            covered[index] |= word
          }
        }
      }
    }
    isEmpty = false
    rowFirst = .max
    rowLast = -1
  }

  /// The cells whose dots share a word.
  static let cellsPerWord = 32

  /// Whether a dot is covered in the cells of a row that share a word with a cell.
  @inline(__always)
  func hasDots(inWordOf column: Int, row: Int) -> Bool {
    let first = 4 * row * wordsPerRow + (2 * column) >> 6
    var dots: UInt64 = 0
    for line in 0..<4 { dots |= covered[first + line * wordsPerRow] }
    return dots != 0
  }

  /// The eight dots of a cell, in braille order.
  @inline(__always)
  func cellBits(column: Int, row: Int) -> UInt8 {
    let x = 2 * column
    var result: UInt8 = 0
    for line in 0..<4 {
      let word = covered[(4 * row + line) * wordsPerRow + x >> 6]
      let pair = UInt8(truncatingIfNeeded: word >> UInt64(x & 63)) & 3
      if line < 3 {
        result |= (pair & 1) << UInt8(line) | (pair >> 1) << UInt8(line + 3)
      } else {
        result |= pair << 6
      }
    }
    return result
  }

  /// The smallest integer not below a value that is not negative.
  @inline(__always)
  private static func ceiling(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) < value ? whole + 1 : whole
  }
}
