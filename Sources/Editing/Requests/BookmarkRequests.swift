import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanKeeping

/// Keeps the bookmarks of a file of map data. They are not worth an error.
struct KeepBookmarksRequest: Request {
  let path: String
  let bookmarks: [Bookmark]

  /// No job is shown for it.
  var name: String { "" }
  var isWriting: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) {
    guard world.options.guardsDocuments, let state = world.options.state else { return }
    try? DataBookmarks(of: world.store.realPath(of: path), in: state, world.files).write(
      bookmarks.map { bookmark in
        DataBookmarks.Line(
          name: bookmark.name,
          numbers: [bookmark.place.x, bookmark.place.y]
            + (bookmark.magnification.map { [$0] } ?? []))
      })
  }

  func take(_ answer: Void, in desk: inout Desk) {}
}

extension World {
  /// The bookmarks that were kept for a file of map data.
  func bookmarks(of path: String) -> [Bookmark] {
    guard let state = options.state, path != "-" else { return [] }
    return DataBookmarks(of: store.realPath(of: path), in: state, files).lines().map { line in
      let magnification = line.numbers.count > 2 ? line.numbers[2] : nil
      return Bookmark(
        name: line.name, place: Coordinate(x: line.numbers[0], y: line.numbers[1]),
        magnification: magnification.flatMap { ZoomBounds.limits.contains($0) ? $0 : nil })
    }
  }
}
