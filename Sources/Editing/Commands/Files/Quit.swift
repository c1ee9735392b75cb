package import ArgumentParser

/// Ends the desk.
package struct Quit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Leave the editor, with all its documents.",
    aliases: ["q", "qa", "qall"])

  @Flag(name: .shortAndLong, help: "Discard unsaved edits.")
  var force = false

  @Flag(help: "End the sessions of all other people in this workspace, too.")
  var everyone = false

  package init() {}

  package var summary: String {
    force ? "Leave the editor and discard unsaved edits." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws {
    if everyone { try desk.requireTakingPart() }
    // Their unsaved edits count then, too.
    desk.session.endsWorkspace = everyone
    if !force, let work = desk.unsavedWork { throw EditingError(.refused, work) }
    desk.hasQuit = true
    desk.send(.quit(code: 0))
  }
}
