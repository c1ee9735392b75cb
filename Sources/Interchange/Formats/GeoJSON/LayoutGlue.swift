/// What stands between the parts of a geometry: brackets and commas with their white space.
struct LayoutGlue {
  /// The glue of one level of brackets.
  struct Level {
    var open: [UInt8]
    var comma: [UInt8]
    var close: [UInt8]
  }

  private let levels: [Level]
  /// An empty array of coordinates.
  let empty: [UInt8]

  init(_ layout: GeoJSONLayout) {
    levels = (0..<GeoJSONLayout.Container.count).map { index in
      func gap(_ gap: GeoJSONLayout.Gap) -> [UInt8] {
        layout.gap(GeoJSONLayout.Container(index: index), gap)
      }
      return Level(
        open: [UInt8(ascii: "[")] + gap(.afterOpen),
        comma: gap(.beforeComma) + [UInt8(ascii: ",")]
          + gap(.afterComma),
        close: gap(.beforeClose) + [UInt8(ascii: "]")])
    }
    let hollow = GeoJSONLayout.Container.coordinates(depth: 1, level: 0, isMember: false)
    let gap = layout.gap(hollow, .empty)
    empty = [UInt8(ascii: "[")] + gap + [UInt8(ascii: "]")]
  }

  /// The levels of coordinates whose positions lie `depth` - 1 deep, outermost first.
  func coordinates(depth: Int, isMember: Bool) -> [Level] {
    let first = GeoJSONLayout.Container.coordinates(depth: depth, level: 0, isMember: isMember)
    return Array(levels[first.index..<(first.index + depth)])
  }

  /// The glue of any other container.
  func level(_ container: GeoJSONLayout.Container) -> Level { levels[container.index] }
}

extension GeoJSONLayout {
  /// One feature a line and no other white space: what new layers are written as.
  static var lineByLine: GeoJSONLayout {
    var layout = GeoJSONLayout()
    for gap in [Gap.afterOpen, .afterComma, .beforeClose] {
      layout.gaps[place(.items, gap)] = [0x0A]
    }
    return layout
  }

  /// The same without white space, as a line needs it.
  var withoutGaps: GeoJSONLayout {
    var layout = GeoJSONLayout()
    layout.escapes = escapes
    layout.isLine = true
    return layout
  }

  func gap(_ container: Container, _ gap: Gap) -> [UInt8] {
    gaps[Self.place(container, gap)] ?? []
  }

  /// A comma with the white space around it.
  func comma(_ container: Container) -> [UInt8] {
    gap(container, .beforeComma) + [UInt8(ascii: ",")] + gap(container, .afterComma)
  }

  /// A name in quotes with its colon and the white space around that.
  func key(_ name: String, _ container: Container) -> [UInt8] {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    JSONText.escape(name.utf8, style: escapes, into: &text)
    text.append(UInt8(ascii: "\""))
    text += gap(container, .beforeColon)
    text.append(UInt8(ascii: ":"))
    return text + gap(container, .afterColon)
  }
}
