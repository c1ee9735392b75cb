package import ArgumentParser

/// Undoes edits.
package struct Undo: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the last change.",
    discussion: """
      Beside others it takes back your own last step, as a new one: what they have done since \
      stays. Where one of them has changed the same since, it is refused and says who.
      """)

  @Argument(help: "How many changes.")
  var steps = 1

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.undo(steps) }
}
