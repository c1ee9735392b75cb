import Archiving
import Testing

/// An object that codes some values with keys and some without.
final class Gauge: Coding {
  var name: String
  var ticks: [Int32]
  var level: Double
  var twin: View?

  init(_ name: String, ticks: [Int32], level: Double, twin: View? = nil) {
    (self.name, self.ticks, self.level, self.twin) = (name, ticks, level, twin)
  }

  static var archivedClass: ArchivedClass { ArchivedClass("Gauge", version: 3) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name)
    try coder.encodeDouble(level, forKey: "level")
    try coder.encodeValues(
      [.integer(Int64(ticks.count)), .array(ticks.map { .integer(Int64($0)) })],
      ofTypes: "i[\(ticks.count)i]")
    try coder.encodeObject(twin)
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString()
    level = try coder.decodeDouble(forKey: "level")
    let count = try coder.decodeInt()
    guard case .array(let values) = try coder.decodeValues(ofTypes: "[\(count)i]").first else {
      throw coder.valueNotFound()
    }
    ticks = values.compactMap { if case .integer(let tick) = $0 { Int32(tick) } else { nil } }
    twin = try coder.decodeObjectIfPresent(View.self)
  }
}

@Suite struct UnkeyedTests {
  @Test func `values with and without keys are mixed, and each object counts its own`() throws {
    let view = View(title: "twin")
    let archiver = KeyedArchiver()
    try archiver.encodeObject(Gauge("a", ticks: [1, -2], level: 1.5, twin: view))
    try archiver.encodeObject(Gauge("b", ticks: [3], level: 2.5, twin: view))
    try archiver.encodeInt(7, forKey: "$0")
    let bytes = try archiver.finish()
    #expect(try ObjectGraph(bytes).top.map(\.key) == ["$0", "$1", "$$0"])
    let unarchiver = try KeyedUnarchiver(bytes)
    let first = try unarchiver.decodeObject(Gauge.self)
    let second = try unarchiver.decodeObject(Gauge.self)
    #expect(first.name == "a" && first.ticks == [1, -2] && first.level == 1.5)
    #expect(second.name == "b" && second.ticks == [3] && second.level == 2.5)
    #expect(first.twin != nil && first.twin === second.twin)
    #expect(try unarchiver.decodeInt(forKey: "$0") == 7)
    #expect(unarchiver.version(forClassName: "Gauge") == 3)
    #expect(unarchiver.version(forClassName: "Nobody") == nil)
    #expect(unarchiver.systemVersion == 2000)
  }

  @Test func `values beyond the last are an error with the path`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeInt(1)
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeInt() == 1)
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt() }
    #expect(error?.code == .valueNotFound)
    #expect(error?.path == "$top.$1")
  }

  @Test func `scalars without keys are the same again`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeBool(true)
    try archiver.encodeInt32(-5)
    try archiver.encodeInt64(.min)
    try archiver.encodeFloat(3.25)
    try archiver.encodeDouble(-0.1)
    try archiver.encodeString(nil)
    try archiver.encodeString("$null")
    try archiver.encodeBytes([1, 2])
    try archiver.encodeBytes([])
    try archiver.encodeBytes(nil)
    try archiver.encodeData([3])
    try archiver.encodeDate(12.5)
    try archiver.encodeCString("zoë")
    try archiver.encodeSelector("draw:")
    try archiver.encodeClass("View")
    let unarchiver = try KeyedUnarchiver(archiver.finish(), classes: [View.self])
    #expect(try unarchiver.decodeBool())
    #expect(try unarchiver.decodeInt32() == -5)
    #expect(try unarchiver.decodeInt64() == .min)
    #expect(try unarchiver.decodeFloat() == 3.25)
    #expect(try unarchiver.decodeDouble() == -0.1)
    #expect(try unarchiver.decodeStringIfPresent() == nil)
    #expect(try unarchiver.decodeString() == "$null")
    #expect(try unarchiver.decodeBytes() == [1, 2])
    #expect(try unarchiver.decodeBytesIfPresent() == [])
    #expect(try unarchiver.decodeBytesIfPresent() == nil)
    #expect(try unarchiver.decodeData() == [3])
    #expect(try unarchiver.decodeDate() == 12.5)
    #expect(try unarchiver.decodeCString() == "zoë")
    #expect(try unarchiver.decodeSelector() == "draw:")
    #expect(try unarchiver.decodeClass() == View.archivedClass)
  }

  @Test(arguments: ["{_NSPoint=ff}", "(?=ic)", "^i", "b3", "[2[2i]]", "[2", "v", "", "[2+]"])
  func `a type that a keyed archive cannot hold is refused by its name`(_ types: String) throws {
    let error = #expect(throws: ArchiveError.self) {
      try KeyedArchiver().encodeValues([.integer(0)], ofTypes: types)
    }
    #expect(error?.code == .misuse)
  }

  @Test(arguments: [
    (Int64(128), "c"), (-129, "c"), (256, "C"), (-1, "C"), (32_768, "s"), (65_536, "S"),
    (1 << 31, "i"), (-1, "I"), (1 << 31, "l"), (1 << 32, "L"), (-1, "Q"), (2, "B"),
  ])
  func `a number that does not fit its type is an error`(_ number: Int64, _ type: String) throws {
    let error = #expect(throws: ArchiveError.self) {
      try KeyedArchiver().encodeValues([.integer(number)], ofTypes: type)
    }
    #expect(error?.code == .typeMismatch)
  }
}
