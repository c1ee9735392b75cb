package import ArgumentParser

/// Shows hidden layers and hides shown ones.
package struct ToggleLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "toggle", abstract: "Show or hide layers; without a name, the active one.")

  @Argument(help: "Names, or numbers from the top.")
  var layers: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.setVisible(layers, .toggle) }
}
