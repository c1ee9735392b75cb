import PortolanTexts

/// The content of a cell: one scalar, one cluster of several scalars, or the right half of a wide
/// one.
package struct Glyph: Hashable, Sendable {
  /// A scalar's value; or, with the top bit set, an index into the frame's clusters; or 0 for the
  /// right half of a wide glyph.
  package let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The glyph of one scalar; a visible placeholder for controls and other unprintable scalars.
  package init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value >= 0x20 && value < 0x7F || value >= 0x2800 && value < 0x2900 {
      rawValue = value
      return
    }
    switch ScalarKind(scalar) {
    case .narrow, .wide: rawValue = value
    case .mark, .joiner, .hidden: rawValue = ScalarKind.placeholder(for: scalar).value
    }
  }

  package static let space = Glyph(rawValue: 0x20)
  /// The cell to the right of a wide glyph: it is drawn by its neighbour.
  package static let continuation = Glyph(rawValue: 0)

  package var isContinuation: Bool { rawValue == 0 }

  /// The index among the frame's clusters; `nil` for a single scalar.
  package var clusterIndex: Int? {
    rawValue & Glyph.clusterBit == 0 ? nil : Int(rawValue & ~Glyph.clusterBit)
  }

  static let clusterBit: UInt32 = 0x8000_0000
}

/// One cell of a frame.
package struct Cell: Hashable, Sendable {
  package var glyph: Glyph
  package var style: CellStyle

  package init(glyph: Glyph = .space, style: CellStyle = .plain) {
    self.glyph = glyph
    self.style = style
  }

  package static let blank = Cell()
}
