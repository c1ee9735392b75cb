package import ArgumentParser

/// Reloads the document's file.
package struct RevertDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Take the document as it is in its file; undo brings the edits back.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.revert() }
}
