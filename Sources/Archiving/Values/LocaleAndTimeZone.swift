extension Cocoa {
  /// A locale by its identifier: Foundation's `NSLocale`.
  public struct Locale: Coding, FoundationValue {
    /// The identifier, such as `en_US`.
    public var identifier: String

    /// Makes a locale.
    public init(_ identifier: String) { self.identifier = identifier }
  }

  /// A time zone by its name and data: Foundation's `NSTimeZone`.
  ///
  /// The data are the bytes of a TZif file; they are kept and never looked at.
  public struct TimeZone: Coding, FoundationValue {
    /// The name, such as `Europe/Zurich`.
    public var name: String
    /// The bytes of its TZif file; none for zones with a fixed offset.
    public var data: [UInt8]?

    /// Makes a time zone.
    public init(_ name: String, data: [UInt8]? = nil) {
      self.name = name
      self.data = data
    }
  }

  /// A calendar with its settings: Foundation's `NSCalendar`.
  public struct Calendar: Coding, FoundationValue {
    /// The identifier, such as `gregorian`.
    public var identifier: String
    /// The time zone.
    public var timeZone: TimeZone?
    /// The locale.
    public var locale: Locale?
    /// The first day of the Gregorian calendar.
    public var gregorianStart: Date?
    /// The first day of the week, 1 for Sunday.
    public var firstWeekday: Int
    /// How many days the first week of a year has at least.
    public var minimumDaysInFirstWeek: Int

    /// Makes a calendar.
    public init(
      _ identifier: String, timeZone: TimeZone? = nil, locale: Locale? = nil,
      gregorianStart: Date? = nil, firstWeekday: Int = 1, minimumDaysInFirstWeek: Int = 1
    ) {
      self.identifier = identifier
      self.timeZone = timeZone
      self.locale = locale
      self.gregorianStart = gregorianStart
      self.firstWeekday = firstWeekday
      self.minimumDaysInFirstWeek = minimumDaysInFirstWeek
    }
  }
}

extension DecodingCoder {
  /// Whether a keyed archive has an object as GNUstep writes it: values in order, without keys.
  func isPositional(insteadOf key: String) throws -> Bool {
    guard let keyed = self as? KeyedUnarchiver else { return false }
    return try keyed.place(of: "$0") != nil && !containsValue(forKey: key)
  }
}

extension Cocoa.Locale {
  public static var archivedClass: ArchivedClass { "NSLocale" }

  var asObject: Cocoa.Object { .locale(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(identifier, forKey: "NS.identifier")
  }

  public init(coder: any DecodingCoder) throws {
    let isPositional = try coder.isPositional(insteadOf: "NS.identifier")
    self.init(
      try isPositional ? coder.decodeString() : coder.decodeString(forKey: "NS.identifier"))
  }
}

extension Cocoa.TimeZone {
  public static var archivedClass: ArchivedClass { "NSTimeZone" }

  var asObject: Cocoa.Object { .timeZone(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "NS.name")
    try coder.encodeData(data, forKey: "NS.data")
  }

  public init(coder: any DecodingCoder) throws {
    if try coder.isPositional(insteadOf: "NS.name") {
      self.init(try coder.decodeString())
      return
    }
    let name = try coder.decodeString(forKey: "NS.name")
    self.init(name, data: try coder.decodeDataIfPresent(forKey: "NS.data"))
  }
}

extension Cocoa.Calendar {
  public static var archivedClass: ArchivedClass { "NSCalendar" }

  var asObject: Cocoa.Object { .calendar(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(identifier, forKey: "NS.identifier")
    try coder.encodeObject(timeZone, forKey: "NS.timezone")
    try coder.encodeObject(locale, forKey: "NS.locale")
    try coder.encodeInt(firstWeekday, forKey: "NS.firstwkdy")
    try coder.encodeInt(minimumDaysInFirstWeek, forKey: "NS.mindays")
    try coder.encodeObject(gregorianStart, forKey: "NS.gstartdate")
  }

  public init(coder: any DecodingCoder) throws {
    if try coder.isPositional(insteadOf: "NS.identifier") {
      identifier = try coder.decodeString()
      locale = try coder.decodeStringIfPresent().map { Cocoa.Locale($0) }
      timeZone = try coder.decodeObjectIfPresent(Cocoa.TimeZone.self)
      (firstWeekday, minimumDaysInFirstWeek, gregorianStart) = (1, 1, nil)
      return
    }
    identifier = try coder.decodeString(forKey: "NS.identifier")
    timeZone = try coder.decodeObjectIfPresent(Cocoa.TimeZone.self, forKey: "NS.timezone")
    locale = try coder.decodeObjectIfPresent(Cocoa.Locale.self, forKey: "NS.locale")
    firstWeekday = try coder.decodeIntIfPresent(forKey: "NS.firstwkdy") ?? 1
    minimumDaysInFirstWeek = try coder.decodeIntIfPresent(forKey: "NS.mindays") ?? 1
    gregorianStart = try coder.decodeObjectIfPresent(Cocoa.Date.self, forKey: "NS.gstartdate")
  }
}
