package import ArgumentParser

/// Redoes undone edits.
package struct Redo: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the last undone edit.",
    discussion: """
      Beside others it does your own last undone step again, as a new one, where none of them has \
      changed the same since.
      """)

  @Argument(help: "How many changes.")
  var steps = 1

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.redo(steps) }
}
