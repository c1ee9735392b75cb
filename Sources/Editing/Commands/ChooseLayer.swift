package import ArgumentParser
import Documents

/// Makes a layer the active one.
package struct ChooseLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "layer", abstract: "Make a layer the active one.")

  package static let takesLayers = true

  @Argument(help: "Its name, or its number from the top.")
  var layer: String

  package init() {}

  package var summary: String { "Make layer \(layer) the active one." }

  package func run(in session: inout Session) throws {
    let layer = try session.layer(named: self.layer)
    session.activeLayer = layer.id
    session.say("active layer: \(layer.name)")
  }
}
