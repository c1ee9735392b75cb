package import ArgumentParser

/// Sends the whole picture again.
package struct Redraw: Command {
  package static let configuration = CommandConfiguration(
    commandName: "redraw", abstract: "Draw the whole screen again.")

  package init() {}

  package func run(in desk: inout Desk) { desk.send(.redraw) }
}
