package import ArgumentParser

/// Looks for features with the same label.
package struct SearchSame: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "search-same", abstract: "Find features with the name of the feature here.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.searchSame() }
}
