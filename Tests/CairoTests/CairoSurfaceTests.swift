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

  @Test(arguments: Seeds.some(20))
  func `Few colours are kept exactly, and of many each pixel has the nearest`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let known = (0..<Int.random(in: 1...400, using: &random)).map { _ in
      UInt32.random(in: 0...UInt32.max, using: &random)
    }
    let samples = (0..<3000).map { _ in known.randomElement(using: &random) ?? 0 }
    let reduced = ReducedColours(samples)
    #expect(reduced.colours.count <= 256 && reduced.numbers.count == samples.count)
    func distance(_ one: UInt32, _ other: UInt32) -> Int {
      [0, 8, 16, 24].reduce(0) { sum, shift in
        let step = Int(one >> UInt32(shift) & 0xFF) - Int(other >> UInt32(shift) & 0xFF)
        return sum + step * step
      }
    }
    for (sample, number) in zip(samples, reduced.numbers) {
      let found = distance(sample, reduced.colours[Int(number)])
      #expect(found == reduced.colours.map { distance(sample, $0) }.min())
      if known.count <= 64 { #expect(found == 0) }
    }
  }

  @Test func `A file with a palette has the size and the colours of the picture`() throws {
    let surface = try CairoSurface(clearWidth: 60, height: 40, horizontal: 2, vertical: 4)
    surface.rectangle(0, 0, 10, 10)
    surface.fill(Colour(red: 10, green: 20, blue: 30))
    surface.rectangle(20, 0, 10, 10)
    surface.fill(Self.white)
    surface.rectangle(20, 0, 10, 5)
    surface.erase(opacity: 0.6)
    let other = try CairoSurface(clearWidth: 60, height: 40, horizontal: 2, vertical: 4)
    other.rectangle(0, 0, 30, 10)
    other.fill(Self.black)
    surface.rectangle(0, 0, 5, 10)
    surface.take(from: other)
    // Columns of 10 black, 10 dark, 20 clear, 20 white pixels; above, those are fainter.
    let samples = try surface.samples()
    #expect(samples[5] == 0xFF00_0000 && samples[15] == 0xFF0A_141E && samples[30] == 0)
    #expect(samples[50] >> 24 == 102 && samples[39 * 60 + 50] == 0xFFFF_FFFF)
    let png = try surface.smallPNG()
    #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(number(png[16..<20]) == 60 && number(png[20..<24]) == 40 && png[24] == 8)
    let plain = try #require(png.firstRange(of: Array("PLTE".utf8)))
    // White is fainter where its opacity is less, not darker.
    let palette = Array(png[plain.upperBound..<plain.upperBound + 15])
    #expect(number(png[plain.lowerBound - 4..<plain.lowerBound]) == 15)
    #expect(palette.filter { $0 == 255 }.count == 6 && palette.contains(30))
    #expect(png.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

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
