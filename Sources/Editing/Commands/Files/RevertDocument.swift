package import ArgumentParser

/// Reloads the document's file.
package struct RevertDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Reload the document from its file; undo restores the edits.",
    discussion: """
      --merge keeps the edits too: it merges the file's changes since it was read with the edits \
      made here, feature by feature; ]c goes to features that both changed differently.
      """)

  @Flag(help: "Merge what another program wrote with the edits made here.")
  var merge = false

  package init() {}

  package func run(in desk: inout Desk) throws { merge ? try desk.mergeFile() : try desk.revert() }
}
