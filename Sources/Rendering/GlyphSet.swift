/// The characters for the dots of a cell.
///
/// A cell is two dots wide and four high in every set: changing the set never moves the map.
package enum GlyphSet: String, Hashable, Sendable, CaseIterable {
  /// Two by four dots (U+2800 to U+28FF).
  case braille
  /// Two by two quarters.
  case quadrant
  /// An upper and a lower half.
  case half
  /// One ASCII character, by the direction of the lines in the cell.
  case ascii

  /// The characters for the edges of areas that belong to the set.
  package var blocks: EdgeBlocks {
    switch self {
    case .braille, .quadrant: .quadrant
    case .half: .half
    case .ascii: .none
    }
  }
}
