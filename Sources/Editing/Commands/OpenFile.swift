package import ArgumentParser
import Documents
import Files

/// Opens another file in place of the document.
package struct OpenFile: Command {
  package static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Open a file in place of this document.",
    aliases: ["e", "edit"])

  @Argument(help: "The file.")
  var path: String

  @Flag(name: .shortAndLong, help: "Give up unsaved edits.")
  var force = false

  package init() {}

  package func run(in desk: inout Desk) throws {
    if desk.isEdited && !force {
      throw EditingError(
        .refused, "unsaved edits: :w saves them, :e! \(FilePath.quoted(path)) gives them up")
    }
    desk.request(OpenRequest(paths: [path], revision: desk.history.present.revision))
  }
}
