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
}
