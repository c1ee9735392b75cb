/// How a document's coordinates become the flat unit square that is looked at.
///
/// In the square, x grows east and y grows *south*, both from 0 to 1, as with web map tiles. The
/// raw values are archived.
package enum Projection: String, Hashable, Sendable, CaseIterable {
  /// Spherical Web Mercator (EPSG:3857), clamped at ±85.05113 degrees for display.
  case webMercator = "web-mercator"
  /// Plate carrée: degrees as they are.
  case equirectangular = "equirectangular"
  /// Planar coordinates in the document's own units, y north.
  case planar = "planar"
}
