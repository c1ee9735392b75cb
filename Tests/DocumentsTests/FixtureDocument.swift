import PortolanGraphics

@testable import PortolanDocuments

/// The document that the fixture `v1-everything.doc` holds: one of everything that version 1 has.
enum FixtureDocument {
  static func make() -> Document {
    var document = Document(
      metadata: DocumentMetadata(
        title: "Everything", author: "Fräulein 地図", licence: "public domain", units: "degrees",
        coordinateSystem: .crs84))
    let shared = Style(
      name: "shared",
      mark: MarkStyle(
        stroke: Colour(red: 255, green: 128, blue: 0), fill: Colour(red: 0, green: 0, blue: 64),
        dash: .dashed, pattern: .hatched, symbol: "▲", isEmphasized: true),
      labelField: "name", rankField: "rank")
    let own = Style(name: "own", mark: MarkStyle())
    document.layers = [
      points(style: shared), shapes(style: shared),
      FeatureLayer(id: LayerID(12), name: "empty", style: own),
    ]
    document.layers[1].isVisible = false
    document.layers[2].isLocked = true
    let legend = LegendView(id: ViewID(3), name: "Legend", isShown: false)
    document.views = [
      MapView(
        id: ViewID(1), name: "Main", mapName: "Everything", magnification: 8.6,
        center: Coordinate(x: 13.4, y: 52.52), projection: .webMercator, legend: legend,
        auxiliaryView: ViewID(2)),
      MapView(id: ViewID(2), name: "Overview", mapName: "World", projection: .equirectangular),
      MapView(
        id: ViewID(4), name: "Plan", mapName: "", magnification: 0.25,
        center: Coordinate(x: -1e6, y: 2.5e-3), projection: .planar, auxiliaryView: ViewID(99)),
      LegendView(id: ViewID(5), name: "Loose legend"),
    ]
    document.nextID = 20
    return document
  }

  /// The document of `v2-everything.doc`: what version 2 brought besides, groups in a group.
  static func makeSecond() throws -> Document {
    var document = make()
    document.metadata.coordinateSystem = CoordinateSystem(authority: "", code: "local grid: A")
    let inner = try document.group([LayerID(10), LayerID(12)], named: "inner")
    let outer = try document.group([inner, LayerID(11)], named: "outer")
    document[layer: outer]?.isLocked = true
    document[layer: inner]?.isVisible = false
    try document.group([outer], named: "alone")
    return document
  }

  /// The document of `v3-everything.doc`: what version 3 brought besides, panes. One overview is
  /// shown, one is closed; one view is shown twice, and the loose legend has a pane as well.
  static func makeThird() throws -> Document {
    var document = try makeSecond()
    for index in document.views.indices {
      guard var map = document.views[index] as? MapView else { continue }
      map.auxiliaryView = [1: ViewID(21), 4: ViewID(22)][map.id.rawValue]
      document.views[index] = map
    }
    document.views.append(OverviewView(id: ViewID(21), name: "Übersicht"))
    document.views.append(OverviewView(id: ViewID(22), name: "closed"))
    document.nextID = 30
    func leaf(_ view: UInt64, share: Double = 1, isLinked: Bool = false) -> PaneLayout.Part {
      PaneLayout.Part(
        share: share,
        layout: .leaf(PaneLayout.Leaf(view: ViewID(view), links: isLinked ? .center : [])))
    }
    let left = PaneLayout.Node(axis: .rows, parts: [leaf(1, share: 0.65), leaf(21, share: 0.35)])
    let split = PaneLayout.Node(
      axis: .columns,
      parts: [
        PaneLayout.Part(share: 2, layout: .node(left)), leaf(4, isLinked: true),
        leaf(1, share: 0.1, isLinked: true),
      ], selected: 1)
    document.layout = .node(
      PaneLayout.Node(
        axis: .tabs, parts: [leaf(2), PaneLayout.Part(layout: .node(split)), leaf(5)], selected: 1))
    return document
  }

  /// Whether a map refers to a view that no archive of the document holds.
  static func refersToClosedOverview(_ document: Document) -> Bool {
    let shown = document.layout?.leaves.map(\.view) ?? []
    return document.views.contains { map in
      guard let id = (map as? MapView)?.auxiliaryView else { return false }
      guard let view = document.view(id) else { return true }
      return view.isHeldByPanes && !shown.contains(id)
    }
  }

  /// As a file gives it.
  static func reopened(_ document: Document) throws -> Document {
    try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
  }

  /// Two blocks of points with attributes of every kind.
  private static func points(style: Style) -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    let role = PathRole(kind: .point, beginsMember: true, beginsPolygon: false)
    let plain = FeatureShape(
      members: ["type", "geometry", "properties"], geometryMembers: ["type", "coordinates"],
      numberStyle: .decimals(4))
    let odd = FeatureShape(
      members: ["id", "type", "bbox", "geometry", "note"],
      geometryMembers: ["coordinates", "type", "precision"], properties: .null,
      numberStyle: .source)
    let values: [(String, AttributeKind, String)] = [
      ("name", .string, "Zürich"), ("rank", .number, "1.50e+3"), ("capital", .yes, ""),
      ("coastal", .no, ""), ("mayor", .null, ""), ("tags", .json, "[1, {\"a\": \"\\ud800\"}]"),
      ("big", .number, "12345678901234567890"), ("", .string, ""),
    ]
    for row in 0..<6 {
      builder.geometry.appendPath(role, pairs: [Double(row) + 0.25, -Double(row)])
      if row % 2 == 0 {
        builder.identifiers.set(builder.row, row == 0 ? .string : .number, text: "\(row)")
      }
      let ordered = row == 3 ? Array(values.reversed()) : Array(values.dropFirst(row))
      for (name, kind, text) in ordered {
        builder.setAttribute(name, kind, text: text)
      }
      if row == 4 {
        builder.members.set("bbox", row: builder.row, json: "[4.25,-4,4.25,-4]")
        builder.members.set("note", row: builder.row, json: "{\"by\": null}")
        builder.geometryMembers.set("precision", row: builder.row, json: "3")
        builder.sourceGeometries.set(
          builder.row, .json,
          text: "{\"coordinates\":[4.25e0,-4],\"type\":\"Point\",\"precision\":3}")
        builder.sourceFeatures.set(builder.row, .json, text: "{ \"type\" : \"Feature\" }")
      }
      builder.endRow(.point, shape: row == 4 ? odd : plain)
    }
    _ = builder.finish()
    builder.endRow(.none, shape: .plain)
    builder.endRow(.point, shape: plain)
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(10), name: "points", style: style,
      source: CollectionSource(
        root: .featureCollection,
        members: [
          .init(name: "type", json: "\"FeatureCollection\""),
          .init(name: "crs", json: "{\"type\":\"name\"}"), .init(name: "features", json: ""),
        ], whitespace: "\n", decimals: 4),
      blocks: blocks, nextFeatureID: builder.nextFeatureID + 3)
  }

  /// Lines with heights, polygons with holes, several parts, and a collection.
  private static func shapes(style: Style) -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    let square = [0.0, 0, 4, 0, 4, 4, 0, 4, 0, 0]
    let hole = [1.0, 1, 1, 2, 2, 2, 2, 1, 1, 1]
    func role(_ kind: GeometryKind, member: Bool = false, polygon: Bool = false) -> PathRole {
      PathRole(kind: kind, beginsMember: member, beginsPolygon: polygon)
    }
    builder.geometry.appendPath(
      role(.lineString, member: true), pairs: [-180, 90, 179.9999999, -89.5, -0.0, 5e-3],
      heights: [1.5, .nan, -8_848])
    builder.endRow(.lineString, shape: shape)
    builder.geometry.appendPath(role(.polygon, member: true, polygon: true), pairs: square)
    builder.geometry.appendPath(role(.polygon), pairs: hole)
    builder.endRow(.polygon, shape: shape)
    builder.geometry.appendPath(role(.multiPolygon, member: true, polygon: true), pairs: square)
    builder.geometry.appendPath(role(.multiPolygon), pairs: hole)
    builder.geometry.appendPath(role(.multiPolygon, polygon: true), pairs: square.map { $0 + 10 })
    builder.endRow(.multiPolygon, shape: shape)
    builder.geometry.appendPath(role(.multiPoint, member: true), pairs: [1, 2, 3, 4])
    builder.endRow(.multiPoint, shape: shape)
    builder.geometry.appendPath(role(.multiLineString, member: true), pairs: [0, 0, 1, 1])
    builder.geometry.appendPath(role(.multiLineString), pairs: [2, 2, 3, 3, 4, 2])
    builder.endRow(.multiLineString, shape: shape)
    builder.geometry.appendPath(role(.point, member: true), pairs: [7, 8])
    builder.geometry.appendPath(role(.lineString, member: true), pairs: [7, 8, 9, 9])
    builder.geometry.appendPath(role(.polygon, member: true, polygon: true), pairs: square)
    builder.endRow(.geometryCollection, shape: shape)
    let blocks = builder.finish()
    return FeatureLayer(
      id: LayerID(11), name: "shapes", style: style, blocks: blocks,
      nextFeatureID: builder.nextFeatureID)
  }
}
