package import ArgumentParser

/// Puts a vertex into the draft.
package struct PutVertex: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "put", abstract: "Put a vertex at the cursor or at a position.",
    discussion: "Positions: `13.4 52.5` (lon lat), `52°31'N 13°24'E`, `@1,2` (from the last "
      + "vertex), `@5<90` (distance in km or units, bearing). Without a position the "
      + "cursor's vertex snaps to a vertex or line within half a cell of it, and names it; a typed "
      + "position never does. New coordinates get as many decimals as the file of the layer "
      + "has.")

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  @Argument(parsing: .captureForPassthrough, help: "The position.")
  var words: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.putCursor(on: at)
    if words.isEmpty {
      let target = desk.snapTarget
      try desk.putVertex(
        at: target?.place ?? desk.cursor, snapped: desk.snapWords(target))
    } else {
      let position = try desk.position(words.joined(separator: " "))
      desk.visit(typed: position)
      try desk.putVertex(at: position)
    }
  }
}
