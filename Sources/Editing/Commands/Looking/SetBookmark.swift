package import ArgumentParser

/// Sets or deletes a bookmark.
package struct SetBookmark: MapCommand {
  package static let configuration = CommandConfiguration(
    commandName: "bookmark", abstract: "Set a bookmark at the cursor, or delete one.",
    discussion: """
      The name is a letter, for B and ' with that letter, or longer; go bookmark NAME goes there, \
      bookmarks lists all. A document keeps its bookmarks; those of a file of map data are kept in \
      the state folder, $XDG_STATE_HOME/portolan/bookmarks, and go into the document that it is \
      saved as. A bookmark holds its place and the zoom of the map; in a script it has a zoom only \
      with --zoom.
      """)

  @Argument(help: "Its name; without one, the editor waits for a letter.")
  var name: String?

  @Option(help: "The zoom of the map around it, 0 to 22.")
  var zoom: Double?

  @Flag(help: "Delete it.")
  var delete = false

  package init() {}

  package var summary: String { "Set a bookmark of a letter at the cursor." }

  package func validate() throws {
    if let name, name.isEmpty || name.count > 100 || name.contains(where: \.isNewline) {
      throw ValidationError("a name has 1 to 100 characters")
    }
    if delete, name == nil { throw ValidationError("delete which one? Give its name") }
    if let zoom, !(-40...40).contains(zoom) { throw ValidationError("--zoom is 0 to 22") }
  }

  package func run(in desk: inout Desk) throws {
    guard let name else {
      if desk.isScripted { throw EditingError(.usage, "bookmark NAME") }
      desk.session.overlay = BookmarkLetter()
      return
    }
    if delete { try desk.deleteBookmark(name) } else { try desk.setBookmark(name, zoom: zoom) }
  }
}
