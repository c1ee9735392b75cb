import PortolanDatabases
import PortolanDocuments
import PortolanProjections

/// The tables that every GeoPackage has, and its coordinate systems.
struct GeoPackageCatalogue {
  private let database: Database
  private var numbers: [CoordinateSystem: Int] = [:]
  private lazy var library = Proj()

  /// Makes the tables, within a transaction that the caller ends.
  init(_ database: Database) throws(DatabaseError) {
    self.database = database
    for statement in Self.statements { try database.run(statement) }
    for row in Self.usual { try database.run("INSERT INTO gpkg_spatial_ref_sys VALUES(\(row))") }
  }

  /// The number of a system among those of the file, which gets it if it is new.
  mutating func number(of system: CoordinateSystem) throws(DatabaseError) -> Int {
    if system.isWGS84 { return 4326 }
    if system == .planar { return -1 }
    if let known = numbers[system] { return known }
    let isRegistered = !system.authority.isEmpty
    let own = isRegistered ? system.code.split(separator: "+").first.flatMap { Int($0) } : nil
    var number = own.flatMap { $0 > 0 && $0 != 4326 && $0 < 1 << 30 ? $0 : nil } ?? 300_000
    while numbers.values.contains(number) { number += 1 }
    let title = isRegistered ? library?.title(of: system.name) : nil
    let text = isRegistered ? library?.text(of: system.name) : nil
    let definition = text ?? (isRegistered ? "undefined" : system.publicName)
    let organization = isRegistered ? system.authority : "NONE"
    try database.run(
      "INSERT INTO gpkg_spatial_ref_sys VALUES(\(Database.literal(title ?? system.name)), "
        + "\(number), \(Database.literal(organization)), \(own ?? number), "
        + "\(Database.literal(definition)), NULL)")
    numbers[system] = number
    return number
  }

  private static let wgs84 =
    #"GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,"#
    + #"AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,"#
    + #"AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],"#
    + #"AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]"#

  private static let usual = [
    "'Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined Cartesian coordinates'",
    "'Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinates'",
    "'WGS 84 geodetic', 4326, 'EPSG', 4326, '\(wgs84)', 'longitude and latitude in degrees'",
  ]

  private static let statements = [
    "PRAGMA application_id=1196444487", "PRAGMA user_version=10300", "BEGIN",
    """
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
    organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL,
    definition TEXT NOT NULL, description TEXT)
    """,
    """
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL,
    identifier TEXT UNIQUE, description TEXT DEFAULT '',
    last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
    min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
    CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))
    """,
    """
    CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
    geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL,
    m TINYINT NOT NULL, CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
    CONSTRAINT uk_gc_table_name UNIQUE (table_name),
    CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
    CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))
    """,
    """
    CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT,
    extension_name TEXT NOT NULL, definition TEXT NOT NULL, scope TEXT NOT NULL,
    CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))
    """,
  ]
}
