public import Archiving
public import Foundation

extension Cocoa.Locale {
  /// Makes a locale of the identifier; nothing else of a locale is archived.
  public init(_ locale: Locale) { self.init(locale.identifier) }
}

extension Locale: FoundationCoding {
  /// Makes a locale of the identifier, which Foundation does not check.
  public init(_ archived: Cocoa.Locale) { self.init(identifier: archived.identifier) }

  public var archivedValue: Cocoa.Locale { Cocoa.Locale(self) }
}

extension Cocoa.TimeZone {
  /// Makes a time zone of the name, without the data of its file.
  public init(_ timeZone: TimeZone) { self.init(timeZone.identifier) }
}

extension TimeZone: FoundationCoding {
  /// Makes a time zone of the name; throws when Foundation does not know it.
  ///
  /// The data that an archive has for it are left out.
  public init(_ archived: Cocoa.TimeZone) throws {
    guard let timeZone = TimeZone(identifier: archived.name) else {
      throw ArchiveError.noCounterpart("the time zone \(archived.name.prefix(100)) is not known")
    }
    self = timeZone
  }

  public var archivedValue: Cocoa.TimeZone { Cocoa.TimeZone(self) }
}

extension Cocoa.Calendar {
  /// Makes a calendar with its settings, without the first Gregorian day.
  ///
  /// Throws when archives have no name for the calendar.
  public init(_ calendar: Calendar) throws {
    guard let name = Self.names.first(where: { $0.identifier == calendar.identifier })?.name
    else {
      throw ArchiveError.noCounterpart("the calendar \(calendar.identifier) has no archived name")
    }
    self.init(
      name, timeZone: Cocoa.TimeZone(calendar.timeZone),
      locale: calendar.locale.map { Cocoa.Locale($0) }, firstWeekday: calendar.firstWeekday,
      minimumDaysInFirstWeek: calendar.minimumDaysInFirstWeek)
  }

  /// The calendars by the names that archives have for them.
  fileprivate static let names: [(name: String, identifier: Calendar.Identifier)] = [
    ("gregorian", .gregorian), ("buddhist", .buddhist), ("chinese", .chinese),
    ("coptic", .coptic), ("ethiopic", .ethiopicAmeteMihret),
    ("ethiopic-amete-alem", .ethiopicAmeteAlem), ("hebrew", .hebrew), ("iso8601", .iso8601),
    ("indian", .indian), ("islamic", .islamic), ("islamic-civil", .islamicCivil),
    ("japanese", .japanese), ("persian", .persian), ("roc", .republicOfChina),
    ("islamic-tbla", .islamicTabular), ("islamic-umalqura", .islamicUmmAlQura),
  ]
}

extension Calendar: FoundationCoding {
  /// Makes a calendar with its settings; throws when Foundation does not know it or its time zone.
  ///
  /// The first Gregorian day is left out: Foundation's calendars have no setting for it.
  public init(_ archived: Cocoa.Calendar) throws {
    guard
      let identifier = Cocoa.Calendar.names.first(where: { $0.name == archived.identifier })?
        .identifier
    else {
      throw ArchiveError.noCounterpart("no calendar is \(archived.identifier.prefix(100))")
    }
    self.init(identifier: identifier)
    if let timeZone = archived.timeZone { self.timeZone = try TimeZone(timeZone) }
    if let locale = archived.locale { self.locale = Locale(locale) }
    guard (1...7).contains(archived.firstWeekday),
      (1...7).contains(archived.minimumDaysInFirstWeek)
    else { throw ArchiveError.noCounterpart("a week without a first day") }
    firstWeekday = archived.firstWeekday
    minimumDaysInFirstWeek = archived.minimumDaysInFirstWeek
  }

  public var archivedValue: Cocoa.Calendar { get throws { try Cocoa.Calendar(self) } }
}
