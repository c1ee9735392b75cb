import Foundation
import Testing

/// The inputs of verbs: several, pipes, streams by their paths, and what is told of odd ones.
@Suite struct InputTests {
  private static let line =
    #"{"type":"Feature","properties":{"name":"Here"},"geometry":{"type":"Point","coordinates":[1,2]}}"#

  private static func prepared() throws -> Program {
    let program = try Program()
    try program.write(FilterTests.points, to: "p.geojson")
    try program.write(line + "\n", to: "l.jsonl")
    return program
  }

  private static let binary = Program.path.path

  @Test func `Several files are told of one after the other, and drawn and exported as one`()
    throws
  {
    let program = try Self.prepared()
    defer { program.remove() }
    let info = try program.run(["info", "p.geojson", "missing.geojson", "l.jsonl"])
    #expect(info.status == 3)
    #expect(info.errors.contains("missing.geojson"))
    #expect(info.output.contains("file      p.geojson\n"))
    #expect(info.output.contains("file      l.jsonl\n"))
    let json = try program.run(["info", "--json", "p.geojson", "l.jsonl"])
    #expect(json.status == 0 && json.output.split(separator: "\n").count == 2)
    let lines = try program.run(["export", "p.geojson", "l.jsonl", "--format", "ndjson"])
    #expect(lines.status == 0, "\(lines.errors)")
    #expect(lines.output.split(separator: "\n").count == 3)
    let map = try program.run(["render", "p.geojson", "l.jsonl", "--size", "60x20"])
    #expect(map.status == 0 && map.output.contains("There"), "\(map.errors)")
  }

  @Test func `A pipe handed over is read, and so are standard streams by their paths`() throws {
    let program = try Self.prepared()
    defer { program.remove() }
    for line in [
      "cat p.geojson | \(Self.binary) export /dev/stdin -o /dev/stdout",
      "cat p.geojson | \(Self.binary) export /dev/fd/0 --output=/dev/fd/1",
      "cat p.geojson | (exec 7<&0 </dev/null; \(Self.binary) export /dev/fd/7)",
    ] {
      let result = try program.shell(line)
      #expect(result.status == 0, "\(line): \(result.errors)")
      #expect(result.output == FilterTests.points, "\(line)")
    }
    let info = try program.shell("cat p.geojson | (exec 7<&0; \(Self.binary) info /dev/fd/7)")
    #expect(info.output.contains("layer     input "), "\(info.output) \(info.errors)")
    let device = try program.run(["info", "/dev/zero"])
    #expect(device.status == 3 && device.errors.contains("device"), "\(device.errors)")
  }

  private static let strange: [(name: String, text: String, told: String)] = [
    (
      "utm.csv", "name,lat,lon\nA,33T 507 4151,sheet 7\n",
      "1 row has no position"
    ),
    ("swap.csv", "id,lat,lon\n1,151.2,-33.8\n", "beyond latitude 90"),
    ("far.csv", "id,lat,lon\n1,95,200\n2,-90.5,-190\n", "2 features reach beyond latitude 90"),
    ("swap.geojson", #"{"type":"Point","coordinates":[10,120]}"#, "beyond latitude 90"),
  ]

  @Test(arguments: strange)
  func `Data without positions, or with swapped ones, is told by every verb that reads`(
    name: String, text: String, told: String
  ) throws {
    let program = try Self.prepared()
    defer { program.remove() }
    try program.write(text, to: name)
    try program.write("open \(name)\n", to: "open")
    try program.write("import \(name)\nsave s.doc --force\n", to: "import")
    for arguments in [
      ["info", name], ["render", name], ["export", name], ["import", name, "-o", "a.doc", "-f"],
      ["run", "open"], ["run", "import"], ["render", "p.geojson", name],
    ] {
      let result = try program.run(arguments)
      #expect(result.status == 0, "\(arguments): \(result.errors)")
      #expect(result.errors.contains("portolan: \(name): "), "\(arguments): \(result.errors)")
      #expect(result.errors.contains(told), "\(arguments): \(result.errors)")
      #expect(try program.run(arguments + ["--quiet"]).errors == "")
    }
  }

  @Test(arguments: [
    (["render", "none.geojson"], "no feature has a position"),
    (["render", "p.geojson", "--bbox", "100,10,110,20"], "--bbox=-20,-10,10.5,50.25 shows it"),
    (["render", "p.geojson", "--hide", "p"], "--ignore-visibility"),
    (["export", "p.geojson", "--bbox", "100,10,110,20"], "no feature is written"),
    (["import", "void.geojson", "-o", "v.doc", "-f"], "void.geojson: no feature was read"),
    (["import", "head.csv", "-o", "v.doc", "-f"], "head.csv: no feature was read"),
    (["render", "swap.csv"], "latitude and longitude have changed places"),
  ])
  func `An empty result is told`(arguments: [String], told: String) throws {
    let program = try Self.prepared()
    defer { program.remove() }
    try program.write(#"{"type":"Feature","properties":{},"geometry":null}"#, to: "none.geojson")
    try program.write(#"{"type":"FeatureCollection","features":[]}"#, to: "void.geojson")
    try program.write("lat,lon\n", to: "head.csv")
    try program.write("id,lat,lon\n1,151.2,-33.8\n2,144.9,-37.8\n", to: "swap.csv")
    let result = try program.run(arguments)
    #expect(result.status == 0)
    #expect(result.errors.contains(told), "\(result.errors)")
    #expect(try program.run(["render", "p.geojson"]).errors == "")
  }

  @Test(arguments: ["1e9", "-1e9", "nan", "23"])
  func `A zoom that no map has is refused`(_ zoom: String) throws {
    let program = try Self.prepared()
    defer { program.remove() }
    let result = try program.run(["render", "p.geojson", "--zoom", zoom])
    #expect(result.status == 2 && result.errors.contains("--zoom is a number from 0 to 22"))
    try program.write("x,y\n1e3,2e3\n5000,6000\n", to: "far.csv")
    #expect(try program.run(["render", "far.csv", "--zoom", "-40"]).status == 0)
  }

  @Test func `Planar coordinates of no stated system stay so, and the way out is told`() throws {
    let program = try Self.prepared()
    defer { program.remove() }
    let line =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1000,2000]}}"#
    for text in [line + "\n", line + "\n" + line + "\n"] {
      try program.write(text, to: "far.ndjson")
      let lines = try program.run(["export", "far.ndjson", "--format", "ndjson"])
      #expect(lines.output == text, "\(lines.errors)")
    }
    try program.write("x,y\n1e3,2e3\n5000,6000\n", to: "far.csv")
    let refused = try program.run(["export", "far.csv", "--rfc7946"])
    #expect(refused.errors.contains("--input-crs, and give --crs EPSG:4326"), "\(refused.errors)")
    let advised = try program.run([
      "export", "far.csv", "--rfc7946", "--input-crs", "EPSG:3857", "--crs", "EPSG:4326",
    ])
    #expect(advised.status == 0 || advised.errors.contains("PROJ"), "\(advised.errors)")
  }

  @Test func `Formulas in tables of queries are told, and made safe`() throws {
    let program = try Self.prepared()
    defer { program.remove() }
    try program.write(
      "lon,lat,a,=b\n1,2,@SUM(1),-5\n1,2,\"=1,2\",plain\n", to: "f.csv")
    for verb in [["query", "f.csv", "--fields", "a"], ["frequency", "f.csv", "a"]] {
      let told = try program.run(verb + ["--format", "csv"])
      #expect(told.errors.contains("a spreadsheet would run 2 texts"), "\(told.errors)")
      #expect(told.output.contains("@SUM(1)") && !told.output.contains("'@SUM(1)"))
      let safe = try program.run(verb + ["--format", "csv", "--safe-cells"])
      #expect(safe.errors.contains("2 texts that a spreadsheet would run"), "\(safe.errors)")
      #expect(safe.output.contains("'@SUM(1)") && safe.output.contains("\"'=1,2\""))
      #expect(try program.run(verb + ["--format", "json"]).errors == "")
    }
    let all = try program.run(["query", "f.csv", "--format", "tsv", "--safe-cells"])
    #expect(all.output.contains("'=b") && all.output.contains("-5"), "\(all.output)")
  }

  @Test func `Well-known text is found under any heading, and pairs are explained`() throws {
    let program = try Self.prepared()
    defer { program.remove() }
    try program.write("id,pos\nD1,POINT (1 2)\nD2,\n", to: "w.csv")
    let lines = try program.run(["export", "w.csv", "--format", "ndjson"])
    #expect(lines.output.contains(#""coordinates":[1,2]"#), "\(lines.errors)")
    #expect(
      try program.run(["export", "w.csv", "--format", "csv"]).output.contains("D1,POINT (1 2)"))
    try program.write("id,pos\nD1,\"(37.8, -122.4)\"\n", to: "pair.csv")
    let pair = try program.run(["info", "pair.csv"])
    #expect(pair.status == 3 && pair.errors.contains("--point-column"), "\(pair.errors)")
  }

  @Test func `A name with a comma is given as it is, in quotes, or by an option of its own`() throws
  {
    let program = try Self.prepared()
    defer { program.remove() }
    for (name, layer) in [("a.csv", "Roads, major"), ("b.csv", "Roads"), ("c.csv", "say \"x\"")] {
      try program.write("name,lon,lat\n\(name),1,2\n", to: name)
      try program.write("import \(name) --as '\(layer)'\n", to: name + ".script")
    }
    let script = "include a.csv.script\ninclude b.csv.script\ninclude c.csv.script\nsave d.doc\n"
    #expect(try program.run(["run", "-"], input: script).status == 0)
    for (options, names) in [
      (["--layers", "Roads, major"], ["a"]), (["--layers", "Roads,Roads, major"], ["a", "b"]),
      (["--layers", "\"Roads, major\",Roads"], ["a", "b"]),
      (["--layers", "Roads, major", "--layers", "say \"x\""], ["a", "c"]),
      (["--layers", "Roads , \"say \"\"x\"\"\""], ["b", "c"]),
    ] {
      let result = try program.run(["export", "d.doc", "--format", "ndjson"] + options)
      let found = ["a", "b", "c"].filter { result.output.contains("\"\($0).csv\"") }
      #expect(found == names, "\(options): \(result.errors)")
    }
    let unknown = try program.run(["export", "d.doc", "--layers", "Roads,minor"])
    #expect(unknown.status == 2 && unknown.errors.contains("no layer “minor”"), "\(unknown.errors)")
    let drawn = try program.run([
      "render", "d.doc", "--hide", "Roads, major", "--fit", "Roads, major",
    ])
    #expect(drawn.status == 0, "\(drawn.errors)")
  }
}
