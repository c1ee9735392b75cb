/// What the coordinates of a document mean: a code, and who gave it.
package struct CoordinateSystem: Hashable, Sendable {
  /// Who gave the code, such as `OGC` or `EPSG`; empty where it is a name of no register.
  package var authority: String
  /// The code or name, such as `CRS84` or `4326`.
  package var code: String

  package init(authority: String, code: String) {
    self.authority = authority
    self.code = code
  }

  /// Longitude and latitude on WGS 84, as GeoJSON has them.
  package static let crs84 = CoordinateSystem(authority: "OGC", code: "CRS84")

  /// Planar x and y of which nothing else is known.
  package static let planar = CoordinateSystem(authority: "", code: "planar")

  /// Both in one: `OGC:CRS84`.
  package var name: String { authority.isEmpty ? code : authority + ":" + code }

  /// What coordinates are, as what follows "they are": `of EPSG:25833`, `planar, of no stated
  /// system`.
  package var words: String { self == .planar ? "planar, of no stated system" : "of " + name }
}
