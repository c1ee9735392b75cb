package import ArgumentParser

/// Edits the line being typed.
package struct EditLine: Command {
  package static let configuration = CommandConfiguration(
    commandName: "line", abstract: "Edit the line being typed.")

  package static let isForKeys = true

  @Argument(help: "What to do.")
  var action: LineAction

  package init() {}

  package var summary: String { action.summary }

  package func run(in desk: inout Desk) throws { try desk.editLine(action) }
}

/// The actions of keys in a line being typed.
package enum LineAction: String, ExpressibleByArgument, CaseIterable, Sendable {
  case accept, complete, older, newer, left, right, start, end, backspace, delete
  case completeBack = "complete-back"
  case killWord = "kill-word"
  case killStart = "kill-start"
  case killEnd = "kill-end"

  var summary: String {
    switch self {
    case .accept: "Run the line."
    case .complete: "Complete the word; again for the next."
    case .completeBack: "The completion before."
    case .older: "The line typed before."
    case .newer: "The line typed after."
    case .left: "One character back."
    case .right: "One character on."
    case .start: "To the start of the line."
    case .end: "To the end of the line."
    case .backspace: "Delete the character before."
    case .delete: "Delete the character under the cursor."
    case .killWord: "Delete the word before."
    case .killStart: "Delete to the start."
    case .killEnd: "Delete to the end."
    }
  }
}
