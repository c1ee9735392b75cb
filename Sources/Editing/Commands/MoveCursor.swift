package import ArgumentParser

/// Moves the cursor by cells.
package struct MoveCursor: Command {
  package static let configuration = CommandConfiguration(
    commandName: "cursor", abstract: "Move the cursor by cells.")

  @Argument(help: "left, right, up or down.")
  var direction: ScreenDirection

  @Argument(help: "How many cells.")
  var cells = 1

  package init() {}

  package var summary: String { "Move the cursor \(direction.rawValue)." }

  package func run(in session: inout Session) {
    let step = direction.step
    let cells = min(max(cells, 0), 100_000)
    session.moveCursor(columns: step.columns * cells, rows: step.rows * cells)
  }
}
