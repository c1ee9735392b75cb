package import ArgumentParser

/// Takes the last vertex of the draft back.
package struct UnputVertex: Command {
  package static let configuration = CommandConfiguration(
    commandName: "unput", abstract: "Drop the last vertex of the draft.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.unputVertex() }
}
