/// Finds the lines of a layer that stay at each half step of zoom, from the nearest on outwards.
struct MeasuredLines {
  /// The greatest part of a neighbourhood's cells that other lines may fill.
  static let share = 1.0 / 3
  /// Lines that fill fewer cells need more room.
  private static let longEnough = 8.0

  private let measures: [LineMeasure]
  private let extent: LineGrid.Extent
  private let length: Double
  /// The number of the first line of each measure among all.
  private let firstLines: [Int]
  private var stays: [Bool]
  /// Made where lines are left out for the first time.
  private var network: LineNetwork?

  /// - Parameter length: of all lines, in world units.
  init(_ measures: [LineMeasure], _ extent: LineGrid.Extent, length: Double) {
    (self.measures, self.extent, self.length) = (measures, extent, length)
    var firstLines: [Int] = []
    var count = 0
    for measure in measures {
      firstLines.append(count)
      count += measure.rows.count
    }
    self.firstLines = firstLines
    stays = [Bool](repeating: true, count: count)
  }

  /// Whether a line stayed at the last half step.
  func stays(_ line: (part: Int, number: Int)) -> Bool {
    stays[firstLines[line.part] + line.number]
  }

  /// The strokes, or the parts of them, that are drawn at a half step.
  ///
  /// - Parameters:
  ///   - strokes: those of the half step before.
  ///   - tolerance: lines so near each other touch, in world units; and the half step at which it
  ///     is seen.
  mutating func staying(
    _ strokes: [LineStroke], at step: Int, tolerance: (size: Double, step: Int)
  ) -> [LineStroke] {
    let mayStay = stays
    let chosen = withRoom(strokes, at: step)
    if chosen.count == strokes.count { return strokes }
    stays = [Bool](repeating: false, count: stays.count)
    for stroke in chosen {
      for line in stroke.lines { stays[firstLines[line.part] + line.number] = true }
    }
    let network =
      self.network
      ?? LineNetwork(
        measures, measures.map { $0.paths(at: tolerance.step) }, extent,
        tolerance: tolerance.size)
    self.network = network
    var mending = LineMending(
      network, stays: stays, mayStay: mayStay, cell: 1 / LineGrid.cellsPerUnit(step).x)
    mending.mend()
    stays = mending.stays
    return LineStroke.sorted(strokes.compactMap { $0.keeping(measures) { stays($0) } })
  }

  /// The strokes that have room.
  private func withRoom(_ strokes: [LineStroke], at step: Int) -> [LineStroke] {
    var grid = LineGrid(extent, step: step, length: length)
    let paths = measures.map { $0.paths(at: step) }
    return strokes.filter { stroke in
      grid.beginTrace()
      for line in stroke.lines { grid.trace(line.number, of: paths[line.part]) }
      let room = Self.share * min(1, Double(grid.traceLength) / Self.longEnough)
      guard grid.crowding <= room else { return false }
      grid.take()
      return true
    }
  }
}
