package import ArgumentParser

/// Shows and hides panels.
package struct TogglePanel: Command {
  package enum Name: String, ExpressibleByArgument, CaseIterable, Sendable {
    case layers, legend, overview, info, all

    var panels: Panels {
      switch self {
      case .layers: .layers
      case .legend: .legend
      case .overview: .overview
      case .info: .info
      case .all: .all
      }
    }
  }

  package static let configuration = CommandConfiguration(
    commandName: "panel", abstract: "Show or hide a panel beside the map.")

  @Argument(help: "layers, legend, overview, info or all.")
  var name: Name

  @Argument(help: "on, off or toggle.")
  var state = Switch.toggle

  package init() {}

  package var summary: String { "Show or hide the \(name.rawValue) panel." }

  package func run(in desk: inout Desk) { desk.setPanels(name.panels, state) }
}
