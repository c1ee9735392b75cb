package import ArgumentParser

/// Chooses features with a box.
package struct SelectBox: Command {
  package enum Step: String, ExpressibleByArgument, CaseIterable, Sendable {
    case start, replace, add, toggle, remove, zoom
  }

  package static let configuration = CommandConfiguration(
    commandName: "box", abstract: "Open a box at the cursor, then select or show what is inside.",
    discussion: "`box start` puts one corner at the cursor; the cursor is the other corner.")

  @Argument(help: "start, replace, add, toggle, remove, or zoom.")
  var step: Step

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  package init() {}

  package var summary: String {
    switch step {
    case .start: "Start a box at the cursor."
    case .replace: "Select what is in the box."
    case .add: "Add what is in the box to the selection."
    case .toggle: "Toggle what is in the box."
    case .zoom: "Show what is in the box as large as it goes."
    case .remove: "Take what is in the box out of the selection."
    }
  }

  package func run(in session: inout Session) throws {
    if let at { session.putCursor(column: at.column, row: at.row) }
    switch step {
    case .start:
      session.leaveModes()
      session.boxAnchor = session.cursor
    case .replace: try session.finishBox(.replace)
    case .add: try session.finishBox(.add)
    case .toggle: try session.finishBox(.toggle)
    case .remove: try session.finishBox(.remove)
    case .zoom: try session.zoomToBox()
    }
  }
}
