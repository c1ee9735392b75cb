package import ArgumentParser

/// Saves, then leaves.
package struct SaveAndQuit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "wq", abstract: "Save the document and leave.", aliases: ["x"])

  @Argument(help: "The file, such as site.doc.")
  var path: String?

  @Flag(name: .shortAndLong, help: "Overwrite another file of that name.")
  var force = false

  @OptionGroup var versions: VersionOptions

  package init() {}

  package func run(in session: inout Session) throws {
    if path == nil && !session.isEdited {
      session.hasQuit = true
      session.request(.quit(code: 0))
      return
    }
    try session.save(path, overwrites: force, thenQuits: true, versions: versions.keeping)
  }
}
