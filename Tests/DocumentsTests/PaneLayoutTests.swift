import Archiving
import Testing

@testable import PortolanDocuments

@Suite("Panes in documents")
struct PaneLayoutTests {
  private func nodes(_ bytes: [UInt8], _ name: String) throws -> [ObjectGraph.Node] {
    let graph = try ObjectGraph(bytes)
    return try (0..<graph.nodeCount).map { try graph.node(NodeID(rawValue: UInt32($0))) }
      .filter { $0.classChain.first == name }
  }

  private func leaf(_ id: UInt64) -> PaneLayout { .leaf(PaneLayout.Leaf(view: ViewID(id))) }

  /// A map with its overview, which a pane shows or not.
  private func document(shows: Bool) -> Document {
    var document = Document()
    var map = MapView(id: ViewID(1), name: "Map", mapName: "m", auxiliaryView: ViewID(9))
    map.legend = LegendView(id: ViewID(2), name: "Legend")
    document.views = [map, OverviewView(id: ViewID(9), name: "Overview")]
    document.nextID = 10
    let parts = [PaneLayout.Part(layout: leaf(1))] + (shows ? [.init(layout: leaf(9))] : [])
    document.layout = .node(PaneLayout.Node(axis: .rows, parts: parts))
    return document
  }

  @Test("An overview is in the file while a pane shows it, and its map refers to it")
  func shownOverview() throws {
    let bytes = try DocumentArchive.bytes(of: document(shows: true))
    #expect(try nodes(bytes, "PortolanOverviewView").count == 1)
    let opened = try DocumentArchive.open(bytes).document
    #expect((opened.views[0] as? MapView)?.auxiliaryView == ViewID(9))
    #expect(opened.views.map(\.className) == ["PortolanMapView", "PortolanOverviewView"])
    #expect(opened.layout?.leaves.map(\.view) == [ViewID(1), ViewID(9)])
    // It is held by its pane alone.
    var rewriter = GraphRewriter(try ObjectGraph(bytes))
    let root = try rewriter.root()
    var node = try rewriter.node(root)
    node["layout"] = nil
    rewriter.replace(root, with: node)
    let rest = try DocumentArchive.open(rewriter.finish()).document
    #expect(rest.views.map(\.id) == [ViewID(1)])
    #expect((rest.views[0] as? MapView)?.auxiliaryView == nil)
  }

  @Test("A closed overview is not in the file, its map has none, and the legend stays")
  func closedOverview() throws {
    let bytes = try DocumentArchive.bytes(of: document(shows: false))
    #expect(try nodes(bytes, "PortolanOverviewView").isEmpty)
    let opened = try DocumentArchive.open(bytes).document
    let map = try #require(opened.views.first as? MapView)
    #expect(opened.views.count == 1)
    #expect(map.auxiliaryView == nil)
    #expect(map.legend?.name == "Legend")
    #expect(opened.nextID == 10)
  }

  @Test("Leaves without views are left out when saving, and so is what is too much")
  func cut() throws {
    var document = document(shows: true)
    var parts = [PaneLayout.Part(share: 3, layout: leaf(77)), .init(layout: leaf(1))]
    document.layout = .node(PaneLayout.Node(axis: .columns, parts: parts, selected: 1))
    var opened = try FixtureDocument.reopened(document)
    #expect(
      opened.layout
        == .node(PaneLayout.Node(axis: .columns, parts: [.init(layout: leaf(1))], selected: 0)))
    parts = (0..<100).map { _ in .init(layout: leaf(1)) }
    document.layout = .node(PaneLayout.Node(axis: .columns, parts: parts, selected: 99))
    opened = try FixtureDocument.reopened(document)
    #expect(opened.layout?.leaves.count == 64)
    var deep = leaf(1)
    for _ in 0..<40 {
      deep = .node(
        PaneLayout.Node(axis: .rows, parts: [.init(layout: leaf(9)), .init(layout: deep)]))
    }
    document.layout = deep
    opened = try FixtureDocument.reopened(document)
    #expect(opened.layout?.leaves.count == 16)
    #expect(try FixtureDocument.reopened(opened).layout == opened.layout)
  }

  @Test("A pane of an unknown view keeps its place and what a newer program wrote")
  func unknown() throws {
    let bytes = try KeyedArchiver.archive(
      RawPaneDocument(
        layout: RawPane(axis: "columns", panes: [RawPane(view: 1), RawPane(view: 50)])))
    let opened = try DocumentArchive.open(bytes)
    #expect(opened.damage == nil)
    let view = try #require(opened.document.views.last as? UnknownView)
    #expect(view.className == "PortolanGlobeView" && view.isHeldByPanes)
    #expect(opened.document.layout?.leaves.map(\.view) == [ViewID(1), ViewID(50)])
    #expect((opened.document.views[0] as? MapView)?.keptAuxiliaryView?.id == ViewID(50))
    var document = opened.document
    for _ in 0..<2 {
      let again = try DocumentArchive.bytes(of: document)
      #expect(try nodes(again, "PortolanGlobeView").count == 1)
      let keys = try nodes(again, "PortolanPane").map { Set($0.fields.map(\.key)) }
      #expect(keys.allSatisfy { $0.contains("theme") } && keys.count == 3)
      document = try DocumentArchive.open(again).document
      #expect(document.layout?.leaves.count == 2)
    }
    // With its pane closed it is gone, though its map refers to it.
    document.layout = leaf(1)
    #expect(try nodes(DocumentArchive.bytes(of: document), "PortolanGlobeView").isEmpty)
  }

  // MARK: Hostile layouts

  private func open(_ layout: RawPane) throws -> Document {
    try DocumentArchive.open(KeyedArchiver.archive(RawPaneDocument(layout: layout))).document
  }

  private static let breaks: [(String, @Sendable () -> RawPane)] = [
    ("axis", { RawPane(axis: "diagonal", panes: [RawPane(view: 1)]) }),
    ("panes", { RawPane(axis: "rows", panes: []) }),
    (
      "panes",
      { RawPane(axis: "rows", panes: [RawPane(axis: "tabs", panes: [RawPane(view: 1)])]) }
    ),
    ("shares", { RawPane(axis: "rows", panes: [RawPane(view: 1)], shares: [1, 1]) }),
    ("shares", { RawPane(axis: "rows", panes: [RawPane(view: 1)], shares: [0]) }),
    ("shares", { RawPane(axis: "rows", panes: [RawPane(view: 1)], shares: [-1]) }),
    ("shares", { RawPane(axis: "rows", panes: [RawPane(view: 1)], shares: [.nan]) }),
    ("shares", { RawPane(axis: "rows", panes: [RawPane(view: 1)], shares: [.infinity]) }),
    ("shares", { RawPane(axis: "tabs", panes: [RawPane(view: 1)], shares: [1e7]) }),
    ("selected", { RawPane(axis: "tabs", panes: [RawPane(view: 1)], selected: 1) }),
    ("selected", { RawPane(axis: "tabs", panes: [RawPane(view: 1)], selected: -1) }),
    ("view", { RawPane(axis: "rows", panes: [RawPane()]) }),
    ("layout", { RawPane(view: 3) }),
    ("panes", { RawPane(axis: "rows", panes: (0..<65).map { _ in RawPane(view: 1) }) }),
    ("panes", { RawPane.chain(levels: 17) }),
    ("panes", { RawPane.chain(levels: 400) }),
    // 2^40 leaves in 41 objects.
    ("panes", { RawPane.doubling(levels: 40) }),
    ("", { RawPane.cycle() }),
  ]

  @Test("Each broken rule of a layout is refused with its key", arguments: breaks.indices)
  func broken(index: Int) throws {
    let (key, make) = Self.breaks[index]
    let error = #expect(throws: ArchiveError.self) { try open(make()) }
    #expect(error?.path.contains("layout") == true, "\(error?.description ?? "")")
    #expect(key.isEmpty || error?.path.hasSuffix("." + key) == true, "\(error?.description ?? "")")
  }

  @Test("The largest layouts open, and one view may be in several panes")
  func limits() throws {
    let wide = try open(RawPane(axis: "tabs", panes: (0..<64).map { _ in RawPane(view: 1) }))
    #expect(wide.layout?.tabs.count == 64)
    #expect(wide.views.count == 1)
    let deep = try open(RawPane.chain(levels: 16))
    #expect(deep.layout?.leaves.map(\.view) == [ViewID(1)])
    #expect(try FixtureDocument.reopened(deep).layout?.leaves.count == 1)
  }
}

/// A document with a map and any layout.
private struct RawPaneDocument: Coding {
  static var archivedClass: ArchivedClass { "PortolanDocument" }
  var layout: RawPane

  init(layout: RawPane) { self.layout = layout }
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(3, forKey: "formatVersion")
    try coder.encodeInt(60, forKey: "nextID")
    try coder.encodeObjects([RawMapView()], forKey: "views")
    try coder.encodeObject(layout, forKey: "layout")
  }
}

private struct RawMapView: IdentifiedCoding {
  static var archivedClass: ArchivedClass { MapView.archivedClass }
  var archiveIdentity: ViewID { ViewID(1) }
  init() {}
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(1, forKey: "id")
    try coder.encodeReference(ViewID(50), forKey: "auxiliaryView")
  }
}

private struct RawTableView: IdentifiedCoding {
  static var archivedClass: ArchivedClass {
    ArchivedClass("PortolanGlobeView", superclass: "PortolanView")
  }
  var archiveIdentity: ViewID { ViewID(50) }
  init() {}
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(50, forKey: "id")
    try coder.encodeString("table", forKey: "name")
  }
}

/// An overview with the number of the map.
private struct RawOverview: Coding {
  static var archivedClass: ArchivedClass { OverviewView.archivedClass }
  init() {}
  init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeInt(1, forKey: "id") }
}

/// A pane as bytes on disk: view 1 is the map, 50 one of an unknown kind, and 3 an overview that
/// says it were view 1.
private final class RawPane: Coding {
  static let archivedClass: ArchivedClass = "PortolanPane"
  var axis: String?
  var panes: [RawPane]
  var shares: [Double]
  var selected: Int
  var view: Int?

  init(
    axis: String? = nil, panes: [RawPane] = [], shares: [Double] = [], selected: Int = 0,
    view: Int? = nil
  ) {
    (self.axis, self.panes, self.shares) = (axis, panes, shares)
    (self.selected, self.view) = (selected, view)
  }

  required init(coder: any DecodingCoder) throws { throw ArchiveError(.misuse, "never made") }

  static func chain(levels: Int) -> RawPane {
    var pane = RawPane(view: 1)
    for _ in 1..<levels { pane = RawPane(axis: "rows", panes: [pane]) }
    return pane
  }

  static func doubling(levels: Int) -> RawPane {
    var pane = RawPane(view: 1)
    for _ in 0..<levels { pane = RawPane(axis: "rows", panes: [pane, pane]) }
    return pane
  }

  static func cycle() -> RawPane {
    let pane = RawPane(axis: "rows", panes: [RawPane(view: 1)])
    pane.panes.append(pane)
    return pane
  }

  func encode(with coder: any EncodingCoder) throws {
    if let axis {
      try coder.encodeString(axis, forKey: "axis")
      try coder.encodeDoubles(shares, forKey: "shares")
      try coder.encodeObjects(panes, forKey: "panes")
      try coder.encodeInt(selected, forKey: "selected")
    }
    switch view {
    case 1: try coder.encodeObject(RawMapView(), forKey: "view")
    case 3: try coder.encodeObject(RawOverview(), forKey: "view")
    case 50: try coder.encodeObject(RawTableView(), forKey: "view")
    default: break
    }
    try coder.encodeString("night", forKey: "theme")
    // What holds itself would never be released.
    panes = []
  }
}
