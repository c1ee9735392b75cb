package import ArgumentParser

/// Ends the session.
package struct Quit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "quit", abstract: "Leave the editor.", aliases: ["q"])

  @Flag(name: .shortAndLong, help: "Give up unsaved edits.")
  var force = false

  package init() {}

  package func run(in session: inout Session) throws {
    if session.isEdited && !force {
      throw EditingError(.refused, "unsaved edits: :q! gives them up, :wq saves them")
    }
    session.hasQuit = true
    session.request(.quit(code: 0))
  }
}
