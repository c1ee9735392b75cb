package import ArgumentParser

/// Shows a layer as rows and columns, and acts in that table.
package struct ShowTable: Command {
  /// A word after `table`: an action, or the name of a layer.
  package struct Word: ExpressibleByArgument, Sendable {
    let text: String

    package init(argument: String) { text = argument }

    package static var allValueStrings: [String] { TableAction.allCases.map(\.rawValue) }
  }

  package static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Show a layer as rows and columns, and act in the table.",
    discussion: """
      `table` and `table LAYER` open a table below the map, --right beside it, --here in its \
      place; in a table, `table` first gives it all the room, then closes it. `table sort \
      -pop,name` sorts by columns, a minus sign begins with the greatest values; `table sort` by \
      the one under the cursor. `table hide NAME`, `table width 20 NAME` and `table column NAME` \
      name columns; without a name they take the one under the cursor. `table put VALUE…` sets the \
      cell under the cursor and those below it, in one step. Page and half are counts of rows. A \
      layer with the name of an action is `table open NAME`.
      """)

  package static let completions = [
    "action": Completion { desk, before in
      guard let first = before.first(where: { !$0.hasPrefix("-") }) else {
        return TableAction.allCases.map(\.rawValue) + Completion.layers.words(desk, [])
      }
      return TableAction(rawValue: first)?.completions(desk) ?? []
    }
  ]

  @Flag(help: "At the right of the map.")
  var right = false

  @Flag(help: "In this pane, instead of the map.")
  var here = false

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("A layer, or an action and its words.", valueName: "action"))
  var words: [Word] = []

  package init() {}

  private var action: TableAction? { words.first.flatMap { TableAction(rawValue: $0.text) } }

  package var summary: String {
    if let action { return action.summary(words.dropFirst().map(\.text)) }
    return words.isEmpty ? "Show the table; again with all the room." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws {
    let texts = words.map(\.text)
    if let action, action != .open {
      try action.run(Array(texts.dropFirst()), in: &desk)
      return
    }
    let name = (action == .open ? texts.dropFirst() : texts[...]).joined(separator: " ")
    try desk.openTable(name.isEmpty ? nil : name, here ? .here : right ? .right : .below)
  }
}
