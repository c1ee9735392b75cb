package import ArgumentParser

/// Continues drawing a feature.
package struct AppendVertices: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "append",
    abstract: "Draw on at the end of the selected line or ring; with a vertex, insert one after it."
  )

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.append() }
}
