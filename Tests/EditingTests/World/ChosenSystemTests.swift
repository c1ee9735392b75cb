import PortolanDatabases
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// The system of a map is that of the chosen layers, whatever others its file holds.
@Suite(.enabled(if: Database.isFound, "SQLite is not installed"))
struct ChosenSystemTests {
  /// What a line writes to standard output, and its remarks.
  private func run(
    _ line: String, _ files: MemoryFileSystem
  ) throws -> (text: String, said: String) {
    let before = files.output.count
    var said: [String] = []
    var runner = HeadlessRunner(world: World(files: files), verbosity: .verbose) { said.append($0) }
    let command = try #require(try Commands.parse(line))
    try runner.run(command)
    let text = String(decoding: files.output.dropFirst(before), as: UTF8.self)
    return (text, said.joined(separator: "\n"))
  }

  /// A GeoPackage with a point in the layer `a`, in metres, and one in `b`, in degrees.
  private func package() throws -> MemoryFileSystem {
    let database = try Database()
    let tables = [("a", 3857, 1_335_833.0, 557_305.0), ("b", 4326, 12, 5)]
    var statements = [
      "PRAGMA application_id = 1196444487",
      """
      CREATE TABLE gpkg_spatial_ref_sys(srs_name TEXT, srs_id INTEGER PRIMARY KEY, \
      organization TEXT, organization_coordsys_id INTEGER, definition TEXT)
      """,
      "CREATE TABLE gpkg_contents(table_name TEXT PRIMARY KEY, data_type TEXT, srs_id INTEGER)",
      """
      CREATE TABLE gpkg_geometry_columns(table_name TEXT, column_name TEXT, \
      geometry_type_name TEXT, srs_id INTEGER, z INTEGER, m INTEGER)
      """,
    ]
    for (name, system, x, y) in tables {
      func hex(_ value: some FixedWidthInteger) -> String {
        withUnsafeBytes(of: value.littleEndian) { bytes in
          bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
        }
      }
      let shape =
        "47500001" + hex(Int32(system)) + "0101000000" + hex(x.bitPattern) + hex(y.bitPattern)
      statements += [
        "CREATE TABLE \(name)(fid INTEGER PRIMARY KEY, geom POINT, n INTEGER)",
        "INSERT INTO \(name) VALUES (1, x'\(shape)', 1)",
        "INSERT INTO gpkg_spatial_ref_sys VALUES ('', \(system), 'EPSG', \(system), '')",
        "INSERT INTO gpkg_contents VALUES ('\(name)', 'features', \(system))",
        "INSERT INTO gpkg_geometry_columns VALUES ('\(name)', 'geom', 'POINT', \(system), 0, 0)",
      ]
    }
    for statement in statements { try database.run(statement) }
    return MemoryFileSystem(files: ["/m/m.gpkg": try database.bytes()])
  }

  @Test(arguments: [
    "export /m/m.gpkg --layers b --format geojson", "export /m/m.gpkg --layers b --where 'n = 1'",
    "export /m/m.gpkg --layers b --clip 0,0,20,20",
    "query /m/m.gpkg --layers b --fields '$x,$y' --format json",
    "explode /m/m.gpkg --layers b -o -", "clip /m/m.gpkg 0,0,20,20 --layers b -o -",
    "collect /m/m.gpkg --layers b -o -",
  ])
  func `A chosen layer keeps its system`(line: String) throws {
    let (text, said) = try run(line, package())
    let isKept = text.contains("[12") || text.contains(": 12")
    #expect(isKept && !text.contains("1335833"), "\(text)")
    #expect(line.hasPrefix("clip") || !said.contains("is converted"), "\(said)")
  }

  @Test func `All layers take that of the first one, told`() throws {
    let (text, said) = try run("export /m/m.gpkg --format geojson", package())
    #expect(text.contains("1335833") && said.contains("layer b is converted"))
  }
}
