package import ArgumentParser

/// Shows and hides the legend.
package struct Legend: Command {
  package static let configuration = CommandConfiguration(
    commandName: "legend", abstract: "Show or hide the legend.")

  @Argument(help: "on, off or toggle.")
  var state = Switch.toggle

  package init() {}

  package func run(in desk: inout Desk) { desk.setPanels(.legend, state) }
}
