package import ArgumentParser
import PortolanDocuments
import PortolanExpressions
import PortolanInterchange
import PortolanPrinting
import PortolanTerminals

/// Copies the selection, or the map as text.
package struct Yank: FeatureCommand {
  /// The form of a copied map.
  package enum Form: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, ansi
  }

  /// The form of copied features.
  package enum DataForm: String, ExpressibleByArgument, CaseIterable, Sendable {
    case csv, tsv, markdown, geojson, wkt

    /// That of a table of values; `nil` for geometries.
    fileprivate var table: TableForm? { TableForm(rawValue: rawValue) }
  }

  package static let configuration = CommandConfiguration(
    commandName: "yank", abstract: "Copy the selected features, or the map as text.",
    discussion: """
      Features are copied for paste. --as copies the selected features, else all shown ones of the \
      active layer, to the terminal's clipboard (OSC 52, which some terminals allow only when told \
      to): their attributes as csv, tsv or a markdown table, geojson, or wkt, a line a feature. In \
      a table it copies the marked rows, else all, in its order, with the columns that it shows. \
      --fields chooses and computes columns, as in `query`: --fields name,lon=$x,lat=$y. --view \
      copies the map as it stands, without the cursor: as text, or as ansi with its colours. A \
      script without a screen has no clipboard: there `render`, `export` and `query` write.
      """,
    aliases: ["copy"])

  @Option(help: "Copy the map to the terminal's clipboard: text or ansi.")
  var view: Form?

  @Option(
    name: .customLong("as"), help: "Copy features as text: csv, tsv, markdown, geojson or wkt.")
  var form: DataForm?

  @Option(
    parsing: .unconditional,
    help: "With --as: the columns, names or NAME=EXPRESSION, with commas between.")
  var fields: TextArgument?

  package init() {}

  package var summary: String {
    if let form { return "Copy features to the clipboard as \(form.rawValue)." }
    return switch view {
    case nil: "Copy the selected features."
    case .text: "Copy the map to the clipboard, as text."
    case .ansi: "Copy the map to the clipboard, as text with colours."
    }
  }

  package func validate() throws {
    if view != nil, form != nil { throw ValidationError("--view and --as exclude each other") }
    if fields != nil, form == nil || form == .wkt {
      throw ValidationError("--fields goes with --as csv, tsv, markdown or geojson")
    }
  }

  package func run(in desk: inout Desk) throws {
    if let form { return try copy(form, in: &desk) }
    guard let view else { return try desk.yank() }
    if desk.isHeadless {
      throw EditingError(.refused, "no clipboard without a screen: render -o FILE writes the map")
    }
    let frame = MapPane.picture(of: desk)
    let look = desk.look
    let repertoire = look.capabilities.isUnicode ? Repertoire.unicode : .ascii
    let text =
      switch view {
      case .text: frame.plainText(repertoire)
      case .ansi: frame.ansiText(look.capabilities.depth, repertoire)
      }
    guard text.utf8.count <= Self.bytesMax else {
      throw EditingError(
        .refused,
        "the map is too much for a terminal's clipboard (75 kB): "
          + (view == .ansi ? "yank --view text, or " : "") + "render -o FILE writes it")
    }
    desk.send(.setClipboard(text))
    desk.say("the map is copied as \(view.rawValue), \(frame.size.columns)x\(frame.size.rows)")
  }

  /// The most bytes that terminals accept.
  private static let bytesMax = 74_994

  private func copy(_ form: DataForm, in desk: inout Desk) throws {
    if desk.isHeadless {
      throw EditingError(
        .refused, "no clipboard without a screen: export or query writes the features")
    }
    try desk.requireRead()
    let count: Int
    var text: String?
    // Each feature takes a byte at least.
    if let table = desk.table {
      let rows = try table.rowsToCopy(desk.selection)
      count = rows.count
      if count <= Self.bytesMax {
        let fields = try fields?.text ?? table.fields(as: form)
        text = try self.text(of: table.part(of: desk.document, rows), form, fields, &desk)
      }
    } else {
      let features = try desk.featuresToCopy()
      count = features.count
      if count <= Self.bytesMax {
        let part = desk.document.keeping(FeatureChoice(features))
        text = try self.text(of: part, form, fields?.text, &desk)
      }
    }
    guard let text, text.utf8.count <= Self.bytesMax else {
      throw EditingError(
        .refused,
        CountText.text(count, "feature is", "features are")
          + " too much for a terminal's clipboard (75 kB): select fewer, or :export -o FILE")
    }
    desk.send(.setClipboard(text))
    desk.say("\(CountText.features(count)) copied as \(form.rawValue)")
  }

  /// The features of a document as text.
  ///
  /// - Parameter fields: the columns; all attributes if `nil`.
  private func text(
    of document: Document, _ form: DataForm, _ fields: String?, _ desk: inout Desk
  ) throws -> String {
    let layers = document.layers.compactMap { $0 as? any FeatureHolding }.filter { $0.count > 0 }
    if form == .wkt {
      let shapes = layers.flatMap(\.blocks).flatMap { block in
        (0..<block.rowCount).map { block.geometry.geometry(ofFeature: $0) }
      }
      return shapes.map { (WKT.text($0) ?? "") + "\n" }.joined()
    }
    var tally = Tally()
    let asked = QuestionedLayers(layers, in: document)
    let table = try LayerQuery(fields: fields).table(of: asked, &tally)
    if let words = LeftOut.words(tally) { desk.send(.warn(words)) }
    if let form = form.table { return table.text(form) }
    var bytes: [UInt8] = []
    let chosen = try fields == nil ? layers : layers.withAttributes(of: table)
    let options = ExportOptions(coordinateSystem: document.metadata.systemOfExports)
    try GeoJSONFormat().write(chosen.map { $0 as any Layer }, options: options) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension [any FeatureHolding] {
  /// The layers with the columns of a table, a row a feature, in place of their own attributes.
  fileprivate func withAttributes(of table: LayerTable) throws -> Self {
    var next = 0
    return try map { layer -> any FeatureHolding in
      var layer = layer
      let ids = Set(layer.blocks.flatMap(\.featureIDs))
      for name in layer.fieldNames {
        try layer.setAttribute(name, of: ids) { _, rows in rows.map { _ in .missing } }
      }
      let first = next
      for (column, name) in table.names.enumerated() {
        next = first
        try layer.setAttribute(name, of: ids) { _, rows in
          defer { next += rows.count }
          return rows.indices.map { table.rows[next + $0][column] }
        }
      }
      next = first + layer.count
      return layer
    }
  }
}

extension Desk {
  /// The selected features, else the shown ones of the active layer.
  fileprivate func featuresToCopy() throws -> Set<FeatureReference> {
    if !selection.isEmpty { return Set(selection.features) }
    let features = features(of: try columnLayer(named: nil))
    if features.isEmpty { throw EditingError(.notFound, "there are no features to copy") }
    return Set(features)
  }
}

/// Copies of a table have the rows and the columns that it shows, in its order.
extension TableScope {
  /// The marked rows, else all of them.
  fileprivate func rowsToCopy(_ selection: Selection) throws -> [Int] {
    if rows.count == 0 { throw EditingError(.refused, "there are no rows") }
    let marked = (0..<rows.count).filter { row in
      reference(row).map { selection.contains($0) } ?? false
    }
    return marked.isEmpty ? Array(0..<rows.count) : marked
  }

  /// The shown columns as fields of a query; `nil` for all attributes in their order.
  fileprivate func fields(as form: Yank.DataForm) throws -> String? {
    if form == .wkt { return nil }
    // The id of a GeoJSON feature is no attribute.
    let sources = columns.map(\.source).filter { form != .geojson || $0 != .identifier }
    if sources == layer.fieldNames.map({ .attribute($0) }) { return nil }
    _ = try requireColumn()
    return sources.map { source in
      switch source {
      case .identifier: "$id"
      case .attribute(let name): ExpressionField.quoted(name)
      }
    }.joined(separator: ", ")
  }

  /// A document with some rows of the layer alone, in their order.
  fileprivate func part(of document: Document, _ chosen: [Int]) -> Document {
    var builder = FeatureBlockBuilder()
    for place in chosen.compactMap({ rows.place($0) }) {
      builder.append(place.block, rows: place.row..<place.row + 1)
      builder.closeIfFull()
    }
    var part = document
    part.layers = document.layers.compactMap { layer in
      guard layer.id == self.layer.id, var layer = layer as? any BlockHolding else { return nil }
      layer.blocks = builder.finish()
      return layer
    }
    return part
  }
}
