package import ArgumentParser

/// Hides layers.
package struct HideLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "hide", abstract: "Hide layers; without a name, the active one.")

  @Argument(help: "Names, or numbers from the top.")
  var layers: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.setVisible(layers, .off) }
}
