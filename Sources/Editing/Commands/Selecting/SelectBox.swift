package import ArgumentParser

/// Chooses features with a box.
package struct SelectBox: MapCommand {
  package enum Step: String, ExpressibleByArgument, CaseIterable, Sendable {
    case start, replace, add, toggle, remove, zoom, all
  }

  package static let configuration = CommandConfiguration(
    commandName: "box", abstract: "Open a box at the cursor, then select or show its features.",
    discussion: """
      `box start` puts one corner at the cursor; the cursor is the other corner. Features of the \
      active layer are taken that the box touches, by their geometry; `box all` lets the open box \
      take from all visible layers. In the editor the box reaches to its cells' outer edges; in a \
      script it is exact, and `box replace --bbox W,S,E,N` needs no corners.
      """)

  @Argument(help: "start, replace, add, toggle, remove, zoom, or all (layers).")
  var step: Step

  @Flag(help: "Take from all visible, unlocked layers, not only from the active one.")
  var all = false

  @Option(
    parsing: .unconditional,
    help: "This box, W,S,E,N, not the open one; W > E reaches across 180 degrees.",
    transform: BoxArgument.read)
  var bbox: BoxArgument?

  @Option(parsing: .unconditional, help: "Put the cursor on this cell first: COLUMN,ROW.")
  var at: CellArgument?

  package init() {}

  package var summary: String {
    switch step {
    case .start: "Start a box at the cursor\(all ? ", for all layers" : "")."
    case .replace: "Select the features in the box."
    case .add: "Add the features in the box to the selection."
    case .toggle: "Toggle the features in the box."
    case .zoom: "Show the box as large as it goes."
    case .remove: "Take the features in the box out of the selection."
    case .all: "Take from all layers, or again from the active one only."
    }
  }

  package func run(in desk: inout Desk) throws {
    try bbox?.check(in: desk.document)
    try desk.putCursor(on: at)
    switch step {
    case .start: desk.startBox(takesAllLayers: all)
    case .replace: try desk.finishBox(.replace, given: bbox?.box, fromAll: all)
    case .add: try desk.finishBox(.add, given: bbox?.box, fromAll: all)
    case .toggle: try desk.finishBox(.toggle, given: bbox?.box, fromAll: all)
    case .remove: try desk.finishBox(.remove, given: bbox?.box, fromAll: all)
    case .zoom: try desk.zoomToBox(bbox?.box)
    case .all: try desk.toggleBoxLayers()
    }
  }
}
