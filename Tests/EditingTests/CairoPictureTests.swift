import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct CairoPictureTests {
  private func request(_ line: String, _ document: Document = .towns) throws -> PictureRequest {
    var editor = Editor(document)
    try editor.run(line)
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    return request
  }

  private func picture(_ line: String, _ document: Document = .towns) throws -> [UInt8] {
    let request = try request(line, document)
    return try request.format.picture(of: request, depth: .trueColour)
  }

  private static let all = "--legend --scalebar --graticule --north --title T --credit C"

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: ["png", "pdf"])
  func `Equal requests give equal bytes`(format: String) throws {
    let line = "render -o a.\(format) \(Self.all) --size 600x400"
    let first = try picture(line)
    #expect(try picture(line) == first)
    #expect(try picture(line + " --paper dark") != first)
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: [
      ("600x300", 600, 300), ("600", 600, 400), ("210x297mm", 794, 1123), ("1x1", 1, 1),
      ("20000x3", 20_000, 3),
    ])
  func `A picture has the pixels that were asked for`(
    size: String, width: Int, height: Int
  ) throws {
    let png = try picture("render -o a.png \(Self.all) --size \(size)")
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(png[16..<20]) == width && number(png[20..<24]) == height)
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: [
      ("--size 210x297mm --dpi 300", 2480, 3508, 300),
      ("--size 1000x601 --dpi 144", 1000, 601, 144),
    ])
  func `A picture has the pixels an inch that were asked for`(
    options: String, width: Int, height: Int, dotsPerInch: Int
  ) throws {
    let png = try picture("render -o a.png \(Self.all) \(options)")
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(png[16..<20]) == width && number(png[20..<24]) == height)
    // The chunk behind the first: its length, name, and the pixels a metre.
    #expect(number(png[33..<37]) == 9 && png[37..<41].elementsEqual("pHYs".utf8))
    #expect(number(png[41..<45]) == Int((Double(dotsPerInch) / 0.0254).rounded()))
  }

  @Test func `Pixels an inch are for PNG alone, and within bounds`() throws {
    let usual = try request("render -o a.png").size
    let dense = try request("render -o a.png --dpi 192").size
    #expect((dense.width, dense.height) == (usual.width, usual.height))
    #expect(dense.raster?.width == 2 * usual.width && dense.raster?.height == 2 * usual.height)
    for line in ["a.pdf --dpi 300", "a.svg --dpi 96", "a.png --dpi 0", "a.png --dpi 9999"] {
      #expect(throws: (any Error).self) { try request("render -o \(line)") }
    }
    for sizes in ["4000x4000mm --dpi 1200", "10000x5000 --dpi 36", "40x20 --dpi 1200"] {
      let error = #expect(throws: EditingError.self) {
        try request("render -o a.png --size \(sizes)")
      }
      #expect(error.map { "\($0)".contains("--dpi") } ?? false)
    }
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: [
      ("210x297mm", "595.275591 841.889764"), ("600x400", "450 300"), ("20000x1", "15000 0.75"),
    ])
  func `A page has the paper that was asked for, and no date`(size: String, box: String) throws {
    let pdf = String(
      decoding: try picture("render -o a.pdf \(Self.all) --size \(size)"), as: UTF8.self)
    #expect(pdf.contains("/MediaBox [ 0 0 \(box) ]"))
    #expect(pdf.contains("/CreationDate (19700101000000"))
  }

  @Test func `A picture of too many pixels is refused with the way out`() throws {
    let error = #expect(throws: EditingError.self) { try request("render -o a.png --size 20000") }
    let words = error.map { "\($0)" } ?? ""
    #expect(words.contains("100 million pixels"), "\(words)")
    #expect(throws: Never.self) { try request("render -o a.png --size 10000x10000") }
    #expect(throws: Never.self) { try request("render -o a.pdf --size 20000") }
  }

  @Test func `In the editor a picture shows the part of the map on the screen`() throws {
    var editor = Editor()
    try editor.run("render -o a.png")
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    #expect(request.camera == editor.desk.camera)
  }
}
