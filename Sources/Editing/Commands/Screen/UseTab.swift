package import ArgumentParser

/// Shows, opens, names, moves and closes tabs.
package struct UseTab: Command {
  package static let completions = [
    "action": Completion { desk, _ in actions + desk.tabNames }
  ]
  private static let actions = ["new", "next", "previous", "name", "move", "close"]

  package static let configuration = CommandConfiguration(
    commandName: "tab", abstract: "Go to another tab, open, name, move or close one.",
    discussion: """
      tab new FILE opens a file in a new tab. tab name NAME names the shown tab, tab name without \
      one gives it the name of its view again; tab move N puts it in another place. A save of a \
      document keeps the names of its tabs.
      """)

  @Argument(help: "new, next, previous, name, move, close, or the number or name of a tab.")
  var action: String

  @Argument(
    help: "new: a file to open; name: the name; move: the place, from 1.", completion: .file())
  var value: String?

  @Flag(name: .shortAndLong, help: "Discard unsaved edits of closed documents.")
  var force = false

  package init() {}

  package func validate() throws {
    switch action {
    case "name":
      if let value, value.count > 100 || value.contains(where: \.isNewline) {
        throw ValidationError("a name has at most 100 characters, in one line")
      }
    case "move":
      guard let value, Int(value) != nil else {
        throw ValidationError("tab move takes the place, from 1")
      }
    case "new": break
    default:
      if value != nil { throw ValidationError("a file is opened by tab new FILE") }
    }
  }

  package var summary: String {
    switch action {
    case "new": "Open a tab."
    case "close": "Close this tab."
    case "name": "Name this tab."
    case "move": "Move this tab."
    default: "Go to the \(action) tab."
    }
  }

  package func run(in desk: inout Desk) throws {
    switch action {
    case "new":
      desk.addTab()
      if let value { desk.openBeside(value) }
    case "next": try desk.showTab(by: 1)
    case "previous": try desk.showTab(by: -1)
    case "close": try desk.closeTab(force: force)
    case "name": desk.nameTab(value)
    case "move":
      let index = try desk.tab(named: value ?? "")
      desk.session.arrangement.moveTab(to: index)
    default: desk.session.arrangement.index = try desk.tab(named: action)
    }
  }
}
