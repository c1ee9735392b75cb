package import ArgumentParser

/// Undoes edits.
package struct Undo: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.")

  @Argument(help: "How many changes.")
  var steps = 1

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.undo(steps) }
}
