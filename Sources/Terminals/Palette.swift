/// The nearest colours of a terminal, by CIE76: the distance in CIELAB.
package enum Palette {
  /// The nearest of the 6x6x6 cube and the grey ramp, 16 to 255.
  ///
  /// - Complexity: 240 distances, under a microsecond; callers with many colours keep the results.
  package static func indexed(_ colour: TerminalColour) -> Int {
    16 + nearest(LabColour(colour), in: indexedLab)
  }

  /// The nearest of the sixteen base colours, 0 to 15, taken as xterm shows them.
  package static func sixteen(_ colour: TerminalColour) -> Int {
    nearest(LabColour(colour), in: sixteenLab)
  }

  /// The nearest of the first eight base colours, 0 to 7.
  package static func eight(_ colour: TerminalColour) -> Int {
    nearest(LabColour(colour), in: sixteenLab[..<8])
  }

  /// The nearest of some colours; `nil` of none.
  package static func nearest(
    to colour: TerminalColour, in colours: [TerminalColour]
  ) -> TerminalColour? {
    let index = nearest(LabColour(colour), in: colours.map { LabColour($0) })
    return colours.indices.contains(index) ? colours[index] : nil
  }

  /// The base colour of the nearest hue that stands out from a ground, in the shade of it that is
  /// nearest; for greys, and for hues that are farther than 60 degrees from all, black or white.
  ///
  /// Distances alone would give pale colours white, and dark ones black. Grey is none of them: some
  /// terminals show it as black, others as nearly white.
  ///
  /// - Parameters:
  ///   - count: 8 or 16.
  ///   - least: the contrast of the colour with the ground; `nil` is returned if none has it.
  package static func base(
    nearHueOf colour: TerminalColour, count: Int, on ground: TerminalColour, least: Double
  ) -> TerminalColour? {
    let wanted = LabColour(colour)
    func isFree(_ index: Int) -> Bool {
      index < count && index != 8 && contrast(self.colour(at: index), ground) >= least
    }
    func shade(_ indexes: [Int]) -> Int? {
      indexes.filter(isFree).min {
        sixteenLab[$0].squaredDistance(to: wanted) < sixteenLab[$1].squaredDistance(to: wanted)
      }
    }
    let hues = (1...6).compactMap { hue -> (index: Int, likeness: Float)? in
      shade([hue, hue + 8]).map { ($0, sixteenLab[$0].hueLikeness(to: wanted)) }
    }
    if wanted.isColoured, let best = hues.max(by: { $0.likeness < $1.likeness }),
      best.likeness >= 0.5
    {
      return self.colour(at: best.index)
    }
    return shade([0, 7, 15]).map { self.colour(at: $0) }
  }

  /// Colours of the 6x6x6 cube and the grey ramp for the classes of a layer, 16 to 255: near to
  /// their own, and a different one for each different colour. The nearest ones alone would give
  /// dark classes, and pale ones, the same.
  ///
  /// - Parameter isOrdered: whether a class that is brighter than the one before stays brighter, by
  ///   at least two fifths of the step.
  /// - Complexity: O(240 n).
  package static func indexed(classes: [TerminalColour], isOrdered: Bool) -> [Int] {
    let wanted = classes.map { LabColour($0) }
    guard isOrdered else { return distinct(wanted.map { nearest($0, in: indexedLab) }, classes) }
    guard let first = wanted.first else { return [] }
    var costs = indexedLab.map { $0.squaredDistance(to: first) }
    var choices: [[Int]] = []
    for (colour, next) in zip(wanted, wanted.dropFirst()) {
      let before = best(costs, step: (next.lightness - colour.lightness) * 0.4)
      choices.append(before)
      costs = indexedLab.indices.map { index in
        let cost = before[index] < 0 ? .infinity : costs[before[index]]
        return cost + indexedLab[index].squaredDistance(to: next)
      }
    }
    var chosen = [costs.indices.min { costs[$0] < costs[$1] } ?? 0]
    for before in choices.reversed() { chosen.append(max(0, before[chosen[chosen.count - 1]])) }
    return distinct(chosen.reversed(), classes)
  }

  /// For each colour of 240 the cheapest other one that is darker by a step, brighter by a negative
  /// one; -1 for none.
  private static func best(_ costs: [Float], step: Float) -> [Int] {
    let isRising = step >= 0
    func place(_ index: Int) -> Float { (isRising ? 1 : -1) * indexedLab[index].lightness }
    let order = isRising ? indexedByLightness : indexedByLightness.reversed()
    var result = [Int](repeating: -1, count: costs.count)
    // The cheapest, and the cheapest but that one: no colour follows itself.
    var (least, second) = (-1, -1)
    var end = 0
    for index in order {
      while end < order.count, place(order[end]) <= place(index) - step.magnitude {
        let other = order[end]
        if least < 0 || costs[other] < costs[least] {
          (least, second) = (other, least)
        } else if second < 0 || costs[other] < costs[second] {
          second = other
        }
        end += 1
      }
      result[index] = least == index ? second : least
    }
    return result
  }

  /// The colours, where two classes that differ have one in common the nearest free one for the
  /// later of them.
  private static func distinct(_ chosen: [Int], _ classes: [TerminalColour]) -> [Int] {
    var known: [TerminalColour: Int] = [:]
    var free = Set(indexedLab.indices)
    return zip(chosen, classes).map { index, colour in
      if let known = known[colour] { return 16 + known }
      var index = index
      if !free.contains(index) {
        let wanted = LabColour(colour)
        func distance(_ index: Int) -> Float { indexedLab[index].squaredDistance(to: wanted) }
        index = free.min { (distance($0), $0) < (distance($1), $1) } ?? index
      }
      free.remove(index)
      known[colour] = index
      return 16 + index
    }
  }

  /// The contrast ratio of two colours by WCAG, from 1 to 21.
  package static func contrast(_ one: TerminalColour, _ other: TerminalColour) -> Double {
    let first = LabColour.light(of: one) + 0.05
    let second = LabColour.light(of: other) + 0.05
    return max(first, second) / min(first, second)
  }

  /// The red, green and blue of an index from 0 to 255, as in xterm.
  package static func colour(at index: Int) -> TerminalColour {
    if index < 16 { return sixteenColours[max(0, index)] }
    if index >= 232 {
      let level = UInt8(clamping: 8 + 10 * (min(index, 255) - 232))
      return TerminalColour(red: level, green: level, blue: level)
    }
    let cube = index - 16
    return TerminalColour(
      red: cubeLevels[cube / 36], green: cubeLevels[cube / 6 % 6], blue: cubeLevels[cube % 6])
  }

  private static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

  private static let sixteenColours: [TerminalColour] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ].map { (value: UInt32) in
    TerminalColour(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  private static let indexedLab = (16..<256).map { LabColour(colour(at: $0)) }
  private static let indexedByLightness = indexedLab.indices.sorted {
    (indexedLab[$0].lightness, $0) < (indexedLab[$1].lightness, $1)
  }
  private static let sixteenLab = sixteenColours.map { LabColour($0) }

  private static func nearest(
    _ colour: LabColour, in palette: some Collection<LabColour>
  ) -> Int {
    var best = 0
    var least = Float.infinity
    for (index, candidate) in palette.enumerated() {
      let distance = colour.squaredDistance(to: candidate)
      if distance < least {
        least = distance
        best = index
      }
    }
    return best
  }
}

/// A colour in CIELAB (D65), where distances are close to perceived ones.
struct LabColour {
  var lightness: Float
  var a: Float
  var b: Float

  init(_ colour: TerminalColour) {
    let red = LabColour.linear[Int(colour.red)]
    let green = LabColour.linear[Int(colour.green)]
    let blue = LabColour.linear[Int(colour.blue)]
    let x = LabColour.curve((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    let y = LabColour.curve(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    let z = LabColour.curve((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    lightness = Float(116 * y - 16)
    a = Float(500 * (x - y))
    b = Float(200 * (y - z))
  }

  /// Whether it has a hue that eyes tell from grey.
  var isColoured: Bool { a * a + b * b > 100 }

  /// The cosine of the angle between two hues: 1 for equal ones.
  func hueLikeness(to other: LabColour) -> Float {
    let lengths = ((a * a + b * b) * (other.a * other.a + other.b * other.b)).squareRoot()
    return lengths > 0 ? (a * other.a + b * other.b) / lengths : 0
  }

  /// The luminance of a colour, from 0 to 1.
  static func light(of colour: TerminalColour) -> Double {
    0.2126729 * linear[Int(colour.red)] + 0.7151522 * linear[Int(colour.green)]
      + 0.0721750 * linear[Int(colour.blue)]
  }

  func squaredDistance(to other: LabColour) -> Float {
    let first = lightness - other.lightness
    let second = a - other.a
    let third = b - other.b
    return first * first + second * second + third * third
  }

  /// The luminance of each of the 256 levels of an sRGB channel.
  private static let linear: [Double] = (0..<256).map { level in
    let value = Double(level) / 255
    if value <= 0.04045 { return value / 12.92 }
    let base = (value + 0.055) / 1.055
    let square = base * base
    return square * root(square, degree: 5)
  }

  private static func curve(_ value: Double) -> Double {
    value > 216.0 / 24389 ? root(value, degree: 3) : (24389.0 / 27 * value + 16) / 116
  }

  /// A root by Newton's method, for values between 0 and about 1.
  private static func root(_ value: Double, degree: Int) -> Double {
    guard value > 0 else { return 0 }
    var guess = 1.0
    for _ in 0..<40 {
      var power = 1.0
      for _ in 1..<degree { power *= guess }
      let next = guess - (guess - value / power) / Double(degree)
      if abs(next - guess) < 1e-12 { return next }
      guess = next
    }
    return guess
  }
}
