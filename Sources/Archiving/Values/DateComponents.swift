extension Cocoa {
  /// The parts of a date in a calendar: Foundation's `NSDateComponents`.
  public struct DateComponents: Coding, FoundationValue {
    /// A part that is a whole number.
    #if hasAttribute(nonexhaustive)
      @nonexhaustive
    #endif
    public enum Field: String, CaseIterable, Sendable {
      /// The era.
      case era
      /// The year.
      case year
      /// The quarter.
      case quarter
      /// The month.
      case month
      /// The day of the month.
      case day
      /// The hour.
      case hour
      /// The minute.
      case minute
      /// The second.
      case second
      /// The nanosecond.
      case nanosecond = "nanosec"
      /// The week of the year.
      case weekOfYear
      /// The week of the month.
      case weekOfMonth
      /// The year that weeks are counted in.
      case yearForWeekOfYear = "yearForWOY"
      /// The day of the week.
      case weekday
      /// Which of those days it is within the month.
      case weekdayOrdinal
    }

    /// The parts that are known.
    public var fields: [Field: Int]
    /// Whether the month is a leap month; none when that is not known.
    public var isLeapMonth: Bool?
    /// The calendar.
    public var calendar: Calendar?
    /// The time zone.
    public var timeZone: TimeZone?

    /// Makes date components.
    public init(
      _ fields: [Field: Int] = [:], isLeapMonth: Bool? = nil, calendar: Calendar? = nil,
      timeZone: TimeZone? = nil
    ) {
      self.fields = fields
      self.isLeapMonth = isLeapMonth
      self.calendar = calendar
      self.timeZone = timeZone
    }
  }

  /// The time from one moment to another: Foundation's `NSDateInterval`.
  public struct DateInterval: Coding, FoundationValue {
    /// The beginning.
    public let start: Date
    /// The end, not before the beginning.
    public let end: Date

    /// Makes an interval; `nil` when it would end before it starts.
    public init?(start: Date, end: Date) {
      // Also false for NaN.
      guard start.secondsSinceReferenceDate <= end.secondsSinceReferenceDate else { return nil }
      self.start = start
      self.end = end
    }
  }
}

extension Cocoa.DateComponents {
  /// Foundation's number for an unknown part.
  private static let undefined = Int.max

  public static var archivedClass: ArchivedClass { "NSDateComponents" }

  var asObject: Cocoa.Object { .dateComponents(self) }

  public func encode(with coder: any EncodingCoder) throws {
    for field in Field.allCases {
      try coder.encodeInt(fields[field] ?? Self.undefined, forKey: "NS." + field.rawValue)
    }
    if coder.allowsKeyedCoding {
      if let isLeapMonth { try coder.encodeBool(isLeapMonth, forKey: "NS.isLeapMonth") }
    } else {
      try coder.encodeInt(isLeapMonth.map { $0 ? 1 : 0 } ?? Self.undefined)
    }
    try coder.encodeObject(calendar, forKey: "NS.calendar")
    try coder.encodeObject(timeZone, forKey: "NS.timezone")
  }

  public init(coder: any DecodingCoder) throws {
    fields = [:]
    for field in Field.allCases {
      let value = try coder.decodeIntIfPresent(forKey: "NS." + field.rawValue)
      if let value, value != Self.undefined { fields[field] = value }
    }
    if coder.allowsKeyedCoding {
      isLeapMonth = try coder.decodeBoolIfPresent(forKey: "NS.isLeapMonth")
    } else {
      let value = try coder.decodeInt()
      isLeapMonth = value == Self.undefined ? nil : value != 0
    }
    calendar = try coder.decodeObjectIfPresent(Cocoa.Calendar.self, forKey: "NS.calendar")
    timeZone = try coder.decodeObjectIfPresent(Cocoa.TimeZone.self, forKey: "NS.timezone")
  }
}

extension Cocoa.DateInterval {
  public static var archivedClass: ArchivedClass { "NSDateInterval" }

  var asObject: Cocoa.Object { .dateInterval(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(start, forKey: "NS.startDate")
    try coder.encodeObject(end, forKey: "NS.endDate")
  }

  public init(coder: any DecodingCoder) throws {
    let start = try coder.decodeObject(Cocoa.Date.self, forKey: "NS.startDate")
    let end = try coder.decodeObject(Cocoa.Date.self, forKey: "NS.endDate")
    guard let interval = Cocoa.DateInterval(start: start, end: end) else {
      throw coder.invalidValue("an interval that ends before it starts", forKey: "NS.endDate")
    }
    self = interval
  }
}
