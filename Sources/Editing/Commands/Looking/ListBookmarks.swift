package import ArgumentParser

/// Lists the bookmarks.
package struct ListBookmarks: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "bookmarks", abstract: "List the bookmarks, to go to one.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.listBookmarks() }
}
