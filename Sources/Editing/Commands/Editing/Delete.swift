package import ArgumentParser

/// Deletes the vertex or the selection.
package struct Delete: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete the vertex that is picked, or the selected features.",
    discussion: """
      A vertex that several areas of the layer share is deleted in all of them; where their \
      borders part it stays. --alone deletes it in the selected area alone.
      """)

  package static let isRepeatable = true

  @Flag(help: "Delete a shared vertex in this area alone.")
  var alone = false

  package init() {}

  package var summary: String {
    alone
      ? "Delete a shared vertex in the selected area alone." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws { try desk.deleteSelection(alone: alone) }
}
