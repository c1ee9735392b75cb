package import ArgumentParser

/// Puts copied features into the active layer.
package struct Paste: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "paste", abstract: "Paste the copied features at the cursor.")

  package static let isRepeatable = true

  @Flag(help: "Where they were.")
  var inPlace = false

  package init() {}

  package var summary: String {
    inPlace ? "Paste the copied features in place." : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws { try desk.pasteFeatures(inPlace: inPlace) }
}
