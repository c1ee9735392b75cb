import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Whether an attribute exists is asked of a map before features are chosen; of a map without any
/// feature no attribute is missing.
@Suite struct EmptyMapTests {
  private struct Run {
    var output: String
    var failure: Failure?
  }

  private func run(_ line: String) throws -> Run {
    let collection = #"{"type":"FeatureCollection","features":["#
    let files = MemoryFileSystem(
      files: [
        "/m/none.geojson": collection + "]}", "/m/none.csv": "a,lon,lat\n",
        "/m/some.geojson": collection
          + #"{"type":"Feature","properties":{"n":"x","v":1},"geometry":"#
          + #"{"type":"Polygon","coordinates":[[[1,2],[3,2],[3,4],[1,2]]]}}]}"#,
        "/m/words.geojson": collection
          + #"{"type":"Feature","properties":{"n":"x","my col":1,"cold":2},"geometry":null}]}"#,
        "/m/far.geojson": collection
          + #"{"type":"Feature","properties":{},"geometry":"#
          + #"{"type":"Polygon","coordinates":[[[51,52],[53,52],[53,54],[51,52]]]}}]}"#,
      ].mapValues { Array($0.utf8) })
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    var failure: Failure?
    let command = try #require(try Commands.parse(line))
    do throws(Failure) { try runner.run(command) } catch { failure = error }
    return Run(
      output: String(decoding: files.output, as: UTF8.self),
      failure: failure ?? runner.desk.session.failure)
  }

  @Test(arguments: [
    "query /m/none.geojson --fields name", "query /m/none.geojson 'a > 1'",
    "query /m/none.geojson --sort a", "query /m/none.geojson --by a --fields 'n = count()'",
    "query /m/none.csv --fields a", "query /m/some.geojson --fields n --bbox 50,50,60,60",
    "query /m/some.geojson --fields n,v --sort -v --clip 50,50,60,60",
    "query /m/some.geojson 'v > 0' --by n --within /m/far.geojson",
  ])
  func `A query of nothing finds nothing`(line: String) throws {
    let run = try run(line)
    #expect(run.failure?.what == "nothing found", "\(String(describing: run.failure))")
  }

  @Test(arguments: [
    "export /m/none.geojson --where 'a > 1' --format geojson",
    "export /m/none.geojson --fields 'a, b = c + 1' --rename a=d --format geojson",
    "dissolve /m/none.geojson --by g -o -",
    "collect /m/none.geojson --by g --sum v -o -",
    "buffer /m/none.geojson 5km --where 'a = 1' -o -",
    "join /m/none.geojson /m/some.geojson --on n -o -",
    "join /m/none.geojson /m/none.csv --on n --fields w -o -",
    "export /m/none.csv --fields 'b = a' --format geojson",
  ])
  func `What is made of nothing is an empty map`(line: String) throws {
    let run = try run(line)
    #expect(run.failure == nil, "\(String(describing: run.failure))")
    #expect(run.output.contains(#""features":["#) && !run.output.contains("geometry"))
  }

  @Test(arguments: [
    ("export /m/none.csv --fields 'b = a' --format csv", "b"),
    ("export /m/none.geojson --fields n --format csv", "n"),
    ("export /m/some.geojson --where 'v > 5' --format csv", "v"),
    ("export /m/some.geojson --limit 0 --format csv", "v"),
    ("export /m/some.geojson --limit 0 --fields 'w = v' --format csv", "w"),
    ("export /m/some.geojson --bbox 50,50,60,60 --format csv", "v"),
    ("export /m/some.geojson --bbox 50,50,60,60 --limit 1 --format csv", "v"),
    ("export /m/some.geojson --bbox 50,50,60,60 --crs EPSG:3857 --format csv", "v"),
    ("export /m/some.geojson --clip 50,50,60,60 --format csv", "v"),
  ])
  func `A table of nothing has its columns`(line: String, column: String) throws {
    let run = try run(line)
    #expect(run.failure == nil, "\(String(describing: run.failure))")
    let names = run.output.split(whereSeparator: \.isNewline).first?.split(separator: ",") ?? []
    #expect(names.contains(Substring(column)), "\(run.output)")
  }

  @Test(arguments: [
    ("query /m/some.geojson --fields 'v, v = n' --format json", "would be named “v”"),
    ("query /m/some.geojson --fields 'n, n'", "two attributes would be named “n”"),
    ("query /m/some.geojson --by n --fields 'm = count(), m = 1'", "be named “m”"),
    ("query /m/words.geojson --by 'my col'", "write the name as \"my col\""),
    ("query /m/words.geojson --sort '-my col'", "write the name as \"my col\""),
    ("query /m/words.geojson --fields 'n, my col'", "write the name as \"my col\""),
    ("query /m/words.geojson 'n == \"cal\"'", "text is written 'cal'; did you mean “cold”?"),
  ])
  func `Names are told as they are to be written`(line: String, told: String) throws {
    let failure = try #require(try run(line).failure)
    #expect(failure.code == .usage && failure.description.contains(told), "\(failure)")
  }

  @Test(arguments: [
    ("o.doc", "portolan import FILE -o o.doc"), ("o.csv.gz", "--format csv -o - | gzip > o.csv.gz"),
    ("o.GEOJSON.gz", "--format geojson -o - | gzip"), ("o.zzz", "give --format geojson"),
  ])
  func `An output that export does not write is named with what does`(
    path: String, told: String
  ) throws {
    let error = #expect(throws: (any Error).self) {
      _ = try Commands.parse("export /m/some.geojson -o \(path)")
    }
    #expect(error.map { "\($0)" }?.contains(told) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["split-layer /m/none.geojson --by g -o '/m/{value}.geojson'"])
  func `Nothing is split into no file`(line: String) throws {
    #expect(try run(line).failure == nil)
  }

  @Test(arguments: [
    "query /m/some.geojson --fields zzz --bbox 50,50,60,60",
    "dissolve /m/some.geojson --by zzz --where 'v > 9' -o -",
    "export /m/some.geojson --where 'zzz > 1'",
  ])
  func `A name that the map does not have is told though nothing is chosen`(line: String) throws {
    let failure = try #require(try run(line).failure)
    #expect(failure.code == .usage && failure.description.contains("no attribute “zzz”"))
  }
}
