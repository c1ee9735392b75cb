/// A style in the base colours of a terminal with eight or sixteen: readable first, then similar.
///
/// The nearest colours alone are not enough: dark ink on a pastel becomes black on black, and bold
/// black, which terminals of eight colours show as grey, is black on many of them. So ink is never
/// black (or grey) on black, never bold when it is black, and always contrasts with its paper.
package struct BaseColours: Hashable, Sendable {
  /// 0 to 7, or to 15 with sixteen colours; `nil` is the terminal's own.
  package private(set) var ink: Int?
  /// 0 to 7, or to 15 with sixteen colours; `nil` is the terminal's own.
  package private(set) var paper: Int?
  /// The style's attributes, bold as it suits the ink.
  package private(set) var attributes: CellAttributes

  /// The least contrast ratio between ink and paper (WCAG's definition).
  package static let contrastMin = 3.0

  /// - Parameter depth: `.eight` or `.sixteen`.
  /// - Complexity: about fifty distances, a microsecond; callers with many styles keep the results.
  package init(_ style: CellStyle, _ depth: ColourDepth) {
    attributes = style.attributes
    let isEight = depth == .eight
    paper =
      style.background.isStandard
      ? nil : isEight ? Palette.eight(style.background) : Palette.sixteen(style.background)
    if attributes.contains(.solid) {
      let solid = style.foreground
      ink = solid.isStandard ? nil : isEight ? Palette.eight(solid) : Palette.sixteen(solid)
      return
    }
    guard !style.foreground.isStandard else {
      // The terminal's own ink is readable on its own paper only.
      if let paper { takeReadableInk(on: paper) }
      return
    }
    let nearest = Palette.sixteen(style.foreground)
    guard let paper else {
      takeInk(nearest, isEight: isEight)
      return
    }
    ink = isEight ? nearest & 7 : nearest
    if isEight, nearest > 8 { attributes.insert(.bold) }
    if nearest == 0 || nearest == 8 {
      // Black is never bold, and grey counts as white or black.
      ink = nearest == 8 ? 7 : 0
      attributes.remove(.bold)
    }
    if !isReadable(on: paper) { takeReadableInk(on: paper) }
  }

  /// Chooses ink for the terminal's own paper, light or dark: greys become its own ink.
  private mutating func takeInk(_ nearest: Int, isEight: Bool) {
    switch nearest {
    case 0, 7, 8: ink = nil
    case 15:
      ink = nil
      attributes.insert(.bold)
    case 4:
      // Plain blue is next to invisible on black.
      ink = isEight ? 4 : 12
      if isEight { attributes.insert(.bold) }
    case 9...14 where isEight:
      ink = nearest - 8
      attributes.insert(.bold)
    default: ink = nearest
    }
  }

  private mutating func takeReadableInk(on paper: Int) {
    let white = Palette.contrast(Palette.colour(at: 7), Palette.colour(at: paper))
    let black = Palette.contrast(Palette.colour(at: 0), Palette.colour(at: paper))
    ink = white >= black ? 7 : 0
    if ink == 0 { attributes.remove(.bold) }
  }

  /// Whether the ink is readable, if the terminal shows bold as weight or as brightness.
  private func isReadable(on paper: Int) -> Bool {
    guard let ink else { return false }
    let shown = attributes.contains(.bold) && ink < 8 ? [ink, ink + 8] : [ink]
    return shown.allSatisfy {
      Palette.contrast(Palette.colour(at: $0), Palette.colour(at: paper)) >= Self.contrastMin
    }
  }
}
