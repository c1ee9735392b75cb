package import ArgumentParser

/// Reloads the document's file.
package struct RevertDocument: Command {
  package static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Take the document as it is in its file; undo brings the edits back.",
    discussion: """
      --merge keeps the edits, too: those of the file since it was read are merged with those made \
      here, feature by feature; ]c goes to what both changed differently.
      """)

  @Flag(help: "Merge what another program wrote with the edits made here.")
  var merge = false

  package init() {}

  package func run(in desk: inout Desk) throws { merge ? try desk.mergeFile() : try desk.revert() }
}
