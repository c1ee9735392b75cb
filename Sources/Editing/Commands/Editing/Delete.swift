package import ArgumentParser

/// Deletes the vertex or the selection.
package struct Delete: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the vertex that is picked, or the selected features.")

  package static let isRepeatable = true

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.deleteSelection() }
}
