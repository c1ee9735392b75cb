package import PortolanGraphics

/// A place on a page, in its units (1/96 inch) from the top left corner.
package struct PagePoint: Hashable, Sendable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of a page, in its units.
package struct PageRect: Hashable, Sendable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var maxX: Double { x + width }
  package var maxY: Double { y + height }

  func expanded(by margin: Double) -> PageRect {
    PageRect(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  var corners: [PagePoint] {
    [(x, y), (maxX, y), (maxX, maxY), (x, maxY)].map { PagePoint(x: $0.0, y: $0.1) }
  }

  func intersects(_ other: PageRect) -> Bool {
    other.x <= maxX && x <= other.maxX && other.y <= maxY && y <= other.maxY
  }

  func contains(_ point: PagePoint) -> Bool {
    point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
  }
}

/// A line on a page, or the outline of an area.
package struct PagePath: Hashable, Sendable {
  package var points: [PagePoint]
  package var isClosed: Bool

  package init(points: [PagePoint], isClosed: Bool) {
    self.points = points
    self.isClosed = isClosed
  }
}

/// The lines and areas of one feature; areas by the even-odd rule.
package struct PageShape: Sendable {
  package var block: GeometryBlock
  package var row: Int
  package var paths: [PagePath]
  /// The lines around the areas, where those are not all of `paths`: without the edges along which
  /// the data is cut.
  package var outline: [PagePath]?
  package var style: MarkStyle

  /// The width of the line, in the colour of the area, that hides the seam of areas with an
  /// `outline` of their own.
  package static let seamWidth = 0.8

  /// The lines to draw.
  package var lines: [PagePath] { outline ?? paths }
}

/// The sign of a point.
package struct PageSign: Sendable {
  package var block: GeometryBlock
  package var row: Int
  package var place: PagePoint
  package var style: MarkStyle
  /// The radius of the sign; `nil` for its usual size.
  package var radius: Double?
}

/// A text beside a point, along a line or in an area.
package struct PageLabel: Sendable {
  package enum Anchor: Sendable {
    case start, middle, end
  }

  package var text: String
  /// The start, the middle or the end of the text, halfway up its small letters.
  package var place: PagePoint
  package var anchor: Anchor
  package var style: MarkStyle
  /// The feature that it names.
  package var layer: Int
  package var block: GeometryBlock
  package var row: Int
  /// The place that it belongs to: its point, or its own.
  package var home: PagePoint
  /// The place of its point, if a higher one nearby has kept the sign from being painted.
  package var sign: PagePoint?
  /// The room between its letters beyond the usual one.
  package var letterSpacing = 0.0
  /// Whether it is in capitals.
  package var isCapital = false
  /// Whether it stands beside the area that it names.
  package var isBeside = false
  /// The line for its letters along the line that it names; `nil` for a level one at its place.
  package var baseline: PageBaseline?
  /// The area beneath its middle; `nil` where there is none.
  package var ground: MarkStyle?
  /// Whether no area of another colour is beneath its ends.
  package var hasOneGround = true
  /// Whether it stands where there was room, not at a fixed place.
  var isPlaced = false
  /// The names of the lines of its block, of a name of a line.
  var line: FeatureNames?
  /// Whether it names a point.
  package var isOfPoint: Bool { block.dimension(ofFeature: row) == 0 }
  /// Whether it names a line.
  var isOfLine: Bool { isPlaced && sign == nil && block.dimension(ofFeature: row) == 1 }
}

/// The parts of a map, in the order of painting.
package enum PagePart: Hashable, Sendable {
  /// The number that was given to `Canvas.beginLayer`.
  case layer(Int)
  case labels
}

/// Paints a map on a page: the encoder of a picture format.
package protocol PagePainter {
  mutating func begin(_ part: PagePart)
  mutating func end(_ part: PagePart)
  mutating func paint(_ shape: PageShape)
  mutating func paint(_ sign: PageSign)
  /// Points without signs.
  mutating func paint(dots: [PagePoint], style: MarkStyle)
  mutating func paint(_ label: PageLabel)
  /// Begins the line around all areas of a layer, beneath the layer: as wide as twice what is seen
  /// of it, for the areas will cover a half.
  ///
  /// - Returns: whether the areas are to be painted for it now.
  mutating func beginCoast(of layer: Int) -> Bool
  mutating func endCoast()
}

extension PagePainter {
  package mutating func beginCoast(of layer: Int) -> Bool { false }
  package mutating func endCoast() {}
}
