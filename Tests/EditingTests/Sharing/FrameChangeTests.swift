import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Frames travel as what changed, whatever is in them, and nothing unsafe comes out of them.
@Suite struct FrameChangeTests {
  @Test(arguments: Seeds.some(10))
  func `A change makes the next frame of the one before`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (here, there): (Frame?, Frame?) = (nil, nil)
    for _ in 0..<12 {
      let frame = Self.frame(after: here, using: &random)
      there = try FrameChange.frame(from: there, FrameChange.bytes(from: here, to: frame))
      here = frame
      let shown = try #require(there)
      #expect(shown.size == frame.size)
      #expect(shown.plainText() == frame.plainText())
      #expect(shown.ansiText(.trueColour) == frame.ansiText(.trueColour))
      #expect(shown.cursor?.column == frame.cursor?.column)
      #expect(shown.cursor?.row == frame.cursor?.row)
      #expect(shown.pictures.map(\.rect) == frame.pictures.map(\.rect))
      #expect(shown.pictures.map(\.image.png) == frame.pictures.map(\.image.png))
    }
  }

  @Test func `A picture goes once, and keeps its identity`() throws {
    var frame = Frame(size: CellSize(columns: 40, rows: 20))
    let image = PixelImage(png: Self.png(width: 300, height: 200, count: 9_000))
    frame.pictures = [
      FramePicture(image, in: CellRect(column: 2, row: 1, columns: 30, rows: 10))
    ]
    let first = try FrameChange.frame(from: nil, FrameChange.bytes(from: nil, to: frame))
    var next = frame
    next.write("x", at: 0, row: 0, maxColumns: 1)
    let change = FrameChange.bytes(from: frame, to: next)
    #expect(change.count < 40)
    let second = try FrameChange.frame(from: first, change)
    #expect(first.pictures == second.pictures)
    #expect(second.pictures.first?.image.png == image.png)
    let without = try FrameChange.frame(
      from: second, FrameChange.bytes(from: next, to: Frame(size: next.size)))
    #expect(without.pictures.isEmpty)
  }

  @Test func `Pictures that are none, or beyond the frame, are refused`() throws {
    let good = Self.png(width: 10, height: 10, count: 200)
    func opens(_ png: [UInt8], column: Int = 0, former: Int = 0) -> Bool {
      var writer = PackedWriter()
      for number in [4, 4, 1, 0, 0, 0, 0, 1, column, 0, 2, 2, former] { writer.write(number) }
      if former == 0 { writer.write(png) }
      return (try? FrameChange.frame(from: nil, writer.bytes)) != nil
    }
    #expect(opens(good))
    #expect(!opens(good, column: 3))
    #expect(!opens(good, former: 1))
    #expect(!opens([]))
    #expect(!opens(Array("\u{1B}[2J".utf8) + good))
    #expect(!opens(Self.png(width: 1 << 30, height: 1 << 30, count: 200)))
    #expect(!opens(Self.png(width: 0, height: 10, count: 200)))
    #expect(!opens(Self.png(width: 10, height: 10, count: StillDrawing.bytesMax + 1)))
  }

  /// The head of a PNG file, and bytes.
  private static func png(width: Int, height: Int, count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8)
    for number in [width, height] {
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    return bytes + [UInt8](repeating: 7, count: max(0, count - bytes.count))
  }

  @Test func `A frame that has not changed costs a few bytes`() {
    var frame = Frame(size: CellSize(columns: 200, rows: 60))
    frame.write("Europe", at: 10, row: 4, maxColumns: 20)
    #expect(FrameChange.bytes(from: nil, to: frame).count < 40)
    #expect(FrameChange.bytes(from: frame, to: frame).count < 12)
    var next = frame
    next.write("x", at: 0, row: 0, maxColumns: 1)
    #expect(FrameChange.bytes(from: frame, to: next).count < 24)
  }

  @Test(arguments: Seeds.some(12))
  func `Damaged bytes give a frame or an error`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let first = Self.frame(after: nil, using: &random)
    let second = Self.frame(after: first, using: &random)
    let bytes = FrameChange.bytes(from: first, to: second)
    for _ in 0..<40 {
      var damaged = bytes
      for _ in 0...Int.random(in: 0..<4, using: &random) where !damaged.isEmpty {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: damaged.remove(at: place)
        case 1: damaged.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: damaged = Array(damaged.prefix(place))
        default: damaged[place] = UInt8.random(in: 0...255, using: &random)
        }
      }
      guard let frame = try? FrameChange.frame(from: first, damaged) else { continue }
      Self.checkSafe(frame)
    }
  }

  @Test func `Controls that a host sends become visible signs`() throws {
    for scalar in [0x07, 0x0A, 0x1B, 0x7F, 0x9B, 0x202E, 0xE000] {
      var writer = PackedWriter()
      for number in [1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1 << 1 | 1, 0, scalar, 0] {
        writer.write(number)
      }
      let frame = try FrameChange.frame(from: nil, writer.bytes)
      let text = frame.plainText()
      #expect(!text.dropLast().unicodeScalars.contains { $0.value == scalar }, "\(scalar)")
      Self.checkSafe(frame)
    }
  }

  /// Every cell has a glyph that the sanitiser made, and no right half is alone.
  private static func checkSafe(_ frame: Frame) {
    #expect(frame.cells.count == frame.size.columns * frame.size.rows)
    for cell in frame.cells {
      for scalar in frame.text(of: cell.glyph).unicodeScalars {
        #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value))
      }
    }
    for row in 0..<frame.size.rows { #expect(!frame[0, row].glyph.isContinuation) }
  }

  private static let texts = [
    "portolan", "Zürich", "東京", "⠿⣿", "e\u{301}a\u{308}", "👩‍👧", "──────────", "        ", "🇨🇭x",
  ]

  private static func frame(
    after former: Frame?, using random: inout SeededGenerator
  ) -> Frame {
    let sizes = [(30, 8), (41, 5), (1, 1), (80, 24)]
    let isNew = former == nil || Int.random(in: 0..<5, using: &random) == 0
    let size = sizes[Int.random(in: 0..<sizes.count, using: &random)]
    var frame =
      isNew
      ? Frame(size: CellSize(columns: size.0, rows: size.1))
      : former ?? Frame(size: .init(columns: 1, rows: 1))
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      let style = CellStyle(
        foreground: Bool.random(using: &random)
          ? .standard
          : TerminalColour(red: UInt8.random(in: 0...255, using: &random), green: 0, blue: 9),
        background: Bool.random(using: &random)
          ? .standard
          : TerminalColour(red: 1, green: UInt8.random(in: 0...255, using: &random), blue: 2),
        attributes: CellAttributes(rawValue: UInt8.random(in: 0..<64, using: &random)))
      frame.write(
        texts[Int.random(in: 0..<texts.count, using: &random)],
        at: Int.random(in: 0..<frame.size.columns, using: &random),
        row: Int.random(in: 0..<frame.size.rows, using: &random), style: style, maxColumns: 20)
    }
    if Bool.random(using: &random) {
      frame.pictures = (0..<Int.random(in: 0..<3, using: &random)).map { number in
        let known = former?.pictures.dropFirst(number).first?.image
        let image = known ?? PixelImage(png: png(width: 9, height: 9, count: 30 + number))
        return FramePicture(
          image, in: CellRect(column: 0, row: 0, columns: 1 + number % frame.size.columns, rows: 1))
      }
    } else if isNew {
      frame.pictures = []
    }
    let hasCursor = Bool.random(using: &random)
    frame.cursor =
      hasCursor
      ? (Int.random(in: 0..<frame.size.columns, using: &random), frame.size.rows - 1) : nil
    return frame
  }
}
