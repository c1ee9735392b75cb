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
