package import ArgumentParser

/// Renames an attribute of the selection.
package struct RenameAttribute: Command {
  package static let configuration = CommandConfiguration(
    commandName: "rename-attribute", abstract: "Rename an attribute of the selected features.")

  @Argument(help: "Its name.")
  var name: String

  @Argument(help: "Its new name.")
  var newName: String

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.renameAttribute(name, to: newName)
  }
}
