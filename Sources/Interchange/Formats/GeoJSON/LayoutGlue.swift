import PortolanGraphics

/// The text between the parts of a feature: brackets, commas and names with their white space,
/// composed once a layer.
struct LayoutGlue {
  /// The glue of one container: a class, since copies of four arrays would count four references
  /// for each feature.
  final class Level: Sendable {
    let open: [UInt8]
    let comma: [UInt8]
    let close: [UInt8]
    /// The empty container.
    let empty: [UInt8]

    init(open: [UInt8], comma: [UInt8], close: [UInt8], empty: [UInt8]) {
      (self.open, self.comma, self.close, self.empty) = (open, comma, close, empty)
    }
  }

  /// The names in a geometry object.
  struct GeometryKeys {
    var type: [UInt8]
    var coordinates: [UInt8]
    var geometries: [UInt8]
  }

  private let levels: [Level]
  private let coordinateLevels: [[Level]]
  /// The names of a feature's geometry, and of one in a collection.
  let keys: GeometryKeys
  let memberKeys: GeometryKeys
  /// The names of the kinds in quotes.
  private let kindNames: [[UInt8]]

  init(_ layout: GeoJSONLayout) {
    let arrays: [GeoJSONLayout.Container] = [.items, .members]
    let levels = (0..<GeoJSONLayout.Container.count).map { index in
      let container = GeoJSONLayout.Container(index: index)
      let isArray = index > GeoJSONLayout.Container.member.index || arrays.contains(container)
      let open = isArray ? UInt8(ascii: "[") : UInt8(ascii: "{")
      let close = isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")
      return Level(
        open: [open] + layout.gap(container, .afterOpen), comma: layout.comma(container),
        close: layout.gap(container, .beforeClose) + [close],
        empty: [open] + layout.gap(container, .empty) + [close])
    }
    self.levels = levels
    coordinateLevels = [false, true].flatMap { isMember in
      (1...4).map { depth in
        let first = GeoJSONLayout.Container.coordinates(depth: depth, level: 0, isMember: isMember)
        return Array(levels[first.index..<(first.index + depth)])
      }
    }
    func keys(_ container: GeoJSONLayout.Container) -> GeometryKeys {
      GeometryKeys(
        type: layout.key("type", container), coordinates: layout.key("coordinates", container),
        geometries: layout.key("geometries", container))
    }
    self.keys = keys(.geometry)
    memberKeys = keys(.member)
    kindNames = GeometryKind.allCases.map { Array("\"\($0.name ?? "")\"".utf8) }
  }

  /// The levels of coordinates with positions `depth` - 1 deep, outermost first.
  func coordinates(depth: Int, isMember: Bool) -> [Level] {
    coordinateLevels[depth - 1 + (isMember ? 4 : 0)]
  }

  /// The glue of a container.
  func level(_ container: GeoJSONLayout.Container) -> Level { levels[container.index] }

  /// A kind's name in quotes.
  func name(_ kind: GeometryKind) -> [UInt8] { kindNames[Int(kind.rawValue)] }
}

extension GeoJSONLayout {
  /// One feature a line and no other white space: the layout of new layers.
  static var lineByLine: GeoJSONLayout {
    var layout = GeoJSONLayout()
    for gap in [Gap.afterOpen, .afterComma, .beforeClose] {
      layout.gaps[place(.items, gap)] = [0x0A]
    }
    return layout
  }

  /// The layout within features; around them, that of new layers.
  var ofFeatures: GeoJSONLayout {
    var layout = GeoJSONLayout.lineByLine
    layout.gaps[Gap.count...] = gaps[Gap.count...]
    layout.escapes = escapes
    return layout
  }

  /// The layout of features on one line each: without white space in them if some breaks lines.
  var onLines: GeoJSONLayout {
    var layout = self
    layout.isLine = true
    let features = layout.gaps.indices.dropFirst(Gap.count)
    if features.contains(where: { gaps[$0]?.contains { $0 == 0x0A || $0 == 0x0D } ?? false }) {
      for place in features { layout.gaps[place] = nil }
    }
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
