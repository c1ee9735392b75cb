package import ArgumentParser

/// Chooses features.
package struct SelectFeatures: Command {
  package enum What: String, ExpressibleByArgument, CaseIterable, Sendable {
    case here, layer, all, none, former
  }

  package static let configuration = CommandConfiguration(
    commandName: "select", abstract: "Select what is under the cursor, a layer, all or nothing.",
    discussion: "`select here` again on the same place takes the next of features that overlap.")

  @Argument(help: "here, layer (the active one), all (visible), none, or former.")
  var what: What

  @Option(name: .customLong("as"), help: "replace, add, toggle or remove.")
  var change = SelectionChange.replace

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  @Flag(help: "Show the attributes.")
  var info = false

  package init() {}

  package var summary: String {
    switch what {
    case .here where change == .replace: "Select what is under the cursor; again for the next."
    case .here: "Select what is under the cursor (\(change.rawValue))."
    case .layer: "Select the whole active layer."
    case .all: "Select everything that is visible."
    case .none: "Select nothing."
    case .former: "Select again what was selected before."
    }
  }

  package func run(in session: inout Session) throws {
    if let at { session.putCursor(column: at.column, row: at.row) }
    switch what {
    case .here: session.selectHere(change)
    case .layer:
      let layer = try session.requireActiveLayer()
      session.select(session.features(of: layer), change)
    case .all: session.select(session.visibleFeatures, change)
    case .none: session.select([], .replace)
    case .former: session.selectFormer()
    }
    if info && !session.selection.isEmpty { session.panels.insert(.info) }
  }
}
