package import ArgumentParser

/// Reloads the document's file.
package struct RevertDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Reload the document from its file; undo restores the edits.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.revert() }
}
