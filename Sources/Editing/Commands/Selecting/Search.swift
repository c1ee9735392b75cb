package import ArgumentParser

/// Looks for a text in attributes.
package struct Search: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find features by a text in their attributes.",
    discussion: "All visible layers are searched, without regard to upper and lower case.")

  @Argument(parsing: .captureForPassthrough, help: "The text.")
  var words: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.search(words.joined(separator: " "))
  }

  /// A search without matches removes the marks of the search before.
  package func failed(in desk: inout Desk) {
    desk.work.searchText = ""
    desk.matches = nil
  }
}
