import PortolanFiles
import PortolanKeeping
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// An export in parts writes and says the same as one of the whole file.
@Suite struct PartExportLawTests {
  private struct Answer: Equatable {
    var output: [UInt8]
    var file: [UInt8]?
    var words: [String]
    var failure: Failure?
  }

  private func answer(
    _ line: String, _ bytes: [UInt8], _ path: String, pieceCount: Int?
  ) throws -> Answer {
    let files = MemoryFileSystem(files: [path: bytes, "/m/taken.geojson": [0x7B]])
    var options = World.Options()
    options.partialData.countMin = pieceCount == nil ? .max : 1
    options.partialData.settlingTime = 0
    options.partialData.pieceCount = pieceCount ?? 1
    var words: [String] = []
    var runner = HeadlessRunner(world: World(files: files, options: options), verbosity: .verbose) {
      words.append($0)
    }
    var failure: Failure?
    let command = try #require(try Commands.parse(line), "\(line)")
    do throws(Failure) { try runner.run(command) } catch { failure = error }
    return Answer(
      output: files.output, file: try? files.read("/m/out.json", limit: 1 << 24), words: words,
      failure: failure)
  }

  /// Whether the runner reads a file in parts.
  private func isInParts(_ line: String, _ bytes: [UInt8], _ path: String) throws -> Bool {
    let files = MemoryFileSystem(files: [path: bytes])
    var options = World.Options()
    options.partialData.countMin = 1
    options.partialData.settlingTime = 0
    options.partialData.pieceCount = 100
    let verb = try #require(try Commands.parse(line) as? ExportLayers)
    guard let export = verb.partExport else { return false }
    return (try? World(files: files, options: options).survey(export, .none)) ?? nil != nil
  }

  private static func feature(_ random: inout SeededGenerator, _ number: Int) -> String {
    let x = Double.random(in: -185...185, using: &random)
    let y = Double.random(in: -89...89, using: &random)
    let name =
      ["Ørsta", "a/b", "caf\\u00e9", "x\\/y", "", "=1"].randomElement(using: &random) ?? ""
    var members = [#""name":"\#(name) \#(number)""#]
    if Bool.random(using: &random) { members.append(#""n":\#(number % 17)"#) }
    if number > 20, Int.random(in: 0..<5, using: &random) == 0 { members.append(#""late":true"#) }
    if Int.random(in: 0..<9, using: &random) == 0 { members.append(#""n":"text""#) }
    let shape =
      switch Int.random(in: 0..<5, using: &random) {
      case 0: #"{"type":"LineString","coordinates":[[\#(x),\#(y)],[\#(-x),\#(y / 2)]]}"#
      case 1:
        #"{"type":"Polygon","coordinates":[[[\#(x),\#(y)],[\#(x + 9),\#(y)],[\#(x),\#(y / 2)],"#
          + #"[\#(x),\#(y)]]]}"#
      case 2: "null"
      default: #"{"type": "Point","coordinates":[\#(x),\#(y)]}"#
      }
    let id = Bool.random(using: &random) ? #""id":\#(number),"# : ""
    return #"{"type":"Feature",\#(id)"properties":{\#(members.joined(separator: ","))},"#
      + #""geometry":\#(shape)}"#
  }

  private static func text(_ random: inout SeededGenerator) -> (String, ending: String) {
    let features = (0..<Int.random(in: 2...70, using: &random)).map { feature(&random, $0) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return (features.joined(separator: "\n") + "\n", "ndjson")
    case 1: return (features.map { "\u{1E}" + $0 + "\n" }.joined(), "geojsons")
    default:
      let crs = #""crs":{"type":"name","properties":{"name":"EPSG:3857"}},"#
      let head = ["", "", #""name":"ports","#, #""bbox":[-180,-90,180,90],"#, crs]
      let tail = ["", "", #","note":[{"a":1},{"b":"]}"}]"#]
      return (
        #"{"type":"FeatureCollection","# + (head.randomElement(using: &random) ?? "")
          + "\"features\":[\n" + features.joined(separator: ",\n") + "\n]"
          + (tail.randomElement(using: &random) ?? "") + "}\n", "geojson"
      )
    }
  }

  private static func line(_ random: inout SeededGenerator, _ path: String) -> String {
    var line = "export " + path
    func sometimes(_ choices: [String]) {
      guard Int.random(in: 0..<3, using: &random) == 0 else { return }
      line += " " + (choices.randomElement(using: &random) ?? "")
    }
    sometimes([
      "--bbox -20,10,60,70", "--bbox 170,-60,-160,60", "--bbox 0,0,1,1", "--bbox 0,0,500,100",
    ])
    sometimes([
      "--where 'n > 5'", "--where \"name like 'a%'\"", "--where '$id > 3 and n != 4'",
      "--where 'nobody = 1'", "--where 'n > '", "--where 'n = mean(n)'", "--where '$y > 0'",
      "--where 'n / (n - 3) > 0'", "--where 'late'", "--where '$area > 1e10'",
    ])
    sometimes(["--fields name", "--fields 'name, m = n * 2'", "--fields late,x=$x", "--fields q"])
    sometimes(["--rename name=ñame", "--rename n=name", "--rename z=a"])
    sometimes(["--limit 0", "--limit 3", "--limit 12", "--limit 1000"])
    sometimes(["--precision 2", "--rfc7946", "--geojson-2008"])
    sometimes(["--format ndjson", "--format geojsonseq", "--format csv", "--format geojson"])
    sometimes(["-o /m/out.json", "-o /m/taken.geojson", "-o /m/out.json --force"])
    return line
  }

  @Test func `Random maps are exported alike, whole and in parts`() throws {
    var inParts = 0
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      let (text, ending) = Self.text(&random)
      var bytes = Array(text.utf8)
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = 0x5D
      }
      let path = "/m/in." + ending
      let line = Self.line(&random, path)
      var whole = try answer(line, bytes, path, pieceCount: nil)
      var parts = try answer(
        line, bytes, path, pieceCount: Int.random(in: 20...4000, using: &random))
      if whole.failure?.code == .output {
        // What expressions leave out is told when all is written.
        whole.words.removeAll { $0.hasPrefix("--") }
        parts.words.removeAll { $0.hasPrefix("--") }
      }
      #expect(whole == parts, "seed \(seed): \(line)")
      if try isInParts(line, bytes, path) { inParts += 1 }
    }
    #expect(inParts > Seeds.some(40).count / 4)
  }

  @Test func `A pattern of the output names its places`() throws {
    let map = Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8)
    #expect(throws: (any Error).self) {
      try Commands.parse("export /m/a.geojson -o '/m/{nme}.csv'")
    }
    for (line, made) in [
      ("export /m/a.geojson -o '/m/{name}.{format}' --format ndjson", "/m/a.ndjson"),
      ("export /m/a.geojson -o '/m/all.{format}' --format csv", "/m/all.csv"),
      ("export /m/a.geojson -o '/m/{1}.csv'", "/m/{1}.csv"),
    ] {
      let files = MemoryFileSystem(files: ["/m/a.geojson": map])
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      try runner.run(try #require(try Commands.parse(line)))
      #expect(files.exists(made), "\(line)")
    }
  }
}
