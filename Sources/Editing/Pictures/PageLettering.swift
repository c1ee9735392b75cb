import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// The letters of a map's names on a page: their size by the importance of what they name, and
/// their colours.
struct PageLettering: Hashable, Sendable {
  /// The letter height.
  var size = usualSize
  var colour: Colour
  /// The ground around the letters.
  var halo: Colour

  /// The letter height of names without an importance.
  static let usualSize = 10.0
  private static let (smallSize, largeSize) = (9.0, 11.0)
  /// Capitals of this height have the width that other letters of the usual one have.
  private static let capitalSize = 8.5

  /// - Parameter layers: those of the page, by the numbers of their labels.
  init(_ label: PageLabel, of layers: [any Layer], _ ink: GroundInk) {
    let style = label.style
    if style.showsValue, let fill = style.fill, !label.isBeside {
      // A name in the ink of its class would not stand out from it.
      (colour, halo) = (ink.strongest(on: fill), fill)
    } else {
      (colour, halo) = (ink.text(style.stroke ?? style.fill), ink.paper)
    }
    if label.isCapital, label.letterSpacing == 0 { size = Self.capitalSize }
    guard layers.indices.contains(label.layer) else { return }
    switch layers[label.layer].importance(ofSign: style.symbol) {
    case .small: size = Self.smallSize
    case .large: size = Self.largeSize
    case .middle: break
    }
  }

  /// The room between the names' cells for letters of this size, in units of the page.
  func room(for text: String) -> Double {
    PageLayout.textWidth(text, size: Self.usualSize) + 2 + (size > Self.usualSize ? 6 : 0)
  }
}
