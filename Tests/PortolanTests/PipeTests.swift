import Foundation
import Testing

/// Inputs through pipes, empty maps, and outputs to /dev/null.
@Suite struct PipeTests {
  private func shell(_ line: String, in program: Program) throws -> Program.Result {
    try program.run(
      ["-c", "p='\(Program.path.path)'; " + line],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "XDG_STATE_HOME": program.path("state"),
      ],
      executable: URL(fileURLWithPath: "/bin/bash"))
  }

  private static let map = """
    {"type":"FeatureCollection","features":[\
    {"type":"Feature","properties":{"code":1,"v":2.50},\
    "geometry":{"type":"Point","coordinates":[1,2]}}]}
    """

  private func prepared() throws -> Program {
    let program = try Program()
    try program.write(Self.map, to: "m.geojson")
    try program.write(#"{"type":"FeatureCollection","features":[]}"#, to: "e.geojson")
    try program.write("code,w\n1,x\n", to: "t.csv")
    try program.write("code,w\n", to: "h.csv")
    return program
  }

  @Test func `A wrong expression is told before a large file is read`() throws {
    let program = try Program()
    defer { program.remove() }
    let line = #"{"type":"Feature","properties":{"code":1},"geometry":null}"# + "\n"
    // A broken line at the end, which a reading would tell.
    try program.write(String(repeating: line, count: 100_000) + "{", to: "l.ndjson")
    for (option, words) in [
      ("--where 'code +'", "a value is missing"), ("--where 'code + 1'", "no condition"),
      ("--fields 'code +'", "a value is missing"), ("--where 'code = 1'", "100001:2"),
    ] {
      let result = try shell("$p export l.ndjson \(option) -o out.ndjson", in: program)
      #expect(result.status != 0 && result.errors.contains(words), "\(option): \(result.errors)")
    }
  }

  @Test func `check takes every format through a pipe`() throws {
    let program = try prepared()
    defer { program.remove() }
    try program.write(
      #"{"type":"Feature","properties":{},"geometry":null}"# + "\n"
        + #"{"type":"Feature","properties":{},"geometry":null}"# + "\n", to: "l.ndjson")
    for line in [
      "$p check <(cat l.ndjson)", "cat l.ndjson | $p check -",
      "$p check - --from ndjson < l.ndjson",
      "$p check <(printf 'lon,lat,a\\n1,2,3\\n')", "$p check --from csv - < t.csv --no-positions",
      "$p export m.geojson --format gpkg -o - | $p check -",
    ] {
      let result = try shell(line, in: program)
      #expect(result.status == 0, "\(line): \(result.output) \(result.errors)")
    }
    let ragged = try shell("printf 'lon,lat\\n1,2,3\\n' | $p check -", in: program)
    #expect(ragged.status == 1 && ragged.output.contains("too few or too many fields"))
    let baseline = try shell("$p check m.geojson --baseline none", in: program)
    #expect(baseline.status == 0 && baseline.errors.contains("no such baseline"))
  }

  @Test func `Tables come through a pipe, and without rows`() throws {
    let program = try prepared()
    defer { program.remove() }
    for line in [
      "$p join m.geojson - --on code -o - < t.csv", "$p join m.geojson <(cat t.csv) --on code -o -",
      "printf 'lon,lat,code,w\\n9,9,1,x\\n' | $p join m.geojson - --on code --fields w -o -",
    ] {
      let joined = try shell(line, in: program)
      #expect(joined.output.contains(#""w":"x""#), "\(line): \(joined.errors)")
    }
    let empty = try shell("$p join m.geojson h.csv --on code -o -", in: program)
    #expect(empty.status == 0 && empty.output.contains(#""v":2.50,"w":null"#), "\(empty)")
    let same = try shell(
      "printf 'code,v\\n1,2.5\\n' | $p update m.geojson - --key code -o -", in: program)
    #expect(same.output == Self.map && same.errors.contains("updated 0 values"), "\(same)")
    let difference = try shell(
      "$p export m.geojson -o m.csv && $p diff m.csv <(cat m.csv)", in: program)
    #expect(difference.status == 0, "\(difference.errors)")
  }

  @Test(arguments: [
    "buffer e.geojson 10m", "dissolve e.geojson", "join e.geojson t.csv --on code",
    "clip m.geojson e.geojson", "centroid e.geojson", "hull e.geojson",
    "update m.geojson h.csv --key code", "make-valid m.geojson --where 'code > 5'",
  ])
  func `An empty result is a result`(verb: String) throws {
    let program = try prepared()
    defer { program.remove() }
    let result = try shell("$p \(verb) -o -", in: program)
    #expect(result.status == 0 && result.output.hasPrefix("{"), "\(verb): \(result.errors)")
  }

  @Test func `Nothing on standard input is told with what takes it`() throws {
    let program = try prepared()
    defer { program.remove() }
    let none = "$p export m.geojson --where 'code > 5' --format ndjson"
    let refused = try shell("\(none) | $p export - --format csv", in: program)
    #expect(refused.status == 3 && refused.errors.contains("--from ndjson or --from csv"))
    let taken = try shell("\(none) | $p export - --from ndjson --format csv", in: program)
    #expect(taken.status == 0 && taken.output.hasPrefix("lon,lat"), "\(taken.errors)")
  }

  @Test func `An export without a hit is a file with its columns`() throws {
    let program = try prepared()
    defer { program.remove() }
    let table = try shell("$p export m.geojson --where 'code > 5' --format csv -o -", in: program)
    #expect(table.output == "lon,lat,code,v\r\n", "\(table.errors)")
    for ending in ["gpkg", "shp", "kml", "kmz", "topojson", "ndjson", "geojson"] {
      let line = "$p export m.geojson --where 'code > 5' -o o.\(ending)"
      let result = try shell(line, in: program)
      #expect(result.status == 0, "\(ending): \(result.errors)")
    }
    let none = try shell("$p export m.geojson -o /dev/null && test -c /dev/null", in: program)
    #expect(none.status == 0, "\(none.errors)")
  }
}
