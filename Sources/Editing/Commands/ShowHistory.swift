package import ArgumentParser

/// Tells what can be undone.
package struct ShowHistory: Command {
  package static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the last changes, the newest first.")

  package init() {}

  package func run(in session: inout Session) {
    let done = session.history.titles
    let list = done.prefix(8).joined(separator: ", ")
    let more = done.count > 8 ? " and \(done.count - 8) before" : ""
    session.say(done.isEmpty ? "nothing was changed" : "newest first: \(list)\(more)")
  }
}
