package import ArgumentParser

/// Moves the cursor by cells.
package struct MoveCursor: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "cursor", abstract: "Move the cursor by cells.",
    discussion: "Scripts have no cells: there it is `go to 13.4 52.5`, or `go to @1,0`.")

  @Argument(help: "left, right, up or down.")
  var direction: ScreenDirection

  @Argument(help: "How many cells.")
  var cells = 1

  package init() {}

  package var summary: String { "Move the cursor \(direction.rawValue)." }

  package func run(in desk: inout Desk) throws {
    try desk.requireCells()
    let step = direction.step
    let cells = min(max(cells, 0), 100_000)
    desk.moveCursor(columns: step.columns * cells, rows: step.rows * cells)
  }
}
