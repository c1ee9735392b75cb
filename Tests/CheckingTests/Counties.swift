import PortolanGraphics
import PortolanTestSupport

/// A random coverage with irregular borders, whose numbers have few decimals: groups of cells of a
/// crooked grid, as counties are groups of parishes.
struct Counties {
  /// The outer ring of each county, closed; some have holes behind it.
  var shapes: [[[(Double, Double)]]] = []

  /// - Parameters:
  ///   - size: the cells along a side; half a degree each.
  ///   - decimals: those of all numbers.
  init(seed: UInt64, size: Int, decimals: Int) {
    var generator = SeededGenerator(seed: seed)
    let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
    func place(_ column: Double, _ row: Double) -> Coordinate {
      let jitter = { Double.random(in: -0.1...0.1, using: &generator) }
      return Coordinate(
        x: ((10 + column / 2 + jitter()) * scale).rounded() / scale,
        y: ((50 + row / 2 + jitter()) * scale).rounded() / scale)
    }
    var corners: [Coordinate] = []
    var across: [Coordinate] = []
    var up: [Coordinate] = []
    for row in 0...size {
      for column in 0...size {
        corners.append(place(Double(column), Double(row)))
        across.append(place(Double(column) + 0.5, Double(row)))
        up.append(place(Double(column), Double(row) + 0.5))
      }
    }
    let width = size + 1
    var builder = ArcTable.Builder()
    var groups: [Int] = []
    for row in 0..<size {
      for column in 0..<size {
        let at = row * width + column
        builder.add(
          owner: groups.count,
          [
            corners[at], across[at], corners[at + 1], up[at + 1], corners[at + width + 1],
            across[at + width], corners[at + width], up[at],
          ])
        groups.append(Int.random(in: 0...size * size / 3, using: &generator))
      }
    }
    let outlines = builder.finish().outlines(groups: groups, count: size * size / 3 + 1)
    for outline in outlines.compactMap({ $0 }).joined() {
      shapes.append(outline.map { ring in ring.map { ($0.x, $0.y) } })
    }
  }

  var text: String {
    Checking.collection(shapes.map { Checking.feature(Checking.polygon($0)) })
  }
}
