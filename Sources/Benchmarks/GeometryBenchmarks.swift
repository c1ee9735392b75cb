import Foundation

/// Operations on shapes: the program beside `ogr2ogr` on the same GeoPackages.
///
/// `PORTOLAN_DATA` names a folder with `ne_50m_countries.geojson`, `gshhg_coast_l.geojson` and
/// `gshhg_coast_h.geojson`, of which ogr2ogr makes GeoPackages. Figures are processor times of
/// whole processes, the least of some runs.
struct GeometryBenchmarks: BenchmarkSuite {
  let name = "geometry"

  func run() throws {
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else {
      return print("geometry: skipped; set PORTOLAN_DATA to a folder with ne_50m_countries.geojson")
    }
    let (areas, coast) = (folder + "/geometry-areas.gpkg", folder + "/geometry-coast.gpkg")
    let islands = folder + "/geometry-islands.gpkg"
    do {
      let sources = [
        (areas, "ne_50m_countries"), (islands, "gshhg_coast_l"), (coast, "gshhg_coast_h"),
      ]
      for (path, source) in sources where !FileManager.default.fileExists(atPath: path) {
        let file = folder + "/" + source + ".geojson"
        guard FileManager.default.fileExists(atPath: file) else {
          return print("geometry: skipped; no \(file)")
        }
        _ = try ProgramBenchmarks.runToEnd([
          "ogr2ogr", "-makevalid", "-nln", "areas", "-nlt", "PROMOTE_TO_MULTI", path, file,
        ])
      }
    } catch {
      return print("geometry: skipped; install gdal-bin")
    }
    let union = "SELECT CONTINENT, ST_Union(geom) FROM areas GROUP BY CONTINENT"
    try race(
      "dissolve", ["dissolve", areas, "--by", "CONTINENT"],
      ["-dialect", "sqlite", "-sql", union, areas], folder)
    let box = ["5", "35", "25", "60"]
    try race(
      "clip by a box", ["clip", coast, box.joined(separator: ",")], ["-clipsrc"] + box + [coast],
      folder)
    // ogr2ogr takes some minutes.
    try race(
      "clip by areas", ["clip", islands, areas], ["-clipsrc", areas, islands], folder, turns: 1)
    try race(
      "reproject", ["export", coast, "--crs", "EPSG:3035", "--bbox", "-10,35,30,70"],
      ["-t_srs", "EPSG:3035", "-spat", "-10", "35", "30", "70", coast], folder)
  }

  /// One job by us and by ogr2ogr, in turns.
  private func race(
    _ title: String, _ ours: [String], _ theirs: [String], _ folder: String, turns: Int = 3
  ) throws {
    let output = folder + "/geometry-out.gpkg"
    var (own, other) = (Double.infinity, Double.infinity)
    for _ in 0..<turns {
      own = min(
        own,
        try ProgramBenchmarks.processorTime(
          [ProgramBenchmarks.program] + ours + ["-o", output, "--force", "-q"]))
      try? FileManager.default.removeItem(atPath: output)
      other = min(other, try ProgramBenchmarks.processorTime(["ogr2ogr", output] + theirs))
      try? FileManager.default.removeItem(atPath: output)
    }
    print(
      "geometry \(title): \(milli(own)), ogr2ogr \(milli(other)), ratio \(ratio(other, own))")
  }
}
