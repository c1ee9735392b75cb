package import ArgumentParser
import Documents

/// Deletes a layer with all it holds.
package struct DeleteLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "delete-layer",
    abstract: "Delete a layer or a group with all it holds; undo brings it back.")

  package static let takesLayers = true

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  package init() {}

  package func run(in session: inout Session) throws {
    let layer = try session.layer(orActive: self.layer)
    if session.document.isProtected(layer) { throw EditingError.locked(layer.name) }
    try session.edit("delete layer \(layer.name)") { try $0.removeLayer(layer.id) }
    session.say("layer \(layer.name) deleted: u brings it back")
  }
}
