/// Dates and times of ISO 8601, brought to UTC: texts of this form order as their times do.
package enum ISODate {
  /// `2024-05-01`, or `2024-05-01T08:00:00Z` of a time; `nil` for what is no date.
  ///
  /// A time without a zone is taken as UTC. `/` may stand for `-`, and a blank for `T`.
  package static func normalised(_ text: String) -> String? {
    var reader = Reader(Array(text.utf8))
    reader.skipBlanks()
    guard let year = reader.digits(4), reader.takes("-", "/"), let month = reader.digits(2),
      reader.takes("-", "/"), let day = reader.digits(2), (1...12).contains(month),
      (1...days(in: month, of: year)).contains(day)
    else { return nil }
    let date = days(year, month, day)
    if reader.isAtEnd { return Self.text(date) }
    guard reader.takes("T", "t", " "), let hour = reader.digits(2), reader.takes(":"),
      let minute = reader.digits(2), hour < 24, minute < 60
    else { return nil }
    var second = 0
    var fraction = ""
    if reader.takes(":") {
      guard let whole = reader.digits(2), whole < 61 else { return nil }
      second = min(whole, 59)
      if reader.takes(".", ",") {
        fraction = reader.run()
        if fraction.isEmpty { return nil }
        while fraction.hasSuffix("0") { fraction.removeLast() }
      }
    }
    guard let zone = reader.zone() else { return nil }
    let minutes = hour * 60 + minute - zone
    let (turned, rest) = minutes.quotientAndRemainder(dividingBy: 1440)
    let (dayShift, minuteOfDay) = rest < 0 ? (turned - 1, rest + 1440) : (turned, rest)
    guard let day = Self.text(date + dayShift) else { return nil }
    let time = [minuteOfDay / 60, minuteOfDay % 60, second].map { padded($0, 2) }
    return day + "T" + time.joined(separator: ":") + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// The days since 1 March of the year 0, by the lengths of years that begin in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month < 3 ? year - 1 : year
    let months = (month + 9) % 12
    let leaps = floored(shifted, 4) - floored(shifted, 100) + floored(shifted, 400)
    return shifted * 365 + leaps + (months * 306 + 5) / 10 + day - 1
  }

  /// The date of a number of days; `nil` outside of the years 0 to 9999, which have four digits.
  private static func text(_ days: Int) -> String? {
    // The mean year has 365.2425 days; the estimate may be a year too late.
    var year = floored(days * 10_000 + 14_780, 3_652_425)
    if days < Self.days(year, 3, 1) { year -= 1 }
    let rest = days - Self.days(year, 3, 1)
    let months = (rest * 10 + 5) / 306
    let day = rest - (months * 306 + 5) / 10 + 1
    year += (months + 2) / 12
    guard (0...9999).contains(year) else { return nil }
    return [padded(year, 4), padded((months + 2) % 12 + 1, 2), padded(day, 2)]
      .joined(separator: "-")
  }

  private static func floored(_ dividend: Int, _ divisor: Int) -> Int {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { bytes[place...].allSatisfy { $0 == 0x20 } }

    mutating func skipBlanks() { while place < bytes.count, bytes[place] == 0x20 { place += 1 } }

    mutating func takes(_ signs: Unicode.Scalar...) -> Bool {
      guard place < bytes.count, signs.contains(Unicode.Scalar(bytes[place])) else { return false }
      place += 1
      return true
    }

    /// Exactly so many digits.
    mutating func digits(_ count: Int) -> Int? {
      guard place + count <= bytes.count else { return nil }
      var number = 0
      for byte in bytes[place..<place + count] {
        guard byte &- 0x30 < 10 else { return nil }
        number = number * 10 + Int(byte &- 0x30)
      }
      place += count
      return number
    }

    /// All digits here.
    mutating func run() -> String {
      let start = place
      while place < bytes.count, bytes[place] &- 0x30 < 10 { place += 1 }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// The zone's minutes east of UTC, at the end of the text.
    mutating func zone() -> Int? {
      if isAtEnd { return 0 }
      if takes("Z", "z") { return isAtEnd ? 0 : nil }
      let isWest = place < bytes.count && bytes[place] == 0x2D
      guard takes("+", "-"), let hours = digits(2) else { return nil }
      _ = takes(":")
      let minutes = isAtEnd ? 0 : digits(2)
      guard let minutes, isAtEnd, hours <= 18, minutes < 60 else { return nil }
      return (isWest ? -1 : 1) * (hours * 60 + minutes)
    }
  }
}
