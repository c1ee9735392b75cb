package import ArgumentParser

/// Throws the draft away.
package struct DiscardDraft: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "discard-draft", abstract: "Discard the draft.")

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard desk.draft != nil else { throw EditingError(.refused, "there is no draft") }
    desk.draft = nil
    desk.isDrawing = false
    desk.say("the draft is gone")
  }
}
