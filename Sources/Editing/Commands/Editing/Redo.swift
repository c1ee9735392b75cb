package import ArgumentParser

/// Redoes undone edits.
package struct Redo: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Redo the last undone edit.",
    discussion: """
      With other people in the document it repeats your own last undone step, as a new step, where \
      none of them has changed the same thing since.
      """)

  @Argument(help: "How many changes.")
  var steps = 1

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.redo(steps) }
}
