/// Takes paths to the squares of a grid of world units, without a projection of each vertex.
///
/// A vertex in the square of the one before is passed over, and most are: at a coarse level of
/// detail a square holds dozens of vertices of a coast. The squares are those of the projected
/// vertices, each shifted by the level.
package struct SquareWalk {
  private let transform: WorldTransform
  private let shift: Int32
  private let rows: SquareRows?
  /// Degrees, or units of planar coordinates, for each unit of the world.
  private let (widthOfUnit, heightOfUnit): (Double, Double)
  /// The values that are surely in `column` and in `row`; nothing where that is not known.
  private var (west, east) = (Double.infinity, -Double.infinity)
  private var (south, north) = (Double.infinity, -Double.infinity)
  private var (column, row): (Int32, Int32) = (0, 0)

  /// - Parameters:
  ///   - shift: a square has 2^shift units a side; from `SquareRows.shifts`.
  ///   - rows: those of the shift where the plane is Web Mercator, which is slow without them.
  package init(_ plane: MapPlane, shift: Int32, rows: SquareRows?) {
    transform = WorldTransform(plane)
    self.shift = shift
    self.rows = transform.isMercator ? rows : nil
    (widthOfUnit, heightOfUnit) = (1 / transform.scaleX, 1 / transform.scaleY)
  }

  /// Writes the squares of a path, each once in a run, to the start of a buffer.
  ///
  /// - Precondition: the vertices are among the coordinates, and the buffer has room for two
  ///   numbers each.
  /// - Returns: how many squares there are, and how many vertices are finite.
  package mutating func squares(
    of vertices: Range<Int>, _ coordinates: UnsafeBufferPointer<Double>,
    to squares: UnsafeMutableBufferPointer<Int32>
  ) -> (squares: Int, finite: Int) {
    precondition(vertices.upperBound <= coordinates.count / 2)
    precondition(vertices.count <= squares.count / 2)
    var (last, out, finite) = ((x: Int32.max, y: Int32.max), 0, 0)
    for vertex in vertices {
      let (x, y) = (coordinates[2 &* vertex], coordinates[2 &* vertex &+ 1])
      // Most vertices lie in the square of the one before. Others that are not finite are left out.
      if !(x >= west && x <= east && y >= south && y <= north) {
        guard (x - x) + (y - y) == 0 else { continue }
        if !(x >= west && x <= east) { move(toLongitude: x) }
        if !(y >= south && y <= north) { move(to: y) }
      }
      finite &+= 1
      if column == last.x && row == last.y { continue }
      last = (column, row)
      squares[out] = column
      squares[out &+ 1] = row
      out &+= 2
    }
    return (out / 2, finite)
  }

  /// The place of a finite coordinate in world units.
  package func point(_ x: Double, _ y: Double) -> WorldPoint {
    WorldPoint(x: transform.x(x), y: transform.y(y))
  }

  private mutating func move(toLongitude longitude: Double) {
    column = transform.x(longitude) >> shift
    (west, east) = values(of: column, widthOfUnit, transform.offsetX)
  }

  private mutating func move(to latitude: Double) {
    guard let rows else {
      row = transform.y(latitude) >> shift
      if transform.isMercator { return }
      (north, south) = values(of: row, heightOfUnit, transform.offsetY)
      return
    }
    // Most steps lead to the row beside.
    let beside = latitude > north ? row - 1 : row + 1
    if let (south, north) = rows.latitudes(of: beside), latitude >= south, latitude <= north {
      (row, self.south, self.north) = (beside, south, north)
      return
    }
    row = transform.y(latitude) >> shift
    (south, north) = rows.latitudes(of: row) ?? (.infinity, -.infinity)
  }

  /// The values that are surely in a column or a row, from that of the least unit on.
  @inline(__always)
  private func values(of number: Int32, _ unit: Double, _ offset: Double) -> (Double, Double) {
    let least = Double(Int64(number) << Int64(shift))
    let most = Double((Int64(number) + 1) << Int64(shift))
    return ((least + Self.margin) * unit + offset, (most - Self.margin) * unit + offset)
  }

  /// In units: one is lost by their rounding towards 0, and the way back is rounded too.
  private static let margin = 2.0
}

/// The latitudes of the rows of squares on Web Mercator.
package struct SquareRows: Sendable {
  /// Smaller squares would have millions of rows.
  package static let shifts: ClosedRange<Int32> = 12...29
  /// More than two units anywhere: one is lost by the rounding of units towards 0, and the formula
  /// and its inverse differ by less.
  private static let margin = 4e-7

  /// Where each row begins in the north, and the last one ends.
  private let starts: [Double]
  private let first: Int32

  /// - Precondition: `shift` is one of `shifts`.
  package init(shift: Int32) {
    let count = Int32(1) << (30 - shift)
    first = -count
    starts = (-count...count).map { row in
      let y = Double(row) / Double(2 * count) + 0.5
      return MapPlane.webMercator.inverse(UnitPoint(x: 0.5, y: y)).y
    }
  }

  /// The least and the greatest latitude that are surely in a row; `nil` where there are none.
  @inline(__always)
  func latitudes(of row: Int32) -> (south: Double, north: Double)? {
    let index = Int(row) - Int(first)
    guard index >= 0, index < starts.count - 1 else { return nil }
    return (starts[index + 1] + Self.margin, starts[index] - Self.margin)
  }
}
