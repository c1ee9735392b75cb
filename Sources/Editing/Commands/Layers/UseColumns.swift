package import ArgumentParser

/// Changes the columns of a layer: the attributes of all its features.
package struct UseColumns: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case add, set, rename, remove, retype, move
  }

  package static let configuration = CommandConfiguration(
    commandName: "column", abstract: "Add, compute, rename, remove, retype or move columns.",
    discussion: """
      A column is an attribute of all features of a layer: the active one, or --layer; `set`, \
      `unset` and `rename-attribute` change selected features only. `column add NAME` adds nulls; \
      `column add NAME := EXPRESSION` and `column set NAME := EXPRESSION` compute values (options \
      come before `:=`). `column rename NAME NEW-NAME` also updates labels, ranks, sizes and \
      classes. `column remove NAME…` removes columns. `column retype NAME TYPE` converts values to \
      whole, real, text, truth (true or false) or date (ISO 8601): values without an exact \
      conversion stay and are counted in a message; with --force they become the nearest value \
      (1.6 becomes 2) or null. `column move NAME` moves it left, right, first or last, or --before \
      or --after another column.
      """)

  package static let isRepeatable = true
  package static let expressionPlace = ExpressionPlace.after(":=")

  @Argument(help: "add, set, rename, remove, retype or move.")
  var action: Action

  @Argument(
    help: ArgumentHelp(
      "The column, and what the action needs; or NAME := EXPRESSION.", valueName: "attributes"))
  var words: [String]

  @Option(help: "The layer; the active one unless given.")
  var layer: String?

  @Option(help: "With add or set: whole, real, text, truth or date.")
  var type: ColumnType?

  @Flag(help: "With a type: the nearest value, or null, where no exact conversion exists.")
  var force = false

  @Option(
    help: ArgumentHelp("With move: the column that then follows it.", valueName: "attribute"))
  var before: String?

  @Option(
    help: ArgumentHelp("With move: the column that it then follows.", valueName: "attribute"))
  var after: String?

  package init() {}

  package var summary: String {
    switch action {
    case .add: "Add a column."
    case .set: "Compute a column."
    case .rename: "Rename a column."
    case .remove: "Remove columns."
    case .retype: "Convert the values of a column."
    case .move: "Move a column."
    }
  }

  package func validate() throws {
    if type != nil, action != .add && action != .set {
      throw ValidationError("--type goes with add and set; column retype NAME TYPE")
    }
    if before != nil || after != nil, action != .move || before != nil && after != nil {
      throw ValidationError("--before or --after goes with column move NAME")
    }
    let count = words.count
    let isBeside = before != nil || after != nil
    switch action {
    case .rename where count != 2:
      throw ValidationError("write column rename NAME NEW-NAME")
    case .retype where count != 2 || ColumnType(rawValue: words[1]) == nil:
      throw ValidationError("write column retype NAME TYPE: whole, real, text, truth or date")
    case .move where isBeside ? count != 1 : count != 2 || ColumnPlace(rawValue: words[1]) == nil:
      throw ValidationError(
        "write column move NAME left, right, first or last, or --before or --after a column")
    default: break
    }
  }

  package func run(in desk: inout Desk) throws {
    let layer = try desk.columnLayer(named: layer)
    switch action {
    case .add, .set:
      let computation = try Computation(words, after: "column \(action)")
      guard let name = computation?.name ?? words.first, computation != nil || words.count == 1
      else { throw EditingError(.usage, "write column \(action.rawValue) NAME := EXPRESSION") }
      guard let computation else {
        try desk.addColumn(name, to: layer, isNew: action == .add, isTyped: type != nil)
        return
      }
      try desk.computeColumn(
        name, of: layer, by: computation.expression, isNew: action == .add,
        type.map { Retyping(to: $0, isForced: force) })
    case .rename: try desk.renameColumn(words[0], to: words[1], of: layer)
    case .remove: try desk.removeColumns(words, of: layer)
    case .retype:
      guard let type = ColumnType(rawValue: words[1]) else { return }
      try desk.retypeColumn(words[0], of: layer, Retyping(to: type, isForced: force))
    case .move:
      try desk.moveColumn(
        words[0], of: layer, to: words.last.flatMap { ColumnPlace(rawValue: $0) }, before: before,
        after: after)
    }
  }
}

/// Where a column is moved, beside the places by another one.
enum ColumnPlace: String {
  case left, right, first, last
}
