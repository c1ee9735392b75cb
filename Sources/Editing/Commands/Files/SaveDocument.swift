package import ArgumentParser

/// Writes the document.
package struct SaveDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the document, or save it under a name.",
    discussion: """
      A document that was opened from one file of map data goes back into that file; unedited \
      features stay byte for byte. What such a file cannot hold (styles, further layers, names) is \
      asked about first: NAME.doc keeps it, --lossy leaves it out.
      """,
    aliases: ["w", "write"])

  @Argument(help: "The file, such as site.doc.", completion: .file())
  var path: String?

  @Flag(name: .shortAndLong, help: "Overwrite another file of that name.")
  var force = false

  @Flag(help: "Leave out everything that the map data format cannot hold.")
  var lossy = false

  @Flag(help: "Leave the editor when it is saved.")
  var quit = false

  @OptionGroup var versions: VersionOptions

  package init() {}

  package var summary: String { quit ? "Save and leave." : Self.configuration.abstract }

  package func run(in desk: inout Desk) throws {
    try desk.save(
      path, overwrites: force, thenQuits: quit, acceptsLosses: lossy, versions: versions.keeping)
  }
}
