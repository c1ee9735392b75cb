import PortolanGraphics
import PortolanTestSupport
import Testing

/// Degrees, minutes and seconds are read in every notation, and what is none is refused.
@Suite struct AngleTextTests {
  /// A number of degrees, and how it is written.
  private struct Written {
    let degrees: Double
    let text: String

    init(
      _ most: Int, _ letters: (plus: String, minus: String), isPrefixed: Bool,
      _ random: inout SeededGenerator
    ) {
      let isNegative = Bool.random(using: &random)
      let whole = Int.random(in: 0..<most, using: &random)
      let minutes = Int.random(in: 0...59, using: &random)
      let tenths = Int.random(in: 0...599, using: &random)
      let seconds = "\(tenths / 10).\(tenths % 10)"
      let value = Double(whole) + Double(minutes) / 60 + Double(tenths) / 36_000
      let letter = isNegative ? letters.minus : letters.plus
      degrees = isNegative ? -value : value
      let prefixed = [
        "\(letter)\(whole)° \(minutes)' \(seconds)''", "\(letter) \(whole):\(minutes):\(seconds)",
      ]
      let suffixed = [
        "\(whole)°\(minutes)'\(seconds)\"\(letter)", "\(whole)º\(minutes)′\(seconds)″ \(letter)",
        "\(whole)d\(minutes)m\(seconds)s\(letter)",
        "\(whole) \(minutes) \(seconds) \(letter.lowercased())",
        "\(whole)°\(minutes)'\(seconds.replacing(".", with: ","))\"\(letter)",
      ]
      let forms = isPrefixed ? prefixed : suffixed
      text = forms[Int.random(in: 0..<forms.count, using: &random)]
    }
  }

  @Test(arguments: Seeds.some(100))
  func `A place is read in every notation and order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let isPrefixed = Bool.random(using: &random)
    let y = Written(90, ("N", "S"), isPrefixed: isPrefixed, &random)
    let x = Written(180, ("E", "W"), isPrefixed: isPrefixed, &random)
    let isTurned = Bool.random(using: &random)
    let between = [" ", ", ", ";", "  "][Int.random(in: 0...3, using: &random)]
    let text = isTurned ? x.text + between + y.text : y.text + between + x.text
    let place = try #require(AngleText.place(text), "\(text)")
    #expect(abs(place.x - x.degrees) < 1e-9 && abs(place.y - y.degrees) < 1e-9, "\(text)")
    #expect(AngleText.place(text + between + y.text) == nil)
  }

  @Test(arguments: [
    "", "N", "N E", "52N", "52N 13N", "52N 13", "-52N 13E", "91N 13E", "52N 181E", "52°60'N 13E",
    "52.5°30'N 13E", "52N 13E x", "1e5", "٥٢N 13E", String(repeating: "9", count: 200) + "N 1E",
  ])
  func `What is no place is refused`(text: String) { #expect(AngleText.place(text) == nil) }

  @Test func `Any text is an angle or none`() {
    var random = SeededGenerator(seed: 9)
    let signs = Array("0123456789 .,;:-+°'\"′″dmsNSEWnsew\u{0}é🌍")
    for _ in 0..<2000 {
      let text = String(
        (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
          signs.randomElement(using: &random)
        })
      if let angle = AngleText.angle(text) { #expect(angle.degrees.magnitude < 182, "\(text)") }
      if let place = AngleText.place(text) {
        #expect(place.y.magnitude <= 90 && place.x.magnitude < 182, "\(text)")
      }
    }
  }
}
