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

  /// A GeoPackage with the layer `a` in metres, and `b` above it in degrees.
  private func package() throws -> MemoryFileSystem {
    func map(_ x: Int, _ y: Int) -> [UInt8] {
      Array(
        (#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"#
          + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}]}"#).utf8)
    }
    let files = MemoryFileSystem(files: [
      "/m/a.geojson": map(1_335_833, 557_305), "/m/b.geojson": map(12, 5),
    ])
    _ = try run("export /m/a.geojson /m/b.geojson --input-crs EPSG:3857 -o /m/m.gpkg", files)
    let database = try Database(files.read("/m/m.gpkg", limit: 1 << 20))
    for table in ["gpkg_geometry_columns", "gpkg_contents"] {
      try database.run("UPDATE \(table) SET srs_id = 4326 WHERE table_name = 'b'")
    }
    files.put(try database.bytes(), at: "/m/m.gpkg")
    return files
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
