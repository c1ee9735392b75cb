import PortolanGraphics

/// The marks so far: of many dots of a layer in one place one is painted, of the signs of a point
/// one.
struct PaintedMarks {
  private struct Place: Hashable {
    var x: Int32
    var y: Int32
  }

  private struct Sign: Hashable {
    var block: ObjectIdentifier
    var row: Int
  }

  /// The areas beneath the names of the map: at some places of each.
  var grounds: PageGrounds
  private var style: MarkStyle?
  private var places: Set<Place> = []
  private var signs: [Sign: PageSign] = [:]

  init(names: [PageLabel]) { grounds = PageGrounds(names.flatMap(\.grounds)) }

  /// The area beneath the middle of a name, and whether others of other colours are beneath it too.
  func ground(ofName number: Int) -> (middle: MarkStyle?, isOne: Bool) {
    let first = number * PageLabel.groundCount
    let styles = grounds.styles[first..<(first + PageLabel.groundCount)]
    let middle = styles[first + PageLabel.groundCount / 2]
    return (middle, styles.allSatisfy { $0?.fill == middle?.fill })
  }

  mutating func beginLayer() { (style, places) = (nil, []) }

  /// The rectangles of the signs.
  var signRects: [PageRect] {
    signs.values.map { sign in
      PageRect(x: sign.place.x, y: sign.place.y, width: 0, height: 0)
        .expanded(by: sign.radius ?? 2.6)
    }
  }

  mutating func addSign(_ sign: PageSign) {
    signs[Sign(block: ObjectIdentifier(sign.block), row: sign.row)] = sign
  }

  /// The sign of a feature; `nil` if it has none.
  func sign(_ block: GeometryBlock, _ row: Int) -> PageSign? {
    signs[Sign(block: ObjectIdentifier(block), row: row)]
  }

  /// The first of all dots that are within the same tenth of a unit and look alike.
  mutating func newDots(of dots: [PagePoint], _ style: MarkStyle) -> [PagePoint] {
    if self.style != style { (self.style, places) = (style, []) }
    return dots.filter {
      let (x, y) = (Int32(clamping: Int($0.x * 10)), Int32(clamping: Int($0.y * 10)))
      return places.insert(Place(x: x, y: y)).inserted
    }
  }
}
