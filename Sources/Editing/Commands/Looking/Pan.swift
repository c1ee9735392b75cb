package import ArgumentParser
import PortolanTerminals

/// Moves the map.
package struct Pan: CameraCommand {
  /// The distance, in parts of the map area; or, with `cells`, two numbers.
  package enum Amount: String, ExpressibleByArgument, CaseIterable, Sendable {
    case quarter, half, page
  }

  package static let configuration = CommandConfiguration(
    commandName: "pan", abstract: "Move the map under the cursor.",
    discussion: "`pan left half 2` moves by two half screens; `pan cells 3 -1` by cells.")

  @Argument(help: "left, right, up, down, or cells.")
  var direction: String

  @Argument(
    parsing: .captureForPassthrough,
    help: "quarter, half or page and how many; for cells: columns and rows.")
  var amount: [String] = []

  package init() {}

  package var summary: String {
    "Move the map \(direction)" + (amount.first.map { " by a \($0)" } ?? "") + "."
  }

  package func run(in desk: inout Desk) throws {
    if direction == "cells" {
      guard amount.count == 2, let columns = Int(amount[0]), let rows = Int(amount[1]),
        abs(columns) < 100_000, abs(rows) < 100_000
      else { throw EditingError(.usage, "pan cells COLUMNS ROWS: two whole numbers") }
      desk.pan(columns: -columns, rows: -rows)
      return
    }
    guard let direction = ScreenDirection(rawValue: direction),
      let size = amount.isEmpty ? .quarter : Amount(rawValue: amount[0]), amount.count <= 2,
      let times = amount.count == 2 ? Int(amount[1]) : 1, times >= 0
    else {
      throw EditingError(.usage, "pan left|right|up|down [quarter|half|page] [TIMES]")
    }
    let area = desk.mapArea
    let step = direction.step
    let count = min(times, 1000)
    desk.pan(
      columns: step.columns * max(1, Self.part(size, of: area.columns)) * count,
      rows: step.rows * max(1, Self.part(size, of: area.rows)) * count)
  }

  private static func part(_ amount: Amount, of cells: Int) -> Int {
    switch amount {
    case .quarter: cells / 4
    case .half: cells / 2
    case .page: cells
    }
  }
}
