package import ArgumentParser
import Documents

/// Moves a layer within the drawing order.
package struct ReorderLayer: Command {
  package enum Way: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, top, bottom
  }

  package static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Draw a layer above or below others.")

  package static let takesLayers = true

  @Argument(help: "up, down, top or bottom.")
  var way: Way

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  package init() {}

  package var summary: String { "Move the active layer \(way.rawValue)." }

  package func run(in session: inout Session) throws {
    let layer = try session.layer(orActive: self.layer)
    let layers = session.document.layers
    guard let index = layers.firstIndex(where: { $0.id == layer.id }) else { return }
    let target =
      switch way {
      case .up: index + 1
      case .down: index - 1
      case .top: layers.count - 1
      case .bottom: 0
      }
    guard layers.indices.contains(target), target != index else {
      throw EditingError(.refused, "layer \(layer.name) is already there")
    }
    try session.edit("reorder \(layer.name)") { document in
      let moved = document.layers.remove(at: index)
      document.layers.insert(moved, at: target)
    }
  }
}
