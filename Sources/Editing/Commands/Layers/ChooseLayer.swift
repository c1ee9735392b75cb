package import ArgumentParser
import PortolanDocuments

/// Makes a layer the active one.
package struct ChooseLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "layer", abstract: "Make a layer the active one.")

  @Argument(help: "Its name, or its number from the top.")
  var layer: String

  package init() {}

  package var summary: String { "Make layer \(layer) the active one." }

  package func run(in desk: inout Desk) throws {
    let layer = try desk.layer(named: self.layer)
    desk.activeLayer = layer.id
    desk.say("active layer: \(layer.name)")
  }
}
