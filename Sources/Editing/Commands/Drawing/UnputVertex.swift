package import ArgumentParser

/// Removes the last vertex of the draft.
package struct UnputVertex: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "unput", abstract: "Drop the last vertex of the draft.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.unputVertex() }
}
