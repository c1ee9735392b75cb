package import ArgumentParser

/// Removes attributes from the selection.
package struct UnsetAttributes: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Remove attributes from the selected features.",
    discussion: "`column remove` removes them from all features of a layer.")

  package static let isRepeatable = true

  @Argument(help: ArgumentHelp("The names.", valueName: "attributes"))
  var names: [String]

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.removeAttributes(names)
  }
}
