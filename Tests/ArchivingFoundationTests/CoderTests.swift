import Archiving
import ArchivingFoundation
import Foundation
import Testing

/// The names of `NSCoder` on our coders, and Foundation's types in archives.
@Suite struct CoderTests {
  /// A thing with a Foundation value of every type that adopts `Coding`.
  struct Everything: Coding, Equatable {
    var data = Data([1, 2, 3])
    var date = Date(timeIntervalSinceReferenceDate: 1.5)
    var url = URL(string: "c?d#e", relativeTo: URL(string: "https://example.org/a/"))
    var uuid = UUID(uuidString: "346FF5A7-DFB6-6909-668C-0C63945E8F77")
    var decimal = Decimal(string: "-12.345")
    var indexes = IndexSet([1, 2, 9])
    var path = IndexPath(indexes: [4, 0])
    var locale = Locale(identifier: "de_CH")
    var timeZone = TimeZone(identifier: "Europe/Zurich")
    var calendar = Calendar(identifier: .hebrew)
    var parts = DateComponents(year: 2_026, month: 11)
    var interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 2.5)
    var characters = CharacterSet(charactersIn: "abc")
    var measurement = Measurement(value: 45, unit: UnitLength.miles)
    var transform = AffineTransform(scale: 2)
    var name = PersonNameComponents(givenName: "Ada")
    var item = URLQueryItem(name: "q", value: "1")
    var urls: [URL] = [URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b")]
    var visits: [UUID: Date] = [UUID(): Date(timeIntervalSinceReferenceDate: 7)]
    var days: Set<Date> = [Date(timeIntervalSinceReferenceDate: 3)]

    init() {}

    static var archivedClass: ArchivedClass { "Everything" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encode(data, forKey: "data")
      try coder.encode(date, forKey: "date")
      try coder.encode(url, forKey: "url")
      try coder.encode(uuid, forKey: "uuid")
      try coder.encode(decimal, forKey: "decimal")
      try coder.encode(indexes, forKey: "indexes")
      try coder.encode(path, forKey: "path")
      try coder.encode(locale, forKey: "locale")
      try coder.encode(timeZone, forKey: "timeZone")
      try coder.encode(calendar, forKey: "calendar")
      try coder.encode(parts, forKey: "parts")
      try coder.encode(interval, forKey: "interval")
      try coder.encode(characters, forKey: "characters")
      try coder.encode(measurement, forKey: "measurement")
      try coder.encode(transform, forKey: "transform")
      try coder.encode(name, forKey: "name")
      try coder.encode(item, forKey: "item")
      try coder.encode(urls, forKey: "urls")
      try coder.encode(visits, forKey: "visits")
      try coder.encode(days, forKey: "days")
    }

    init(coder: any DecodingCoder) throws {
      data = try coder.decode(Data.self, forKey: "data")
      date = try coder.decode(Date.self, forKey: "date")
      url = try coder.decodeIfPresent(URL.self, forKey: "url")
      uuid = try coder.decodeIfPresent(UUID.self, forKey: "uuid")
      decimal = try coder.decodeIfPresent(Decimal.self, forKey: "decimal")
      indexes = try coder.decode(IndexSet.self, forKey: "indexes")
      path = try coder.decode(IndexPath.self, forKey: "path")
      locale = try coder.decode(Locale.self, forKey: "locale")
      timeZone = try coder.decodeIfPresent(TimeZone.self, forKey: "timeZone")
      calendar = try coder.decode(Calendar.self, forKey: "calendar")
      parts = try coder.decode(DateComponents.self, forKey: "parts")
      interval = try coder.decode(DateInterval.self, forKey: "interval")
      characters = try coder.decode(CharacterSet.self, forKey: "characters")
      measurement = try coder.decode(Measurement<UnitLength>.self, forKey: "measurement")
      transform = try coder.decode(AffineTransform.self, forKey: "transform")
      name = try coder.decode(PersonNameComponents.self, forKey: "name")
      item = try coder.decode(URLQueryItem.self, forKey: "item")
      urls = try coder.decode([URL].self, forKey: "urls")
      visits = try coder.decode([UUID: Date].self, forKey: "visits")
      days = try coder.decode(Set<Date>.self, forKey: "days")
    }
  }

  @Test func `every type of Foundation's goes through keyed, XML and sequential archives`() throws {
    let everything = Everything()
    for format in [ArchiveFormat.binary, .xml] {
      let archiver = KeyedArchiver(requiringSecureCoding: true)
      archiver.outputFormat = format
      try archiver.encode(everything, forKey: "root")
      let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
      #expect(try unarchiver.decodeObject(of: Everything.self, forKey: "root") == everything)
    }
    let bytes = try Archiver.archive(everything)
    #expect(try Unarchiver.unarchive(Everything.self, from: bytes) == everything)
  }

  @Test func `a coder of one's own takes everything, Foundation's types and any values`() throws {
    let everything = Everything()
    let tree = try TreeEncoder.tree(of: everything)
    #expect(try TreeDecoder.object(Everything.self, of: tree) == everything)
    for sample in FoundationSamples.all {
      let value = try Cocoa.Object(foundation: sample.value)
      let tree = try TreeEncoder.tree(of: value)
      #expect(try TreeDecoder.object(Cocoa.Object.self, of: tree) == value, "\(sample.name)")
    }
  }

  /// Takes half a kilobyte.
  private struct Large: Coding {
    var numbers = InlineArray<64, Int>(repeating: 0)
    static var archivedClass: ArchivedClass { "Large" }
    func encode(with coder: any EncodingCoder) throws {}
    init(coder: any DecodingCoder) throws {}
  }

  @Test func `a count that a coder of one's own gives is not believed`() {
    let decoder = TreeDecoder([:], elementCount: .max)
    #expect(throws: ArchiveError.self) { try [Large](coder: decoder) }
    #expect(throws: ArchiveError.self) { try [String: Large](coder: decoder) }
    #expect(throws: ArchiveError.self) { try Cocoa.Array(coder: decoder) }
    #expect(throws: ArchiveError.self) { try Cocoa.Dictionary(coder: decoder) }
  }

  @Test func `a coder of one's own says where a value is that it does not admit`() throws {
    let encoder = TreeEncoder()
    try encoder.encode([URL(fileURLWithPath: "/a")], forKey: "urls")
    let decoder = TreeDecoder(encoder.fields)
    #expect(throws: ArchiveError.self) { try decoder.decode([UUID].self, forKey: "urls") }
    #expect(throws: ArchiveError.self) { try encoder.encode(1, forKey: "urls") }
    #expect(throws: ArchiveError.self) { try decoder.decodeInteger(forKey: "none") }
    #expect(throws: ArchiveError.self) {
      try encoder.encodeConditionalObject(Panel?.none, forKey: "panel")
    }
  }

  @Test func `Foundation's types are archived as Foundation archives them`() throws {
    let url = URL(string: "https://example.org") as NSURL?
    let ours = try KeyedArchiver.archivedData(withRootObject: #require(url) as URL)
    #expect(try FoundationSamples.read(ours) == url)
    let data = try KeyedArchiver.archivedData(withRootObject: Data([7]))
    #expect(try FoundationSamples.read(data) == NSData(data: Data([7])))
  }

  @Test func `data and dates are read in every form`() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(NSData(data: Data([1])), forKey: "data")
    archiver.encode(NSMutableData(data: Data([2])), forKey: "mutable")
    archiver.encodeBytes([3], length: 1, forKey: "bytes")
    archiver.encode(NSDate(timeIntervalSinceReferenceDate: 4), forKey: "date")
    archiver.finishEncoding()
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(try unarchiver.decode(Data.self, forKey: "data") == Data([1]))
    #expect(try unarchiver.decode(Data.self, forKey: "mutable") == Data([2]))
    #expect(try unarchiver.decode(Data.self, forKey: "bytes") == Data([3]))
    let date = Date(timeIntervalSinceReferenceDate: 4)
    #expect(try unarchiver.decode(Date.self, forKey: "date") == date)
    #expect(throws: ArchiveError.self) { try unarchiver.decode(URL.self, forKey: "data") }
    let list = ClassList<any Coding>([Data.self, Date.self])
    #expect(try unarchiver.decodeObject(in: list, forKey: "data") as? Data == Data([1]))
    #expect(try unarchiver.decodeObject(in: list, forKey: "date") as? Date == date)
  }

  @Test func `the calls of NSCoder work under their names`() throws {
    let archiver = KeyedArchiver(requiringSecureCoding: true)
    try archiver.encode(true, forKey: "bool")
    try archiver.encode(Int32(-5), forKey: "int32")
    try archiver.encode(Int64.max, forKey: "int64")
    try archiver.encode(7, forKey: "int")
    try archiver.encode(Float(1.5), forKey: "float")
    try archiver.encode(2.5, forKey: "double")
    try archiver.encode(NSArray(array: ["a", 1]), forKey: "array")
    try archiver.encode(NSString?.none, forKey: "none")
    try archiver.encodeFoundation(["k": [1, 2]] as [String: Any], forKey: "any")
    try archiver.encodePropertyList(["k": Data([1])], forKey: "list")
    let bytes: [UInt8] = [1, 2, 3]
    try bytes.withUnsafeBufferPointer {
      try archiver.encodeBytes($0.baseAddress, length: $0.count, forKey: "bytes")
    }
    try archiver.encode(CGPoint(x: 1, y: 2), forKey: "point")
    try archiver.finishEncoding()
    let data = try archiver.encodedData
    #expect(try archiver.encodedData == data)
    #expect(throws: ArchiveError.self) { try archiver.encode(1, forKey: "late") }

    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try unarchiver.containsValue(forKey: "bool"))
    #expect(try unarchiver.decodeBool(forKey: "bool"))
    #expect(try unarchiver.decodeInt32(forKey: "int32") == -5)
    #expect(try unarchiver.decodeInt64(forKey: "int64") == .max)
    #expect(try unarchiver.decodeInteger(forKey: "int") == 7)
    #expect(try unarchiver.decodeFloat(forKey: "float") == 1.5)
    #expect(try unarchiver.decodeDouble(forKey: "double") == 2.5)
    #expect(try unarchiver.decodeObject(of: NSArray.self, forKey: "array") == ["a", 1])
    #expect(try unarchiver.decodeObject(of: NSString.self, forKey: "none") == nil)
    #expect(try unarchiver.decodeObject(of: URL.self, forKey: "absent") == nil)
    #expect(
      try unarchiver.decodeFoundationIfPresent(forKey: "any") as? [String: [Int]] == ["k": [1, 2]])
    let list = try unarchiver.decodePropertyList(forKey: "list") as? [String: Data]
    #expect(list == ["k": Data([1])])
    let count = try unarchiver.withDecodedUnsafeBytes(forKey: "bytes") { $0?.count }
    #expect(count == 3)
    #expect(CGPoint(try unarchiver.decodePoint(forKey: "point")) == CGPoint(x: 1, y: 2))
    try unarchiver.finishDecoding()
  }

  @Test func `classes that are not listed are refused at any depth, with the path`() throws {
    let value = NSArray(array: ["a", ["k": URL(string: "https://example.org") as Any]])
    let data = try KeyedArchiver.archivedData(withRootObject: value)
    let strings: [AnyClass] = [NSArray.self, NSString.self]
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(ofClasses: strings, from: data)
    }
    #expect(error?.code == .classNotAllowed)
    #expect(error?.path.contains("root") == true)
    let all = strings + [NSDictionary.self, NSURL.self]
    let made = try KeyedUnarchiver.unarchivedObject(ofClasses: all, from: data)
    #expect(made as? NSArray == value)
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(ofClass: NSDictionary.self, from: data)
    }
  }

  @Test func `classes of one's own and Foundation's are listed together`() throws {
    let depot = Depot(name: "D", numbers: [], symbol: Data())
    let classes: [AnyClass] = [Depot.self, NSString.self]
    for (root, name) in [(depot as any Coding, "D"), ("text" as any Coding, "text")] {
      let data = Data(try KeyedArchiver.archive(root))
      let made = try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
      #expect((made as? Depot)?.name as String? == name || made as? String == name)
    }
    let data = try KeyedArchiver.archivedData(withRootObject: Date())
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }
  }

  @Test func `names of classes are set for one coder`() throws {
    let archiver = KeyedArchiver(requiringSecureCoding: true)
    archiver.setClassName("OldDepot", for: Depot.self)
    #expect(archiver.className(for: Depot.self) == "OldDepot")
    let depot = Depot(name: "D", numbers: [], symbol: Data())
    try archiver.encode(depot, forKey: "root")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.setClass(Depot.self, forClassName: "OldDepot")
    #expect(unarchiver.class(forClassName: "OldDepot") == Depot.self)
    let made = try unarchiver.decodeObject(of: Depot.self, forKey: "root")
    #expect(made?.name == "D")
  }

  @Test func `arrays and dictionaries of objects have Apple's names`() throws {
    let dates = [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)]
    let array = try KeyedArchiver.archivedData(withRootObject: dates)
    #expect(
      try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Date.self, from: array) == dates)
    let data = try KeyedArchiver.archivedData(withRootObject: ["a": dates[0]])
    let made = try KeyedUnarchiver.unarchivedDictionary(
      ofKeysClass: String.self, objectsOfClass: Date.self, from: data)
    #expect(made == ["a": dates[0]])
  }

  @Test(arguments: [
    Cocoa.Object.sortDescriptor(Cocoa.SortDescriptor(key: "k")),
    .timeZone(Cocoa.TimeZone("Nowhere/Never")), .calendar(Cocoa.Calendar("no calendar")),
    .calendar(Cocoa.Calendar("gregorian", firstWeekday: -3)),
    .regularExpression(Cocoa.RegularExpression("(")),
    .regularExpression(Cocoa.RegularExpression("a", options: -1)),
    .set(Cocoa.Set([true, 1])), .dictionary([true: "a", 1: "b"]),
    .unitConverter(.reciprocal(3)), .value(.other(type: "i", .integer(3))),
    .error(Cocoa.Error(domain: "D", code: 1, userInfo: [1: 2])),
    .decimalNumberHandler(Cocoa.DecimalNumberHandler(roundingMode: 99)),
    .array([.sortDescriptor(Cocoa.SortDescriptor(key: "k"))]),
  ])
  func `what Foundation has no counterpart for throws`(_ value: Cocoa.Object) throws {
    let error = #expect(throws: ArchiveError.self) { try value.foundationObject() }
    #expect(error?.code == .invalidValue)
    let data = try KeyedArchiver.archivedData(withRootObject: value)
    let located = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(forReadingFrom: data).decodeFoundationIfPresent(forKey: "root")
    }
    #expect(located?.path.contains("root") == true)
  }

  @Test func `what archives have no counterpart for throws`() throws {
    final class Own: NSObject {}
    struct Plain {}
    let values: [Any] = [
      Own(), Plain(), [Own()], ["k": Plain()], IndexPath(index: -1),
      Dimension(symbol: "x", converter: UnitConverter()),
    ]
    for value in values {
      #expect(throws: ArchiveError.self, "\(value)") { try Cocoa.Object(foundation: value) }
    }
  }

  @Test func `values nested too deep are refused both ways`() throws {
    var object = Cocoa.Object.array([])
    var array = NSArray()
    for _ in 0..<200 {
      object = .array([object])
      array = NSArray(array: [array])
    }
    #expect(throws: ArchiveError.self) { try object.foundationObject() }
    #expect(throws: ArchiveError.self) { try Cocoa.Object(foundation: array) }
  }

  @Test func `a huge counted set is refused, not counted`() throws {
    let set = try #require(Cocoa.CountedSet([.init("a", count: .max), .init("b", count: .max)]))
    let error = #expect(throws: ArchiveError.self) {
      try Cocoa.Object.countedSet(set).foundationObject()
    }
    #expect(error?.code == .tooLarge)
  }
}
