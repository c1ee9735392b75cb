package import PortolanGraphics
package import PortolanTerminals

/// The looks of marks on screens of few colours.
extension MarkStyle {
  /// Whether areas are patterns of dots: without colours, and with eight where they stand for
  /// values, of which two would often have one colour or that of the ground.
  package func isPattern(_ depth: ColourDepth) -> Bool {
    depth == .mono || depth == .eight && showsValue && fill != nil
  }

  /// The colour of dots: that of lines, or of the values where those are patterns.
  package func ink(_ depth: ColourDepth) -> Colour? {
    isPattern(depth) ? fill ?? stroke : stroke ?? fill
  }
}
