import PortolanTestSupport
import Testing

@testable import PortolanExpressions

/// Numbers are rounded by their decimal texts, halves away from zero.
@Suite struct RoundingLawTests {
  @Test(arguments: [
    ("1.005", 2, "1.01"), ("0.285", 2, "0.29"), ("-2.675", 2, "-2.68"), ("14.5", -1, "10.0"),
    ("15.0", -1, "20.0"), ("0.995", 2, "1.0"), ("9.5", 0, "10.0"), ("0.05", 1, "0.1"),
    ("0.049", 1, "0.0"), ("1e300", 5, "1e+300"), ("5e-324", 323, "1e-323"), ("4e-324", 322, "0.0"),
    ("5e-324", 324, "5e-324"),
    ("4503599627370497.5", 0, "4503599627370498.0"),
    ("1.7976931348623157e308", -308, "1.7976931348623157e+308"),
    ("-0.4", 0, "-0.0"), ("4.0", -1, "0.0"),
  ])
  func `Halves are those of the decimal text`(text: String, places: Int, wanted: String) throws {
    let value = try #require(Double(text))
    #expect(DecimalRounding.rounded(value, places: places).description == wanted)
  }

  /// A text of at most 15 digits is the shortest of its double: whole numbers round it exactly.
  @Test(arguments: Seeds.some(40))
  func `Rounding agrees with whole numbers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let count = Int(random.next() % 15) + 1
      var mantissa = Int128(random.next()) % Int128(Self.power(count))
      let decimals = Int(random.next() % UInt64(count + 1))
      let places = Int(random.next() % 18) - 2
      // Half of the numbers end in a five where they are cut.
      if random.next() % 2 == 0, places < decimals, decimals - places <= 15 {
        let unit = Int128(Self.power(decimals - places))
        mantissa = mantissa / unit * unit + unit / 2
      }
      let value = Double("\(mantissa)e\(-decimals)") ?? 0
      var wanted = value
      if places < decimals {
        let unit = Int128(Self.power(decimals - places))
        let rounded = (mantissa * 2 + unit) / (2 * unit)
        wanted = Double("\(rounded)e\(-places)") ?? 0
      }
      for sign in [1.0, -1.0] {
        let found = DecimalRounding.rounded(sign * value, places: places)
        #expect(found == sign * wanted, "seed \(seed): \(value) to \(places) places")
      }
    }
  }

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  @Test func `Results that no number or date can be are told`() throws {
    let table = Table([("n", [1]), ("t", ["2024-02-30"])])
    for (text, words) in [
      ("1e308 * 10 * n", "1 result beyond 1.8e308 gave null"),
      ("date(t)", "1 text without a date gave null"),
    ] {
      let (values, tally) = try table.result(text)
      #expect(values == [.null] && tally.words == [words], "\(text)")
    }
  }
}
