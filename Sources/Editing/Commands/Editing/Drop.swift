package import ArgumentParser

/// Ends a move.
package struct Drop: Command {
  package static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Drop the moved features here.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.dropCarried() }
}
