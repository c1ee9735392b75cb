import PortolanDocuments
import PortolanProjections

/// The well-known text of coordinate systems.
extension ProjectionText {
  /// The text of a system: our own in Esri's words for WGS 84, Web Mercator and UTM, else PROJ's
  /// with the code of EPSG; `nil` for systems of no register, and where PROJ is missing.
  static func text(of system: CoordinateSystem) -> String? {
    if system.isWGS84 { return degrees }
    guard system.authority.uppercased() == "EPSG", let code = Int(system.code) else { return nil }
    switch code {
    case 3857:
      return projected(
        "WGS_1984_Web_Mercator_Auxiliary_Sphere", degrees, "Mercator_Auxiliary_Sphere",
        [
          ("False_Easting", 0), ("False_Northing", 0), ("Central_Meridian", 0),
          ("Standard_Parallel_1", 0), ("Auxiliary_Sphere_Type", 0),
        ])
    case 32_601...32_660: return zone(code - 32_600, isSouth: false, "WGS_1984", degrees)
    case 32_701...32_760: return zone(code - 32_700, isSouth: true, "WGS_1984", degrees)
    case 25_828...25_838: return zone(code - 25_800, isSouth: false, "ETRS_1989", europe)
    default: return Proj()?.text(of: "EPSG:\(code)")
    }
  }

  private static let degrees = geographic("WGS_1984", "WGS_1984", 298.257223563)
  private static let europe = geographic("ETRS_1989", "GRS_1980", 298.257222101)

  private static func geographic(
    _ datum: String, _ ellipsoid: String, _ flattening: Double
  ) -> String {
    "GEOGCS[\"GCS_\(datum)\",DATUM[\"D_\(datum)\",SPHEROID[\"\(ellipsoid)\",6378137.0,"
      + "\(flattening)]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"
  }

  private static func zone(
    _ number: Int, isSouth: Bool, _ datum: String, _ geographic: String
  ) -> String {
    projected(
      "\(datum)_UTM_Zone_\(number)\(isSouth ? "S" : "N")", geographic, "Transverse_Mercator",
      [
        ("False_Easting", 500_000), ("False_Northing", isSouth ? 10_000_000 : 0),
        ("Central_Meridian", Double(6 * number - 183)), ("Scale_Factor", 0.9996),
        ("Latitude_Of_Origin", 0),
      ])
  }

  private static func projected(
    _ name: String, _ geographic: String, _ method: String,
    _ parameters: [(name: String, value: Double)]
  ) -> String {
    let list = parameters.map { "PARAMETER[\"\($0.name)\",\($0.value)]" }.joined(separator: ",")
    return "PROJCS[\"\(name)\",\(geographic),PROJECTION[\"\(method)\"],\(list),"
      + "UNIT[\"Meter\",1.0]]"
  }
}
