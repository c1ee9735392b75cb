package import ArgumentParser

/// Moves and edits in the attribute form.
package struct FormStep: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, first, last, edit, add, rename, remove
  }

  package static let configuration = CommandConfiguration(
    commandName: "form", abstract: "Move and edit in the attribute form.")

  package static let isForKeys = true

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

extension Desk {
  fileprivate mutating func stepForm(_ action: FormStep.Action, lines: Int) throws {
    guard var form else { throw EditingError(.refused, "the form is not open: e opens it") }
    let last = max(0, form.rows.count - 1)
    switch action {
    case .up: form.index = max(0, form.index - lines)
    case .down: form.index = min(last, form.index + lines)
    case .first: form.index = 0
    case .last: form.index = last
    case .add: form.editing = (.newName, LineEditor())
    case .edit, .rename, .remove:
      guard let row = form.current else {
        throw EditingError(.refused, "no attributes: a adds one")
      }
      switch action {
      case .edit:
        let text = row.value.map { AttributeText.text(of: $0) } ?? ""
        form.editing = (.value, LineEditor(text, keepsTabs: true))
      case .rename: form.editing = (.rename, LineEditor(row.name))
      default: try removeAttributes([row.name])
      }
      if action == .remove { return }
    }
    self.form = form
  }
}
