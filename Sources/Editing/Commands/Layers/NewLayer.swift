package import ArgumentParser

/// Makes an empty layer.
package struct NewLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "new-layer", abstract: "Make an empty layer on top.")

  @Argument(help: "Its name.")
  var name: String

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.addLayer(named: name)
    desk.say("new layer: \(name)")
  }
}
