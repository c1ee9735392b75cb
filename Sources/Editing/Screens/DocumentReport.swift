import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanPrinting
import PortolanTerminals
import PortolanTexts

/// The contents of a document, in words and as JSON.
package struct DocumentReport: Sendable {
  /// The facts about one layer.
  struct LayerFacts: Sendable {
    var name: String
    /// The title that the user gave it; empty for none.
    var title: String
    var kind: String
    /// The name of its group.
    var group: String?
    var isGroup: Bool
    var features: Int
    /// Those that a filter shows; `nil` without a filter.
    var shown: Int?
    var vertices: Int
    var isVisible: Bool
    var isLocked: Bool
    var zooms: ZoomBounds
    var extent: Box
    /// Where it was imported from; `nil` if that is not known.
    var source: String?
    /// The figures of each attribute.
    var fields: [ColumnStatistics]
  }

  /// A pane by its view, or panes that share their room.
  indirect enum PaneFacts: Sendable {
    case pane(view: String)
    case split(axis: String, [PaneFacts])
  }

  struct TabFacts: Sendable {
    /// The name that the user gave it; empty for none.
    var name: String
    var panes: PaneFacts
  }

  let file: String
  let isDocument: Bool
  let metadata: DocumentMetadata
  let extent: Box
  /// From the top.
  let layers: [LayerFacts]
  let views: [any MapShowing]
  /// The tabs that the document opens with.
  let tabs: [TabFacts]
  let notices: [String]

  package init(_ desk: Desk) { self.init(of: desk.document, desk) }

  /// A report of the open document, or of a part of it.
  init(of document: Document, _ desk: Desk) {
    file = desk.file.path ?? desk.file.source ?? ""
    isDocument = desk.file.path != nil && !desk.file.isData
    metadata = document.metadata
    extent = document.extent
    layers = document.layers.reversed().map { layer in
      var facts = Self.facts(layer, in: document)
      if desk.work.filters[layer.id] != nil { facts.shown = desk.shown(layer).count }
      return facts
    }
    views = document.views.compactMap { $0 as? any MapShowing }
    tabs =
      document.arrangement?.tabs.map { tab in
        TabFacts(name: tab.name, panes: Self.facts(tab.layout, in: document))
      } ?? []
    notices = desk.notices
  }

  private static func facts(_ layout: PaneLayout, in document: Document) -> PaneFacts {
    switch layout {
    case .leaf(let leaf): .pane(view: document.view(leaf.view)?.name ?? "")
    case .node(let node):
      .split(
        axis: node.axis.rawValue, node.parts.map { facts($0.layout, in: document) })
    }
  }

  private static func facts(_ layer: any Layer, in document: Document) -> LayerFacts {
    let holding = layer as? any FeatureHolding
    let blocks = holding?.blocks ?? []
    let fields = ColumnStatistics.columns(
      holding?.fieldNames ?? [], of: holding.map { [$0] } ?? [])
    return LayerFacts(
      name: layer.name, title: layer.title, kind: layer.kindCode,
      group: document.groups(around: layer).first?.name, isGroup: layer.isGroup,
      features: layer.count,
      vertices: blocks.reduce(0) { $0 + $1.geometry.vertexCount }, isVisible: layer.isVisible,
      isLocked: layer.isLocked, zooms: layer.zooms, extent: layer.extent,
      source: (layer as? any OriginKeeping)?.origin.map { FilePath.shown($0.text) },
      fields: fields)
  }

  // MARK: Words

  package var lines: [String] {
    var lines: [String] = []
    if !file.isEmpty { lines.append("file      \(file == "-" ? "standard input" : file)") }
    if !metadata.title.isEmpty { lines.append("title     \(metadata.title)") }
    if !metadata.author.isEmpty { lines.append("author    \(metadata.author)") }
    if !metadata.licence.isEmpty { lines.append("licence   \(metadata.licence)") }
    lines.append("units     \(metadata.units), \(metadata.coordinateSystem.name)")
    lines.append("extent    \(Self.words(extent))")
    for view in views {
      let magnification = Figures.magnification(view.magnification)
      let center = Self.number(view.center.x) + " " + Self.number(view.center.y)
      lines.append("view      \(view.name)  at \(center)  mag \(magnification)x")
    }
    if tabs.count > 1 || tabs.contains(where: { $0.panes.isSplit || !$0.name.isEmpty }) {
      for tab in tabs { lines.append("tab       \(tab.words)") }
    }
    for layer in layers { lines += words(layer) }
    for notice in notices { lines.append("note      \(notice)") }
    return lines
  }

  private func words(_ layer: LayerFacts) -> [String] {
    let group = layer.group.map { ", in group \($0)" } ?? ""
    let marks =
      (layer.title.isEmpty ? "" : ", title “\(layer.title)”")
      + (layer.isVisible ? "" : ", hidden") + (layer.isLocked ? ", locked" : "")
      + (Figures.zooms(layer.zooms).map { ", \($0)" } ?? "") + group
    if layer.isGroup { return ["group     \(layer.name)\(marks)"] }
    let kind = layer.kind.isEmpty ? "" : " (\(layer.kind))"
    let shown = layer.shown.map { ", \($0) of them shown" } ?? ""
    let what =
      CountText.features(layer.features) + shown + ", " + CountText.vertices(layer.vertices)
    var lines = ["layer     \(layer.name)\(kind): \(what)\(marks)"]
    lines.append("  extent  \(Self.words(layer.extent))")
    if let source = layer.source { lines.append("  source  \(source)") }
    for field in layer.fields {
      lines.append("  field   \(field.name)  \(field.words)")
    }
    return lines
  }

  private static func words(_ box: Box) -> String {
    if box.isEmpty { return "nothing" }
    return [box.minX, box.minY, box.maxX, box.maxY].map(number).joined(separator: " ")
  }

  private static func number(_ value: Double) -> String { Figures.short(value, decimals: 6) }

  // MARK: JSON

  package var json: String {
    let members = [
      ("file", SafeJSON.string(FilePath.shown(file))),
      ("document", isDocument ? "true" : "false"),
      ("title", SafeJSON.string(metadata.title)),
      ("author", SafeJSON.string(metadata.author)),
      ("licence", SafeJSON.string(metadata.licence)),
      ("units", SafeJSON.string(metadata.units)),
      ("coordinateSystem", SafeJSON.string(metadata.coordinateSystem.name)),
      ("extent", Self.json(extent)),
      ("views", SafeJSON.array(views.map(Self.json))),
      ("tabs", SafeJSON.array(tabs.map(\.json))),
      ("layers", SafeJSON.array(layers.map(Self.json))),
      ("notes", SafeJSON.array(notices.map(SafeJSON.string))),
    ]
    return SafeJSON.object(members) + "\n"
  }

  private static func json(_ view: any MapShowing) -> String {
    SafeJSON.object([
      ("name", SafeJSON.string(view.name)),
      ("center", SafeJSON.array([view.center.x, view.center.y].map(SafeJSON.number))),
      ("magnification", SafeJSON.number(view.magnification)),
      ("projection", SafeJSON.string(view.projection.rawValue)),
    ])
  }

  private static func json(_ layer: LayerFacts) -> String {
    let fields = layer.fields.map { field in
      SafeJSON.object(
        [
          ("name", SafeJSON.string(field.name)), ("kinds", SafeJSON.string(field.kinds)),
        ] + field.members)
    }
    let shown = layer.shown.map { [("shown", String($0))] } ?? []
    return SafeJSON.object(
      [
        ("name", SafeJSON.string(layer.name)),
        ("title", SafeJSON.string(layer.title)),
        ("kind", SafeJSON.string(layer.kind)),
        ("group", layer.group.map(SafeJSON.string) ?? "null"),
        ("features", String(layer.features)),
        ("vertices", String(layer.vertices)),
        ("visible", layer.isVisible ? "true" : "false"),
        ("locked", layer.isLocked ? "true" : "false"),
        ("minZoom", layer.zooms.zooms.least.map(SafeJSON.number) ?? "null"),
        ("maxZoom", layer.zooms.zooms.greatest.map(SafeJSON.number) ?? "null"),
        ("extent", json(layer.extent)),
        ("fields", SafeJSON.array(fields)),
      ] + shown + (layer.source.map { [("source", SafeJSON.string($0))] } ?? []))
  }

  private static func json(_ box: Box) -> String {
    if box.isEmpty { return "null" }
    return SafeJSON.array([box.minX, box.minY, box.maxX, box.maxY].map(SafeJSON.number))
  }
}

extension DocumentReport.TabFacts {
  var words: String { name.isEmpty ? panes.words : "\(name): \(panes.words)" }

  var json: String {
    SafeJSON.object((name.isEmpty ? [] : [("name", SafeJSON.string(name))]) + panes.members)
  }
}

extension DocumentReport.PaneFacts {
  var isSplit: Bool {
    if case .split = self { true } else { false }
  }

  /// The names of the views: `|` between panes side by side, `/` between panes one below another.
  var words: String {
    switch self {
    case .pane(let view): return view
    case .split(let axis, let parts):
      let words = parts.map { $0.isSplit ? "(\($0.words))" : $0.words }
      return words.joined(separator: axis == PaneLayout.Axis.columns.rawValue ? " | " : " / ")
    }
  }

  fileprivate var members: [(name: String, value: String)] {
    switch self {
    case .pane(let view): [("view", SafeJSON.string(view))]
    case .split(let axis, let parts):
      [
        ("axis", SafeJSON.string(axis)),
        ("panes", SafeJSON.array(parts.map { SafeJSON.object($0.members) })),
      ]
    }
  }
}
