package import ArgumentParser

/// Shows and hides the overview.
package struct Overview: Command {
  package static let configuration = CommandConfiguration(
    commandName: "overview", abstract: "Show or hide the overview of the whole map.")

  @Argument(help: "on, off or toggle.")
  var state = Switch.toggle

  @Flag(help: "In a pane of its own below the map.")
  var pane = false

  package init() {}

  package func run(in desk: inout Desk) throws {
    if pane { try desk.toggleOverviewPane(state) } else { desk.setPanels(.overview, state) }
  }
}
