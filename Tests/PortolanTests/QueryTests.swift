import Foundation
import Testing

/// Questions by expressions, as a script asks them.
@Suite struct QueryTests {
  private static let map = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"a, b","n":1,"open":true,"tags":["x"]},"geometry":null},
    {"type":"Feature","properties":{"name":"","n":2.50,"open":null},"geometry":{"type":"Point","coordinates":[1,2]}},
    {"type":"Feature","properties":{"name":"c\\u001b[31m","n":9007199254740993},"geometry":null}
    ]}
    """

  private func run(_ arguments: [String]) throws -> Program.Result {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.map, to: "map.geojson")
    return try program.run(arguments)
  }

  @Test(arguments: [
    (["n > 1", "--format", "count"], "2\n"),
    (
      ["--fields", "name,n,open", "--format", "csv"],
      "name,n,open\n\"a, b\",1,true\n\"\",2.50,\nc\u{1B}[31m,9007199254740993,\n"
    ),
    (
      ["n < 2", "--format", "json"],
      "[\n  {\"name\": \"a, b\", \"n\": 1, \"open\": true, \"tags\": [\"x\"]}\n]\n"
    ),
    (
      ["--sort", "-n", "--fields", "n", "--format", "ndjson", "--limit", "1"],
      "{\"n\": 9007199254740993}\n"
    ),
    (["--by", "open", "--format", "csv"], "open,count\ntrue,1\n,2\n"),
    (
      ["--where", "$x is not null", "--fields", "n,twice=n * 2", "--format", "tsv"],
      "n\ttwice\n2.50\t5\n"
    ),
  ])
  func answers(options: [String], output: String) throws {
    let result = try run(["query", "map.geojson"] + options)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == output)
  }

  @Test func findsNothing() throws {
    let result = try run(["query", "map.geojson", "n > 1e30", "--format", "json"])
    #expect(result.status == 1)
    #expect(result.output == "[]\n")
    #expect(result.errors.contains("nothing found"))
  }

  /// Query, --where and `select where` choose the same features.
  @Test(arguments: ["n > 1", "open is null", "name like '%b'", "open", "n between 1 and 3"])
  func agrees(condition: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.map, to: "map.geojson")
    let asked = try program.run(
      ["query", "map.geojson", "--where", condition, "--fields", "n", "--format", "ndjson"])
    let export = try program.run([
      "export", "map.geojson", "--where", condition, "--format", "ndjson",
    ])
    try program.write(
      "open map.geojson\nselect where \(condition)\nexport --selection -o out.ndjson\n",
      to: "script")
    _ = try program.run(["run", "script"])
    #expect(try program.read("out.ndjson") == export.output)
    let count = asked.output.split(separator: "\n").count
    #expect(count > 0 && export.output.split(separator: "\n").count == count)
  }

  @Test func showsControlsInTables() throws {
    let result = try run(["query", "map.geojson"])
    #expect(!result.output.contains("\u{1B}"))
  }
}
