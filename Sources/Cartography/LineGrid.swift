import PortolanGraphics

/// The cells of a whole layer at one half step of zoom, and those with lines in them.
struct LineGrid {
  /// The box of a layer's lines, in world units.
  struct Extent {
    let minX: Double
    let minY: Double
    let width: Double
    let height: Double

    init?(_ boxes: [(minX: Int64, minY: Int64, maxX: Int64, maxY: Int64)]) {
      guard let minX = boxes.map(\.minX).min(), let minY = boxes.map(\.minY).min(),
        let maxX = boxes.map(\.maxX).max(), let maxY = boxes.map(\.maxY).max()
      else { return nil }
      (self.minX, self.minY) = (Double(minX), Double(minY))
      (width, height) = (Double(maxX - minX), Double(maxY - minY))
    }

    /// The last half step at which the layer is no larger than a neighbourhood.
    var farthestStep: Int {
      var step = 44
      while step > -16, !fits(step) { step -= 1 }
      return step
    }

    private func fits(_ step: Int) -> Bool {
      let scale = LineGrid.cellsPerUnit(step)
      return width * scale.x <= Double(LineGrid.side.x)
        && height * scale.y <= Double(LineGrid.side.y)
    }
  }

  /// A neighbourhood in cells.
  static let side = (x: 16, y: 8)
  /// The most cells that are visited at a half step, or a few more.
  private static let cellsMax = 4_000_000.0

  private let extent: Extent
  private let scale: (x: Double, y: Double)
  private let columns: Int
  private let squaresAcross: Int
  private let stride: Int
  private var cells: [UInt64]
  /// The number of cells with lines in each neighbourhood.
  private var counts: [Int32]
  /// The cells of the trace, and their neighbourhoods.
  private var visited: [(cell: Int, square: Int)] = []

  /// - Parameter length: of all lines, in world units.
  init(_ extent: Extent, step: Int, length: Double) {
    self.extent = extent
    scale = Self.cellsPerUnit(step)
    columns = Int(extent.width * scale.x) + 2
    let rows = Int(extent.height * scale.y) + 2
    squaresAcross = columns / Self.side.x + 1
    cells = [UInt64](repeating: 0, count: columns * rows / 64 + 1)
    counts = [Int32](repeating: 0, count: squaresAcross * (rows / Self.side.y + 1))
    stride = max(1, Int(min(length * scale.x / Self.cellsMax, 1e9)))
  }

  static func cellsPerUnit(_ step: Int) -> (x: Double, y: Double) {
    let x = Mathematics.power(ofTwo: Double(step) / 2 - 24)
    return (x, x / 2)
  }

  mutating func beginTrace() { visited.removeAll(keepingCapacity: true) }

  /// Adds the cells of a line to the trace.
  mutating func trace(_ line: Int, of paths: LinePaths) {
    paths.eachPath(ofLine: line) { vertices in
      var last: (x: Int, y: Int)?
      for vertex in vertices {
        let x = Int((Double(paths.coordinates[2 * vertex]) - extent.minX) * scale.x)
        let y = Int((Double(paths.coordinates[2 * vertex + 1]) - extent.minY) * scale.y)
        defer { last = (x, y) }
        guard let last else {
          visit(x, y)
          continue
        }
        let steps = Int(max((x - last.x).magnitude, (y - last.y).magnitude))
        var step = stride
        while step < steps {
          visit(last.x + (x - last.x) * step / steps, last.y + (y - last.y) * step / steps)
          step += stride
        }
        if steps > 0 { visit(x, y) }
      }
    }
  }

  @inline(__always)
  private mutating func visit(_ x: Int, _ y: Int) {
    visited.append((y * columns + x, y / Self.side.y * squaresAcross + x / Self.side.x))
  }

  /// The number of cells of the trace.
  var traceLength: Int { visited.count * stride }

  /// The part of the neighbourhood's cells that other lines fill, on the mean of the trace.
  var crowding: Double {
    let sum = visited.reduce(0) { $0 + Int(counts[$1.square]) }
    let all = visited.count * Self.side.x * Self.side.y
    return Double(sum * stride) / Double(max(1, all))
  }

  /// Fills the cells of the trace.
  mutating func take() {
    for (cell, square) in visited where cells[cell >> 6] >> UInt64(cell & 63) & 1 == 0 {
      cells[cell >> 6] |= 1 << UInt64(cell & 63)
      counts[square] += 1
    }
  }
}
