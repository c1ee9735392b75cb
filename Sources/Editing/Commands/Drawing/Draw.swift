package import ArgumentParser
import PortolanDocuments

/// Starts drawing.
package struct Draw: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "draw", abstract: "Draw a feature in the active layer.",
    discussion: """
      Without a kind it draws the kind that was drawn last in the layer, or the only one that it \
      holds; otherwise the editor asks, and a script must name it. Where there is no layer it \
      makes one. It continues an unfinished draft; one of another kind is discarded, and undo \
      brings it back.
      """)

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
