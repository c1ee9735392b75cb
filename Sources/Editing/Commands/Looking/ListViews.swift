package import ArgumentParser

/// Lists the views of the document.
package struct ListViews: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "views", abstract: "List the views of the document, to show one.")

  package init() {}

  package var summary: String { "List the views." }

  package func run(in desk: inout Desk) throws { try desk.listViews() }
}
