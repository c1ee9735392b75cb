public import Archiving
public import Foundation

extension Data: FoundationCoding, ClasslessCoding {
  /// `NSData`.
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSData", formerNames: ["NSMutableData"])
  }

  /// Makes data of the bytes.
  public init(_ archived: Cocoa.MutableData) { self.init(archived.bytes) }

  public var archivedValue: Cocoa.MutableData { Cocoa.MutableData([UInt8](self)) }

  /// The bytes as data that does not change.
  public func replacementObject(for coder: any EncodingCoder) -> (any Coding)? {
    Cocoa.Object.data([UInt8](self))
  }

  package init?(classless value: Cocoa.Object) {
    guard let bytes = value.bytes else { return nil }
    self.init(bytes)
  }
}

extension Cocoa.Date {
  /// Makes a date.
  public init(_ date: Date) {
    self.init(secondsSinceReferenceDate: date.timeIntervalSinceReferenceDate)
  }
}

extension Date: FoundationCoding, ClasslessCoding {
  /// Makes a date.
  public init(_ archived: Cocoa.Date) {
    self.init(timeIntervalSinceReferenceDate: archived.secondsSinceReferenceDate)
  }

  public var archivedValue: Cocoa.Date { Cocoa.Date(self) }

  package init?(classless value: Cocoa.Object) {
    guard case .date(let date) = value else { return nil }
    self.init(date)
  }
}

extension Cocoa.DateInterval {
  /// Makes an interval of the start and the end; throws when they are no numbers.
  public init(_ interval: DateInterval) throws {
    let (start, end) = (Cocoa.Date(interval.start), Cocoa.Date(interval.end))
    guard let made = Cocoa.DateInterval(start: start, end: end) else {
      throw ArchiveError.noCounterpart("an interval without start or end")
    }
    self = made
  }
}

extension DateInterval: FoundationCoding {
  /// Makes an interval of the start and the end.
  ///
  /// Foundation keeps the duration: an end that is not the sum of both is rounded.
  public init(_ archived: Cocoa.DateInterval) {
    self.init(start: Date(archived.start), end: Date(archived.end))
  }

  public var archivedValue: Cocoa.DateInterval { get throws { try Cocoa.DateInterval(self) } }
}

extension Cocoa.DateComponents {
  /// Makes date components; the day of the year is not archived, as in Foundation.
  ///
  /// Throws when archives have no counterpart for the calendar.
  public init(_ components: DateComponents) throws {
    let parts: [Field: Int?] = [
      .era: components.era, .year: components.year, .quarter: components.quarter,
      .month: components.month, .day: components.day, .hour: components.hour,
      .minute: components.minute, .second: components.second,
      .nanosecond: components.nanosecond, .weekOfYear: components.weekOfYear,
      .weekOfMonth: components.weekOfMonth, .yearForWeekOfYear: components.yearForWeekOfYear,
      .weekday: components.weekday, .weekdayOrdinal: components.weekdayOrdinal,
    ]
    self.init(
      parts.compactMapValues { $0 }, isLeapMonth: components.isLeapMonth,
      calendar: try components.calendar.map { try Cocoa.Calendar($0) },
      timeZone: components.timeZone.map { Cocoa.TimeZone($0) })
  }
}

extension DateComponents: FoundationCoding {
  /// Makes date components; throws when Foundation does not know the calendar or the time zone.
  public init(_ archived: Cocoa.DateComponents) throws {
    let fields = archived.fields
    self.init(
      calendar: try archived.calendar.map { try Calendar($0) },
      timeZone: try archived.timeZone.map { try TimeZone($0) },
      era: fields[.era], year: fields[.year], month: fields[.month], day: fields[.day],
      hour: fields[.hour], minute: fields[.minute], second: fields[.second],
      nanosecond: fields[.nanosecond], weekday: fields[.weekday],
      weekdayOrdinal: fields[.weekdayOrdinal], quarter: fields[.quarter],
      weekOfMonth: fields[.weekOfMonth], weekOfYear: fields[.weekOfYear],
      yearForWeekOfYear: fields[.yearForWeekOfYear])
    isLeapMonth = archived.isLeapMonth
  }

  public var archivedValue: Cocoa.DateComponents {
    get throws { try Cocoa.DateComponents(self) }
  }
}
