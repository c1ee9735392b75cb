package import ArgumentParser

/// Finishes the ring being drawn.
package struct CloseRing: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "close", abstract: "Close the ring (or line) being drawn and finish.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.closeRing() }
}
