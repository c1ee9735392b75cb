package import ArgumentParser
import Documents
import Graphics

/// Shows all of something.
package struct Fit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Show everything, a layer or the selection as a whole.")

  package static let takesLayers = true

  @Argument(help: "all, layer (the active one), selection, or the name of a layer.")
  var what = "all"

  package init() {}

  package var summary: String {
    switch what {
    case "all": "Show everything."
    case "layer": "Show the whole active layer."
    case "selection": "Show the whole selection."
    default: "Show the whole layer \(what)."
    }
  }

  package func run(in session: inout Session) throws {
    let box: Box
    switch what {
    case "all": box = session.document.extent
    case "layer": box = session.reach(of: try session.requireActiveLayer())
    case "selection":
      if session.selection.isEmpty { throw EditingError.nothingSelected }
      box = session.reach(of: session.selection.features)
    default: box = session.reach(of: try session.layer(named: what))
    }
    if box.isEmpty && what != "all" {
      throw EditingError(.notFound, "nothing there has a place on the map")
    }
    session.fit(box)
  }
}
