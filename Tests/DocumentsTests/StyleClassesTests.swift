import PortolanCartography
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// Classes of features by the value of an attribute.
@Suite struct StyleClassesTests {
  private static let base = MarkStyle(
    stroke: Colour(red: 0x56, green: 0xB4, blue: 0xE9), symbol: "•")

  /// Numbers with many equal ones, some far apart, rising.
  private static func numbers(_ random: inout SeededGenerator, count: Int) -> [Double] {
    (0..<count).map { _ in
      switch Int.random(in: 0...3, using: &random) {
      case 0: Double(Int.random(in: -3...3, using: &random))
      case 1: Double.random(in: -1...1, using: &random)
      case 2: Double.random(in: -1...1, using: &random) * 1e300
      default: Double(Int.random(in: 0...1_000_000, using: &random))
      }
    }.sorted()
  }

  @Test(arguments: Seeds.some(60))
  func `Breaks rise from the least number to the greatest, and every number has a class`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = Self.numbers(&random, count: Int.random(in: 1...80, using: &random))
    let wanted = Int.random(in: 1...9, using: &random)
    for method in BreakMethod.allCases {
      let bounds = try #require(method.bounds(of: numbers, classes: wanted))
      #expect(bounds.first == numbers.first && bounds.last == numbers.last)
      #expect(bounds.count >= 2 && bounds.count <= wanted + 1)
      // Only a last class of one number has equal bounds.
      #expect(zip(bounds, bounds.dropFirst()).dropLast().allSatisfy { $0 < $1 }, "\(bounds)")
      let classes = try #require(
        StyleClasses.breaks("n", bounds, ramp: ColourRamp.all[0], base: Self.base))
      for number in numbers {
        let group = classes.group(of: .number("\(number)"))
        try #require(classes.looks.indices.contains(group), "\(number) in \(bounds)")
        let isLast = group == classes.looks.count - 1
        #expect(number >= bounds[group], "\(number) in \(bounds)")
        #expect(number < bounds[group + 1] || isLast && number <= bounds[group + 1])
      }
      // No class is empty but those of equal width.
      if method != .equal {
        let groups = Set(numbers.map { classes.group(of: .number("\($0)")) })
        #expect(groups.count == classes.looks.count, "\(method) \(bounds)")
      }
    }
  }

  @Test(arguments: Seeds.some(40))
  func `Natural breaks have the least squared distances of all divisions`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = (0..<Int.random(in: 1...11, using: &random)).map { _ in
      Double(Int.random(in: 0...12, using: &random))
    }.sorted()
    let wanted = Int.random(in: 1...4, using: &random)
    func cost(_ numbers: ArraySlice<Double>) -> Double {
      let mean = numbers.reduce(0, +) / Double(max(1, numbers.count))
      return numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    func least(_ numbers: ArraySlice<Double>, _ count: Int) -> Double {
      if count == 1 || numbers.count < 2 { return cost(numbers) }
      return (numbers.startIndex..<numbers.endIndex).map {
        least(numbers[..<$0], count - 1) + cost(numbers[$0...])
      }.min() ?? 0
    }
    let bounds = try #require(BreakMethod.jenks.bounds(of: numbers, classes: wanted))
    let classes = try #require(
      StyleClasses.breaks("n", bounds, ramp: ColourRamp.all[0], base: Self.base))
    let groups = Dictionary(grouping: numbers) { classes.group(of: .number("\($0)")) }
    let found = groups.values.reduce(0) { $0 + cost($1[...]) }
    #expect(abs(found - least(numbers[...], wanted)) < 1e-9, "\(numbers) \(bounds)")
  }

  @Test func `Too many different numbers for natural breaks are refused`() {
    let numbers = (0..<600_000).map(Double.init)
    #expect(BreakMethod.jenks.bounds(of: numbers, classes: 60) == nil)
    #expect(BreakMethod.quantile.bounds(of: numbers, classes: 60)?.count == 61)
    #expect(BreakMethod.jenks.bounds(of: [], classes: 3) == nil)
  }

  @Test func `Values are told apart as values, nothing as nothing`() throws {
    let values: [AttributeValue] = [
      .number("1.0"), .string("1"), .bool(true), .missing, .string("e\u{301}"), .json("[1]"),
    ]
    let looks = values.indices.map { ClassLook(title: "\($0)") }
    let classes = try #require(
      StyleClasses(
        field: "f", scheme: .values(values), looks: looks, noValue: ClassLook(),
        other: ClassLook()))
    for (value, group) in [
      (AttributeValue.number("1"), 0), (.number("1e0"), 0), (.string("1"), 1), (.bool(true), 2),
      (.null, 3), (.missing, 3), (.string("\u{E9}"), 7), (.bool(false), 7), (.string(""), 7),
    ] {
      #expect(classes.group(of: value) == group, "\(value)")
    }
    // Two classes of one value are none.
    #expect(
      StyleClasses(
        field: "f", scheme: .values([.number("1"), .number("1.0")]), looks: [looks[0], looks[1]],
        noValue: ClassLook(), other: ClassLook()) == nil)
    for bounds in [[1.0, 0], [0, .nan], [0, .infinity], [0]] {
      #expect(
        StyleClasses(
          field: "f", scheme: .breaks(bounds),
          looks: [ClassLook](repeating: ClassLook(), count: max(1, bounds.count - 1)),
          noValue: ClassLook(), other: ClassLook()) == nil, "\(bounds)")
    }
  }

  @Test func `Bounds have as few digits as tell them apart`() {
    for (numbers, texts) in [
      ([140, 2_487_400, 1_397_715_000], ["140", "2.49M", "1.4bn"]),
      ([0, 0.25, 12.5], ["0", "0.25", "12.5"]), ([10_001, 10_002], ["10.001k", "10.002k"]),
      ([-1_234_567, 0], ["-1.23M", "0"]), ([0.000_123_4, 1], ["0.000123", "1"]),
      ([1999, 2024], ["1999", "2024"]), ([3, 3], ["3", "3"]),
    ] as [([Double], [String])] {
      #expect(StyleClasses.texts(of: numbers) == texts)
    }
  }

  @Test func `Ramps rise or fall in brightness, diverging ones from the ends to the middle`() {
    func light(_ colour: Colour) -> Double {
      0.2126 * Double(colour.red) + 0.7152 * Double(colour.green) + 0.0722 * Double(colour.blue)
    }
    for ramp in ColourRamp.all {
      let lights = ramp.colours(9).map(light)
      if ramp.isDiverging {
        #expect(zip(lights[..<5], lights[1..<5]).allSatisfy(<), "\(ramp.name)")
        #expect(zip(lights[4...], lights[5...]).allSatisfy(>), "\(ramp.name)")
      } else {
        let rises = lights[0] < lights[8]
        let steps = zip(lights, lights.dropFirst())
        #expect(rises ? steps.allSatisfy(<) : steps.allSatisfy(>), "\(ramp.name) \(lights)")
        // Those of one hue are bright first, as on most maps.
        #expect(rises == !["blues", "greens", "reds", "greys"].contains(ramp.name))
      }
      // Neither end falls into white paper or a black screen.
      #expect(lights.allSatisfy { (15...251).contains($0) }, "\(ramp.name) \(lights)")
      #expect(ramp.colours(7, isReversed: true) == ramp.colours(7).reversed())
      #expect(ramp.colours(1).count == 1 && ramp.colours(0).isEmpty)
    }
  }
}

@Suite struct ClassSignTests {
  @Test(arguments: 1...9)
  func `Numbers beyond all classes, and no numbers, have signs that no class has`(count: Int) throws
  {
    let base = MarkStyle(stroke: Colour(red: 9, green: 9, blue: 9), symbol: "•")
    let classes = try #require(
      StyleClasses.breaks(
        "depth", (0...count).map(Double.init), ramp: ColourRamp.all[0], base: base))
    let signs = classes.looks.map { $0.symbol ?? base.symbol }
    let others = [classes.noValue.symbol, classes.other.symbol].compactMap { $0 }
    #expect(others.count == 2 && Set(others).count == 2)
    #expect(Set(signs).isDisjoint(with: others))
  }
}
