package import PortolanDocuments
import PortolanFiles
import PortolanPrinting
import PortolanRendering

/// Bookmarks: places with names, kept in the document; those of map data in the state folder.
extension Desk {
  /// The document's bookmarks, then those that its file has no room for.
  package var bookmarks: [Bookmark] {
    document.bookmarks + file.bookmarks.filter { document.bookmarks[$0.name] == nil }
  }

  func bookmark(named name: String) throws -> Bookmark {
    if let found = bookmarks[name] { return found }
    let near = Spelling.question(Spelling.nearest(to: name, among: bookmarks.map(\.name)))
    throw EditingError(.notFound, "no bookmark “\(name)”: \(near)B and a letter sets one")
  }

  /// Sets a bookmark at the cursor, in the place of the one of that name.
  mutating func setBookmark(_ name: String, zoom: Double?) throws {
    // The map of a script has no size of its own.
    let zoom = zoom ?? (isScripted ? nil : viewpoint.zoom)
    let bookmark = Bookmark(
      name: name, place: cursor,
      magnification: zoom.map { Camera(plane: plane, center: cursor, zoom: $0, size: camera.size) }
        .map { keptMagnification($0.magnification, bookmarkProjection) })
    let isNew = bookmarks[name] == nil
    if file.isData {
      file.bookmarks.set(bookmark)
      keepBookmarks()
    } else {
      try edit("set bookmark \(name)") { $0.bookmarks.set(bookmark) }
      file.bookmarks.removeAll { $0.name.hasSameBytes(as: name) }
    }
    let way = name.count == 1 ? "'\(name) goes there" : ":go bookmark \(CommandWord.quoted(name))"
    say("bookmark \(name)\(isNew ? "" : " moved"): \(way)")
  }

  mutating func deleteBookmark(_ name: String) throws {
    _ = try bookmark(named: name)
    if document.bookmarks[name] != nil {
      try edit("delete bookmark \(name)") { document in
        document.bookmarks.removeAll { $0.name.hasSameBytes(as: name) }
      }
    }
    if file.bookmarks[name] != nil {
      file.bookmarks.removeAll { $0.name.hasSameBytes(as: name) }
      keepBookmarks()
    }
    say("bookmark \(name) deleted")
  }

  private mutating func keepBookmarks() {
    guard file.isData, let path = file.path, path != "-" else { return }
    request(KeepBookmarksRequest(path: path, bookmarks: file.bookmarks))
  }

  mutating func go(toBookmark name: String) throws {
    let bookmark = try bookmark(named: name)
    rememberJump()
    if let magnification = bookmark.magnification {
      viewpoint.zoom = Camera.zoom(
        forMagnification: shownMagnification(magnification, bookmarkProjection))
    }
    viewpoint.center = camera.centered(on: bookmark.place).center
    settleCursor(at: bookmark.place)
    say("bookmark \(name)")
  }

  /// Lists the bookmarks to go to one: a letter goes to that of the letter.
  mutating func listBookmarks() throws {
    let bookmarks = self.bookmarks
    if bookmarks.isEmpty {
      throw EditingError(.notFound, "no bookmark yet: B and a letter sets one")
    }
    if isHeadless { return send(.print(bookmarks.map { words(for: $0) })) }
    ask(
      Question(
        title: Self.bookmarksTitle, text: "A letter goes to its bookmark, Enter to the chosen one.",
        choices: bookmarks.map { bookmark in
          Question.Choice(
            bookmark.name.count == 1 ? bookmark.name.first : nil, words(for: bookmark),
            line: "go bookmark \(CommandWord.quoted(bookmark.name))")
        }))
  }

  private static let bookmarksTitle = "Bookmarks"

  private func words(for bookmark: Bookmark) -> String {
    let magnification = bookmark.magnification.map { shownMagnification($0, bookmarkProjection) }
    return bookmark.name + "  " + Positions.text(bookmark.place, isGeographic: isGeographic)
      + (magnification.map { "  mag \(Figures.magnification($0))x" } ?? "")
  }
}
