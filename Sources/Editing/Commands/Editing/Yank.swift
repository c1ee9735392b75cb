package import ArgumentParser

/// Copies the selection.
package struct Yank: Command {
  package static let configuration = CommandConfiguration(
    commandName: "yank", abstract: "Copy the selected features.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.yank() }
}
