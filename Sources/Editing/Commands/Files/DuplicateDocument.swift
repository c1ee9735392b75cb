package import ArgumentParser

/// Continues with a copy of the document.
package struct DuplicateDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "duplicate",
    abstract: "Continue in a copy of the document; the file stays as it is.")

  @Argument(
    help: "The copy's file, such as copy.doc; without one it has no name yet.", completion: .file())
  var path: String?

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.duplicate()
    if let path { try desk.save(path, overwrites: false, thenQuits: false) }
  }
}
