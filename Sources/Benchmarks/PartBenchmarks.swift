import Foundation

/// Stored documents of which little is asked, beside GDAL on a GeoPackage of the same features, and
/// the import of a table, beside DuckDB.
///
/// `PORTOLAN_DATA` names a folder with `gshhg_coast_f.geojson` and `cities15000.geojson`. Figures
/// are processor times of whole processes, the least of some runs; DuckDB's is that of the
/// statement alone, on one thread.
struct PartBenchmarks: BenchmarkSuite {
  let name = "parts"

  func run() throws {
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else {
      return print("parts: skipped; set PORTOLAN_DATA to a folder with gshhg_coast_f.geojson")
    }
    let files = FileManager.default
    if files.fileExists(atPath: folder + "/gshhg_coast_f.geojson") { try measureParts(folder) }
    if files.fileExists(atPath: folder + "/cities15000.geojson") { try measureTable(folder) }
  }

  private func measureParts(_ folder: String) throws {
    let source = folder + "/gshhg_coast_f.geojson"
    let (document, package) = (folder + "/parts.doc", folder + "/parts.gpkg")
    let program = ProgramBenchmarks.program
    _ = try ProgramBenchmarks.runToEnd([program, "import", source, "-o", document, "--force", "-q"])
    if !FileManager.default.fileExists(atPath: package) {
      print("parts: makes \(package) with ogr2ogr, once; this takes a minute or more")
      // A file that was begun and not finished would be taken for the whole one.
      let begun = folder + "/parts-begun.gpkg"
      try? FileManager.default.removeItem(atPath: begun)
      _ = try ProgramBenchmarks.runToEnd(["ogr2ogr", begun, source])
      try FileManager.default.moveItem(atPath: begun, toPath: package)
    }
    let info = try least([program, "info", document])
    print("parts info: \(peer(info, "ogrinfo", try least(["ogrinfo", "-so", "-al", package])))")
    let output = folder + "/parts.geojson"
    let box = ["0", "89.9", "0.001", "89.91"]
    let list = box.joined(separator: ",")
    let cut = try least(
      [program, "export", document, "--bbox", list, "-o", output, "--force", "-q"])
    let theirs = try least(
      ["ogr2ogr", "-f", "GeoJSON", output, package, "-spat"] + box, removing: output)
    print("parts empty cut: \(peer(cut, "ogr2ogr", theirs))")
    try? FileManager.default.removeItem(atPath: output)
  }

  /// Reads the towns four times over, 144,000 rows.
  private func measureTable(_ folder: String) throws {
    let program = ProgramBenchmarks.program
    let (few, table) = (folder + "/parts-few.csv", folder + "/parts.csv")
    let towns = folder + "/cities15000.geojson"
    _ = try ProgramBenchmarks.runToEnd([program, "export", towns, "-o", few, "--force", "-q"])
    let lines = try String(contentsOfFile: few, encoding: .utf8).split(separator: "\n")
    var rows = lines.prefix(1)
    while rows.count <= 144_000 { rows += lines.dropFirst().prefix(144_001 - rows.count) }
    try (rows.joined(separator: "\n") + "\n").write(
      toFile: table, atomically: false, encoding: .utf8)
    let output = folder + "/parts-table.doc"
    let own = try least([program, "import", table, "-o", output, "--force", "-q"])
    try? FileManager.default.removeItem(atPath: output)
    guard let theirs = try duckDB(table) else { return print("parts table: \(milli(own))") }
    print("parts table: \(peer(own, "DuckDB", theirs))")
  }

  private func least(_ command: [String], removing output: String? = nil) throws -> Double {
    var least = Double.infinity
    for _ in 0..<5 {
      if let output { try? FileManager.default.removeItem(atPath: output) }
      least = min(least, try ProgramBenchmarks.processorTime(command))
    }
    return least
  }

  private func peer(_ own: Double, _ name: String, _ other: Double) -> String {
    "\(milli(own)), \(name) \(milli(other)), ratio \(ratio(other, own))"
  }

  /// DuckDB's least processor time for the table; `nil` without it.
  private func duckDB(_ table: String) throws -> Double? {
    let script = """
      import duckdb, sys, time
      base = duckdb.connect()
      base.execute("set threads to 1")
      times = []
      for _ in range(5):
          start = time.process_time()
          base.execute("create or replace table t as select * from read_csv('%s')" % sys.argv[1])
          times.append(time.process_time() - start)
      print(min(times))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let python = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] ?? "python3"
    process.arguments = [python, "-c", script, table]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Double(output.trimmingCharacters(in: .whitespacesAndNewlines))
  }
}
