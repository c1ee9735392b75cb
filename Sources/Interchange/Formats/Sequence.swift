package import PortolanDocuments

/// A sequence of GeoJSON texts (RFC 8142): each feature after a record separator (␞), a feature a
/// line.
///
///     ␞{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[10.5,60]}}
///     ␞{"type":"Feature","properties":{"n":2},"geometry":{"type":"Point","coordinates":[12,42]}}
package struct SequenceFormat: FeatureStream {
  package init() {}

  package var name: String { "geojsonseq" }
  package var title: String { "GeoJSON text sequence (RFC 8142)" }
  package var extensions: [String] { ["geojsons", "geojsonseq"] }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool { head.first == 0x1E }

  package var root: CollectionSource.Root { .sequence }
}
