import Foundation
import PropertyLists
import Testing

@testable import Archiving

@Suite struct ValueClassTests {
  @Test func `there is a sample of every class`() {
    let classes = Set(ValueSamples.all.map { "\(type(of: $0.foundationValue))" })
    let missing = FoundationClasses.types.map { "\($0)" }.filter { !classes.contains($0) }
    // Held by others: units and converters by measurements, arrays of C's by values.
    #expect(Set(missing) == ["Unit", "UnitConverter", "OldStyleArray"])
  }

  @Test(arguments: ValueSamples.all)
  func `a value comes back from a keyed archive`(_ value: Cocoa.Object) throws {
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(value, forKey: "root")
    try archiver.encodeAnyValues([value, "end"], forKey: "list")
    let bytes = try archiver.finish()
    let unarchiver = try KeyedUnarchiver(bytes)
    #expect(try unarchiver.decodeAnyValue(forKey: "root") == value)
    #expect(try unarchiver.decodeAnyValues(forKey: "list") == [value, "end"])
    // What was decoded is encoded to the same bytes again.
    let again = KeyedArchiver()
    try again.encodeAnyValue(unarchiver.decodeAnyValue(forKey: "root"), forKey: "root")
    try again.encodeAnyValues(unarchiver.decodeAnyValues(forKey: "list"), forKey: "list")
    #expect(try again.finish() == bytes)
  }

  @Test(arguments: ValueSamples.all)
  func `a value comes back from a typedstream`(_ value: Cocoa.Object) throws {
    let archiver = Archiver()
    try archiver.encodeObject(value)
    try archiver.encodeObject(Cocoa.Array([value, "end"]))
    let bytes = try archiver.finish()
    let unarchiver = try Unarchiver(bytes)
    let first = try unarchiver.decodeObject(Cocoa.Object.self)
    let second = try unarchiver.decodeObject(Cocoa.Object.self)
    #expect(first == value)
    #expect(second == .array([value, "end"]))
    #expect(unarchiver.isAtEnd)
    let again = Archiver()
    try again.encodeObject(first)
    try again.encodeObject(second)
    #expect(try again.finish() == bytes)
  }

  @Test func `values are decoded by their types`() throws {
    let url = Cocoa.URL("https://example.org")
    let archiver = KeyedArchiver()
    try archiver.encodeObject(url, forKey: "url")
    try archiver.encodeObject(Cocoa.Number(7), forKey: "number")
    try archiver.encodeObject(Cocoa.Array(["a"], isMutable: true), forKey: "array")
    try archiver.encodeString("text", forKey: "string")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeObject(Cocoa.URL.self, forKey: "url") == url)
    #expect(try unarchiver.decodeObject(Cocoa.Number.self, forKey: "number").asInt == 7)
    #expect(try unarchiver.decodeObject(Cocoa.Array.self, forKey: "array").isMutable)
    #expect(try unarchiver.decodeInt(forKey: "number") == 7)
    #expect(
      try unarchiver.decodeObject(Cocoa.MutableString.self, forKey: "string").text == "text")
    #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(Cocoa.Number.self, forKey: "string")
    }
    #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(Cocoa.UUID.self, forKey: "url")
    }
  }

  @Test func `the order of a set and of a dictionary says nothing`() {
    let pairs: [(Cocoa.Object, Cocoa.Object)] = [("a", 1), ("b", 2)]
    let first = Cocoa.Dictionary(pairs.map { .init(key: $0.0, value: $0.1) })
    let second = Cocoa.Dictionary(pairs.reversed().map { .init(key: $0.0, value: $0.1) })
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first["b"] == 2)
    #expect(Cocoa.Set([1, 2]) == Cocoa.Set([2, 1]))
    #expect(Cocoa.Set([1, 2]) != Cocoa.Set([1, 3]))
    #expect(Cocoa.Set([1, 1, 2]).elements.count == 2)
    #expect(Cocoa.Set([1]) != Cocoa.Set([1], isMutable: true))
    // Two spellings of one text are two keys.
    #expect(Cocoa.Set(["\u{E9}", "e\u{301}"]).elements.count == 2)
  }

  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("-12.345", "-12.345"), ("1.50", "1.5"), ("1e3", "1000"),
    ("+.5", "0.5"), ("5.", "5"), ("12e-3", "0.012"), ("007", "7"), ("NaN", "NaN"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
    ("100e126", "1" + String(repeating: "0", count: 128)),
  ])
  func `decimal numbers are read and printed exactly`(_ text: String, _ printed: String) {
    #expect(Cocoa.DecimalNumber(text)?.description == printed)
  }

  @Test(arguments: [
    "", "-", ".", "1.2.3", "1e", "e1", "1e167", "1e-129", "1e999999999", "0x10", "１",
    "340282366920938463463374607431768211456", "1 ", "inf",
  ])
  func `what is no exact decimal number is refused`(_ text: String) {
    #expect(Cocoa.DecimalNumber(text) == nil)
  }

  @Test(arguments: [
    [], [0], [127], [128], [300, 0, 16_384], [Int.max],
  ])
  func `packed numbers come back`(_ numbers: [Int]) {
    var bytes: [UInt8] = []
    for number in numbers { Varints.append(number, to: &bytes) }
    #expect(Varints.numbers(in: bytes) == numbers)
  }

  @Test(
    arguments: [
      [0x80], [0x01, 0xFF], [UInt8](repeating: 0xFF, count: 9) + [0x01],
      [UInt8](repeating: 0x80, count: 9) + [0x01],
    ] as [[UInt8]])
  func `packed numbers that are cut or too large are refused`(_ bytes: [UInt8]) {
    #expect(Varints.numbers(in: bytes) == nil)
  }
}
