import Foundation

/// Files of other programs in and out: the program beside `ogr2ogr` on the same files.
///
/// `PORTOLAN_DATA` names a folder with `gshhg_coast_h.geojson`; ogr2ogr makes the Shapefile and the
/// GeoPackage of it. Figures are processor times of whole processes, the least of some runs.
struct ExchangeBenchmarks: BenchmarkSuite {
  let name = "exchange"

  func run() throws {
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else {
      return print("exchange: skipped; set PORTOLAN_DATA to a folder with gshhg_coast_h.geojson")
    }
    let source = folder + "/gshhg_coast_h.geojson"
    guard FileManager.default.fileExists(atPath: source) else {
      return print("exchange: skipped; no \(source)")
    }
    let (shapes, package) = (folder + "/exchange.shp", folder + "/exchange.gpkg")
    do {
      for path in [shapes, package] where !FileManager.default.fileExists(atPath: path) {
        _ = try ProgramBenchmarks.runToEnd(["ogr2ogr", path, source])
      }
    } catch {
      return print("exchange: skipped; install gdal-bin")
    }
    let output = folder + "/exchange.out"
    for (title, input) in [("Shapefile", shapes), ("GeoPackage", package)] {
      try race("import of a \(title)", output + ".doc", ["import", input], [])
      try race(
        "a \(title) to GeoJSON", output + ".geojson", ["export", input], ["GeoJSON", input])
    }
    try race("GeoJSON to a GeoPackage", output + ".gpkg", ["export", source], ["GPKG", source])
    let title = "FlatGeobuf by the bridge"
    try race(title, output + ".fgb", ["export", package], ["FlatGeobuf", package])
  }

  /// One job by us and by ogr2ogr, in turns.
  private func race(
    _ title: String, _ output: String, _ ours: [String], _ theirs: [String]
  ) throws {
    var (own, other) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      own = min(
        own,
        try ProgramBenchmarks.processorTime(
          [ProgramBenchmarks.program] + ours + ["-o", output, "--force", "-q"]))
      if theirs.isEmpty { continue }
      try? FileManager.default.removeItem(atPath: output)
      other = min(
        other, try ProgramBenchmarks.processorTime(["ogr2ogr", "-f", theirs[0], output, theirs[1]]))
    }
    try? FileManager.default.removeItem(atPath: output)
    let peer = theirs.isEmpty ? "" : ", ogr2ogr \(milli(other)), ratio \(ratio(other, own))"
    print("exchange \(title): \(milli(own))\(peer)")
  }
}
