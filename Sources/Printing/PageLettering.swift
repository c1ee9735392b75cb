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
  private static let (smallSize, middleSize, largeSize) = (9.0, 9.5, 10.0)
  /// No town has larger letters than its country; spaced capitals are larger still.
  private static let (capitalSize, spacedSize) = (10.0, 11.0)

  /// - Parameters:
  ///   - layers: those of the page, by the numbers of their labels.
  ///   - ground: the colour of the map where no area is.
  init(_ label: PageLabel, of layers: [any Layer], _ ink: GroundInk, on ground: Colour) {
    let style = label.style
    let isOfClass = style.showsValue && style.fill != nil && !label.isBeside
    if !label.hasOneGround, isOfClass || label.ground?.showsValue ?? false {
      // No class has the letters alone: they stand upon the paper's colour.
      (colour, halo) = (isOfClass ? ink.strong : ink.text(style.stroke ?? style.fill), ink.paper)
    } else if isOfClass, let fill = style.fill {
      // A name in the ink of its class would not stand out from it.
      (colour, halo) = (ink.strongest(on: fill), fill)
    } else {
      halo = label.ground.flatMap(ink.area) ?? ground
      colour = ink.text(style.stroke ?? style.fill, on: halo)
    }
    if label.isCapital { size = label.letterSpacing == 0 ? Self.capitalSize : Self.spacedSize }
    guard label.isOfPoint, layers.indices.contains(label.layer) else { return }
    switch layers[label.layer].importance(ofSign: style.symbol) {
    case .small: size = Self.smallSize
    case .large: size = Self.largeSize
    case .middle: size = Self.middleSize
    }
  }

  /// The room between the names' cells for letters of this size, in units of the page.
  func room(for text: String) -> Double {
    PageLayout.textWidth(text, size: Self.usualSize) + (size >= Self.usualSize ? 8 : 2)
  }
}
