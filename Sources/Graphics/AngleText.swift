/// Latitudes and longitudes as people write them: degrees, minutes and seconds.
///
///     52.52°N   52°31'12"N   52 31 12 N   52d31m12sN   N 52° 31.2'   -52:31:12
package enum AngleText {
  /// The side of the equator or of Greenwich that a letter tells.
  package enum Side: Sendable {
    case north, south, east, west

    package init?(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "N", "n": self = .north
      case "S", "s": self = .south
      case "E", "e": self = .east
      case "W", "w": self = .west
      default: return nil
      }
    }

    package var isNegative: Bool { self == .south || self == .west }
    package var isLatitude: Bool { self == .north || self == .south }
  }

  /// A number of degrees, and the side if a letter told it; negative in the south and the west.
  package struct Angle: Sendable {
    package var degrees: Double
    package var side: Side?

    package init(degrees: Double, side: Side? = nil) {
      self.degrees = degrees
      self.side = side
    }
  }

  /// The longest text of a position, in bytes.
  package static let lengthMax = 128

  /// A number in common notation, also `+1`, `007` and `.5`; no other base, no words.
  package static func decimal(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      byte &- 0x30 <= 9 || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Degrees, minutes and seconds, with or without the letter of a side.
  ///
  /// - Parameter most: the greatest number of degrees.
  /// - Returns: `nil` for other texts, and for a bare number without any sign.
  package static func angle(_ text: String, most: Double = 180) -> Angle? {
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
    guard let parts = parts(scalars, hasSide: side != nil), parts[0] <= most else { return nil }
    let value = (parts[0] * 3600 + parts[1] * 60 + parts[2]) / 3600
    return Angle(
      degrees: isNegative || side?.isNegative == true ? -value : value, side: side)
  }

  /// A latitude and a longitude in any order, each with its letter: `52°31'N 13°24'E`.
  ///
  /// - Parameter longitudeMost: the greatest number of degrees of the longitude.
  package static func place(_ text: String, longitudeMost: Double = 180) -> Coordinate? {
    for halves in halves(of: text) + halvesBesideLetters(of: text) {
      let angles = halves.compactMap { angle($0, most: longitudeMost) }
      guard angles.count == 2, let one = angles[0].side, let other = angles[1].side,
        one.isLatitude != other.isLatitude
      else { continue }
      let (y, x) = one.isLatitude ? (angles[0], angles[1]) : (angles[1], angles[0])
      if y.degrees.magnitude <= 90 { return Coordinate(x: x.degrees, y: y.degrees) }
    }
    return nil
  }

  /// The ways to split a text in two, the likeliest first: at a semicolon, a comma, a blank, and
  /// where commas are decimal.
  package static func halves(of text: String) -> [[String]] {
    guard text.utf8.count <= lengthMax else { return [] }
    let ways = [
      trimmed(text.split(separator: ";", omittingEmptySubsequences: false)),
      trimmed(text.split(separator: ",", omittingEmptySubsequences: false)),
      trimmed(text.split(whereSeparator: \.isWhitespace)),
      // 52,52, 13,40
      trimmed(withDecimalPoints(text).split(separator: ";", omittingEmptySubsequences: false)),
    ]
    return ways.filter { $0.count == 2 }
  }

  /// The ways to split a text in two beside a letter of a side: `52°31'N 13°24'E`, `N52°31' E13°`.
  package static func halvesBesideLetters(of text: String) -> [[String]] {
    guard text.utf8.count <= lengthMax else { return [] }
    let text = withDecimalPoints(text)
    let letters = text.indices.filter { index in
      text[index].unicodeScalars.contains { Side($0) != nil }
    }
    return letters.flatMap { letter in
      [
        trimmed([text[...letter], text[text.index(after: letter)...]]),
        trimmed([text[..<letter], text[letter...]]),
      ]
    }
  }

  /// A text with points instead of decimal commas, and semicolons instead of other commas.
  private static func withDecimalPoints(_ text: String) -> String {
    text.replacing(", ", with: ";").replacing(",", with: ".")
  }

  private static func trimmed(_ parts: [Substring]) -> [String] {
    parts.map { part in
      String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
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
    guard !values.isEmpty, hasMarks || hasSide || values.count == 3 else { return nil }
    return values + Array(repeating: 0, count: 3 - values.count)
  }
}
