import Archiving
import PropertyLists
import Testing

@Suite struct ValueTests {
  /// One archive with a value under the key `v`.
  private func coded(_ encode: (KeyedArchiver) throws -> Void) throws -> KeyedUnarchiver {
    let archiver = KeyedArchiver()
    try encode(archiver)
    return try KeyedUnarchiver(archiver.finish())
  }

  @Test(arguments: [
    0, 1, -1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -5, .max, .min,
  ])
  func `a whole number is the same again`(_ number: Int) throws {
    let unarchiver = try coded { try $0.encodeInt(number, forKey: "v") }
    #expect(try unarchiver.decodeInt(forKey: "v") == number)
    #expect(try unarchiver.decodeInt64(forKey: "v") == Int64(number))
    #expect(try unarchiver.decodeDouble(forKey: "v") == Double(number))
    if Int32(exactly: number) == nil {
      let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt32(forKey: "v") }
      #expect(error?.code == .typeMismatch)
    } else {
      #expect(try unarchiver.decodeInt32(forKey: "v") == Int32(number))
    }
  }

  @Test(arguments: ["short", "a text that is longer than fifteen bytes", "Zoë"])
  func `one string can be read as text and as an object, in any order`(_ text: String) throws {
    let archiver = KeyedArchiver()
    for key in ["a", "b", "c", "d", "e"] { try archiver.encodeString(text, forKey: key) }
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    for _ in 1...2 {
      #expect(try unarchiver.decodeString(forKey: "a") == text)
      #expect(try unarchiver.decodeString(forKey: "b") == text)
      let mutable = try unarchiver.decodeObject(Cocoa.MutableString.self, forKey: "c")
      #expect(mutable == Cocoa.MutableString(text))
      #expect(try unarchiver.decodeString(forKey: "d") == text)
      #expect(try unarchiver.decodeObject(Cocoa.Object.self, forKey: "e") == .string(text))
      let error = #expect(throws: ArchiveError.self) {
        try unarchiver.decodeObject(Employee.self, forKey: "e")
      }
      #expect(error?.code == .typeMismatch)
    }
  }

  @Test(arguments: [
    0, -0.0, 1.5, -91.73, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1.7e308,
  ])
  func `a real number is the same again, bit for bit`(_ number: Double) throws {
    let unarchiver = try coded { try $0.encodeDouble(number, forKey: "v") }
    #expect(try unarchiver.decodeDouble(forKey: "v").bitPattern == number.bitPattern)
  }

  @Test(arguments: [
    "", "a", "fifteen letters", "sixteen letters!", String(repeating: "long ", count: 100),
    "Zoë", "日本語", "🗺️ 👩‍👩‍👧", "\u{0}", "e\u{301}", "\u{FFFE}",
  ])
  func `a string is the same again, scalar for scalar`(_ text: String) throws {
    let unarchiver = try coded { try $0.encodeString(text, forKey: "v") }
    #expect(
      Array(try unarchiver.decodeString(forKey: "v").unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [0, 1, 14, 15, 255, 256, 257, 70_000])
  func `bytes are the same again, inside the object and outside`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let unarchiver = try coded {
      try $0.encodeBytes(bytes, forKey: "inline")
      try $0.encodeData(bytes, forKey: "object")
    }
    #expect(try unarchiver.decodeBytes(forKey: "inline") == bytes)
    #expect(try unarchiver.decodeData(forKey: "object") == bytes)
    #expect(try unarchiver.withData(forKey: "object") { $0.count } == count)
  }

  @Test func `packed numbers are the same again`() throws {
    let numbers = (0..<1_000).map { Double($0) / 7 }
    let unarchiver = try coded {
      try $0.encodePacked(numbers, forKey: "doubles")
      try $0.encodePacked([UInt16](0..<300), forKey: "shorts")
      try $0.encodePacked([Int32](), forKey: "none")
    }
    #expect(try unarchiver.decodePacked(Double.self, forKey: "doubles") == numbers)
    #expect(try unarchiver.decodePacked(UInt16.self, forKey: "shorts") == [UInt16](0..<300))
    #expect(try unarchiver.decodePacked(Int32.self, forKey: "none").isEmpty)
  }

  /// Three bytes, to have a size that does not divide others.
  struct Word3: PackedElement {
    var a: UInt8
    var b: UInt8
    var c: UInt8
    var littleEndianBytes: Word3 { self }
  }

  @Test func `bytes that are no whole number of elements are an error`() throws {
    let unarchiver = try coded { try $0.encodeData([1, 2, 3, 4], forKey: "v") }
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodePacked(Word3.self, forKey: "v")
    }
    #expect(error?.code == .typeMismatch)
  }

  @Test func `other scalars and collections are the same again`() throws {
    let unarchiver = try coded {
      try $0.encodeBool(true, forKey: "yes")
      try $0.encodeBool(false, forKey: "no")
      try $0.encodeFloat(3.14159, forKey: "float")
      try $0.encodeDate(123_456.75, forKey: "date")
      try $0.encodeInts([1, -2, 3], forKey: "ints")
      try $0.encodeDoubles([0.5, -0.25], forKey: "doubles")
      try $0.encodeStringDictionary(["b": "2", "a": "1"], forKey: "dictionary")
      try $0.encodeStringPairs([("z", "1"), ("a", "2")], forKey: "pairs")
      try $0.encodeDictionary(["one": View(title: "1")], forKey: "views")
    }
    #expect(try unarchiver.decodeBool(forKey: "yes"))
    #expect(try !unarchiver.decodeBool(forKey: "no"))
    #expect(try unarchiver.decodeFloat(forKey: "float") == 3.14159)
    #expect(try unarchiver.decodeDate(forKey: "date") == 123_456.75)
    #expect(try unarchiver.decodeInts(forKey: "ints") == [1, -2, 3])
    #expect(try unarchiver.decodeDoubles(forKey: "doubles") == [0.5, -0.25])
    #expect(try unarchiver.decodeStringDictionary(forKey: "dictionary") == ["a": "1", "b": "2"])
    #expect(try unarchiver.decodeStringPairs(forKey: "pairs").map(\.key) == ["z", "a"])
    #expect(try unarchiver.decodeDictionary(of: View.self, forKey: "views")["one"]?.title == "1")
  }

  @Test func `an absent key is an error or a default, as the caller says`() throws {
    let unarchiver = try coded { try $0.encodeString(nil, forKey: "none") }
    #expect(try unarchiver.decodeIntIfPresent(forKey: "absent") ?? 8 == 8)
    #expect(try unarchiver.decodeStringIfPresent(forKey: "none") == nil)
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt(forKey: "absent") }
    #expect(error?.code == .valueNotFound)
    #expect(error?.description == "$top.absent: there is no value")
  }

  @Test func `a value of another kind is an error with its place`() throws {
    let unarchiver = try coded { try $0.encodeObject(View(title: "t"), forKey: "view") }
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt(forKey: "view") }
    #expect(error?.code == .typeMismatch)
    #expect(error?.path == "$top.view")
    #expect(error?.offset != nil)
  }
}
