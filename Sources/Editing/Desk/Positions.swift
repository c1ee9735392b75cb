import PortolanDocuments
package import PortolanGraphics
import PortolanPrinting

/// Positions as people type them.
package enum Positions {
  /// A turn and a half.
  private static let longitudeMost = 540.0

  /// Reads a position.
  ///
  /// `13.4 52.5` or `13.4,52.5` is lon lat (x y); `52°31'N 13°24'E` in any order, told by the
  /// letters; `@1,2` is relative to `base`; `@5<90` is a distance (km, or units on planar maps) and
  /// a bearing in degrees clockwise from north, along the geodesic. Longitudes beyond 180, up to a
  /// turn and a half, are brought to -180 ... 180.
  ///
  /// - Throws: `EditingError` that says how to write one.
  package static func parse(
    _ text: String, base: Coordinate, isGeographic: Bool
  ) throws -> Coordinate {
    let text = String(text.drop { $0.isWhitespace })
    let position: Coordinate?
    if text.hasPrefix("@") {
      position = relative(String(text.dropFirst()), base, isGeographic)
    } else if text.contains(where: { "NSEWnsew".contains($0) }) {
      position = isGeographic ? AngleText.place(text, longitudeMost: longitudeMost) : nil
    } else {
      position = pair(text)
    }
    guard let position else {
      throw EditingError(
        .usage,
        "“\(text)” is no position: write lon lat as 13.4 52.5, 52°31'N 13°24'E, @dx,dy "
          + "or @distance<bearing")
    }
    guard isGeographic else {
      guard position.x.isFinite, position.y.isFinite else { throw EditingError.beyondNumbers }
      return position
    }
    guard abs(position.y) <= 90, abs(position.x) <= longitudeMost else {
      throw EditingError(.usage, "“\(text)”: longitude comes first, then latitude up to 90")
    }
    return Coordinate(x: Geodesy.wrapped(position.x), y: position.y)
  }

  /// A position in words: `52.5170°N 13.3889°E`, or two numbers on planar maps.
  package static func text(_ place: Coordinate, isGeographic: Bool) -> String {
    guard isGeographic else {
      return Figures.short(place.x, decimals: 3) + ", " + Figures.short(place.y, decimals: 3)
    }
    return Figures.fixed(abs(place.y), decimals: 4) + "°" + (place.y < 0 ? "S " : "N ")
      + Figures.fixed(abs(place.x), decimals: 4) + "°" + (place.x < 0 ? "W" : "E")
  }

  private static func pair(_ text: String) -> Coordinate? {
    let parts = text.split { $0 == "," || $0.isWhitespace }
    guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]), x.isFinite,
      y.isFinite
    else { return nil }
    return Coordinate(x: x, y: y)
  }

  private static func relative(
    _ text: String, _ base: Coordinate, _ isGeographic: Bool
  ) -> Coordinate? {
    guard let mark = text.firstIndex(of: "<") else {
      return pair(text).map { Coordinate(x: base.x + $0.x, y: base.y + $0.y) }
    }
    guard let distance = Double(text[..<mark]), distance.isFinite,
      let bearing = Double(text[text.index(after: mark)...]), bearing.isFinite
    else { return nil }
    guard isGeographic else {
      let angle = bearing * .pi / 180
      return Coordinate(
        x: base.x + distance * Mathematics.sine(angle),
        y: base.y + distance * Mathematics.cosine(angle))
    }
    let end = Geodesy.direct(from: base, bearing: bearing, distance: distance * 1000)
    return end.x.isFinite ? Coordinate(x: Geodesy.wrapped(end.x), y: end.y) : nil
  }
}

extension Desk {
  /// A position as typed; relative ones count from the draft's last vertex, from the last point
  /// that is measured, or from the cursor.
  func position(_ text: String) throws -> Coordinate {
    var base = (isDrawing ? draft?.vertices.last : measuring?.path.places.last) ?? cursor
    if isGeographic { base.x = Longitude.wrapped(base.x) }
    return try Positions.parse(text, base: base, isGeographic: isGeographic)
  }
}
