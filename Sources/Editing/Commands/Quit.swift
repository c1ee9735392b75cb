package import ArgumentParser

/// Ends the session.
package struct Quit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Leave the editor.", aliases: ["q"])

  @Flag(name: .shortAndLong, help: "Give up unsaved edits.")
  var force = false

  package init() {}

  package func run(in session: inout Session) throws {
    if !force, let work = session.unsavedWork { throw EditingError(.refused, work) }
    session.hasQuit = true
    session.request(.quit(code: 0))
  }
}
