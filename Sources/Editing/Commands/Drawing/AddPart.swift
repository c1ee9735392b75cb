package import ArgumentParser

/// Draws a further part of a feature.
package struct AddPart: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "part", abstract: "Draw a new part, or a hole, of the selected feature.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.startPart() }
}
