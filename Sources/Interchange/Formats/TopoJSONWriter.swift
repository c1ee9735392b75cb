package import PortolanDocuments

/// Writes TopoJSON: an object a layer, and the borders that its shapes share once, as arcs. See
/// `Docs/formats/shapes.md`.
///
///     {"type":"Topology","objects":{
///     "towns":{"type":"GeometryCollection","geometries":[
///     {"type":"Point","properties":{"n":1},"coordinates":[10.5,60]},
///     {"type":"Point","properties":{"n":2},"coordinates":[12,42]}
///     ]}
///     },"arcs":[]}
package struct TopoJSONWriter: Exporter {
  package init() {}

  package var name: String { "topojson" }
  package var title: String { "TopoJSON" }
  package var extensions: [String] { ["topojson"] }
  package var limits: FormatLimits {
    FormatLimits(heights: .eachVertex, holdsLoneSurrogates: true, holdsEmptyLayers: true)
  }

  @discardableResult
  package func write(
    _ layers: [any Layer], options: ExportOptions, to sink: ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    let holding = layers.compactMap { $0 as? any FeatureHolding }
    try options.check(holding)
    var writer = try TopologyWriter(holding, options) { try sink([]) }
    try writer.write(to: sink)
    return writer.report
  }
}
