package import Documents

/// GeoJSON features one a line, without a collection around them.
package struct LinesFormat: FileFormat {
  package init() {}

  package var name: String { "ndjson" }
  package var title: String { "GeoJSON features, one a line" }
  package var extensions: [String] { ["ndjson", "geojsonl"] }

  /// GeoJSON's own reader takes lines as well.
  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { false }

  package func read(
    _ bytes: [UInt8], options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    try GeoJSONFormat().read(bytes, options: options, progress: progress)
  }

  package func write(
    _ layers: [FeatureLayer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws {
    var options = options
    options.arrangement = .lines
    try GeoJSONFormat().write(layers, options: options, to: sink)
  }
}
