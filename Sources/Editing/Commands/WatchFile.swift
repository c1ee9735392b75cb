package import ArgumentParser

/// Shows what another editor saves.
package struct WatchFile: Command {
  package static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show a document that somebody else edits anew with each of their saves.")

  @Argument(help: "on, off or toggle.")
  var state: Switch = .toggle

  package init() {}

  package func run(in session: inout Session) throws {
    guard session.isReadOnly else {
      throw EditingError(.refused, "nobody else has it open: changes of the file are shown anyway")
    }
    session.isWatching = state.applied(to: session.isWatching)
    session.say(session.isWatching ? "watching \(session.title)" : "not watching any more")
  }
}
