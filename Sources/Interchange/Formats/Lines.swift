package import PortolanDocuments
package import PortolanFiles

/// GeoJSON features one a line, without a collection around them.
///
///     {"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[10.5,60]}}
///     {"type":"Feature","properties":{"n":2},"geometry":{"type":"Point","coordinates":[12,42]}}
package struct LinesFormat: FeatureStream {
  package init() {}

  package var name: String { "ndjson" }
  package var title: String { "GeoJSON features, one a line" }
  package var extensions: [String] { ["ndjson", "geojsonl", "jsonl", "ndgeojson"] }

  /// GeoJSON's own reader reads lines as well.
  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  package var root: CollectionSource.Root { .lines }
}

/// A format of GeoJSON features one after the other, which may hold none.
package protocol FeatureStream: PartImporter, PartExporter {
  /// The kind of files, lines or a sequence.
  var root: CollectionSource.Root { get }
}

extension FeatureStream {
  /// Those of GeoJSON, but a feature by itself names no system.
  package var limits: FormatLimits {
    var limits = FormatLimits.none
    limits.holdsSystem = false
    return limits
  }

  private var arrangement: GeoJSONWriter.Arrangement { root == .lines ? .lines : .sequence }

  package func fault(in head: ArraySlice<UInt8>) -> ImportError? { GeoJSONFormat().fault(in: head) }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let isBlank = try source.bytes().allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    if isBlank { return nothing(options) }
    return try GeoJSONFormat().read(source, options: options, progress: progress)
  }

  package func readParts(
    of text: TextSource, options: ImportOptions, memory: PartMemory,
    progress: (Double) throws -> Void, take: (FeatureBlock) throws -> Void
  ) throws -> ImportResult {
    do {
      return try GeoJSONFormat().readParts(
        of: text, options: options, memory: memory, progress: progress, take: take)
    } catch let error as ImportError where error.code == .empty {
      throw TextParts.NeedsWhole()
    }
  }

  package func write(
    _ layer: any FeatureHolding, options: ExportOptions, to sink: ([UInt8]) throws -> Void,
    features: @escaping ((FeatureBlock) throws -> Void) throws -> Void
  ) throws -> ExportReport {
    try GeoJSONWriter.write(layer, as: arrangement, options: options, to: sink, features: features)
  }

  /// An empty file has no features: a filter without matches writes that.
  private func nothing(_ options: ImportOptions) -> ImportResult {
    let style = LayerDefaults(blocks: []).style(named: options.name)
    let layer = FeatureLayer(
      id: LayerID(options.firstLayerID), name: options.name, style: style,
      source: CollectionSource(root: root, members: CollectionSource.plain.members))
    return ImportResult(
      layers: [layer], report: ImportReport(notes: [], featureCount: 0, vertexCount: 0))
  }

  /// Another form of GeoJSON under this ending keeps its form.
  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    if layer.count == 0, former.layer.count == 0, layer.source == former.layer.source {
      return RewrittenFile(former.bytes)
    }
    // Without features, a file as it was read is a collection; so is a lone feature with others.
    let isEmptied = layer.count == 0 && layer.source.root == root
    let isOutgrown =
      layer.count > 1 && [.feature, .geometry].contains(layer.source.root)
    return try GeoJSONWriter.rewritten(
      layer, as: isEmptied || isOutgrown ? arrangement : .asRead, system: system)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    try GeoJSONWriter.write(layers, as: arrangement, options: options, to: sink)
  }
}
