import PortolanGraphics

/// Whether a region between borders is a sliver.
///
/// Along its border, a place counts as narrow if a border that faces it is within the width. A
/// region is a sliver if no run along its border is longer than the width without such places: so
/// its ends may be cut off straight, and no wider part hides behind a thin one.
struct RegionWidth {
  /// A piece of the border, at most half a width long.
  private struct Piece {
    var a: Coordinate
    var b: Coordinate
    var middle: Coordinate { Coordinate(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2) }
    var length: Double
  }

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  private let width: Double
  private var pieces: [Piece] = []
  private var cells: [Cell: [Int]] = [:]

  /// The most pieces of a border, and the most comparisons for each of them.
  private static let piecesMax = 400_000
  private static let comparisonsMax = 2_000

  /// Whether a region is narrower than a width.
  ///
  /// - Parameters:
  ///   - ring: closed, counter-clockwise, in the unit of the width.
  ///   - width: above 0.
  /// - Returns: `false` for a region that is too intricate to tell, too.
  static func isSliver(_ ring: [Coordinate], narrowerThan width: Double) -> Bool {
    guard width > 0, width.isFinite, let measure = RegionWidth(ring, width) else { return false }
    return measure.longestWideRun <= width
  }

  private init?(_ ring: [Coordinate], _ width: Double) {
    self.width = width
    let length = zip(ring, ring.dropFirst()).reduce(0) { $0 + Self.length($1.0, $1.1) }
    guard length.isFinite, 2 * length / width + Double(ring.count) < Double(Self.piecesMax) else {
      return nil
    }
    for (a, b) in zip(ring, ring.dropFirst()) {
      let whole = Self.length(a, b)
      if whole == 0 { continue }
      let count = max(1, Int((2 * whole / width).rounded(.up)))
      var from = a
      for part in 1...count {
        let share = Double(part) / Double(count)
        let to =
          part == count
          ? b : Coordinate(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
        pieces.append(Piece(a: from, b: to, length: whole / Double(count)))
        from = to
      }
    }
    for (index, piece) in pieces.enumerated() {
      guard let cell = cell(of: piece.middle) else { return nil }
      cells[cell, default: []].append(index)
    }
  }

  /// The longest run along the border without a border that faces it; infinite where that is too
  /// intricate.
  private var longestWideRun: Double {
    var runs: [Double] = [0]
    for index in pieces.indices {
      guard let isNarrow = isNarrow(index) else { return .infinity }
      if isNarrow {
        runs.append(0)
      } else {
        runs[runs.count - 1] += pieces[index].length
      }
    }
    // The last run goes on in the first one.
    if runs.count > 1 { runs[0] += runs.removeLast() }
    return runs.max() ?? 0
  }

  private func isNarrow(_ index: Int) -> Bool? {
    let piece = pieces[index]
    let here = piece.middle
    guard let cell = cell(of: here) else { return nil }
    let normal = Coordinate(x: piece.a.y - piece.b.y, y: piece.b.x - piece.a.x)
    var comparisons = 0
    for row in cell.row - 1...cell.row + 1 {
      for column in cell.column - 1...cell.column + 1 {
        for other in cells[Cell(column: column, row: row)] ?? [] where other != index {
          comparisons += 1
          if comparisons > Self.comparisonsMax { return nil }
          if faces(pieces[other], here, normal) { return true }
        }
      }
    }
    return false
  }

  /// Whether a piece lies within the width on the inner side of a place, and faces it.
  private func faces(_ other: Piece, _ here: Coordinate, _ normal: Coordinate) -> Bool {
    let (dx, dy) = (other.b.x - other.a.x, other.b.y - other.a.y)
    guard normal.x * -dy + normal.y * dx < 0 else { return false }
    let square = dx * dx + dy * dy
    let along = (here.x - other.a.x) * dx + (here.y - other.a.y) * dy
    let part = square > 0 ? min(max(along / square, 0), 1) : 0
    let (x, y) = (other.a.x + part * dx - here.x, other.a.y + part * dy - here.y)
    return x * normal.x + y * normal.y > 0 && x * x + y * y <= width * width
  }

  private func cell(of place: Coordinate) -> Cell? {
    let size = 1.25 * width
    guard let column = Int(exactly: (place.x / size).rounded(.down)),
      let row = Int(exactly: (place.y / size).rounded(.down)), column.magnitude < 1 << 40,
      row.magnitude < 1 << 40
    else { return nil }
    return Cell(column: column, row: row)
  }

  private static func length(_ a: Coordinate, _ b: Coordinate) -> Double {
    ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
  }
}
