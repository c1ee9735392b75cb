import Foundation
import Testing

@testable import Archiving

/// What Foundation makes of our archives, and we of Foundation's.
@Suite struct ValueFoundationTests {
  /// What Foundation's reader makes of a value that we archived; any class is admitted.
  private func read(_ value: Cocoa.Object) throws -> Any? {
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(value, forKey: "root")
    let reader = try NSKeyedUnarchiver(forReadingFrom: Data(archiver.finish()))
    reader.requiresSecureCoding = false
    return reader.decodeObject(forKey: "root")
  }

  /// What we make of an object that Foundation archived.
  private func value(of object: Any) throws -> Cocoa.Object {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: object, requiringSecureCoding: false)
    return try KeyedUnarchiver([UInt8](data)).decodeAnyValue(forKey: "root")
  }

  static func pairs() -> [(Cocoa.Object, NSObject)] {
    [
      ("text", NSString(string: "text")), ("Zoë’s 🗺️", NSString(string: "Zoë’s 🗺️")),
      (.number(Cocoa.Number(42)), NSNumber(value: 42)),
      (.number(Cocoa.Number(-1.5)), NSNumber(value: -1.5)),
      (.number(Cocoa.Number(true)), NSNumber(value: true)),
      (.data([1, 2, 3]), NSData(data: Data([1, 2, 3]))),
      (
        .date(Cocoa.Date(secondsSinceReferenceDate: 1_234.5)),
        NSDate(timeIntervalSinceReferenceDate: 1_234.5)
      ),
      (.null, NSNull()),
      (.array(["a", 1]), NSArray(array: [NSString(string: "a"), NSNumber(value: 1)])),
      (.dictionary(["k": "v"]), NSDictionary(dictionary: ["k": NSString(string: "v")])),
      (.set(Cocoa.Set(["s"])), NSSet(array: [NSString(string: "s")])),
      (.orderedSet(Cocoa.OrderedSet(["o", "p"])), NSOrderedSet(array: ["o", "p"])),
      (.locale(Cocoa.Locale("de_CH")), NSLocale(localeIdentifier: "de_CH")),
    ]
  }

  @Test(arguments: 0..<13)
  func `Foundation reads our value`(_ index: Int) throws {
    let (value, object) = Self.pairs()[index]
    let made = try #require(try read(value) as? NSObject)
    #expect(made.isEqual(object), "\(made)")
  }

  @Test(arguments: 0..<13)
  func `we read Foundation's value`(_ index: Int) throws {
    let (value, object) = Self.pairs()[index]
    #expect(try self.value(of: object) == value)
  }

  @Test func `Foundation reads our URLs, UUIDs, indexes and geometry`() throws {
    let url = try #require(
      Cocoa.URL("c/d", relativeTo: Cocoa.URL("https://example.org/a/")).map { .url($0) }
        as Cocoa.Object?)
    #expect((try read(url) as? NSURL)?.absoluteString == "https://example.org/a/c/d")
    let text = "346FF5A7-DFB6-6909-668C-0C63945E8F77"
    let uuid = try #require(Cocoa.UUID(text))
    #expect((try read(.uuid(uuid)) as? NSUUID)?.uuidString == text)
    #expect(uuid.description == text)
    let path = try #require(Cocoa.IndexPath([4, 300, 2]))
    #expect(
      (try read(.indexPath(path)) as? NSIndexPath)?.isEqual(
        NSIndexPath(indexes: [4, 300, 2], length: 3)) == true)
    for ranges in [[(3, 4)], [(0, 50), (100, 50), (1_000, 1)]] {
      let set = try #require(
        Cocoa.IndexSet(ranges.compactMap { Cocoa.Range(location: $0.0, length: $0.1) }))
      let made = try read(.indexSet(set)) as? NSIndexSet
      #expect(made?.count == set.count)
      #expect(made?.firstIndex == ranges[0].0)
    }
    let rect = Cocoa.Value.rect(Cocoa.Rect(x: 1, y: 2.5, width: 3, height: 4))
    #expect(
      (try read(.value(rect)) as? NSValue)?.rectValue
        == NSRect(x: 1, y: 2.5, width: 3, height: 4))
    let range = try #require(Cocoa.Range(location: 5, length: 6))
    #expect(
      (try read(.value(.range(range))) as? NSValue)?.rangeValue
        == NSRange(location: 5, length: 6))
  }

  @Test func `Foundation reads our attributed strings, errors and time zones`() throws {
    let runs: [Cocoa.AttributedString.Run] = [
      .init(length: 2, attributes: ["k": "v"]), .init(length: 1, attributes: [:]),
      .init(length: 1, attributes: ["k": "v"]),
    ]
    let text = try #require(Cocoa.AttributedString("🗺bc", runs: runs))
    let made = try #require(try read(.attributedString(text)) as? NSAttributedString)
    #expect(made.string == "🗺bc")
    let key = NSAttributedString.Key("k")
    #expect(made.attribute(key, at: 0, effectiveRange: nil) as? String == "v")
    #expect(made.attribute(key, at: 2, effectiveRange: nil) == nil)
    #expect(made.attribute(key, at: 3, effectiveRange: nil) as? String == "v")
    let error = try read(.error(Cocoa.Error(domain: "D", code: 3, userInfo: ["k": "v"])))
    #expect((error as? NSError)?.code == 3)
    #expect((error as? NSError)?.domain == "D")
    let pattern = try read(.regularExpression(Cocoa.RegularExpression("a+", options: 1)))
    #expect((pattern as? NSRegularExpression)?.pattern == "a+")
  }

  @Test func `we read Foundation's attributed strings, values and measurements`() throws {
    let text = NSMutableAttributedString(string: "🗺bc")
    text.addAttribute(.init("k"), value: "v" as NSString, range: NSRange(location: 0, length: 2))
    guard case .attributedString(let read) = try value(of: text) else {
      Issue.record("no attributed string")
      return
    }
    #expect(read.text == "🗺bc")
    #expect(read.isMutable)
    #expect(read.runs.first == .init(length: 2, attributes: ["k": "v"]))
    #expect(
      try value(of: NSValue(point: NSPoint(x: 1.5, y: 2)))
        == .value(.point(Cocoa.Point(x: 1.5, y: 2))))
    let interval = NSDateInterval(
      start: Date(timeIntervalSinceReferenceDate: 1), end: Date(timeIntervalSinceReferenceDate: 2))
    guard case .dateInterval(let times) = try value(of: interval) else {
      Issue.record("no date interval")
      return
    }
    #expect(times.end.secondsSinceReferenceDate == 2)
    let measurement = NSMeasurement(doubleValue: 45, unit: UnitLength.miles)
    guard case .measurement(let length) = try value(of: measurement) else {
      Issue.record("no measurement")
      return
    }
    #expect(length.unit.symbol == "mi")
    #expect(length.value == 45)
  }
}
