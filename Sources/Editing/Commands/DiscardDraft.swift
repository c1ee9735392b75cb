package import ArgumentParser

/// Throws the draft away.
package struct DiscardDraft: Command {
  package static let configuration = CommandConfiguration(
    commandName: "discard-draft", abstract: "Throw the draft away.")

  package init() {}

  package func run(in session: inout Session) throws {
    guard session.draft != nil else { throw EditingError(.refused, "there is no draft") }
    session.draft = nil
    session.isDrawing = false
    session.say("the draft is gone")
  }
}
