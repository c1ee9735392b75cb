package import ArgumentParser
import PortolanDocuments

/// Renames a layer.
package struct RenameLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename the active layer, or another one.")

  @Argument(help: "The new name.")
  var newName: String

  @Option(help: "The layer, if not the active one.")
  var layer: String?

  package init() {}

  package func run(in desk: inout Desk) throws {
    if newName.isEmpty { throw EditingError(.usage, "a layer needs a name") }
    let layer = try desk.layer(orActive: self.layer)
    if desk.document.layers.contains(where: { $0.name == newName && $0.id != layer.id }) {
      throw EditingError(.refused, "there is a layer “\(newName)” already")
    }
    try desk.editLayers("rename \(layer.name)", [layer.id]) { $0.name = newName }
  }
}
