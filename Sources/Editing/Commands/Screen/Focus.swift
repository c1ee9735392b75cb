package import ArgumentParser

/// Focuses the map or the layers panel.
package struct Focus: Command {
  package enum Pane: String, ExpressibleByArgument, CaseIterable, Sendable {
    case map, layers
  }

  package static let configuration = CommandConfiguration(
    commandName: "focus", abstract: "Give the keys to the map or to the layers panel.")

  @Argument(help: "map or layers.")
  var pane: Pane

  package init() {}

  package var summary: String { "Give the keys to the \(pane.rawValue)." }

  package func run(in desk: inout Desk) {
    desk.session.isLayersPanelFocused = pane == .layers
    if pane == .layers { desk.setPanels(.layers, .on) }
  }
}
