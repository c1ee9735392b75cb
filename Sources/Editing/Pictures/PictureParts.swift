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

  package struct Millimetres: Hashable, Sendable {
    package var width: Int
    package var height: Int
  }

  /// The largest width and height.
  package static func limit(of unit: Unit) -> Int { unit == .cells ? 4096 : 20_000 }

  package init(_ width: Int, _ height: Int, _ unit: Unit, millimetres: Millimetres? = nil) {
    self.width = min(max(1, width), Self.limit(of: unit))
    self.height = min(max(1, height), Self.limit(of: unit))
    self.unit = unit
    self.millimetres = millimetres
  }
}
