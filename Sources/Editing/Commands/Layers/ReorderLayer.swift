package import ArgumentParser
import PortolanDocuments

/// Moves a layer within the drawing order.
package struct ReorderLayer: Command {
  package enum Way: String, ExpressibleByArgument, CaseIterable, Sendable {
    case up, down, top, bottom
  }

  package static let configuration = CommandConfiguration(
    commandName: "reorder", abstract: "Move a layer up or down in the drawing order.")

  @Argument(help: "up, down, top or bottom.")
  var way: Way

  @Argument(help: "Its name or number; without one, the active layer.")
  var layer: String?

  package init() {}

  package var summary: String { "Move the active layer \(way.rawValue)." }

  package func run(in desk: inout Desk) throws {
    let layer = try desk.layer(orActive: self.layer)
    let (place, count) = try desk.document.place(of: layer.id)
    let target =
      switch way {
      case .up: place + 1
      case .down: place - 1
      case .top: count - 1
      case .bottom: 0
      }
    guard (0..<count).contains(target), target != place else {
      let group = desk.document.groups(around: layer).first
      throw EditingError(
        .refused,
        "layer \(layer.name) is already there" + (group.map { ", in group \($0.name)" } ?? ""))
    }
    try desk.edit("reorder \(layer.name)") { try $0.moveLayer(layer.id, to: target) }
  }
}
