package import PortolanDocuments
import PortolanGraphics

/// What a picture shows around and upon the map.
package struct PictureParts: Hashable, Sendable {
  /// Above the map; empty for none.
  package var title = ""
  /// Below the map, at the right: the source of the data; empty for none.
  package var credit = ""
  /// Below the map, topmost layer first; empty for none.
  package var legend: [LegendEntry] = []
  /// The legend has room for so many letters an entry at least: the numbers of marks that are left
  /// out change with the size of the map, which must not change with them.
  package var legendLetters = 0
  /// Whether the legend stands at the right of the map, where the page has the room.
  package var legendIsBeside = false
  package var hasScaleBar = false
  package var hasGraticule = false
  package var hasNorthArrow = false

  package init() {}
}

/// The size of a picture.
package struct PictureSize: Hashable, Sendable {
  package enum Unit: Hashable, Sendable {
    /// Cells of a terminal.
    case cells
    /// 1/96 inch.
    case pixels
  }

  package let width: Int
  package let height: Int
  package let unit: Unit
  /// The size in millimetres, if it was given so.
  package let millimetres: Millimetres?
  /// The pixels of a picture with another number of them an inch than 96.
  package private(set) var raster: Raster?

  package struct Raster: Hashable, Sendable {
    package var width: Int
    package var height: Int
    package var dotsPerInch: Int
  }

  package struct Millimetres: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
  }

  /// The largest width and height.
  package static func limit(of unit: Unit) -> Int { unit == .cells ? 4096 : 20_000 }

  package init(_ width: Int, _ height: Int, _ unit: Unit, millimetres: Millimetres? = nil) {
    self.width = min(max(1, width), Self.limit(of: unit))
    self.height = min(max(1, height), Self.limit(of: unit))
    self.unit = unit
    self.millimetres = millimetres
  }

  /// The size with some pixels an inch.
  ///
  /// - Parameter keepsPixels: whether a size that is not of paper stands for pixels; else the
  ///   picture has as many more of them.
  package func at(dotsPerInch: Int, keepsPixels: Bool) -> PictureSize {
    guard unit == .pixels, dotsPerInch > 0 else { return self }
    let ratio = Double(dotsPerInch) / 96
    func scaled(_ length: Int, by ratio: Double) -> Int {
      Int((Double(length) * ratio).rounded())
    }
    var size = self
    var pixels = (scaled(width, by: ratio), scaled(height, by: ratio))
    if let millimetres {
      let ratio = Double(dotsPerInch) / 25.4
      pixels = (scaled(millimetres.width, by: ratio), scaled(millimetres.height, by: ratio))
    } else if keepsPixels {
      pixels = (width, height)
      size = PictureSize(scaled(width, by: 1 / ratio), scaled(height, by: 1 / ratio), unit)
    }
    size.raster = Raster(
      width: max(1, pixels.0), height: max(1, pixels.1), dotsPerInch: dotsPerInch)
    return size
  }
}
