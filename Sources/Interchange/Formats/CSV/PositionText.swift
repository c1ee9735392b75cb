import PortolanGraphics

/// Positions as tables write them: decimal numbers, or degrees, minutes and seconds.
///
///     52.52   52°31'12"N   52 31 12 N   52d31m12sN   N 52° 31.2'   -52:31:12
enum PositionText {
  /// The side of the equator or of Greenwich that a letter tells.
  private enum Side {
    case north, south, east, west

    init?(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "N", "n": self = .north
      case "S", "s": self = .south
      case "E", "e": self = .east
      case "W", "w": self = .west
      default: return nil
      }
    }

    var isNegative: Bool { self == .south || self == .west }
    var isLatitude: Bool { self == .north || self == .south }
  }

  private struct Degrees {
    var value: Double
    var side: Side?
  }

  /// The axis of a number.
  enum Axis { case x, y }

  /// The longest text of a position.
  private static let lengthMax = 128

  /// A number in common notation, also `+1`, `007` and `.5`; no other base, no words.
  static func decimal(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      byte &- 0x30 <= 9 || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// A decimal number, or degrees of the axis; `nil` for others, and for letters of the other axis.
  static func ordinate(_ text: String, _ axis: Axis) -> Double? {
    if let number = decimal(text) { return number }
    guard let found = degrees(text) else { return nil }
    if let side = found.side, side.isLatitude != (axis == .y) { return nil }
    return found.value.magnitude <= (axis == .y ? 90 : 180) ? found.value : nil
  }

  /// A pair in one text, latitude first unless letters tell otherwise: `(37.8, -122.4)`.
  ///
  /// - Returns: the position, and the texts of x and y.
  static func point(_ text: String) -> (place: Coordinate, texts: [String])? {
    guard text.utf8.count <= lengthMax else { return nil }
    let brackets: Set<Unicode.Scalar> = ["(", ")", "[", "]"]
    let inner = String(text.unicodeScalars.filter { !brackets.contains($0) })
    for parts in pairs(inner) {
      let numbers = parts.map { part in decimal(part).map { Degrees(value: $0) } ?? degrees(part) }
      guard let first = numbers[0], let second = numbers[1] else { continue }
      let isTurned = first.side.map { !$0.isLatitude } ?? second.side?.isLatitude ?? false
      if let one = first.side, let other = second.side, one.isLatitude == other.isLatitude {
        continue
      }
      let (y, x) = isTurned ? (second, first) : (first, second)
      return (Coordinate(x: x.value, y: y.value), isTurned ? parts : parts.reversed())
    }
    return nil
  }

  /// The ways to split a text in two, the likeliest first.
  private static func pairs(_ text: String) -> [[String]] {
    func split(_ parts: [Substring]) -> [String]? {
      let trimmed = parts.map { part in
        String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
      return trimmed.count == 2 ? trimmed : nil
    }
    var ways: [[String]?] = [
      split(text.split(separator: ";", omittingEmptySubsequences: false)),
      split(text.split(separator: ",", omittingEmptySubsequences: false)),
      split(text.split(whereSeparator: \.isWhitespace)),
    ]
    // Decimal commas: 52,52, 13,40.
    let commas = text.replacing(", ", with: ";").replacing(",", with: ".")
    ways.append(split(commas.split(separator: ";", omittingEmptySubsequences: false)))
    // 52°31'N 13°24'E
    if let letter = text.firstIndex(where: { "NSEWnsew".contains($0) }),
      letter != text.startIndex
    {
      let end = text.index(after: letter)
      ways.append(split([text[..<end], text[end...]]))
    }
    return ways.compactMap { $0 }
  }

  /// Degrees, minutes and seconds, with or without a letter of the side.
  private static func degrees(_ text: String) -> Degrees? {
    guard text.utf8.count <= lengthMax else { return nil }
    var scalars = Array(text.unicodeScalars)[...]
    func trim() {
      while scalars.first == " " { scalars.removeFirst() }
      while scalars.last == " " { scalars.removeLast() }
    }
    trim()
    var side: Side?
    if let first = scalars.first, let letter = Side(first) {
      side = letter
      scalars.removeFirst()
    } else if let last = scalars.last, let letter = Side(last), !isSeconds(scalars) {
      side = letter
      scalars.removeLast()
    }
    trim()
    let isNegative = scalars.first == "-" || scalars.first == "−"
    if isNegative || scalars.first == "+" { scalars.removeFirst() }
    trim()
    // Both a sign and a letter: nobody knows what is meant.
    if side != nil, isNegative { return nil }
    guard let parts = parts(scalars, hasSide: side != nil) else { return nil }
    let value = (parts[0] * 3600 + parts[1] * 60 + parts[2]) / 3600
    return Degrees(
      value: isNegative || side?.isNegative == true ? -value : value, side: side)
  }

  /// Whether a last `s` stands for seconds, not for south: `52d31m12s`.
  private static func isSeconds(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool {
    scalars.last == "s" && scalars.contains("m")
      && !scalars.dropLast().contains { $0 == "s" || marks[2].contains($0) }
  }

  /// The signs after degrees, minutes and seconds.
  private static let marks: [Set<Unicode.Scalar>] = [
    ["°", "º", "˚", "d", "D", ":"], ["'", "′", "’", "´", "m", "M", ":"],
    ["\"", "″", "”", "s", "S"],
  ]

  /// Degrees, minutes and seconds: only the last of them has a fraction.
  private static func parts(
    _ scalars: ArraySlice<Unicode.Scalar>, hasSide: Bool
  ) -> [Double]? {
    var values: [Double] = []
    var rest = scalars
    var hasMarks = false
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && ($0 == "." || $0.properties.numericType != nil) }
      guard values.count < 3, let value = decimal(String(String.UnicodeScalarView(number))),
        values.isEmpty || value < 60, values.last.map({ $0.rounded() == $0 }) ?? true
      else { return nil }
      rest = rest.dropFirst(number.count)
      let blanks = rest.prefix { $0 == " " }.count
      rest = rest.dropFirst(blanks)
      if let mark = rest.first, marks[values.count].contains(mark) {
        hasMarks = true
        rest = rest.dropFirst()
        // Two apostrophes are a sign of seconds.
      } else if values.count == 2, rest.prefix(2).elementsEqual(["'", "'"]) {
        hasMarks = true
        rest = rest.dropFirst(2)
      } else if !rest.isEmpty, blanks == 0 {
        return nil
      }
      rest = rest.drop { $0 == " " }
      values.append(value)
    }
    // Two bare numbers may be thousands: 45 000.
    guard !values.isEmpty, values[0] <= 180, hasMarks || hasSide || values.count == 3 else {
      return nil
    }
    return values + Array(repeating: 0, count: 3 - values.count)
  }
}
