package import ArgumentParser

/// Begins the next part of the draft.
package struct NextPart: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "next-part", abstract: "Begin the next part or hole of the draft.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.nextPart() }
}
