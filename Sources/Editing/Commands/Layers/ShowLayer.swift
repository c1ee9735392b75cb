package import ArgumentParser

/// Shows layers.
package struct ShowLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show layers; without a name, the active one.")

  @Argument(help: "Names, or numbers from the top.")
  var layers: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.setVisible(layers, .on) }
}
