package import ArgumentParser

/// Moves the selection or the vertex.
package struct MoveFeatures: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move the selection, or the vertex, with the cursor.",
    discussion: """
      Enter drops, Esc puts back. `move --by DX,DY` moves at once. A vertex that several areas of \
      the layer share moves in all of them, so that no gap and no overlap comes about; --alone \
      moves it in the selected area alone.
      """)

  package static let isRepeatable = true

  @Option(
    parsing: .unconditional, help: "In degrees or the document's units: DX,DY.",
    transform: PairArgument.read)
  var by: PairArgument?

  @Flag(help: "Move a shared vertex in this area alone.")
  var alone = false

  package init() {}

  package var summary: String {
    alone ? "Move a shared vertex in the selected area alone." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws {
    if let by {
      try desk.move(x: by.x, y: by.y, alone: alone)
    } else {
      try desk.startCarrying(alone: alone)
    }
  }
}
