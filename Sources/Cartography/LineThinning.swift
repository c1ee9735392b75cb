package import PortolanGraphics

/// Finds the half step of zoom from which on each line of a layer is drawn.
///
/// Each line has a half step of zoom from which on it is drawn, found from the whole layer: so the
/// choice does not depend on panning, and a nearer look shows more. From the nearest half step on
/// outwards, of the lines of the one before and in the order of importance, a line stays where
/// others leave room: where, on the mean of its cells, they fill no more than `share` of the
/// square of 16 by 8 cells around. Lines of a few cells need more room. Lines that go on as one
/// another count as one. What stays is then joined where the data joins it (`LineMending`).
package enum LineThinning {
  /// The half steps from a look at the layer as a whole on; nearer all lines are drawn.
  private static let steps = 16
  /// The most tolerances along all lines.
  private static let tolerancesMax = 2_000_000.0

  /// The first half step of each row of each block; `.min` for all but lines.
  ///
  /// - Parameters:
  ///   - measures: one for each block.
  ///   - rowCounts: of the blocks.
  ///   - ranks: of the rows of each block, asked for if there are lines; `nil` counts by length
  ///     alone.
  /// - Complexity: O(vertices and cells of lines).
  package static func firstSteps(
    _ measures: [LineMeasure], rowCounts: [Int], ranks: () -> [FeatureRanks?]
  ) -> [[Int8]] {
    var first = rowCounts.map { [Int8](repeating: .min, count: $0) }
    guard let extent = LineGrid.Extent(measures.compactMap(\.box)) else { return first }
    let length = measures.reduce(0) { $0 + $1.lengths.reduce(0) { $0 + Double($1) } }
    let farthest = extent.farthestStep
    let nearest = farthest + steps - 1
    let tolerance = max(0.5 / LineGrid.cellsPerUnit(nearest).x, length / tolerancesMax)
    var lines = MeasuredLines(measures, extent, length: length)
    var strokes = LineStroke.all(of: measures, ranks(), tolerance: tolerance)
    for step in (farthest...nearest).reversed() where !strokes.isEmpty {
      let chosen = lines.staying(strokes, at: step, tolerance: (tolerance, nearest))
      for stroke in strokes {
        for line in stroke.lines where !lines.stays(line) {
          first[line.part][measures[line.part].rows[line.number]] = Int8(clamping: step + 1)
        }
      }
      strokes = chosen
    }
    return first
  }
}
