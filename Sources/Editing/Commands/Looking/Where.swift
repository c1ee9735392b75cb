package import ArgumentParser

/// Tells the cursor's position in words.
package struct Where: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "where", abstract: "Describe the cursor's position and the feature there.")

  @Option(parsing: .unconditional, help: "A cell of the map instead: COLUMN,ROW.")
  var at: CellArgument?

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.putCursor(on: at)
    desk.answer(desk.whereabouts)
  }
}
