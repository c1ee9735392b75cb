package import ArgumentParser

/// Lets layers be changed again.
package struct UnlockLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "Unlock layers.")

  @Argument(help: "Names, or numbers from the top; without one, the active layer.")
  var layers: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.setLocked(layers, .off) }
}
