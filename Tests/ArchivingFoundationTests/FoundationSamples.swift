import Foundation

/// Values of Foundation, one or more of every kind, by their names.
enum FoundationSamples {
  typealias Sample = (name: String, value: NSObject)

  static var all: [Sample] { plain + numbers + collections + identifiers + dates + texts + rest }

  static var plain: [Sample] {
    [
      ("null", NSNull()),
      ("empty string", NSString(string: "")),
      ("string", NSString(string: "Zoë’s 🗺️")),
      ("the text $null", NSString(string: "$null")),
      ("mutable string", NSMutableString(string: "changes")),
      ("empty data", NSData(data: Data())),
      ("data", NSData(data: Data([0, 255, 128]))),
      ("large data", NSData(data: Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }))),
      ("mutable data", NSMutableData(data: Data([1, 2, 3]))),
    ]
  }

  static var numbers: [Sample] {
    [
      ("true", NSNumber(value: true)), ("false", NSNumber(value: false)),
      ("zero", NSNumber(value: 0)), ("int8", NSNumber(value: Int8.min)),
      ("uint8", NSNumber(value: UInt8.max)), ("int16", NSNumber(value: Int16.min)),
      ("uint16", NSNumber(value: UInt16.max)), ("int32", NSNumber(value: Int32.min)),
      ("uint32", NSNumber(value: UInt32.max)), ("int64", NSNumber(value: Int64.min)),
      ("largest int64", NSNumber(value: Int64.max)), ("uint64", NSNumber(value: UInt64.max)),
      ("float", NSNumber(value: Float(1.25))), ("double", NSNumber(value: -1e300)),
      ("infinity", NSNumber(value: Double.infinity)),
      ("decimal", NSDecimalNumber(string: "-12.345")),
      ("decimal zero", NSDecimalNumber(string: "0")),
      ("large decimal", NSDecimalNumber(string: "123456789012345678901234567890e30")),
      ("long decimal", NSDecimalNumber(string: "0.12345678901234567890123456789012345678")),
      ("decimal that is none", NSDecimalNumber.notANumber),
      (
        "decimal handler",
        NSDecimalNumberHandler(
          roundingMode: .up, scale: 3, raiseOnExactness: false, raiseOnOverflow: true,
          raiseOnUnderflow: false, raiseOnDivideByZero: true)
      ),
    ]
  }

  static var collections: [Sample] {
    let counted = NSCountedSet()
    for (object, count) in [("a", 3), ("b", 1)] { for _ in 0..<count { counted.add(object) } }
    return [
      ("empty array", NSArray()),
      ("array", NSArray(array: ["a", 1, 2.5, ["b", Data([1])] as [Any]])),
      ("mutable array", NSMutableArray(array: ["a", NSNull()])),
      ("empty set", NSSet()), ("set", NSSet(array: ["a", 7, Date(timeIntervalSince1970: 0)])),
      ("mutable set", NSMutableSet(array: ["a"])), ("counted set", counted),
      ("ordered set", NSOrderedSet(array: ["z", "a", "m"])),
      ("mutable ordered set", NSMutableOrderedSet(array: [3, 1, 2])),
      ("empty dictionary", NSDictionary()),
      ("dictionary", NSDictionary(dictionary: ["k": "v", "d": ["x": 1]])),
      ("dictionary by numbers", NSDictionary(dictionary: [1: "one", 2: "two"])),
      ("mutable dictionary", NSMutableDictionary(dictionary: ["k": [1, 2]])),
      (
        "deep array",
        (0..<40).reduce(NSArray(array: ["end"])) { inner, _ in NSArray(array: [inner]) }
      ),
    ]
  }

  static var identifiers: [Sample] {
    let url = URL(string: "https://example.org/a/")
    let relative = URL(string: "c/d?q=1#f", relativeTo: url)
    let samples: [(String, NSObject?)] = [
      ("url", url as NSURL?), ("relative url", relative as NSURL?),
      ("file url", URL(fileURLWithPath: "/a b/c") as NSURL),
      ("uuid", UUID(uuidString: "346FF5A7-DFB6-6909-668C-0C63945E8F77") as NSUUID?),
      ("query item", NSURLQueryItem(name: "q", value: "1 2")),
      ("query item without value", NSURLQueryItem(name: "q", value: nil)),
      ("person", person),
      ("empty index set", NSIndexSet()),
      ("index set", NSIndexSet(indexesIn: NSRange(location: 3, length: 4))),
      ("index set of ranges", IndexSet([1, 2, 3, 100, 101, 70_000]) as NSIndexSet),
      ("mutable index set", NSMutableIndexSet(indexSet: IndexSet(5..<9))),
      ("empty index path", IndexPath() as NSIndexPath),
      ("short index path", IndexPath(index: 52) as NSIndexPath),
      ("index path", IndexPath(indexes: [4, 0, 1_000_000]) as NSIndexPath),
    ]
    return samples.compactMap { sample in sample.1.map { (sample.0, $0) } }
  }

  private static var person: NSPersonNameComponents {
    let person = NSPersonNameComponents()
    (person.givenName, person.familyName) = ("Ada", "Lovelace")
    return person
  }

  static var dates: [Sample] {
    let start = Date(timeIntervalSinceReferenceDate: 1_000.25)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC") ?? calendar.timeZone
    calendar.locale = Locale(identifier: "de_CH")
    (calendar.firstWeekday, calendar.minimumDaysInFirstWeek) = (2, 4)
    let parts = DateComponents(
      calendar: calendar, timeZone: TimeZone(identifier: "Europe/Zurich"), year: 2_026, month: 11,
      day: 23, hour: 4)
    let samples: [(String, NSObject?)] = [
      ("date", start as NSDate),
      ("early date", Date(timeIntervalSinceReferenceDate: -1e10) as NSDate),
      ("date interval", NSDateInterval(start: start, duration: 12.5)),
      ("date components", parts as NSDateComponents),
      ("few date components", DateComponents(month: 2) as NSDateComponents),
      ("time zone", TimeZone(identifier: "Europe/Zurich") as NSTimeZone?),
      ("fixed time zone", TimeZone(secondsFromGMT: 3_600) as NSTimeZone?),
      ("locale", Locale(identifier: "de_CH") as NSLocale),
      ("calendar", calendar as NSCalendar),
      ("hebrew calendar", Calendar(identifier: .hebrew) as NSCalendar),
    ]
    return samples.compactMap { sample in sample.1.map { (sample.0, $0) } }
  }

  static var texts: [Sample] {
    let mixed = NSMutableAttributedString(string: "a🗺️bc")
    mixed.addAttribute(.init("Size"), value: 12, range: NSRange(location: 0, length: 1))
    mixed.addAttribute(.init("Font"), value: "F", range: NSRange(location: 4, length: 2))
    let attributes: [NSAttributedString.Key: Any] = [.init("k"): "v"]
    let samples: [(String, NSObject?)] = [
      ("plain text", NSAttributedString(string: "plain")),
      ("empty text", NSAttributedString(string: "")),
      ("text", NSAttributedString(string: "one", attributes: attributes)),
      ("text of runs", NSAttributedString(attributedString: mixed)), ("mutable text", mixed),
      ("characters", CharacterSet(charactersIn: "abcé") as NSCharacterSet),
      ("range of characters", CharacterSet(charactersIn: "a"..."z") as NSCharacterSet),
      ("inverted characters", CharacterSet(charactersIn: "a").inverted as NSCharacterSet),
      ("known characters", CharacterSet.whitespaces as NSCharacterSet),
      ("far characters", CharacterSet(charactersIn: "🗺") as NSCharacterSet),
      ("pattern", try? NSRegularExpression(pattern: "(a+)b", options: .caseInsensitive)),
      ("match", match),
    ]
    return samples.compactMap { sample in sample.1.map { (sample.0, $0) } }
  }

  private static var match: NSTextCheckingResult? {
    let pattern = try? NSRegularExpression(pattern: "(a+)(b)?")
    return pattern?.firstMatch(in: "xaac", range: NSRange(location: 0, length: 4))
  }

  static var rest: [Sample] {
    [
      ("point", NSValue(point: NSPoint(x: 1.5, y: -2))),
      ("size", NSValue(size: NSSize(width: 0.1, height: 1e100))),
      ("rectangle", NSValue(rect: NSRect(x: 1, y: 2, width: 3.25, height: 4))),
      ("range", NSValue(range: NSRange(location: 1, length: 2))),
      ("insets", NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))),
      ("transform", NSAffineTransform(transform: AffineTransform(scale: 2.5))),
      ("unit", Unit(symbol: "furlong")), ("length", UnitLength.miles),
      ("temperature", UnitTemperature.fahrenheit),
      ("fuel efficiency", UnitFuelEfficiency.milesPerGallon),
      ("measurement", NSMeasurement(doubleValue: 45, unit: UnitLength.miles)),
      ("converter", UnitConverterLinear(coefficient: 2, constant: 1)),
      ("error", NSError(domain: "D", code: -3)),
      ("error with info", NSError(domain: "D", code: 3, userInfo: ["k": "v", "n": 1])),
      ("notification", NSNotification(name: .init("n"), object: "o" as NSString)),
    ]
  }

  /// What Foundation makes of its own archive of a value; `nil` when it does not read it.
  static func read(_ data: Data) throws -> NSObject? {
    let reader = try NSKeyedUnarchiver(forReadingFrom: data)
    reader.requiresSecureCoding = false
    reader.decodingFailurePolicy = .setErrorAndReturn
    return reader.decodeObject(forKey: "root") as? NSObject
  }

  static func archive(_ value: NSObject) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: false)
  }
}
