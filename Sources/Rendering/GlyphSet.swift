/// Which characters stand for the dots of a cell.
///
/// A cell is two dots wide and four high in every set, so that changing the set never moves the map.
package enum GlyphSet: String, Hashable, Sendable, CaseIterable {
  /// Two by four dots (U+2800 to U+28FF).
  case braille
  /// Two by two quarters.
  case quadrant
  /// An upper and a lower half.
  case half
  /// One ASCII character by the direction of what crosses the cell.
  case ascii
}

/// What a canvas can use to tell things apart.
package enum ColourDepth: String, Hashable, Sendable, CaseIterable {
  /// Foreground and background colours.
  case colour
  /// No colours: bold, underline, patterns of dots.
  case mono
}
