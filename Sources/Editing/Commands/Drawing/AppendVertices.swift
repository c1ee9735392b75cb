package import ArgumentParser

/// Continues drawing a feature.
package struct AppendVertices: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "append",
    abstract:
      "Draw on at the end of the selected line or ring; with a vertex, insert one after it.",
    discussion: """
      A vertex on a border that several areas of the layer share comes into all of them; --alone \
      inserts it into the selected area alone.
      """)

  @Flag(help: "Insert into this area alone, though others share the edge.")
  var alone = false

  package init() {}

  package var summary: String {
    alone
      ? "Insert a vertex into the selected area alone, where others share the border."
      : Self.configuration.abstract
  }

  package func run(in desk: inout Desk) throws { try desk.append(alone: alone) }
}
