package import ArgumentParser

/// Ends a move.
package struct Drop: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "drop", abstract: "Drop the moved features here.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.dropCarried() }
}
