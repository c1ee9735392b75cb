import Testing

@testable import PropertyLists

/// A list with one value under the key `v`, and that value read back.
func roundTrip(
  _ add: (inout BinaryPropertyListWriter) -> PropertyListReference
) throws -> (list: BinaryPropertyList, object: PropertyListObject) {
  var writer = BinaryPropertyListWriter()
  let top = writer.reserve()
  let value = add(&writer)
  writer.setArray(top, [value])
  let list = try BinaryPropertyList(writer.finish(top: top))
  try list.validate()
  guard case .array(let row) = try list.object(list.top) else {
    throw PropertyListError(.wrongKind, "no array")
  }
  return (list, try list.object(list.reference(0, of: row)))
}

@Suite struct BinaryPropertyListTests {
  @Test func `the bytes are those of the format`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let key = writer.addString("root")
    let value = writer.addUID(0)
    writer.setDictionary(top, keys: [key], values: [value])
    let bytes = try writer.finish(top: top)
    let expected: [UInt8] =
      Array("bplist00".utf8)
      + [0x54, 0x72, 0x6F, 0x6F, 0x74, 0x80, 0x00]  // "root", UID 0
      + [0xD1, 0x01, 0x02]  // the dictionary
      + [0x0F, 0x08, 0x0D]  // the offset table
      + [0, 0, 0, 0, 0, 0, 1, 1]
      + [0, 0, 0, 0, 0, 0, 0, 3]
      + [0, 0, 0, 0, 0, 0, 0, 0]
      + [0, 0, 0, 0, 0, 0, 0, 18]
    #expect(bytes == expected)
  }

  @Test func `equal strings are written once, and only those`() throws {
    // Every length up to three words, and strings that differ in one byte, a zero or their end.
    var texts = [""]
    for length in 1...24 {
      let text = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
      texts.append(text)
      texts.append(String(text.dropLast()) + "\0")
      texts.append("\0" + text.dropFirst() + "A")
      texts.append(String(text.dropLast()) + "\u{7F}")
      texts.append(String(text.dropLast()) + "é")
    }
    let distinct = Set(texts.map { Array($0.utf8) })
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let first = texts.map { writer.addString($0) }
    let again = texts.reversed().map { text in
      Array(text.utf8).withUnsafeBytes { writer.addString(utf8: $0) }
    }
    #expect(Set(first).count == distinct.count)
    #expect(again.reversed() == first)
    writer.setArray(top, first)
    let list = try BinaryPropertyList(writer.finish(top: top))
    guard case .array(let row) = try list.object(list.top) else { throw Missing() }
    for (place, text) in texts.enumerated() {
      #expect(try list.string(list.object(list.reference(place, of: row))) == text)
    }
  }

  private struct Missing: Error {}

  @Test(
    arguments: [
      (0, [0x10, 0]), (255, [0x10, 255]), (256, [0x11, 1, 0]), (65_535, [0x11, 255, 255]),
      (65_536, [0x12, 0, 1, 0, 0]), (-1, [0x13, 255, 255, 255, 255, 255, 255, 255, 255]),
    ] as [(Int64, [UInt8])])
  func `whole numbers take the smallest form`(_ number: Int64, _ encoded: [UInt8]) throws {
    let (list, object) = try roundTrip { $0.addInteger(number) }
    #expect(object == .integer(number))
    #expect(Array(list.reader.bytes[8..<8 + encoded.count]) == encoded)
  }

  @Test func `numbers beyond sixty-four signed bits keep their value`() throws {
    #expect(try roundTrip { $0.addUnsigned(.max) }.object == .unsigned(.max))
    #expect(try roundTrip { $0.addUnsigned(7) }.object == .integer(7))
  }

  @Test func `reals, dates and truth values keep their kind`() throws {
    #expect(try roundTrip { $0.addDouble(1.5) }.object == .double(1.5))
    #expect(try roundTrip { $0.addFloat(1.5) }.object == .float(1.5))
    #expect(try roundTrip { $0.addDate(-3) }.object == .date(-3))
    #expect(try roundTrip { $0.addBool(true) }.object == .bool(true))
    #expect(try roundTrip { $0.addBool(false) }.object == .bool(false))
    #expect(try roundTrip { $0.addUID(70_000) }.object == .uid(70_000))
  }

  @Test(arguments: [
    "", "a", "fourteen chars", "fifteen letters", String(repeating: "x", count: 70_000), "é", "🗺",
  ])
  func `strings keep their scalars`(_ text: String) throws {
    let (list, object) = try roundTrip { $0.addString(text) }
    #expect(try list.string(object) == text)
  }

  @Test func `equal strings are written once, unequal ones apart`() {
    var writer = BinaryPropertyListWriter()
    _ = writer.reserve()
    let first = writer.addString("equal")
    #expect(writer.addString("equal") == first)
    #expect(writer.addString("equal2") != first)
    var references: Set<PropertyListReference> = []
    for number in 0..<5_000 { references.insert(writer.addString("string \(number)")) }
    #expect(references.count == 5_000)
    for number in 0..<5_000 {
      #expect(references.contains(writer.addString("string \(number)")))
    }
  }

  @Test func `composed and decomposed strings stay two`() {
    var writer = BinaryPropertyListWriter()
    _ = writer.reserve()
    #expect(writer.addString("\u{E9}") != writer.addString("e\u{301}"))
  }

  @Test(arguments: [0, 1, 14, 15, 255, 256, 70_000])
  func `data keeps its bytes`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let (list, object) = try roundTrip { $0.addData(bytes) }
    guard case .data(let range) = object else {
      Issue.record("no data")
      return
    }
    #expect(Array(list.reader.bytes[range]) == bytes)
  }

  @Test func `references and offsets grow with the list`() throws {
    for count in [3, 300, 70_000] {
      var writer = BinaryPropertyListWriter()
      let top = writer.reserve()
      let values = (0..<count).map { writer.addInteger(Int64($0)) }
      writer.setArray(top, values)
      let list = try BinaryPropertyList(writer.finish(top: top))
      try list.validate()
      guard case .array(let row) = try list.object(list.top) else { continue }
      #expect(row.count == count)
      for index in [0, count / 2, count - 1] {
        #expect(try list.object(list.reference(index, of: row)) == .integer(Int64(index)))
      }
    }
  }

  @Test(arguments: [
    ("not a list at all", PropertyListError.Code.notAPropertyList), ("", .notAPropertyList),
    ("bplist15                                              ", .unsupportedVersion),
    ("bplist00", .badLength),
  ])
  func `what is no list is refused by name`(_ text: String, _ code: PropertyListError.Code) {
    let error = #expect(throws: PropertyListError.self) {
      try BinaryPropertyList(Array(text.utf8))
    }
    #expect(error?.code == code)
  }

  /// One object at byte 8 in a list that is otherwise in order.
  private func list(of object: [UInt8]) throws -> BinaryPropertyList {
    let table = 8 + object.count
    return try BinaryPropertyList(
      Array("bplist00".utf8) + object + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
        + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0, 0, 0, 0, UInt8(table)])
  }

  @Test(
    arguments: [
      ([0x0F], .badMarker), ([0x15, 0], .badMarker), ([0x91], .badMarker),
      ([0x73, 0, 0, 0], .badMarker),
      ([0x12, 0], .badCount), ([0x4F, 0x10, 9, 0], .badCount), ([0x5F, 0x44], .badCount),
      ([0x51, 0x80], .badText), ([0xA1, 0], .cycle), ([0xA1, 1], .badReference),
      ([0xD1, 0, 0], .badKey), ([0x84, 1, 0, 0, 0, 0], .badNumber),
      ([0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .badCount),
    ] as [([UInt8], PropertyListError.Code)])
  func `a wrong object is refused by name`(_ object: [UInt8], _ code: PropertyListError.Code) {
    let error = #expect(throws: PropertyListError.self) { try list(of: object).validate() }
    #expect(error?.code == code)
  }

  @Test func `a key that is there twice is refused`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let (key, value) = (writer.addString("k"), writer.addBool(true))
    writer.setDictionary(top, keys: [key, key], values: [value, value])
    let list = try BinaryPropertyList(writer.finish(top: top))
    let error = #expect(throws: PropertyListError.self) { try list.validate() }
    #expect(error?.code == .duplicateKey)
  }

  @Test func `five hundred containers may be nested, five thousand not`() throws {
    for (depth, isGood) in [(500, true), (5_000, false)] {
      var writer = BinaryPropertyListWriter()
      let top = writer.reserve()
      var outer = top
      for _ in 1..<depth {
        let inner = writer.reserve()
        writer.setArray(outer, [inner])
        outer = inner
      }
      writer.setArray(outer, [])
      let list = try BinaryPropertyList(writer.finish(top: top))
      if isGood {
        try list.validate()
      } else {
        let error = #expect(throws: PropertyListError.self) { try list.validate() }
        #expect(error?.code == .tooDeep)
      }
    }
  }
}
