import Archiving
import ArchivingFoundation
import Foundation
import Testing

// snippet: both
/// A station as Foundation codes it, and as this library does: both read the other's archives.
final class Station: NSObject, NSSecureCoding, Coding {
  let name: String
  let platforms: Int
  let opened: Date?
  let homepage: URL?
  let lines: [String]
  private(set) var twin: Station?

  init(name: String, platforms: Int, opened: Date?, homepage: URL?, lines: [String]) {
    (self.name, self.platforms, self.lines) = (name, platforms, lines)
    (self.opened, self.homepage) = (opened, homepage)
  }

  // As it was, for Foundation.

  static var supportsSecureCoding: Bool { true }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(platforms, forKey: "platforms")
    coder.encode(opened as NSDate?, forKey: "opened")
    coder.encode(homepage as NSURL?, forKey: "homepage")
    coder.encode(lines as NSArray, forKey: "lines")
    coder.encode(twin, forKey: "twin")
  }

  required init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
    platforms = coder.decodeInteger(forKey: "platforms")
    opened = coder.decodeObject(of: NSDate.self, forKey: "opened") as Date?
    homepage = coder.decodeObject(of: NSURL.self, forKey: "homepage") as URL?
    let lines = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "lines")
    self.lines = lines as? [String] ?? []
    twin = coder.decodeObject(of: Station.self, forKey: "twin")
  }

  // The same for this library: `try`, and Swift's values instead of their boxes.

  static var archivedClass: ArchivedClass { ArchivedClass(NSStringFromClass(Station.self)) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encode(name, forKey: "name")
    try coder.encode(platforms, forKey: "platforms")
    try coder.encode(opened, forKey: "opened")
    try coder.encode(homepage, forKey: "homepage")
    try coder.encode(lines, forKey: "lines")
    try coder.encode(twin, forKey: "twin")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    platforms = try coder.decodeInteger(forKey: "platforms")
    opened = try coder.decodeObject(of: Date.self, forKey: "opened")
    homepage = try coder.decodeObject(of: URL.self, forKey: "homepage")
    lines = try coder.decodeObject(of: [String].self, forKey: "lines") ?? []
    twin = try coder.decodeObject(of: Station.self, forKey: "twin")
  }
}
// end

// snippet: smallest
/// The methods as they were, with `try`: Foundation's classes are taken too.
final class Depot: NSObject, Coding {
  let name: NSString
  let numbers: NSArray
  let symbol: Data

  init(name: NSString, numbers: NSArray, symbol: Data) {
    (self.name, self.numbers, self.symbol) = (name, numbers, symbol)
  }

  static var archivedClass: ArchivedClass { "Depot" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encode(name, forKey: "name")
    try coder.encode(numbers, forKey: "numbers")
    try coder.encode(symbol, forKey: "symbol")
  }

  required init(coder: any DecodingCoder) throws {
    name = try coder.decodeObject(of: NSString.self, forKey: "name") ?? ""
    let classes = [NSArray.self, NSNumber.self]
    numbers = try coder.decodeObject(of: classes, forKey: "numbers") as? NSArray ?? []
    symbol = try coder.decodeObject(of: Data.self, forKey: "symbol") ?? Data()
  }
}

func copy(of depot: Depot) throws -> Depot? {
  let data = try KeyedArchiver.archivedData(withRootObject: depot, requiringSecureCoding: true)
  return try KeyedUnarchiver.unarchivedObject(ofClass: Depot.self, from: data)
}

/// A list of classes admits both kinds, at every depth of collections.
func copy(of depots: NSArray) throws -> [Depot]? {
  let data = try KeyedArchiver.archivedData(withRootObject: depots)
  let classes = [NSArray.self, Depot.self]
  return try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [Depot]
}
// end

// snippet: conversions
/// What a Mac program saved, in Foundation's types; `nil` unless it is a dictionary.
func settings(in data: Data) throws -> [String: Any]? {
  let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
  let value = try unarchiver.decodeAnyValue(forKey: "root")
  return try value.foundationObject() as? [String: Any]
}

/// An archive of any values of Foundation's, which a Mac program reads.
func archive(of settings: [String: Any]) throws -> Data {
  let value = try Cocoa.Object(foundation: settings)
  return try KeyedArchiver.archivedData(withRootObject: value)
}
// end

// snippet: main-actor
/// A class of the main actor: coding it on another thread is an error, not a trap.
@MainActor final class Panel: Coding {
  private(set) var title: String

  init(title: String) { self.title = title }

  nonisolated static var archivedClass: ArchivedClass { "Panel" }

  nonisolated func encode(with coder: any EncodingCoder) throws {
    try coder.onMainActor { coder in try coder.encode(title, forKey: "title") }
  }

  nonisolated init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
  }
}
// end

/// The code of Docs/coming-from-nscoding.md at work.
@Suite struct PortingExample {
  private var station: Station {
    Station(
      name: "Old Customs House", platforms: 4,
      opened: Date(timeIntervalSinceReferenceDate: 694_310_400),
      homepage: URL(string: "https://example.org/stations/1"), lines: ["Harbour", "Ring"])
  }

  private func isSame(_ first: Station, _ second: Station?) -> Bool {
    first.name == second?.name && first.platforms == second?.platforms
      && first.opened == second?.opened && first.homepage == second?.homepage
      && first.lines == second?.lines
  }

  @Test func `Foundation reads what we write of a class that adopts both`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: station)
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: Station.self, from: data)
    #expect(isSame(station, read))
  }

  @Test func `we read what Foundation writes of a class that adopts both`() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: station, requiringSecureCoding: true)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Station.self, from: data)
    #expect(isSame(station, read))
  }

  @Test func `a class of Foundation's types goes through our archive`() throws {
    let depot = Depot(name: "North", numbers: [1, 2, 3], symbol: Data([1, 2]))
    let made = try #require(try copy(of: depot))
    #expect(made.name == "North")
    #expect(made.numbers == [1, 2, 3])
    #expect(try copy(of: [depot] as NSArray)?.map(\.name) == ["North"])
    #expect(made.symbol == Data([1, 2]))
  }

  @Test func `settings go through an archive in Foundation's types`() throws {
    let values: [String: Any] = [
      "zoom": 2.5, "name": "map", "recent": ["a", "b"], "at": Date(timeIntervalSince1970: 0),
    ]
    let read = try settings(in: archive(of: values))
    #expect(read as NSDictionary? == values as NSDictionary)
  }

  @MainActor @Test func `a class of the main actor is archived there`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Panel(title: "Legend"))
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Panel.self, from: data)
    #expect(read?.title == "Legend")
  }

  @Test func `a class of the main actor is refused on another thread`() async throws {
    let panel = await Panel(title: "Legend")
    let error = await Task.detached {
      #expect(throws: ArchiveError.self) { try KeyedArchiver.archivedData(withRootObject: panel) }
    }.value
    #expect(error?.code == .misuse)
  }
}
