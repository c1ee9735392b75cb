import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanCairo

enum Cairo {
  static let isInstalled = (try? CairoSurface(width: 1, height: 1)) != nil
}

@Suite(.enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"))
struct CairoSurfaceTests {
  private static let black = Colour(red: 0, green: 0, blue: 0)
  private static let white = Colour(red: 255, green: 255, blue: 255)

  private func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  @Test(arguments: [(1, 1), (17, 300), (2000, 3), (1, 32_767)])
  func `A PNG file has the pixels that were asked for`(width: Int, height: Int) throws {
    let png = try CairoSurface(width: width, height: height).png()
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(number(png[16..<20]) == width && number(png[20..<24]) == height)
  }

  @Test(arguments: [(32_768, 1), (1, 32_768), (.max, .max), (-1, 5), (.min, 1)])
  func `A size that cairo cannot draw is an error`(width: Int, height: Int) {
    #expect(throws: CairoError.self) { try CairoSurface(width: width, height: height).png() }
  }

  @Test func `Colours come back from the pixels`() throws {
    let surface = try CairoSurface(width: 4, height: 2)
    surface.paint(Colour(red: 1, green: 2, blue: 3))
    surface.rectangle(1, 0, 2, 1)
    surface.fill(Colour(red: 250, green: 100, blue: 7))
    let pixels = try surface.pixels()
    let (ground, fill) = (UInt32(0x010203), UInt32(0xFA6407))
    #expect(pixels == [ground, fill, fill, ground, ground, ground, ground, ground])
  }

  /// The pixels that are not white, of a text on a white picture.
  private func columns(of text: CairoSurface.Text, x: Double) throws -> [Int] {
    let surface = try CairoSurface(width: 400, height: 40)
    surface.paint(Self.white)
    surface.draw(text, x: x, y: 25)
    let pixels = try surface.pixels()
    return (0..<400).filter { column in
      (0..<40).contains { pixels[400 * $0 + column] != 0xFF_FFFF }
    }
  }

  @Test func `A text stands at its anchor and within its room`() throws {
    var text = CairoSurface.Text("Wide words WWWW", size: 20, colour: Self.black)
    let start = try columns(of: text, x: 200)
    #expect(start.allSatisfy { $0 >= 199 } && start.count > 80)
    text.anchor = 1
    let end = try columns(of: text, x: 200)
    #expect(end.allSatisfy { $0 <= 200 } && end.count > 80)
    text.anchor = 0.5
    let middle = try columns(of: text, x: 200)
    let center = Double((middle.first ?? 0) + (middle.last ?? 0)) / 2
    #expect(abs(center - 200) < 4)
    text.widthMax = 50
    let narrow = try columns(of: text, x: 200)
    #expect(narrow.allSatisfy { (174...226).contains($0) } && narrow.count > 30)
    text.isBold = true
    #expect(try columns(of: text, x: 200) != narrow)
  }

  @Test(arguments: ["Oslo", "القاهرة", "नई दिल्ली", "東京", "🗺", "e\u{301}\u{301}\u{301}"])
  func `Texts of any script leave ink`(text: String) throws {
    let ink = try columns(of: CairoSurface.Text(text, size: 20, colour: Self.black), x: 100)
    #expect(ink.count > 3)
  }

  @Test(arguments: Seeds.some(30))
  func `Any text is drawn, without controls, the same each time`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    var text = ""
    for _ in 0..<Int.random(in: 0...200, using: &numbers) {
      let limit = [0x100, 0x800, 0x10000, 0x110000].randomElement(using: &numbers) ?? 0x100
      if let scalar = Unicode.Scalar(UInt32.random(in: 0..<UInt32(limit), using: &numbers)) {
        text.unicodeScalars.append(scalar)
      }
    }
    let shown = String(decoding: CairoSurface.shown(text), as: UTF8.self)
    #expect(shown.unicodeScalars.count == text.unicodeScalars.count)
    #expect(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    func picture() throws -> ([UInt8], [UInt8]) {
      let surface = try CairoSurface(width: 300, height: 30)
      let page = try CairoSurface(pageWidth: 300, height: 30, unit: 0.75, title: text)
      for target in [surface, page] {
        var line = CairoSurface.Text(text, size: 12, colour: Self.white)
        line.halo = CairoSurface.Line(Self.black, width: 2)
        line.widthMax = Double.random(in: 1...500, using: &numbers)
        target.draw(line, x: 0, y: 20)
      }
      return (try surface.png(), try page.pdf())
    }
    let start = numbers
    let first = try picture()
    numbers = start
    let second = try picture()
    #expect(first == second)
  }

  @Test func `A text with a letter that no font has is remembered`() throws {
    let surface = try CairoSurface(width: 300, height: 30)
    surface.draw(CairoSurface.Text("Oslo", size: 12, colour: Self.white), x: 0, y: 20)
    #expect(surface.undrawnText == nil && surface.undrawnCount == 0)
    for text in ["Os\u{10F123}lo", "Rome", "\u{10F124}"] {
      surface.draw(CairoSurface.Text(text, size: 12, colour: Self.white), x: 0, y: 20)
    }
    #expect(surface.undrawnText == "Os\u{10F123}lo" && surface.undrawnCount == 2)
  }

  @Test func `An endless text ends`() throws {
    let long = String(repeating: "e\u{301}", count: 1_000_000)
    #expect(CairoSurface.shown(long).count < 20_000)
    #expect(try columns(of: CairoSurface.Text(long, size: 9, colour: Self.black), x: 0).count > 300)
  }
}
