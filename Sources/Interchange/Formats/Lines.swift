package import PortolanDocuments

/// GeoJSON features one a line, without a collection around them.
///
///     {"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[10.5,60]}}
///     {"type":"Feature","properties":{"n":2},"geometry":{"type":"Point","coordinates":[12,42]}}
package struct LinesFormat: Importer, Exporter {
  package init() {}

  package var name: String { "ndjson" }
  package var title: String { "GeoJSON features, one a line" }
  package var extensions: [String] { ["ndjson", "geojsonl"] }

  /// GeoJSON's own reader reads lines as well.
  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? { GeoJSONFormat().fault(in: head) }

  package func read(
    _ bytes: [UInt8], options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let isBlank = bytes.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if isBlank { return Self.nothing(options) }
    return try GeoJSONFormat().read(bytes, options: options, progress: progress)
  }

  /// An empty file has no features: a filter without matches writes that.
  private static func nothing(_ options: ImportOptions) -> ImportResult {
    let style = LayerDefaults(blocks: []).style(
      named: options.name)
    let layer = FeatureLayer(
      id: LayerID(options.firstLayerID), name: options.name, style: style,
      source: CollectionSource(root: .lines, members: CollectionSource.plain.members))
    return ImportResult(
      layers: [layer], report: ImportReport(notes: [], featureCount: 0, vertexCount: 0))
  }

  /// Another form of GeoJSON under this ending keeps its form.
  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    if layer.count == 0, former.layer.count == 0 { return RewrittenFile(former.bytes) }
    let isPlain = layer.source.whitespace.isEmpty
    var bytes: [UInt8] = []
    let options = ExportOptions(
      arrangement: isPlain && layer.source.root == .lines ? .lines : .asRead,
      coordinateSystem: system)
    try GeoJSONFormat().write([layer], options: options) { bytes += $0 }
    return RewrittenFile(bytes)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var options = options
    options.arrangement = .lines
    return try GeoJSONFormat().write(layers, options: options, to: sink)
  }
}
