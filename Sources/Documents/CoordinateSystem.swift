/// The coordinate system of a document: a code, and its authority.
package struct CoordinateSystem: Hashable, Sendable {
  /// The authority of the code, such as `OGC` or `EPSG`; empty for a name of no register.
  package var authority: String
  /// The code or name, such as `CRS84` or `4326`.
  package var code: String

  package init(authority: String, code: String) {
    self.authority = authority
    self.code = code
  }

  /// Longitude and latitude on WGS 84, the system of GeoJSON.
  package static let crs84 = CoordinateSystem(authority: "OGC", code: "CRS84")

  /// Planar x and y of an unknown system.
  package static let planar = CoordinateSystem(authority: "", code: "planar")

  /// Authority and code: `OGC:CRS84`.
  package var name: String { authority.isEmpty ? code : authority + ":" + code }

  /// The system in words, to follow "they are": `of EPSG:25833`, `planar, of no stated system`.
  package var words: String { self == .planar ? "planar, of no stated system" : "of " + name }
}
