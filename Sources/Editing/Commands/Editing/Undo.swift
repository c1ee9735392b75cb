package import ArgumentParser

/// Undoes edits.
package struct Undo: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.",
    discussion: """
      With other people in the document it takes back your own last step, as a new step: their \
      later edits stay. Where one of them has changed the same thing since, it is refused and says \
      who.
      """)

  @Argument(help: "How many changes.")
  var steps = 1

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.undo(steps) }
}
