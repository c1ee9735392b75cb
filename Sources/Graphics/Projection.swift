/// The projection of a document's coordinates to the flat unit square.
///
/// In the square, x grows east and y grows *south*, both from 0 to 1, as with web map tiles. The
/// raw values are archived.
package enum Projection: String, Hashable, Sendable, CaseIterable {
  /// Spherical Web Mercator (EPSG:3857), clamped at ±85.05113 degrees for display.
  case webMercator = "web-mercator"
  /// Plate carrée: degrees unchanged.
  case equirectangular = "equirectangular"
  /// Equal Earth on WGS 84 (EPSG:8857): areas have their sizes.
  case equalEarth = "equal-earth"
  /// Planar coordinates in the document's own units, y north.
  case planar = "planar"
}
