package import ArgumentParser
import PortolanDocuments

/// Deletes a layer with its contents.
package struct DeleteLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "delete-layer",
    abstract: "Delete a layer or a group with all it holds; undo brings it back.")

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  package init() {}

  package func run(in desk: inout Desk) throws {
    let layer = try desk.layer(orActive: self.layer)
    if desk.document.isProtected(layer) { throw EditingError.locked(layer.name) }
    try desk.edit("delete layer \(layer.name)") { try $0.removeLayer(layer.id) }
    desk.say("layer \(layer.name) deleted: u brings it back")
  }
}
