import Archiving
import Testing

/// Pointers, qualifiers and nested types in sequential archives.
@Suite struct TypeSpellingTests {
  private func again(
    _ values: [TypedValue], _ types: String, as asked: String? = nil
  ) throws -> (values: String, stored: String) {
    let archiver = Archiver()
    try archiver.encodeValues(values, ofTypes: types)
    try archiver.encodeInt32(7)
    let bytes = try archiver.finish()
    let unarchiver = try Unarchiver(bytes)
    let again = try unarchiver.decodeValues(ofTypes: asked ?? types)
    #expect(try unarchiver.decodeInt32() == 7)
    let stream = try Typedstream(bytes)
    var scanner = stream.events()
    while let event = try scanner.next() {
      if case .beginGroup(types: let string) = event {
        return ("\(again)", stream.text(ofString: string))
      }
    }
    return ("\(again)", "")
  }

  @Test func `values go in and out by their types`() throws {
    let samples: [(String, [TypedValue], String)] = [
      ("^i", [TypedValue.pointer(.integer(5))], "[1i]"),
      ("^i", [.pointer(nil)], "[0i]"),
      ("^c", [.pointer(.integer(-5))], "[1c]"),
      ("^^d", [.pointer(.pointer(.double(2.5)))], "[1[1d]]"),
      ("^{Point=ff}", [.pointer(.structure([.float(1), .float(2)]))], "[1{Point=ff}]"),
      (
        "i^{Rot=d^i}*",
        [
          .integer(1), .pointer(.structure([.double(2), .pointer(nil)])),
          .cString([0x41]),
        ], "i[1{Rot=d[0i]}]*"
      ),
      ("[2^i]", [.array([.pointer(.integer(1)), .pointer(.integer(2))])], "[2[1i]]"),
      ("rnNoORVi", [.integer(3)], "i"),
      ("ri^rd", [.integer(3), .pointer(.double(4))], "i[1d]"),
      (
        "[2{Stop=i[2d]}]",
        [
          .array([
            .structure([.integer(1), .array([.double(1), .double(2)])]),
            .structure([.integer(2), .array([.double(3), .double(4)])]),
          ])
        ], "[2{Stop=i[2d]}]"
      ),
    ]
    for (types, values, stored) in samples {
      let result = try again(values, types)
      #expect(result.values == "\(values)")
      #expect(result.stored == stored)
    }
  }

  @Test func `qualifiers are no difference to the reader`() throws {
    #expect(try again([.integer(3)], "ri", as: "i").values == "\([TypedValue.integer(3)])")
    #expect(try again([.integer(3)], "i", as: "ni").values == "\([TypedValue.integer(3)])")
  }

  @Test func `what cannot be is an error`() throws {
    let wrong: [(String, [TypedValue])] = [
      ("^", [.pointer(.integer(1))]), ("^i", [.integer(1)]), ("r", []),
      ("[2^i]", [.array([.pointer(.integer(1)), .pointer(nil)])]),
      (String(repeating: "^", count: 1_000) + "i", [.pointer(nil)]),
    ]
    for (types, values) in wrong {
      #expect(throws: ArchiveError.self) { try Archiver().encodeValues(values, ofTypes: types) }
    }
    let archiver = Archiver()
    try archiver.encodeInt32(1)
    let unarchiver = try Unarchiver(archiver.finish())
    for types in ["^i", "^", "r", "^^i"] {
      #expect(throws: ArchiveError.self) { try unarchiver.decodeValues(ofTypes: types) }
    }
    #expect(try unarchiver.decodeInt32() == 1)
  }
}
