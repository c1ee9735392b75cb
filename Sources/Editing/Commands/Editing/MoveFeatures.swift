package import ArgumentParser

/// Moves the selection or the vertex.
package struct MoveFeatures: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move the selection, or the vertex, with the cursor.",
    discussion: "Enter drops, Esc puts back. `move --by DX,DY` moves at once.")

  package static let isRepeatable = true

  @Option(
    parsing: .unconditional, help: "In degrees or the document's units: DX,DY.",
    transform: PairArgument.read)
  var by: PairArgument?

  package init() {}

  package func run(in desk: inout Desk) throws {
    if let by {
      try desk.moveSelection(x: by.x, y: by.y)
    } else {
      try desk.startCarrying()
    }
  }
}
