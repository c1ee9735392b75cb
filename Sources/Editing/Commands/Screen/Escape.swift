package import ArgumentParser

/// Leaves the innermost mode, one at a time.
package struct Escape: Command {
  package static let configuration = CommandConfiguration(
    commandName: "escape", abstract: "Leave the mode, or clear vertex and selection.")

  package static let isForKeys = true

  package init() {}

  package func run(in desk: inout Desk) { desk.escape() }
}
