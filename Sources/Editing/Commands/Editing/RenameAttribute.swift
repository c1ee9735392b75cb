package import ArgumentParser

/// Renames an attribute of the selection.
package struct RenameAttribute: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "rename-attribute", abstract: "Rename an attribute of the selected features.",
    discussion: "`column rename` renames it in all features of a layer.")

  @Argument(help: ArgumentHelp("Its name.", valueName: "attribute"))
  var name: String

  @Argument(help: "Its new name.")
  var newName: String

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.renameAttribute(name, to: newName)
  }
}
