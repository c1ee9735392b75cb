package import ArgumentParser
import PortolanDocuments
import PortolanGraphics

/// Fits the view to a layer, the selection or the whole map.
package struct Fit: CameraCommand {
  package static let configuration = CommandConfiguration(
    commandName: "fit", abstract: "Show everything, a layer or the selection as a whole.")

  package static let completions = ["what": Completion.layers]

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

  package func run(in desk: inout Desk) throws {
    let box: Box
    switch what {
    case "all": box = desk.document.extent
    case "layer": box = desk.reach(of: desk.shown(try desk.requireActiveLayer()))
    case "selection":
      if desk.selection.isEmpty { throw desk.nothingSelected() }
      box = desk.reach(of: desk.selection.features)
    default: box = desk.reach(of: try desk.layer(named: what))
    }
    if box.isEmpty && what != "all" {
      throw EditingError(.notFound, "nothing there has a place on the map")
    }
    desk.fit(box)
  }
}
