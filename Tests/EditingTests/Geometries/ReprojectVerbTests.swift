import PortolanDocuments
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// `reproject` as a verb makes the file that `export --crs` makes.
@Suite struct ReprojectVerbTests {
  private struct Run {
    var output: String
    var failure: Failure?
    var files: MemoryFileSystem
  }

  private func run(_ line: String, _ files: [String: String]) throws -> Run {
    let files = MemoryFileSystem(files: files.mapValues { Array($0.utf8) })
    var runner = HeadlessRunner(world: World(files: files)) { _ in }
    var failure: Failure?
    let command = try #require(try Commands.parse(line))
    do throws(Failure) { try runner.run(command) } catch { failure = error }
    return Run(
      output: String(decoding: files.output, as: UTF8.self), failure: failure, files: files)
  }

  private func map(_ numbers: inout SeededGenerator) -> String {
    func position() -> String {
      let x = Double(Int.random(in: -1_700_000...1_700_000, using: &numbers)) / 10_000
      let y = Double(Int.random(in: -800_000...800_000, using: &numbers)) / 10_000
      return "[\(x),\(y)]"
    }
    let features = (0..<Int.random(in: 1...6, using: &numbers)).map { number in
      let isPoint = Bool.random(using: &numbers)
      let shape =
        isPoint
        ? #"{"type":"Point","coordinates":\#(position())}"#
        : #"{"type":"LineString","coordinates":[\#(position()),\#(position())]}"#
      return #"{"type":"Feature","id":\#(number),"properties":{"n":\#(number)},"#
        + #""geometry":\#(shape)}"#
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  @Test(arguments: Seeds.some(10))
  func `The file is that of export in the system`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let files = ["/m/a.geojson": map(&numbers), "/m/b.geojson": map(&numbers)]
    let system = try #require(["EPSG:3857", "EPSG:4258", "25832"].randomElement(using: &numbers))
    let form = try #require(["geojson", "csv", "tsv"].randomElement(using: &numbers))
    let some = Bool.random(using: &numbers) ? "/m/a.geojson" : "/m/a.geojson /m/b.geojson"
    let made = try run("reproject \(some) \(system) --format \(form) -o -", files)
    let wanted = try run("export \(some) --crs \(system) --format \(form) -o -", files)
    #expect(made.failure == nil, "\(made.failure?.description ?? "")")
    #expect(!made.output.isEmpty && made.output == wanted.output)
  }

  @Test func `A document is of the system, and a file that is so already is written as it is`()
    throws
  {
    var numbers = SeededGenerator(seed: 1)
    let files = ["/m/a.geojson": map(&numbers)]
    let made = try run("reproject /m/a.geojson EPSG:3857 -o /m/a.doc", files)
    #expect(made.failure == nil)
    let document = try DocumentArchive.open(made.files.read("/m/a.doc", limit: 1 << 20)).document
    #expect(document.metadata.coordinateSystem.name == "EPSG:3857")
    let same = try run("reproject /m/a.geojson OGC:CRS84 -o -", files)
    #expect(same.failure == nil && same.output == files["/m/a.geojson"])
  }

  @Test(arguments: ["EPSG:25832", "EPSG:3857", "EPSG:4258"])
  func `A stated system is kept where it is the wanted one`(system: String) throws {
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"#
      + #""geometry":{"type":"Point","coordinates":[12,5]}}]}"#
    let files = ["/m/a.geojson": text, "/m/a.csv": "x,y\n500000,5500000\n"]
    for file in system == "EPSG:4258" ? ["/m/a.geojson"] : ["/m/a.csv"] {
      let made = try run("reproject \(file) \(system) --from \(system) -o /m/made.doc", files)
      let wanted = try run("export \(file) --input-crs \(system) -o /m/wanted.geojson", files)
      #expect(made.failure == nil && wanted.failure == nil)
      let document = try DocumentArchive.open(
        made.files.read("/m/made.doc", limit: 1 << 20)
      ).document
      #expect(document.metadata.coordinateSystem.name == system)
      let again = try run(
        "reproject \(file) \(system) --from \(system) -o /m/wanted.geojson", files)
      #expect(
        try again.files.read("/m/wanted.geojson", limit: 1 << 20)
          == wanted.files.read("/m/wanted.geojson", limit: 1 << 20))
    }
  }

  @Test func `A system is a step that undo takes back, without any feature`() throws {
    var editor = Editor(Document())
    try editor.run("reproject EPSG:3857")
    #expect(editor.document.metadata.coordinateSystem.name == "EPSG:3857")
    try editor.run("undo")
    #expect(editor.document.metadata.coordinateSystem.isDegrees)
  }

  @Test(arguments: ["/m/a.geojson", "/m/a.geojson EPSG:3857 -o x.y"])
  func `What names no system or no format is refused`(words: String) {
    #expect(throws: (any Error).self) { try Commands.parse("reproject \(words)") }
  }

  @Test func `An output without files is refused`() throws {
    #expect(try run("reproject EPSG:3857 -o /m/b.geojson", [:]).failure != nil)
  }
}
