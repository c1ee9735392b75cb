package import ArgumentParser

/// Moves and edits in the attribute form.
package struct FormStep: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, first, last, edit, add, rename, remove
  }

  package static let configuration = CommandConfiguration(
    commandName: "form", abstract: "Move and edit in the attribute form.")

  @Argument(help: "up, down, first, last, edit, add, rename or remove.")
  var action: Action

  @Argument(help: "How many lines.")
  var lines = 1

  package init() {}

  package var summary: String {
    switch action {
    case .up: "Previous attribute."
    case .down: "Next attribute."
    case .first: "First attribute."
    case .last: "Last attribute."
    case .edit: "Edit the value."
    case .add: "Add an attribute."
    case .rename: "Rename the attribute."
    case .remove: "Remove the attribute."
    }
  }

  package func run(in desk: inout Desk) throws {
    try desk.stepForm(action, lines: min(max(lines, 0), 100_000))
  }
}
