import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanCursesTerminal

@Suite struct ColourSlotsTests {
  private static func colour(_ value: Int) -> TerminalColour {
    TerminalColour(
      red: UInt8(value & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value >> 16 & 255))
  }

  private static func rewrite(_ slots: ColourSlots, _ text: String) -> String {
    String(decoding: slots.rewrite(Array(text.utf8)), as: UTF8.self)
  }

  @Test(arguments: Seeds.some(20))
  func `Selected slots become their colours and every other byte stays`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var slots = ColourSlots()
    let colours = (0..<200).map { _ in Self.colour(Int.random(in: 0..<0xFF_FFFF, using: &random)) }
    let others = [
      "⣿é 3", "\u{1B}[m", "\u{1B}[31m", "\u{1B}[97m", "\u{1B}[38;2;1;2;3m", "\u{1B}[10;20H",
      "\u{1B}[K", "\u{1B}[39;49m", "\u{1B}[38;5;3m", "\u{1B}[48;5;15m", "\u{1B}[38;5m",
      "\u{1B}[38;5;m", "\u{1B}[38;5;9999m", "\u{1B}", "\u{1B}[38;5;20", "38;5;20m", "\u{1B}[1m",
    ]
    var (given, wanted) = ("", "")
    for _ in 0..<400 {
      if Bool.random(using: &random) {
        let colour = colours[Int.random(in: 0..<colours.count, using: &random)]
        let slot = slots.slot(of: colour)
        let kind = Bool.random(using: &random) ? "38" : "48"
        let mark = Int.random(in: 0..<9, using: &random) == 0 ? ":" : ";"
        given += "\u{1B}[\(kind)\(mark)5\(mark)\(slot)m"
        wanted += "\u{1B}[\(kind);2;\(colour.red);\(colour.green);\(colour.blue)m"
      } else {
        let other = others[Int.random(in: 0..<others.count, using: &random)]
        given += other
        wanted += other
      }
    }
    #expect(Self.rewrite(slots, given) == wanted, "seed \(seed)")
  }

  @Test func `Slots are stable, and a full table takes the most similar one`() {
    var slots = ColourSlots()
    slots.beginFrame()
    let numbers = (0..<240).map { slots.slot(of: Self.colour($0)) }
    #expect(numbers == (16..<256).map { Int32($0) })
    #expect((0..<240).map { slots.slot(of: Self.colour($0)) } == numbers)
    #expect(!slots.wantsRecycling)
    #expect(slots.slot(of: Self.colour(241)) == 255)
    #expect(slots.wantsRecycling)
    slots.recycle()
    #expect(slots.slot(of: Self.colour(241)) == 16)
    #expect(Self.rewrite(slots, "\u{1B}[38;5;16m") == "\u{1B}[38;2;241;0;0m")
    #expect(Self.rewrite(slots, "\u{1B}[38;5;17m") == "\u{1B}[38;5;17m")
  }

  @Test func `Frames of too many colours are drawn anew now and then only`() {
    var slots = ColourSlots()
    var recyclings = 0
    for frame in 0..<100 {
      slots.beginFrame()
      for index in 0..<250 { _ = slots.slot(of: Self.colour(frame * 10 + index)) }
      if slots.wantsRecycling {
        recyclings += 1
        slots.recycle()
      }
    }
    #expect((3...5).contains(recyclings), "\(recyclings)")
  }
}
