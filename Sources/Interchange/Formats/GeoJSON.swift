package import PortolanDocuments
package import PortolanFiles

/// GeoJSON (RFC 7946), one JSON text; it reads features one a line and sequences (RFC 8142) as
/// well.
///
/// Unedited features are written as they were read, byte for byte; see `Docs/formats/geojson.md`. A
/// layer drawn in the editor:
///
///     {"type":"FeatureCollection","features":[
///     {"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[10.5,60]}},
///     {"type":"Feature","properties":{"n":2},"geometry":{"type":"Point","coordinates":[12,42]}}
///     ]}
package struct GeoJSONFormat: PartImporter, PartExporter {
  /// How a long text is divided among processors.
  var regions = TextRegions()

  package init() {}

  package var name: String { "geojson" }
  package var title: String { "GeoJSON (RFC 7946)" }
  package var extensions: [String] { ["geojson", "json"] }
  package var limits: FormatLimits { .none }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let text = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    return text.first == UInt8(ascii: "{")
  }

  /// A root that is no object, or a NUL, which no JSON text holds.
  package func fault(in head: ArraySlice<UInt8>) -> ImportError? {
    let text = head.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    guard let first = text.first else { return nil }
    let isUsable = first == UInt8(ascii: "{") || first == 0x1E
    if isUsable, !head.contains(0) { return nil }
    do {
      _ = try read(Array(head), options: ImportOptions(name: "")) { _ in }
      return nil
    } catch let error as ImportError {
      // An array or a string cut at the end of these bytes: JSON, but no GeoJSON.
      guard error.code == .cut else { return error }
      return ImportError(
        code: isUsable ? .notJSON : .notGeoJSON, offset: head.count - text.count, line: 1, column: 1
      )
    } catch {
      return nil
    }
  }

  /// The largest readable file; offsets within a block are 32 bits wide.
  static let countMax = Int(UInt32.max) - 1

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    try source.bytes().withUnsafeBufferPointer { bytes in
      try DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        guard let scanner = JSONScanner(bytes, powers: powers) else {
          throw ImportError(code: .empty, offset: 0, line: 1, column: 1)
        }
        var reader = GeoJSONReader(scanner: scanner)
        reader.regions = regions
        do {
          if bytes.count > Self.countMax { throw ScanFault(.tooLarge, at: 0) }
          try reader.read(progress: progress)
        } catch let fault as ScanFault {
          var locator = TextLocator(bytes)
          throw Self.error(fault, locator.place(of: fault.offset), reader)
        }
        let layer = reader.layer(options)
        let names = FeatureNames(layer)
        let report = ImportReport(
          notes: reader.notes.notes(bytes, featureName: names.name),
          featureCount: reader.known.featureCount, vertexCount: reader.known.vertexCount)
        try progress(1)
        return ImportResult(
          layers: [layer], report: report, coordinateSystem: reader.coordinateSystem)
      }
    }
  }

  private static func error(
    _ fault: ScanFault, _ place: (line: Int, column: Int), _ reader: GeoJSONReader
  ) -> ImportError {
    let isInside = fault.offset >= reader.item.start && reader.item.start > 0
    return ImportError(
      code: fault.code, offset: fault.offset, line: place.line, column: place.column,
      feature: isInside ? reader.featureNumber : nil, detail: fault.detail)
  }

  /// Reads a text in parts.
  package func readParts(
    of text: TextSource, options: ImportOptions, memory: PartMemory,
    progress: (Double) throws -> Void, take: (FeatureBlock) throws -> Void
  ) throws -> ImportResult {
    var first = 1
    while true {
      if let result = try readParts(of: text, first, options, memory, progress, take) {
        return result
      }
      first = max(4 * first, 4 * text.pieceCount)
    }
  }

  /// - Parameter first: how many bytes to begin with.
  /// - Returns: `nil` if they are too few to find the features.
  private func readParts(
    of text: TextSource, _ first: Int, _ options: ImportOptions, _ memory: PartMemory,
    _ progress: (Double) throws -> Void, _ take: (FeatureBlock) throws -> Void
  ) throws -> ImportResult? {
    try withoutActuallyEscaping(take) { take in
      let parts = try TextParts(text, first: first, memory, take: take)
      return try DecimalPowers.doubles.withUnsafeBufferPointer { powers in
        guard let scanner = JSONScanner(parts.bytes, powers: powers) else {
          throw TextParts.NeedsWhole()
        }
        var reader = GeoJSONReader(scanner: scanner, parts: parts)
        reader.regions = regions
        do {
          try reader.read(progress: progress)
        } catch let fault as ScanFault {
          if parts.isAtStart { return nil }
          guard parts.isCertain(fault) else { throw TextParts.NeedsWhole() }
          let place = try text.places(of: [fault.offset])[fault.offset] ?? (1, 1)
          throw Self.error(fault, place, reader)
        }
        let layer = reader.layer(options)
        if layer is any NoteHolding { throw TextParts.NeedsWhole() }
        let notes = reader.notes.notes(try text.places(of: reader.notes.offsets)) {
          reader.known.names[$0] ?? ""
        }
        try progress(1)
        return ImportResult(
          layers: [layer],
          report: ImportReport(
            notes: notes, featureCount: reader.known.featureCount,
            vertexCount: reader.known.vertexCount),
          coordinateSystem: reader.coordinateSystem)
      }
    }
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    try GeoJSONWriter.write(layers, as: .text, options: options, to: sink)
  }

  package func write(
    _ layer: any FeatureHolding, options: ExportOptions, to sink: ([UInt8]) throws -> Void,
    features: @escaping ((FeatureBlock) throws -> Void) throws -> Void
  ) throws -> ExportReport {
    try GeoJSONWriter.write(layer, as: .text, options: options, to: sink, features: features)
  }

  /// A file of this ending that holds lines or a sequence stays one.
  package func rewrite(
    _ layer: any FeatureHolding, over former: FormerFile, system: CoordinateSystem
  ) throws -> RewrittenFile {
    try GeoJSONWriter.rewritten(layer, as: .asRead, system: system)
  }
}

/// The labels of a layer's features by their number in the file.
struct FeatureNames {
  private let layer: any FeatureHolding

  init(_ layer: any FeatureHolding) { self.layer = layer }

  static func name(_ block: FeatureBlock, _ row: Int, _ field: String) -> String {
    String(block.attribute(field, row: row).text.prefix(60))
  }

  /// The label of a feature, from 1; empty if it has none.
  func name(_ feature: Int) -> String {
    guard let field = layer.style.labelField else { return "" }
    var row = feature - 1
    for block in layer.blocks {
      if row < block.rowCount {
        return row < 0 ? "" : Self.name(block, row, field)
      }
      row -= block.rowCount
    }
    return ""
  }
}
