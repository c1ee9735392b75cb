package import ArgumentParser

/// Gives the terminal back for a while.
package struct Suspend: Command {
  package static let configuration = CommandConfiguration(
    commandName: "suspend", abstract: "Stop the editor and go back to the shell; fg continues.")

  package init() {}

  package func run(in desk: inout Desk) { desk.send(.suspend) }
}
