package import ArgumentParser

/// Shows, opens and closes tabs.
package struct UseTab: Command {
  package static let completions = ["action": Completion.list(actions)]
  private static let actions = ["new", "next", "previous", "close"]

  package static let configuration = CommandConfiguration(
    commandName: "tab", abstract: "Go to another tab, open or close one.")

  @Argument(help: "new, next, previous, close, or the number of a tab.")
  var action: String

  @Argument(help: "A file to open in the new tab.", completion: .file())
  var file: String?

  @Flag(name: .shortAndLong, help: "Discard unsaved edits of closed documents.")
  var force = false

  package init() {}

  package func validate() throws {
    guard Self.actions.contains(action) || Int(action) != nil else {
      throw ValidationError("tab new, next, previous, close, or the number of a tab")
    }
    if file != nil, action != "new" { throw ValidationError("a file is opened by tab new FILE") }
  }

  package var summary: String {
    switch action {
    case "new": "Open a tab."
    case "close": "Close this tab."
    default: "Go to the \(action) tab."
    }
  }

  package func run(in desk: inout Desk) throws {
    switch action {
    case "new":
      desk.addTab()
      if let file { desk.openBeside(file) }
    case "next": try desk.showTab(by: 1)
    case "previous": try desk.showTab(by: -1)
    case "close": try desk.closeTab(force: force)
    default: try desk.showTab(number: Int(action) ?? 0)
    }
  }
}
