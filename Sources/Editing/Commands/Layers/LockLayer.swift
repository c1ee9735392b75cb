package import ArgumentParser

/// Protects layers from changes.
package struct LockLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "lock", abstract: "Lock layers: they are shown but not selected or changed.")

  @Argument(help: "Names, or numbers from the top; without one, the active layer.")
  var layers: [String] = []

  @Flag(help: "Unlock those that are locked.")
  var toggle = false

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.setLocked(layers, toggle ? .toggle : .on)
  }
}
