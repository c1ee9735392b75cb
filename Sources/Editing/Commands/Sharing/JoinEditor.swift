package import ArgumentParser

/// Ends this editor, and shows the one that has the document.
package struct JoinEditor: Command {
  package static let configuration = CommandConfiguration(
    commandName: "join-editor",
    abstract: "Edit a document in the editor that has it open, with its other people.",
    discussion: """
      This editor ends, and its terminal shows a session of its own in the other one: with panes, \
      cursor, selection and prompt of its own.
      """)

  @Flag(name: .shortAndLong, help: "Give up unsaved edits of the other documents here.")
  var force = false

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard let socket = desk.file.holderSocket, desk.file.isHeldElsewhere else {
      throw EditingError(.refused, "\(desk.title) is open in no other editor that can be joined")
    }
    // The workspace would go on without this terminal, which is not there to be given away then.
    if desk.session.id != .local || desk.company.contains(where: { desk.goesOn(with: $0) }) {
      throw EditingError(
        .refused, "others are here: portolan attach \(desk.title) in another terminal joins it")
    }
    if !force, let work = desk.unsavedWork {
      throw EditingError(
        .refused, work.replacing(":q!", with: ":join-editor!"))
    }
    desk.send(.attach(socket: socket))
  }
}
