import Foundation
import PortolanCairo
import PortolanDocuments
import PortolanGraphics
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct TerminalPictureTests {
  private func picture(_ line: String) throws -> [UInt8] {
    var editor = Editor()
    try editor.run(line)
    guard case .perform(let asked as RenderRequest, _)? = editor.effects.last else {
      throw EditingError(.refused, "nothing was asked for")
    }
    let request = asked.picture
    return try request.format.picture(of: request, depth: .trueColour)
  }

  @Test(arguments: [1, 3071, 3072, 3073, 6144, 100_001])
  func `The pieces of kitty's protocol hold the file`(count: Int) throws {
    let file = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let text = String(decoding: TerminalPicture.kitty(file), as: UTF8.self)
    let pieces = text.components(separatedBy: "\u{1B}_G").dropFirst()
    var content = ""
    for (index, piece) in pieces.enumerated() {
      let parts = piece.components(separatedBy: ";")
      try #require(parts.count == 2)
      let isLast = index == pieces.count - 1
      #expect(parts[0] == (index == 0 ? "a=T,f=100," : "") + (isLast ? "m=0" : "m=1"))
      let end = "\u{1B}\\" + (isLast ? "\n" : "")
      try #require(parts[1].hasSuffix(end))
      let part = parts[1].dropLast(end.count)
      #expect(part.count <= 4096 && (isLast || part.count == 4096))
      content += part
    }
    #expect(Data(base64Encoded: content) == Data(file))
    #expect(pieces.count >= 1)
  }

  /// The percentages of the channels of the pixels that sixels show.
  private func decode(_ bytes: [UInt8]) throws -> (width: Int, pixels: [[Int]]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let head = try #require(text.prefixMatch(of: /\u{1B}P0;1;0q"1;1;(\d+);(\d+)/))
    let (width, height) = (try #require(Int(head.output.1)), try #require(Int(head.output.2)))
    var pixels = [[Int]](repeating: [], count: width * height)
    var palette: [Int: [Int]] = [:]
    var (colour, x, top) = (0, 0, 0)
    try #require(text.hasSuffix("\u{1B}\\\n"))
    let body = text[head.range.upperBound...].dropLast(3)
    for match in body.matches(of: /#([\d;]+)|!(\d+)([?-~])|([?-~])|\$|-/) {
      if let numbers = match.output.1 {
        let values = numbers.split(separator: ";").compactMap { Int($0) }
        colour = values[0]
        if values.count == 5 { palette[colour] = Array(values[2...]) }
        continue
      }
      if match.output.0 == "$" { x = 0 }
      if match.output.0 == "-" { (x, top) = (0, top + 6) }
      guard let sign = (match.output.3 ?? match.output.4)?.utf8.first else { continue }
      for _ in 0..<(match.output.2.flatMap { Int($0) } ?? 1) {
        for bit in 0..<6 where (sign - 63) >> UInt8(bit) & 1 == 1 {
          try #require(x < width && top + bit < height)
          pixels[(top + bit) * width + x] = try #require(palette[colour])
        }
        x += 1
      }
    }
    #expect(palette.count <= 256)
    return (width, pixels)
  }

  private func percents(_ pixel: UInt32) -> [Int] {
    [16, 8, 0].map { Int((Double(pixel >> UInt32($0) & 0xFF) * 100 / 255).rounded()) }
  }

  @Test(arguments: Seeds.some(40))
  func `Sixels show the pixels, in their colours or similar ones`(seed: UInt64) throws {
    var numbers = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...40, using: &numbers)
    let height = Int.random(in: 1...40, using: &numbers)
    let few = (0..<Int.random(in: 1...200, using: &numbers)).map { _ in
      UInt32.random(in: 0...0xFF_FFFF, using: &numbers)
    }
    let isExact = seed % 2 == 0
    var pixels: [UInt32] = []
    while pixels.count < width * height {
      let any = UInt32.random(in: 0...0xFF_FFFF, using: &numbers)
      let colour = isExact ? few.randomElement(using: &numbers) ?? 0 : any
      let run = min(Int.random(in: 1...8, using: &numbers), width * height - pixels.count)
      pixels += [UInt32](repeating: colour, count: run)
    }
    let shown = try decode(SixelWriter(pixels, width: width).bytes)
    #expect(shown.width == width && shown.pixels.count == pixels.count)
    for (shown, pixel) in zip(shown.pixels, pixels) {
      try #require(shown.count == 3)
      let difference = zip(shown, percents(pixel)).map { abs($0 - $1) }.max() ?? 100
      #expect(difference <= (isExact ? 0 : 40))
    }
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"),
    arguments: ["--format kitty -o -", "--format sixel -o a", "-o a.six", "-o a.sixel"])
  func `Pictures of maps for terminals are the same each time`(how: String) throws {
    var editor = Editor()
    guard !how.hasSuffix("-") else {
      #expect(throws: EditingError.self) { try editor.run("render \(how)") }
      return
    }
    let line = "render \(how) --legend --size 300x200"
    #expect(try picture(line) == picture(line))
    let shown = try decode(try picture(line))
    #expect(shown.width == 300 && shown.pixels.count == 60_000)
    #expect(shown.pixels.allSatisfy { $0.count == 3 })
    #expect(Set(shown.pixels).count > 10)
  }

  @Test(
    .enabled(if: Cairo.isInstalled, "skipped: cairo, Pango or fonts are absent"))
  func `Kitty's picture is the PNG file`() throws {
    let options = "--legend --size 300x200"
    let png = try picture("render -o a.png \(options)")
    #expect(try picture("render -o a --format kitty \(options)") == TerminalPicture.kitty(png))
  }
}
