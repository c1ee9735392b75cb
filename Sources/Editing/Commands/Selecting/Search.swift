package import ArgumentParser

/// Looks for a text in attributes.
package struct Search: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find features by a text in their attributes.",
    discussion: "All visible layers are searched, in a table the columns that it shows, without "
      + "regard to upper and lower case.")

  @Argument(parsing: .captureForPassthrough, help: "The text.")
  var words: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    let text = words.joined(separator: " ")
    if desk.pane.state is TablePane { try desk.findInTable(text) } else { try desk.search(text) }
  }

  /// A search without matches removes the marks of the search before.
  package func failed(in desk: inout Desk) {
    desk.work.searchText = ""
    desk.matches = nil
  }
}
