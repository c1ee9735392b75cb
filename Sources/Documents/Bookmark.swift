package import Archiving
package import PortolanGraphics

/// A place on the map with a name, to come back to.
package struct Bookmark: Sendable {
  package var name: String
  package var place: Coordinate
  /// That of the map around it; `nil` keeps the one at hand.
  package var magnification: Double?
  /// Fields that a newer program wrote.
  private var unread = UnreadFields()

  package init(name: String, place: Coordinate, magnification: Double? = nil) {
    self.name = name
    self.place = place
    self.magnification = magnification
  }
}

extension Bookmark {
  func isSame(as other: Bookmark) -> Bool {
    name.hasSameBytes(as: other.name) && place == other.place
      && magnification == other.magnification
  }
}

extension Bookmark: Coding {
  package static let archivedClass: ArchivedClass = "PortolanBookmark"

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeDouble(place.x, forKey: "x")
    try coder.encodeDouble(place.y, forKey: "y")
    if let magnification {
      let bounds = ZoomBounds.limits
      try coder.encodeDouble(
        min(max(magnification, bounds.lowerBound), bounds.upperBound), forKey: "magnification")
    }
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    place = Coordinate(
      x: try coder.decodeDouble(forKey: "x"), y: try coder.decodeDouble(forKey: "y"))
    guard place.x.isFinite, place.y.isFinite else {
      throw coder.invalidValue("a bookmark is at finite numbers", forKey: "x")
    }
    magnification = try coder.decodeDoubleIfPresent(forKey: "magnification")
    if let magnification, !ZoomBounds.limits.contains(magnification) {
      throw coder.invalidValue("\(magnification) is out of range", forKey: "magnification")
    }
    unread = try coder.unreadFields()
  }
}

extension [Bookmark] {
  /// The bookmark of a name.
  package subscript(name: String) -> Bookmark? {
    first { $0.name.hasSameBytes(as: name) }
  }

  /// Puts a bookmark in the place of the one of its name, or behind all.
  package mutating func set(_ bookmark: Bookmark) {
    if let index = firstIndex(where: { $0.name.hasSameBytes(as: bookmark.name) }) {
      self[index] = bookmark
    } else {
      append(bookmark)
    }
  }
}
