/// Dates as they stand in XML: `2001-03-24T00:00:00Z`, in whole seconds of UTC.
///
/// Seconds count from 2001-01-01 as everywhere in property lists; the calendar is the Gregorian one
/// at all times.
package enum XMLDate {
  /// Years beyond this are neither read nor written.
  static let yearMax = 999_999

  private static let secondsPerDay = 86_400

  /// Reads a date; `nil` when it is not of this form or no such day exists.
  static func seconds(_ text: UnsafeRawBufferPointer) -> Double? {
    var text = text[...].drop(while: isSpace)
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { text = text.dropFirst() }
    /// A number of some digits and the character behind it.
    func field(_ digits: ClosedRange<Int>, _ end: UInt8) -> Int? {
      var value = 0
      var count = 0
      while let byte = text.first, byte &- 0x30 < 10, count < digits.upperBound {
        value = value * 10 + Int(byte - 0x30)
        count += 1
        text = text.dropFirst()
      }
      guard count >= digits.lowerBound, text.first == end else { return nil }
      text = text.dropFirst()
      return value
    }
    guard let year = field(4...6, UInt8(ascii: "-")), let month = field(2...2, UInt8(ascii: "-")),
      let day = field(2...2, UInt8(ascii: "T")), let hour = field(2...2, UInt8(ascii: ":")),
      let minute = field(2...2, UInt8(ascii: ":")), let second = field(2...2, UInt8(ascii: "Z")),
      text.allSatisfy(isSpace)
    else { return nil }
    guard (1...12).contains(month), hour < 24, minute < 60, second < 60 else { return nil }
    let signed = isNegative ? -year : year
    guard day >= 1, day <= daysInMonth(month, year: signed) else { return nil }
    let days = days(beforeYear: signed) + days(beforeMonth: month, year: signed) + day - 1
    return Double(days * secondsPerDay + hour * 3_600 + minute * 60 + second)
  }

  /// A date's text, its fraction of a second dropped; `nil` when it is not finite or too far away.
  package static func text(_ seconds: Double) -> String? {
    guard let whole = Int(exactly: seconds.rounded(.down)), seconds.magnitude < 3.2e13 else {
      return nil
    }
    let time = ((whole % secondsPerDay) + secondsPerDay) % secondsPerDay
    var days = (whole - time) / secondsPerDay
    // A first guess from the mean length of a year, at most one away from the truth.
    var year = 2001 + (days * 400).quotientDown(146_097)
    while days < self.days(beforeYear: year) { year -= 1 }
    while days >= self.days(beforeYear: year + 1) { year += 1 }
    guard (-yearMax...yearMax).contains(year) else { return nil }
    days -= self.days(beforeYear: year)
    var month = 12
    while month > 1, days < self.days(beforeMonth: month, year: year) { month -= 1 }
    let day = days - self.days(beforeMonth: month, year: year) + 1
    return (year < 0 ? "-" : "") + digits(Int(year.magnitude), 4) + "-" + digits(month, 2) + "-"
      + digits(day, 2) + "T" + digits(time / 3_600, 2) + ":" + digits(time / 60 % 60, 2) + ":"
      + digits(time % 60, 2) + "Z"
  }

  private static func digits(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  private static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The days from 2001-01-01 to the first of January of a year.
  private static func days(beforeYear year: Int) -> Int {
    let past = year - 1
    let sinceYearOne =
      past * 365 + past.quotientDown(4) - past.quotientDown(100) + past.quotientDown(400)
    return sinceYearOne - 730_485
  }

  private static func days(beforeMonth month: Int, year: Int) -> Int {
    (1..<12).reduce(0) { $1 < month ? $0 + daysInMonth($1, year: year) : $0 }
  }
}

extension Int {
  /// Division that rounds down, for years before the first.
  fileprivate func quotientDown(_ divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
