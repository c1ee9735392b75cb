package import ArgumentParser
import PortolanDocuments

/// Starts drawing.
package struct Draw: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Draw a feature in the active layer.",
    discussion: "Without a kind, the one drawn last in the layer, or the only one it holds; the "
      + "editor asks where that does not tell, and a script has to say it. A layer is made if "
      + "there is none. A draft that was left is taken up again.")

  @Argument(help: "point, line or polygon.")
  var kind: Draft.Kind?

  @Option(help: "Draw in this layer.")
  var layer: String?

  package init() {}

  package var summary: String { kind.map { "Draw a \($0.rawValue)." } ?? "Draw a feature." }

  package func run(in desk: inout Desk) throws {
    if let layer { desk.activeLayer = try desk.layer(named: layer).id }
    try desk.startDrawing(kind)
  }
}

extension Draft.Kind: ExpressibleByArgument {}
