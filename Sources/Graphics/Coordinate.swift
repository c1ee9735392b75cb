/// A position in a document's own numbers: degrees of longitude and latitude, or planar units.
package struct Coordinate: Hashable, Sendable {
  /// Longitude in degrees, east positive; or planar x.
  package var x: Double
  /// Latitude in degrees, north positive; or planar y.
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
