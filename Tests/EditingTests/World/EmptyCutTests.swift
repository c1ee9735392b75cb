import PortolanDatabases
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Cuts of a GeoPackage that keep no feature.
@Suite(.enabled(if: Database.isFound, "SQLite is not installed"))
struct EmptyCutTests {
  private func run(_ line: String, _ files: MemoryFileSystem) throws {
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    try runner.run(try #require(try Commands.parse(line)))
    #expect(runner.desk.session.failure == nil, "\(line)")
  }

  @Test(arguments: [
    "--where 'n > 5'", "--bbox 50,50,60,60", "--bbox 50,50,60,60 --crs EPSG:3857", "--limit 0",
    "--clip 50,50,60,60", "--where 'n > 5' --crs EPSG:3857",
  ])
  func `A cut without features keeps the kind of its shapes and the types of its columns`(
    cut: String
  ) throws {
    let feature =
      #"{"type":"Feature","properties":{"n":1,"r":1.5,"d":"2024-05-01","b":true,"s":"x"},"#
      + #""geometry":{"type":"Point","coordinates":[1,2]}}"#
    let files = MemoryFileSystem(files: ["/m/a.geojson": Array(feature.utf8)])
    try run("export /m/a.geojson -o /m/a.gpkg", files)
    try run("export /m/a.gpkg \(cut) -o /m/b.gpkg", files)
    var columns: [String] = []
    try Database(files.read("/m/b.gpkg", limit: 1 << 20)).rows(
      "SELECT name, type FROM pragma_table_xinfo('a')"
    ) { columns.append("\($0.text(0) ?? "") \($0.text(1) ?? "")") }
    #expect(
      columns == [
        "fid INTEGER", "geom POINT", "n INTEGER", "r DOUBLE", "d DATE", "b BOOLEAN", "s TEXT",
      ])
  }
}
