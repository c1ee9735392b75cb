import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// The fast ways of printing give the text of the slow one.
@Suite struct NumberPrinterLawTests {
  private static func fast(_ value: Double, decimals: Int, isPointed: Bool) -> String {
    var out = OutputBuffer()
    NumberPrinter.appendShortest(value, decimals: decimals, isPointed: isPointed, to: &out)
    return String(decoding: out.take(), as: UTF8.self)
  }

  /// Coordinates with few decimals, any doubles, and the neighbours of both.
  private static func values(_ random: inout SeededGenerator) -> [Double] {
    var values: [Double] = [
      0, 1, 9.5, 10, 99_999_999, 99_999_999.999_999_99, 100_000_000, 0.000_01, 1e-8, 1e-9, 1e15,
      1e21, 1e22, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 4_294_967_296, 0.3, 2.5e-8,
    ]
    for _ in 0..<200 {
      let places = Int.random(in: 0...12, using: &random)
      let digits = Int.random(in: 1...16, using: &random)
      let whole = Int.random(in: 0..<NumberPrinterLawTests.power(digits), using: &random)
      values.append(Double(whole) / Double(NumberPrinterLawTests.power(places)))
      values.append(Double(bitPattern: random.next()))
    }
    return values.filter(\.isFinite).flatMap { [$0, -$0, $0.nextUp, $0.nextDown] }
      .filter(\.isFinite)
  }

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  @Test func `Numbers are printed alike for every likely number of decimals`() {
    var broken: [String] = []
    for seed in Seeds.some(20) {
      var random = SeededGenerator(seed: seed)
      for value in Self.values(&random) {
        let decimals = Int.random(in: -1...18, using: &random)
        for isPointed in [false, true] {
          let text = Self.fast(value, decimals: decimals, isPointed: isPointed)
          let slow = String(
            decoding: NumberPrinter.shortest(value, isPointed: isPointed), as: UTF8.self)
          if text != slow || Double(text) != value {
            broken.append("\(value), \(decimals): \(text) for \(slow)")
          }
        }
      }
    }
    #expect(broken == [])
  }
}
