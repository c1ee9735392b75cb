import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import Testing

@Suite struct CellCanvasTests {
  @Test func `A polygon with a hole is a background with an outline`() throws {
    let block = try #require(
      MapSamples.block([
        .polygon([MapSamples.square(128, 128, 15), MapSamples.square(128, 128, 6)])
      ]))
    let camera = MapSamples.planar(columns: 20, rows: 10)
    let frame = MapSamples.frame(
      [.block(block, style: MapSamples.area, hidden: [])], camera)
    let green = TerminalColour(red: 0, green: 128, blue: 0)
    #expect(frame[4, 5].style.background == green)
    #expect(frame[10, 5].style.background == .standard)
    #expect(frame[0, 0] == .blank)
    #expect(frame[10, 5].glyph == .space)
  }
}
