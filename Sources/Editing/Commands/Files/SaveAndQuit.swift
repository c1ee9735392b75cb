package import ArgumentParser

/// Saves, then leaves.
package struct SaveAndQuit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "wq", abstract: "Save the document and leave.", aliases: ["x"])

  @Argument(help: "The file, such as site.doc.", completion: .file())
  var path: String?

  @Flag(name: .shortAndLong, help: "Overwrite another file of that name.")
  var force = false

  @Flag(help: "Leave out everything that the map data format cannot hold.")
  var lossy = false

  @OptionGroup var versions: VersionOptions

  package init() {}

  package func run(in desk: inout Desk) throws {
    if let other = desk.others.first(where: \.hasUnsavedWork) {
      throw EditingError(
        .refused, "\(other.title) has unsaved work too: :wqa saves all, :w and :q! give it up")
    }
    if path == nil && !desk.isEdited {
      guard let work = desk.unsavedWork else {
        desk.hasQuit = true
        desk.send(.quit(code: 0))
        return
      }
      if desk.draft != nil || desk.isEditPending { throw EditingError(.refused, work) }
    }
    try desk.save(
      path, overwrites: force, thenQuits: true, acceptsLosses: lossy, versions: versions.keeping)
  }
}
