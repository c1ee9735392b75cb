import PortolanFiles
import Testing

@testable import PortolanEditing

/// Figures of all features, and tables without positions.
@Suite struct QueryFigureTests {
  private struct Answer {
    var output = ""
    var failure: Failure?
    var words: [String] = []
    var files: MemoryFileSystem
  }

  private func answer(_ line: String, _ texts: [String: String]) throws -> Answer {
    let files = MemoryFileSystem(files: texts.mapValues { Array($0.utf8) })
    var words: [String] = []
    var answer = Answer(files: files)
    var runner = HeadlessRunner(world: World(files: files)) { words.append($0) }
    let command = try #require(try Commands.parse(line))
    do throws(Failure) { try runner.run(command) } catch { answer.failure = error }
    answer.output = String(decoding: files.output, as: UTF8.self)
    answer.words = words
    return answer
  }

  private let table = [
    "/m/t.csv": "k,v,lon,lat\na,1,0,0\nb,2,1,1\na,4,2,2\n", "/m/e.csv": "v,x,y\n",
  ]

  @Test(arguments: [
    ("query /m/t.csv --fields 'n=count(),s=sum(v)' --format csv", "n,s\n3,7\n"),
    ("query /m/t.csv 'v > 1' --fields 's=sum(v) / count()' --format csv", "s\n3\n"),
    // None is found: the figures say so.
    ("query /m/t.csv 'v > 9' --fields 'n=count(),s=sum(v)' --format csv", "n,s\n0,\n"),
    ("query /m/e.csv --fields 'n=count()' --format csv", "n\n0\n"),
    ("query /m/t.csv --fields 'n=count()' --limit 0 --format csv", "n\n"),
    // These differ from feature to feature.
    ("query /m/t.csv --fields 'share=v / sum(v) * 7' --format csv", "share\n1\n2\n4\n"),
    ("query /m/t.csv --fields 'n=count() by k' --format csv", ""),
    ("query /m/t.csv --fields 'n=count(v by k)' --format csv", "n\n2\n1\n2\n"),
    ("query /m/t.csv --fields 'one=1' --format csv", "one\n1\n1\n1\n"),
    ("query /m/t.csv --by k --fields 's=sum(v)' --format csv", "k,s\na,5\nb,2\n"),
  ])
  func `Figures of all features are one row`(line: String, rows: String) throws {
    let answer = try answer(line, table)
    #expect(answer.output == rows, "\(answer.failure?.description ?? "")")
  }

  @Test(arguments: ["", "'v > 1'", "'v > 9'", "--by k", "--sort -v", "--fields 'n=count()'"])
  func `A count is that of the rows which are written, limited or not`(question: String) throws {
    for limit in ["", "--limit 0", "--limit 1", "--limit 2", "--limit 9"] {
      let line = "query /m/t.csv \(question) \(limit) --format"
      let rows = try answer(line + " ndjson", table)
      let count = try answer(line + " count", table)
      #expect(count.output == "\(rows.output.split(separator: "\n").count)\n", "\(line)")
      #expect(count.failure == rows.failure, "\(line)")
    }
  }

  @Test func `A layer without features is in the file or told`() throws {
    let files = ["/m/t.csv": table["/m/t.csv"] ?? "", "/m/e.csv": "v,lon,lat\n"]
    let words =
      "/m/o.csv: 1 layer has no feature to write: csv holds no empty layer beside others (e)"
    let told = try answer("export /m/t.csv /m/e.csv -o /m/o.csv", files)
    #expect(told.words.contains { $0.contains(words) }, "\(told.words)")
    let held = try answer("export /m/t.csv /m/e.csv --format kml", files)
    #expect(held.output.contains("<name>e</name>") && held.words.isEmpty, "\(held.words)")
    let alone = try answer("export /m/e.csv --format ndjson", files)
    #expect(alone.output == "" && alone.words.isEmpty, "\(alone.words)")
  }

  @Test(arguments: [
    ("query /m/t.csv --bbox 0.5,0.5,3,3 --fields 'n=count(),s=sum(v)' --format csv", "n,s\n2,6\n"),
    ("query /m/t.csv --bbox 1,1,1,1 --fields k --format csv", "k\nb\n"),
    ("query /m/t.csv --clip 0.5,0.5,1.5,1.5 --fields k --format csv", "k\nb\n"),
    (
      "query /m/l.wkt --clip 0,-1,1,1 --fields 'd=round(max($length) / 1000)' --format csv",
      "d\n111\n"
    ),
    ("export /m/t.csv --limit 2 --format csv", "k,v,lon,lat\na,1,0,0\nb,2,1,1\n"),
    ("export /m/t.csv --limit 1 --bbox 0.5,0.5,3,3 --format csv", "k,v,lon,lat\nb,2,1,1\n"),
    (
      "export /m/t.csv --limit 1 --where 'v > 0' --crs EPSG:4326 --format csv",
      "k,v,lon,lat\na,1,0,0\n"
    ),
    ("export /m/p.csv --no-positions --format csv", "k,v\na,1\n"),
    ("export /m/p.csv --no-positions --where 'v > 5' --format csv", "k,v\n"),
  ])
  func `Boxes, cuts and limits choose what is asked and written`(line: String, rows: String) throws
  {
    let answer = try answer(
      line,
      table.merging(
        ["/m/l.wkt": "LINESTRING(0 0, 3 0)\n", "/m/p.csv": "k,v\na,1\n"]) { $1 })
    #expect(answer.output == rows, "\(answer)")
  }

  @Test func `Info tells of some layers and of a box`() throws {
    let files = ["/m/t.csv": table["/m/t.csv"] ?? "", "/m/u.csv": "k,lon,lat\nx,9,9\n"]
    let one = try answer("info /m/t.csv --bbox 0.5,0.5,3,3", files)
    #expect(one.output.contains("layer     t (pt): 2 features"), "\(one)")
    _ = try answer("import /m/t.csv /m/u.csv -o /m/a.doc", files)
    let limited = try answer("import /m/t.csv --limit 2 -o /m/b.doc", files)
    #expect(limited.words.contains { $0.contains("layer t: 3 features, 2 taken (--limit)") })
  }

  @Test func `A table of attributes alone is read where that is said`() throws {
    let text = "code;name\n1;Österreich\n;\n02;\"a;b\"\n"
    for verb in ["query", "statistics", "info", "export"] {
      let refused = try answer("\(verb) /m/a.csv", ["/m/a.csv": text])
      #expect(refused.failure?.description.contains("--no-positions") == true, "\(verb)")
    }
    let found = try answer(
      "query /m/a.csv \"name is null\" --no-positions --fields 'n=count()' --format csv",
      ["/m/a.csv": text])
    #expect(found.output == "n\n1\n", "\(found.failure?.description ?? "")")
    let features = try answer(
      "export /m/a.csv --no-positions --format geojson -o -", ["/m/a.csv": text])
    #expect(features.output.contains(#""name":"a;b"},"geometry":null"#), "\(features.output)")
  }
}
