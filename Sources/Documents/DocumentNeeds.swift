package import PortolanGraphics

/// The parts of a document that a question needs; the others are left in its file.
///
/// A document that was opened for less than `all` answers that question and no other: its blocks
/// may be outlines (`GeometryBlock.isOutline`). Metadata, styles, counts, boxes and attributes are
/// always there.
package enum DocumentNeeds: Hashable, Sendable {
  case all
  /// No coordinates: counts, boxes and attributes.
  case attributes
  /// The coordinates of features that may touch a box; `minX > maxX` spans the antimeridian.
  case touching(Box)

  /// The needs of the opening under way.
  static let current = TaskLocal<DocumentNeeds>(wrappedValue: .all)

  /// Whether the coordinates of a block are needed.
  ///
  /// Exports also ask features outside of the box: for jumps across the antimeridian, whether any
  /// has elevations, and whether all are points.
  func includes(_ block: GeometryBlock, hasElevations: Bool) -> Bool {
    switch self {
    case .all: return true
    case .attributes: return false
    case .touching(let box):
      if hasElevations || block.kinds.allSatisfy({ $0 == .point || $0 == .none }) { return true }
      // Whether the coordinates are degrees is not known to the block.
      let tests = [true, false].map { BoxTouch(box, isGeographic: $0) }
      return block.boxes.contains { bounds in
        if bounds.mayJump { return true }
        // Most features are too far to the north or to the south.
        if bounds.isOnGlobe, bounds.minY > box.maxY || bounds.maxY < box.minY { return false }
        return tests.contains { $0.mayTouch(bounds) }
      }
    }
  }
}
