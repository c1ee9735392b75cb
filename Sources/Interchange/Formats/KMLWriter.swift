package import PortolanDocuments
import PortolanGraphics

/// Writes KML (OGC 12-007r2), and KMZ, which is the same in a zip. See `Docs/formats/kml.md`.
///
/// GDAL's drivers are not used for it: one leaves out areas that cross themselves, and takes
/// minutes for thousands of features.
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <kml xmlns="http://www.opengis.net/kml/2.2">
///     <Document>
///     <Document>
///     <name>towns</name>
///     <Schema name="towns" id="schema1">
///     <SimpleField name="n" type="int"/>
///     </Schema>
///     <Placemark>
///     <ExtendedData><SchemaData schemaUrl="#schema1">
///     <SimpleData name="n">1</SimpleData>
///     </SchemaData></ExtendedData>
///     <Point><coordinates>10.5,60</coordinates></Point>
///     </Placemark>
///     <Placemark>
///     <ExtendedData><SchemaData schemaUrl="#schema1">
///     <SimpleData name="n">2</SimpleData>
///     </SchemaData></ExtendedData>
///     <Point><coordinates>12,42</coordinates></Point>
///     </Placemark>
///     </Document>
///     </Document>
///     </kml>
package struct KMLWriter: Exporter {
  private let isZipped: Bool

  package init(isZipped: Bool = false) { self.isZipped = isZipped }

  package var name: String { isZipped ? "kmz" : "kml" }
  package var title: String { isZipped ? "KMZ" : "KML" }
  package var extensions: [String] { [name] }
  package var isText: Bool { !isZipped }
  package var limits: FormatLimits {
    FormatLimits(holdsEmptyShapes: false, holdsEmptyLayers: true, holdsLists: false)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let holding = layers.compactMap { $0 as? any FeatureHolding }
    if holding.isEmpty { throw ExportError(.nothingToWrite) }
    var report = ExportReport()
    var options = options
    report.countJumps(holding, options)
    let converted = try inDegrees(holding, &options, &report) { try sink([]) }
    let chosen = converted.compactMap { $0 as? any FeatureHolding }
    var text = KMLText(chosen, options, title)
    guard isZipped else {
      try text.write(to: sink)
      report.take(text.report)
      return report
    }
    var bytes: [UInt8] = []
    try text.write {
      bytes += $0
      try sink([])
    }
    report.take(text.report)
    for piece in try StoredZip.pieces(of: bytes, named: "doc.kml") { try sink(piece) }
    return report
  }
}

extension ExportReport {
  /// Takes the findings about a part.
  fileprivate mutating func take(_ part: ExportReport) {
    features += part.features
    remarks += part.remarks
    lost.add(part.lost)
  }
}
