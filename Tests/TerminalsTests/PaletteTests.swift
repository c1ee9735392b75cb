import PortolanTestSupport
import Testing

@testable import PortolanTerminals

/// Colours of classes on screens of 256 colours.
@Suite struct PaletteTests {
  private static func colour(_ random: inout SeededGenerator) -> TerminalColour {
    TerminalColour(
      red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
      blue: .random(in: 0...255, using: &random))
  }

  @Test(arguments: Seeds.some(30))
  func `Different classes have different colours, equal ones the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Few different colours, some of them next to each other.
    let some = (0..<Int.random(in: 1...60, using: &random)).map { _ in Self.colour(&random) }
    let near = some.map { colour in
      TerminalColour(
        red: colour.red &+ 1, green: colour.green &+ 1, blue: colour.blue == 255 ? 254 : 255)
    }
    let classes = (0..<Int.random(in: 0...60, using: &random)).compactMap { _ in
      (some + near).randomElement(using: &random)
    }
    for isOrdered in [false, true] {
      let indexes = Palette.indexed(classes: classes, isOrdered: isOrdered)
      #expect(indexes.count == classes.count)
      #expect(indexes.allSatisfy { (16..<256).contains($0) })
      for (one, first) in zip(classes, indexes) {
        for (other, second) in zip(classes, indexes) where one != other {
          #expect(first != second, "\(one) \(other) seed \(seed)")
        }
      }
      if !isOrdered {
        var known: [TerminalColour: Int] = [:]
        for (colour, index) in zip(classes, indexes) {
          #expect(known.updateValue(index, forKey: colour) ?? index == index)
        }
      }
    }
  }

  @Test(arguments: Seeds.some(30))
  func `A row that becomes brighter stays so`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (dark, bright) = (Self.colour(&random), Self.colour(&random))
    let count = Int.random(in: 2...12, using: &random)
    func mixed(_ one: UInt8, _ other: UInt8, _ part: Double) -> UInt8 {
      UInt8(Double(one) + (Double(other) - Double(one)) * part)
    }
    let classes = (0..<count).map { number in
      let part = Double(number) / Double(count - 1)
      return TerminalColour(
        red: mixed(dark.red, bright.red, part), green: mixed(dark.green, bright.green, part),
        blue: mixed(dark.blue, bright.blue, part))
    }.sorted { LabColour($0).lightness < LabColour($1).lightness }
    let light = classes.map { LabColour($0).lightness }
    // Where steps are smaller than those of the palette, classes are told apart by hue.
    if zip(light, light.dropFirst()).contains(where: { $1 - $0 < 2 }) { return }
    let shown = Palette.indexed(classes: classes, isOrdered: true).map {
      LabColour(Palette.colour(at: $0)).lightness
    }
    for (one, next) in zip(shown, shown.dropFirst()) { #expect(one < next, "\(shown)") }
  }
}
