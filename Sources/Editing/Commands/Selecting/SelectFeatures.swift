package import ArgumentParser
import PortolanDocuments

/// Chooses features.
package struct SelectFeatures: FeatureCommand {
  package enum What: String, ExpressibleByArgument, CaseIterable, Sendable {
    case here, layer, all, none, former, found, `where`
  }

  package static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Select the feature under the cursor, a layer, all or nothing.",
    discussion: """
      `select here` again on the same place takes the next of several features there; after `go` \
      its feature is the first. In a script it takes features under the cursor's position, in \
      the editor those near its cell. `select found` takes all matches of the last search. \
      `select where EXPRESSION` takes the features of the active layer for which it holds; the \
      rest of the line is the expression: select where pop > 1e6 and name like 'S%'.
      """)

  @Argument(help: "here, layer (the active one), all (visible), none, former, found, or where.")
  var what: What

  @Argument(help: "After where: the condition.")
  var expression: String?

  @Flag(help: "With where: in all visible, unlocked layers, not only in the active one.")
  var all = false

  @Option(name: .customLong("as"), help: "replace, add, toggle or remove.")
  var change = SelectionChange.replace

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  @Flag(help: "Rather pick a vertex of the selected feature, if one is near.")
  var vertex = false

  @Flag(help: "Show the attributes.")
  var info = false

  package init() {}

  package static let expressionPlace = ExpressionPlace.after("where")

  package func validate() throws {
    if what == .where, expression?.isEmpty ?? true {
      throw ValidationError("select where needs a condition: select where pop > 1e6")
    }
    if what != .where, expression != nil || all {
      throw ValidationError("only select where takes a condition")
    }
  }

  package var summary: String {
    switch what {
    case .here where change == .replace: "Select the feature under the cursor; again for the next."
    case .here: "Select the feature under the cursor (\(change.rawValue))."
    case .layer: "Select the whole active layer."
    case .all: "Select everything that is visible."
    case .none: "Select nothing."
    case .former: "Select the former selection again."
    case .found: "Select all that was searched for."
    case .where: "Select where \(expression ?? "")."
    }
  }

  package func run(in desk: inout Desk) throws {
    try desk.putCursor(on: at)
    switch what {
    case .here:
      if vertex, change == .replace, desk.pickVertexHere() { return }
      desk.selectHere(change)
    case .layer:
      let layer = try desk.requireActiveLayer()
      if !desk.document.isShown(layer) { throw EditingError.hidden(layer.name) }
      desk.select(desk.features(of: layer), change)
    case .all: desk.select(desk.visibleFeatures, change)
    case .none: desk.select([], .replace)
    case .former: desk.selectFormer()
    case .found: desk.select(try desk.foundFeatures(), change)
    case .where: try desk.selectWhere(expression ?? "", change, inAllLayers: all)
    }
    if info && !desk.selection.isEmpty { desk.panels.insert(.info) }
  }
}
