import Archiving
import Foundation
import PropertyLists
import Testing

/// The same class for Foundation, found under its Swift name.
final class FoundationPlace: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  var name: String
  var number: Int
  var height: Double
  var isOpen: Bool
  var tags: [String]
  var facts: [String: String]
  var picture: Data
  var founded: Date
  var twin: FoundationPlace?

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(number, forKey: "number")
    coder.encode(height, forKey: "height")
    coder.encode(isOpen, forKey: "isOpen")
    coder.encode(tags as NSArray, forKey: "tags")
    coder.encode(facts as NSDictionary, forKey: "facts")
    coder.encode(picture as NSData, forKey: "picture")
    coder.encode(founded as NSDate, forKey: "founded")
    coder.encode(twin, forKey: "twin")
  }

  init(number: Int, twin: FoundationPlace? = nil) {
    (name, self.number, height, isOpen) = ("Zoë's “place”", number, -2.5, true)
    (tags, facts) = (["a", "bé"], ["k": "v", "ü": "w"])
    (picture, founded, self.twin) = (
      Data(0..<200), Date(timeIntervalSinceReferenceDate: 1_234.5), twin
    )
  }

  required init?(coder: NSCoder) {
    name = coder.decodeObject(of: NSString.self, forKey: "name").map { "\($0)" } ?? ""
    number = coder.decodeInteger(forKey: "number")
    height = coder.decodeDouble(forKey: "height")
    isOpen = coder.decodeBool(forKey: "isOpen")
    let strings = [NSArray.self, NSDictionary.self, NSString.self] as [AnyClass]
    tags = coder.decodeObject(of: strings, forKey: "tags") as? [String] ?? []
    facts = coder.decodeObject(of: strings, forKey: "facts") as? [String: String] ?? [:]
    picture = (coder.decodeObject(of: NSData.self, forKey: "picture")).map { Data($0) } ?? Data()
    founded = Date(
      timeIntervalSinceReferenceDate: coder.decodeObject(of: NSDate.self, forKey: "founded")?
        .timeIntervalSinceReferenceDate ?? 0)
    twin = coder.decodeObject(of: FoundationPlace.self, forKey: "twin")
  }
}

/// The class as this library codes it, under the name that Foundation looks for.
final class Place: Coding {
  let name: String
  let number: Int
  let height: Double
  let isOpen: Bool
  let tags: [String]
  let facts: [String: String]
  let picture: [UInt8]
  let founded: Double
  let twin: Place?

  static var archivedClass: ArchivedClass { "ArchivingTests.FoundationPlace" }

  init(number: Int, twin: Place? = nil) {
    (name, self.number, height, isOpen) = ("Zoë's “place”", number, -2.5, true)
    (tags, facts) = (["a", "bé"], ["k": "v", "ü": "w"])
    (picture, founded, self.twin) = ([UInt8](0..<200), 1_234.5, twin)
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeInt(number, forKey: "number")
    try coder.encodeDouble(height, forKey: "height")
    try coder.encodeBool(isOpen, forKey: "isOpen")
    try coder.encodeStrings(tags, forKey: "tags")
    try coder.encodeStringDictionary(facts, forKey: "facts")
    try coder.encodeData(picture, forKey: "picture")
    try coder.encodeDate(founded, forKey: "founded")
    try coder.encodeObject(twin, forKey: "twin")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    number = try coder.decodeInt(forKey: "number")
    height = try coder.decodeDouble(forKey: "height")
    isOpen = try coder.decodeBool(forKey: "isOpen")
    tags = try coder.decodeStrings(forKey: "tags")
    facts = try coder.decodeStringDictionary(forKey: "facts")
    picture = try coder.decodeData(forKey: "picture")
    founded = try coder.decodeDate(forKey: "founded")
    twin = try coder.decodeObjectIfPresent(Place.self, forKey: "twin")
  }
}

/// Runs python3 with a script and the path of a file; `nil` when there is no python3.
func python(_ script: String, _ file: URL) throws -> String? {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", "-c", script, file.path]
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let output = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
}

let hasPython: Bool = {
  let here = URL(fileURLWithPath: "/")
  return (try? python("import plistlib; print(1)", here)) == "1\n"
}()

@Suite struct InteropTests {
  @Test func `Foundation reads our archive`() throws {
    let twin = Place(number: 2)
    let bytes = try KeyedArchiver.archive(Place(number: 1, twin: twin))
    let classes =
      [FoundationPlace.self, NSArray.self, NSDictionary.self, NSString.self]
      as [AnyClass]
    let place = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(bytes))
        as? FoundationPlace)
    #expect(place.name == twin.name)
    #expect(place.number == 1)
    #expect(place.height == -2.5)
    #expect(place.isOpen)
    #expect(place.tags == twin.tags)
    #expect(place.facts == twin.facts)
    #expect([UInt8](place.picture) == twin.picture)
    #expect(place.founded.timeIntervalSinceReferenceDate == twin.founded)
    #expect(place.twin?.number == 2)
  }

  @Test func `we read Foundation's archive`() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: FoundationPlace(number: 1, twin: FoundationPlace(number: 2)),
      requiringSecureCoding: true)
    let place = try KeyedUnarchiver.unarchive(Place.self, from: [UInt8](data))
    #expect(place.name == "Zoë's “place”")
    #expect(place.number == 1)
    #expect(place.height == -2.5)
    #expect(place.isOpen)
    #expect(place.tags == ["a", "bé"])
    #expect(place.facts == ["k": "v", "ü": "w"])
    #expect(place.picture == [UInt8](0..<200))
    #expect(place.founded == 1_234.5)
    #expect(place.twin?.number == 2)
  }

  @Test func `numbers that Foundation boxed are read by value`() throws {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(NSNumber(value: 42), forKey: "int")
    archiver.encode(NSNumber(value: 1.5), forKey: "double")
    archiver.encode(NSNumber(value: true), forKey: "bool")
    archiver.encode([1, 2, 3] as NSArray, forKey: "ints")
    archiver.encode([0.5, 2] as NSArray, forKey: "doubles")
    archiver.encode(NSMutableString(string: "mutable"), forKey: "string")
    archiver.encode(NSDictionary(), forKey: "empty")
    archiver.finishEncoding()
    let unarchiver = try KeyedUnarchiver([UInt8](archiver.encodedData))
    #expect(try unarchiver.decodeInt(forKey: "int") == 42)
    #expect(try unarchiver.decodeDouble(forKey: "double") == 1.5)
    #expect(try unarchiver.decodeBool(forKey: "bool"))
    #expect(try unarchiver.decodeInts(forKey: "ints") == [1, 2, 3])
    #expect(try unarchiver.decodeDoubles(forKey: "doubles") == [0.5, 2])
    #expect(try unarchiver.decodeString(forKey: "string") == "mutable")
    #expect(try unarchiver.decodeStringDictionary(forKey: "empty").isEmpty)
  }

  @Test(.enabled(if: hasPython, "no python3 with plistlib"))
  func `plistlib reads our archive`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-interop-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(KeyedArchiver.archive(Place(number: 1))).write(to: file)
    let script = """
      import plistlib, sys
      d = plistlib.load(open(sys.argv[1], 'rb'))
      o = d['$objects']
      r = o[d['$top']['root'].data]
      at = lambda key: o[r[key].data]
      print(d['$version'], d['$archiver'], o[0], r['number'], r['height'], r['isOpen'])
      print(at('name'), [o[u.data] for u in at('tags')['NS.objects']])
      print(len(at('picture')), at('founded')['NS.time'], r['twin'].data)
      print(o[r['$class'].data]['$classes'])
      """
    #expect(
      try python(script, file) == """
        100000 NSKeyedArchiver $null 1 -2.5 True
        Zoë's “place” ['a', 'bé']
        200 1234.5 0
        ['ArchivingTests.FoundationPlace', 'NSObject']

        """)
  }

  @Test(.enabled(if: hasPython, "no python3 with plistlib"))
  func `we read what plistlib writes`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-interop-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let script = """
      import plistlib, sys, datetime
      U = plistlib.UID
      d = {'$version': 100000, '$archiver': 'NSKeyedArchiver', '$top': {'root': U(1)},
           '$objects': ['$null', {'title': U(2), 'n': 2**63, 'big': -2**63, '$class': U(3)}, 'Zoë',
             {'$classname': 'View', '$classes': ['View', 'NSObject']}]}
      plistlib.dump(d, open(sys.argv[1], 'wb'), fmt=plistlib.FMT_BINARY)
      """
    _ = try #require(try python(script, file))
    let bytes = [UInt8](try Data(contentsOf: file))
    #expect(try KeyedUnarchiver.unarchive(View.self, from: bytes).title == "Zoë")
  }
}
