import PortolanGraphics
import PortolanTestSupport

@testable import PortolanDocuments

/// Documents made of a seed, with everything that a document can hold.
struct RandomDocuments {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func document() -> Document {
    var document = Document(
      metadata: DocumentMetadata(
        title: text(), author: text(), licence: text(), units: chance(2) ? "degrees" : "metres",
        coordinateSystem: CoordinateSystem(authority: text(), code: text())))
    let styles = (0..<3).map { index in
      Style(
        name: text(), mark: mark(), labelField: chance(2) ? "name" : nil,
        rankField: index == 1 ? "rank" : nil,
        rankOrder: RankOrder.allCases.randomElement(using: &random) ?? .high,
        classes: index == 0 ? nil : classes(isCategories: index == 1)
      ).changed {
        $0.sizeField = chance(2) ? nil : "size"
        $0.isSymbolChosen = chance(2)
        $0.isThinned = chance(2)
        $0.isWeightChosen = chance(2)
        if $0.isWeightChosen { $0.mark.weight = pick(MarkStyle.Weight.allCases) }
      }
    }
    for _ in 0..<Int.random(in: 0..<4, using: &random) {
      let style = styles[Int.random(in: 0..<3, using: &random)]
      let layer = layer(id: LayerID(document.makeID()), style: style)
      document.layers.append(chance(3) ? notes(with: layer) : layer)
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      let overview = ViewID(document.makeID())
      var map = MapView(
        id: ViewID(document.makeID()), name: text(), mapName: text(),
        magnification: Double.random(in: 0.001..<10_000, using: &random),
        center: Coordinate(x: 12.5, y: -0.0), projection: pick(Projection.allCases),
        auxiliaryView: overview)
      map.legend = chance(2) ? LegendView(id: ViewID(document.makeID()), name: text()) : nil
      document.views.append(map)
      if chance(2) { document.views.append(MapView(id: overview, name: "o", mapName: "")) }
    }
    if chance(2) {
      let tabs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        PaneLayout.Part(
          name: chance(2) ? text() : "", layout: layout(levels: 4, in: &document))
      }
      document.layout = .node(
        PaneLayout.Node(
          axis: .tabs, parts: tabs, selected: Int.random(in: 0..<tabs.count, using: &random)))
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      document.bookmarks.set(
        Bookmark(
          name: text(),
          place: Coordinate(x: Double.random(in: -180...180, using: &random), y: -0.0),
          magnification: chance(2) ? nil : Double.random(in: 0.001..<10_000, using: &random)))
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      document.metadata.settings[pick(["units", "a", "später"])] = text()
    }
    return document
  }

  private mutating func classes(isCategories: Bool) -> StyleClasses? {
    if chance(3) { return nil }
    let scheme =
      isCategories
      ? StyleClasses.Scheme.values([.string(text()), .number("1.50"), .missing, .json("[1]")])
      : .breaks([-0.0, Double.random(in: 0...9, using: &random), 9, 1.7e308, 1.7e308])
    return StyleClasses(
      field: text(), scheme: scheme, looks: (0..<4).map { _ in look() }, noValue: look(),
      other: look())
  }

  private mutating func look() -> ClassLook {
    let mark = mark()
    return ClassLook(
      title: text(), colour: mark.stroke, symbol: chance(2) ? mark.symbol : nil,
      dash: chance(2) ? mark.dash : nil, pattern: chance(2) ? mark.pattern : nil)
  }

  /// Panes of views of the document, and of overviews that are added to it.
  private mutating func layout(levels: Int, in document: inout Document) -> PaneLayout {
    if levels == 0 || chance(2) {
      let views = document.views.map(\.id)
      if let view = views.randomElement(using: &random), !chance(4) {
        let links = PaneLayout.Links(rawValue: UInt8.random(in: 0...3, using: &random))
        return .leaf(PaneLayout.Leaf(view: view, links: links))
      }
      let overview = ViewID(document.makeID())
      document.views.append(OverviewView(id: overview, name: text()))
      return .leaf(PaneLayout.Leaf(view: overview))
    }
    let parts = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      PaneLayout.Part(
        share: Double.random(in: 0.001...9, using: &random),
        layout: layout(levels: levels - 1, in: &document))
    }
    return .node(
      PaneLayout.Node(
        axis: pick([.columns, .rows]), parts: parts,
        selected: Int.random(in: 0..<parts.count, using: &random)))
  }

  mutating func layer(id: LayerID, style: Style) -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    for _ in 0..<Int.random(in: 0..<60, using: &random) { appendFeature(to: &builder) }
    let members = [
      CollectionSource.Member(name: "type", json: "\"FeatureCollection\""),
      CollectionSource.Member(name: "x", json: "[\(Int.random(in: 0..<9, using: &random))]"),
      CollectionSource.Member(name: "features", json: ""),
    ]
    let source = CollectionSource(
      root: pick(CollectionSource.Root.allCases), members: members, whitespace: text(),
      decimals: Int.random(in: 0...15, using: &random))
    let blocks = builder.finish()
    var layer = FeatureLayer(
      id: id, name: text(), style: style, source: source, blocks: blocks,
      nextFeatureID: builder.nextFeatureID + 5)
    layer.isVisible = chance(2)
    layer.isLocked = chance(2)
    let least = chance(2) ? nil : Double.random(in: 0.01..<100, using: &random)
    let greatest = chance(2) ? nil : Double.random(in: 100..<1e5, using: &random)
    layer.zooms = ZoomBounds(least: least, greatest: greatest) ?? .all
    if chance(2) { layer.title = text() }
    if id.rawValue % 2 == 0 {
      let words = ["--layers=" + layer.name, "--limit=5"]
      layer.origin = LayerOrigin(source: layer.name, options: layer.isVisible ? words : [])
    }
    return layer
  }

  /// A layer of notes with the contents of another layer.
  private func notes(with layer: FeatureLayer) -> AnnotationLayer {
    var notes = AnnotationLayer(id: layer.id, name: layer.name)
    (notes.isVisible, notes.isLocked) = (layer.isVisible, layer.isLocked)
    (notes.zooms, notes.title) = (layer.zooms, layer.title)
    (notes.style, notes.source) = (layer.style, layer.source)
    (notes.blocks, notes.nextFeatureID) = (layer.blocks, layer.nextFeatureID)
    return notes
  }

  private mutating func appendFeature(to builder: inout FeatureBlockBuilder) {
    let kind = pick(GeometryKind.allCases)
    for path in 0..<(kind == .none ? 0 : Int.random(in: 0..<4, using: &random)) {
      let own = kind == .geometryCollection ? pick([.point, .lineString, .polygon]) : kind
      let role = PathRole(
        kind: own, beginsMember: path == 0, beginsPolygon: own.dimension == 2 && chance(2))
      let vertices = own == .point ? 1 : Int.random(in: 0..<6, using: &random)
      let pairs = (0..<2 * vertices).map { _ in ordinate() }
      let heights = chance(3) ? (0..<vertices).map { _ in chance(2) ? Double.nan : ordinate() } : []
      builder.geometry.appendPath(role, pairs: pairs, heights: heights)
    }
    if chance(2) {
      builder.identifiers.set(
        builder.row, .number, text: "\(Int.random(in: 0..<9, using: &random))")
    }
    for name in ["name", "rank", "π", "e\u{301}", "\u{E9}", ""].shuffled(using: &random).prefix(
      Int.random(in: 0...6, using: &random))
    {
      let kind = pick(AttributeKind.allCases.filter { $0 != .missing })
      let value =
        switch kind {
        case .number: "-1.50e+3"
        case .string: text()
        case .json: "{\"a\": [1, \"\\ud800\"]}"
        default: ""
        }
      builder.setAttribute(name, kind, text: value)
    }
    if chance(4) { builder.members.set("bbox", row: builder.row, json: "[0,0,1,1]") }
    if chance(5) { builder.members.set("foreign", row: builder.row, json: "{\"é\":null}") }
    var shape = FeatureShape(
      members: chance(2) ? ["type", "properties", "geometry"] : ["type", "id", "\u{E9}"],
      geometryMembers: ["coordinates", "type"],
      properties: pick([.object, .null, .absent]),
      numberStyle: pick([.shortest, .shortestWithPoint, .decimals(7), .source]),
      isCutOnExport: chance(3))
    if shape.numberStyle == .source {
      builder.sourceGeometries.set(builder.row, .json, text: "{\"type\": \"Point\" }")
    }
    shape.geometryMembers = chance(3) ? [] : shape.geometryMembers
    builder.endRow(kind, shape: shape)
  }

  private mutating func mark() -> MarkStyle {
    MarkStyle(
      stroke: chance(2) ? Colour(red: 1, green: 200, blue: 255) : nil,
      fill: chance(2) ? Colour(red: 0, green: 0, blue: 16) : nil,
      dash: pick(MarkStyle.Dash.allCases), pattern: pick(MarkStyle.Pattern.allCases),
      symbol: chance(2) ? "👩‍🚀" : "", isEmphasized: chance(2))
  }

  private mutating func text() -> String {
    pick(["", "plain", "Zürich", "e\u{301}", "东京", "a\u{0}b\n\u{1B}[2J", "$null", "🗺️"])
  }

  private mutating func ordinate() -> Double {
    chance(20)
      ? pick([-0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 1.7e308])
      : Double.random(in: -180...180, using: &random)
  }

  private mutating func chance(_ odds: Int) -> Bool {
    Int.random(in: 0..<odds, using: &random) == 0
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}
