import Foundation
import PortolanDocuments
import PortolanEditing
import PortolanExpressions
import PortolanFiles
import PortolanGraphics
import PortolanTerminals

/// Questions by expressions: over the 153,123 features of `gshhg_coast_h` in `PORTOLAN_DATA`.
///
/// Beside them in the same run `ogr2ogr -where` from a GeoPackage, if it is installed, and DuckDB
/// on a table of its own and one thread, if the Python in `PORTOLAN_PYTHON` has it. Figures are
/// processor times, the least of some runs, and ratios are theirs divided by ours.
struct QuestionBenchmarks: BenchmarkSuite {
  let name = "questions"

  private static let conditions = [
    "level > 1", "area_km2 > 100", "kind = 'land' and area_km2 between 1 and 50",
    "gshhg_id like '%7%'", "level in (2, 3) or kind = 'land'",
  ]

  func run() throws {
    try measurePatterns()
    try measurePlaces()
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else {
      return print("questions: skipped; set PORTOLAN_DATA to a folder with gshhg_coast_h.geojson")
    }
    let source = folder + "/gshhg_coast_h.geojson"
    let document = folder + "/gshhg_coast_h.doc"
    guard FileManager.default.fileExists(atPath: source) else {
      return print("questions: skipped; no \(source)")
    }
    let program = ProgramBenchmarks.program
    _ = try ProgramBenchmarks.runToEnd([program, "import", source, "-o", document, "--force", "-q"])
    let opened = try DocumentArchive.open(Array(Data(contentsOf: URL(fileURLWithPath: document))))
    try measureConditions(opened.document, folder)
    try measureExports(program, source, document)
    try measureSetting(opened.document)
  }

  // MARK: Conditions

  /// Ours and DuckDB's, both in memory: the first time, when the columns are still texts, and the
  /// least of the times after it.
  private func measureConditions(_ document: Document, _ folder: String) throws {
    guard let layer = document.layers.first as? any FeatureHolding else { return }
    let theirs = try duckDB(folder)
    for (number, text) in Self.conditions.enumerated() {
      let expression = try Expression(text)
      var found = 0
      var times: [Double] = []
      for _ in 0..<9 {
        let once = medianSeconds(1) {
          let rows = layer.expressionRows(isGeographic: true)
          var tally = Tally()
          let bound = expression.bound(to: FeatureSet(rows), &tally)
          found = rows.reduce(0) { $0 + bound.matches(in: $1, &tally).count }
        }
        times.append(once)
      }
      let seconds = times.dropFirst().min() ?? .infinity
      let rate = Double(layer.count) / seconds / 1e6
      var line =
        "questions \(text): first \(milli(times[0])), then \(milli(seconds)), "
        + "\(String(format: "%.1f", rate)) million/s"
      if theirs.indices.contains(number) {
        let (time, count) = theirs[number]
        line += ", DuckDB \(milli(time)), ratio \(ratio(time, seconds))"
        if count != found { line += "; it finds \(count), we \(found)" }
      }
      print(line)
    }
  }

  /// The least seconds of DuckDB for each condition, and what it finds; empty without it.
  private func duckDB(_ folder: String) throws -> [(seconds: Double, count: Int)] {
    let python = ProcessInfo.processInfo.environment["PORTOLAN_PYTHON"] ?? "python3"
    let script = """
      import duckdb, json, sys, time
      features = json.load(open(sys.argv[1]))["features"]
      names = ("level", "kind", "area_km2", "gshhg_id")
      rows = [[feature["properties"][name] for name in names] for feature in features]
      base = duckdb.connect()
      base.execute("create table coast(level int, kind text, area_km2 double, gshhg_id text)")
      import csv, os, tempfile
      path = tempfile.mktemp(".csv")
      csv.writer(open(path, "w", newline="")).writerows(rows)
      base.execute("copy coast from '%s' (header false)" % path)
      os.remove(path)
      base.execute("set threads to 1")
      for text in sys.argv[2:]:
          times = []
          for _ in range(9):
              start = time.process_time()
              found = base.execute("select rowid from coast where " + text).fetchnumpy()
              times.append(time.process_time() - start)
          print(min(times), len(found["rowid"]))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [python, "-c", script, folder + "/gshhg_coast_h.geojson"] + Self.conditions
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 { print("questions: without DuckDB; set PORTOLAN_PYTHON") }
    return output.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 2, let seconds = Double(parts[0]), let count = Int(parts[1]) else {
        return nil
      }
      return (seconds, count)
    }
  }

  // MARK: The program

  /// The whole program from a stored document to a file, beside ogr2ogr from a GeoPackage.
  private func measureExports(_ program: String, _ source: String, _ document: String) throws {
    let package = document + ".gpkg"
    try? FileManager.default.removeItem(atPath: package)
    let hasPeer =
      (try? ProgramBenchmarks.runToEnd([
        "ogr2ogr", "-f", "GPKG", "-nln", "coast", package, source,
      ])) != nil
    if !hasPeer { print("questions: without ogr2ogr; install gdal-bin") }
    for text in Self.conditions {
      let output = document + ".out.geojson"
      let own = [program, "export", document, "--where", text, "-o", output, "--force", "-q"]
      let peer = ["ogr2ogr", "-f", "GeoJSON", output, package, "-where", text]
      // In turns: other load on the machine falls upon both.
      var (ours, theirs) = (Double.infinity, Double.infinity)
      for _ in 0..<5 {
        ours = min(ours, try ProgramBenchmarks.processorTime(own))
        if !hasPeer { continue }
        try? FileManager.default.removeItem(atPath: output)
        theirs = min(theirs, try ProgramBenchmarks.processorTime(peer))
      }
      let words = hasPeer ? ", ogr2ogr \(milli(theirs)), ratio \(ratio(theirs, ours))" : ""
      print("questions export --where \(text): \(milli(ours))\(words)")
    }
    for arguments in [
      ["level > 1", "--format", "count"], ["--by", "kind", "--fields", "n=count()"],
      ["--fields", "n=count(),sum=sum(area_km2),mid=median(area_km2)"], ["--limit", "3"],
    ] {
      var seconds = Double.infinity
      for _ in 0..<5 {
        // What it prints is no line of the benchmark.
        let command = ["sh", "-c", "exec \"$0\" query \"$@\" > /dev/null", program, document]
        seconds = min(seconds, try ProgramBenchmarks.processorTime(command + arguments))
      }
      print("questions query \(arguments.joined(separator: " ")): \(milli(seconds))")
    }
  }

  // MARK: In the editor

  /// `set :=` on all features, in one step that can be undone.
  private func measureSetting(_ document: Document) throws {
    var desk = Desk(document: document, screenSize: CellSize(columns: 200, rows: 60))
    try desk.run(line: "select layer")
    for line in ["set half := area_km2 / 2", "set name := kind + ' ' + gshhg_id"] {
      let seconds = try least(5) {
        try desk.runToEnd(line: line)
      } after: {
        try desk.run(line: "undo")
        try desk.run(line: "select layer")
      }
      let undo = try least(1) {
        try desk.runToEnd(line: line)
        try desk.run(line: "undo")
      }
      print("questions \(line): \(milli(seconds)), with undo \(milli(undo))")
    }
    let filter = try least(5) {
      try desk.runToEnd(line: "filter area_km2 > 100")
    } after: {
      try desk.run(line: "filter --off")
    }
    print("questions filter area_km2 > 100: \(milli(filter))")
  }

  /// Where airports lie: in which country, how far from the next town of GeoNames.
  private func measurePlaces() throws {
    guard let folder = ProcessInfo.processInfo.environment["PORTOLAN_DATA"] else { return }
    let files = ["airports", "ne_50m_countries", "cities15000"].map { "\(folder)/\($0).geojson" }
    guard files.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) else {
      return print("questions: without places; no \(files.joined(separator: ", "))")
    }
    let stored = folder + "/questions_places.doc"
    _ = try ProgramBenchmarks.runToEnd(
      [ProgramBenchmarks.program, "import"] + files + ["-o", stored, "--force", "-q"])
    let opened = try DocumentArchive.open(Array(Data(contentsOf: URL(fileURLWithPath: stored))))
    let document = opened.document
    let layers = document.layers.filter { $0 is any FeatureHolding }
    guard layers.count == 3 else { return print("questions: without places") }
    let (airports, countries, towns) = (layers[0], layers[1], layers[2])
    for text in [
      "within(\(countries.name))", "within(\(countries.name)).NAME",
      "distance(\(towns.name))", "distance(\(countries.name))",
    ] {
      let seconds = try least(3) {
        var desk = Desk(document: document, screenSize: CellSize(columns: 80, rows: 24))
        try desk.run(line: "layer \(airports.name)")
        try desk.run(line: "select layer")
        try desk.runToEnd(line: "set found := \(text)")
      }
      print("questions \(airports.count) points, \(text): \(milli(seconds))")
    }
    for text in ["$area > 1", "$length > 1"] {
      guard let layer = countries as? any FeatureHolding else { return }
      let vertices = layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
      let expression = try Expression(text)
      let seconds = try least(3) {
        var tally = Tally()
        let rows = layer.expressionRows(isGeographic: true)
        let bound = expression.bound(to: FeatureSet(rows), &tally)
        for block in rows { _ = bound.matches(in: block, &tally) }
      }
      print("questions \(text) of \(vertices) vertices: \(milli(seconds))")
    }
  }

  /// A pattern that takes exponential time where it is tried place by place.
  private func measurePatterns() throws {
    for count in [10_000, 100_000, 1_000_000] {
      let row = OneRow(text: Array(repeating: 0x61, count: count) + [0x62])
      let expression = try Expression("letters matches '^(a+)+$'")
      let seconds = try least(3) {
        var tally = Tally()
        _ = expression.bound(to: FeatureSet([]), &tally).condition(for: row)(0, &tally)
      }
      print("questions (a+)+ on \(count) letters: \(milli(seconds))")
    }
  }

  private struct OneRow: ExpressionRows {
    let text: [UInt8]

    var rowCount: Int { 1 }
    func packedColumn(_ name: String) -> PackedColumn? {
      PackedColumn(kinds: [5], ends: [UInt32(text.count)], bytes: text)
    }
    func quality(_ quality: Quality, of row: Int) -> Value { .null }
  }

  /// The least seconds of several runs.
  private func least(
    _ repetitions: Int, _ body: () throws -> Void, after: () throws -> Void = {}
  ) throws -> Double {
    var found = Double.infinity
    for _ in 0..<repetitions {
      let start = now()
      try body()
      found = min(found, now() - start)
      try after()
    }
    return found
  }
}

extension Desk {
  /// Runs a line of the command language, and the jobs that it asks for.
  fileprivate mutating func runToEnd(line: String) throws {
    try run(line: line)
    let world = World(files: RealFileSystem())
    for case .perform(let request, let job?) in takeEffects() {
      _ = handle(.replied(job, request.reply(in: world)))
    }
  }
}
