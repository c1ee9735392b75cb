import Foundation
import PortolanFiles
import PortolanGraphics
import Testing

@testable import PortolanEditing

/// Boxes and shapes that run across the antimeridian.
@Suite struct GlobeBoxTests {
  @Test(arguments: [
    (Box(minX: 175, minY: -5, maxX: 185, maxY: 5), true),
    (Box(minX: 174, minY: -5, maxX: 176, maxY: 5), true),
    (Box(minX: -176, minY: -5, maxX: -174, maxY: 5), true),
    (Box(minX: 0, minY: -5, maxX: 10, maxY: 5), false),
  ])
  func `A polygon across 180 degrees is chosen where it is drawn`(box: Box, isIn: Bool) throws {
    let text = """
      {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":\
      [[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]}}
      """
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("portolan-box-\(UUID().uuidString).geojson")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var desk = Desk()
    let job = desk.startJob("open")
    let answer = try World(files: RealFileSystem()).perform(
      .perform(OpenRequest(paths: [file.path]), job))
    _ = desk.handle(try #require(answer))
    #expect(desk.features(in: box, of: desk.choosableLayers).isEmpty != isIn)
  }

  /// In both ways: jumping, and cut at 180 degrees; from the file and from a part of a document.
  @Test(arguments: [
    (
      #"{"type":"Polygon","coordinates":[[[178,-18],[-178,-18],[-178,-16],[178,-18]]]}"#, "180",
      -178
    ),
    (#"{"type":"MultiPoint","coordinates":[[177,-18],[-179,-16]]}"#, "179", -179),
    (
      #"{"type":"MultiPolygon","coordinates":[[[[176,-18],[180,-18],[180,-16],[176,-18]]],"#
        + #"[[[-180,-18],[-178,-18],[-178,-16],[-180,-18]]]]}"#, "179", -178
    ),
    (#"{"type":"LineString","coordinates":[[-178,-18],[0,3],[178,-16]]}"#, "0", 178),
  ])
  func `A box across 180 degrees has its west above its east`(
    shape: String, middle: String, east: Int
  ) throws {
    let files = MemoryFileSystem(files: ["/m.geojson": Array(shape.utf8)])
    func said(_ line: String) throws -> String {
      let count = files.output.count
      var runner = HeadlessRunner(world: World(files: files)) { _ in }
      try runner.run(try #require(try Commands.parse(line)))
      return String(decoding: files.output.dropFirst(count), as: UTF8.self)
    }
    _ = try said("import /m.geojson -o /m.doc")
    let whole = try said("query /m.geojson --fields '$x,$bbox' --format ndjson")
    #expect(whole.contains(#""$x": \#(middle),"#) && whole.contains(",\(east),"), "\(whole)")
    #expect(try said("query /m.doc --fields '$x,$bbox' --format ndjson") == whole)
  }
}
