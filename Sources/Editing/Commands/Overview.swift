package import ArgumentParser

/// Shows and hides the overview.
package struct Overview: Command {
  package static let configuration = CommandConfiguration(
    commandName: "overview", abstract: "Show or hide the overview of the whole map.")

  @Argument(help: "on, off or toggle.")
  var state = Switch.toggle

  package init() {}

  package func run(in desk: inout Desk) { desk.setPanels(.overview, state) }
}
