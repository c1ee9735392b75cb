import Archiving
import Testing

/// Elements of arrays are made in several ways; what comes out does not depend on them.
@Suite struct ElementOrderTests {
  class Part: Coding {
    let name: String

    class var archivedClass: ArchivedClass { "Part" }

    init(_ name: String) { self.name = name }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
    }

    required init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
    }
  }

  final class OtherPart: Part {
    override class var archivedClass: ArchivedClass {
      ArchivedClass("OtherPart", superclass: super.archivedClass)
    }
  }

  /// Parts of a class and of a subclass, some of them several times, and parts in arrays.
  final class Box: Coding {
    let parts: [Part]
    let boxes: [Box]

    static var archivedClass: ArchivedClass { "Box" }

    init(_ parts: [Part], _ boxes: [Box] = []) { (self.parts, self.boxes) = (parts, boxes) }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeObjects(parts, forKey: "parts")
      try coder.encodeObjects(boxes, forKey: "boxes")
    }

    init(coder: any DecodingCoder) throws {
      parts = try coder.decodeObjects(Part.self, forKey: "parts")
      boxes = try coder.decodeObjects(Box.self, forKey: "boxes")
    }

    /// All parts, those of the boxes in it last.
    var all: [Part] { parts + boxes.flatMap(\.all) }
  }

  /// A part that goes on where an array within it cannot be read.
  final class Opener: Coding {
    let name: String
    let count: Int

    static var archivedClass: ArchivedClass { "Opener" }

    init(_ name: String) { (self.name, count) = (name, 0) }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeObjects([Part("a"), Part("b"), OtherPart("c")], forKey: "mixed")
    }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      count = (try? coder.decodeObjects(Part.self, forKey: "mixed").count) ?? -1
    }
  }

  private static func box() -> Box {
    let (shared, other) = (Part("shared"), OtherPart("other"))
    let inner = Box([shared, Part("d"), other, other, Part("e")])
    return Box(
      [Part("a"), shared, other, Part("b"), shared, shared, Part("c"), other, other],
      [Box([]), inner, Box([other, Part("f")], [inner]), inner])
  }

  private static func check(_ again: Box, _ box: Box) {
    #expect(again.all.map(\.name) == box.all.map(\.name))
    #expect(again.all.map { $0 is OtherPart } == box.all.map { $0 is OtherPart })
    func firsts(_ parts: [Part]) -> [Int?] {
      parts.map { part in parts.firstIndex { $0 === part } }
    }
    #expect(firsts(again.all) == firsts(box.all))
  }

  @Test func `elements keep their places in keyed archives, whatever makes them`() throws {
    let bytes = try KeyedArchiver.archive(Self.box())
    let again = try KeyedUnarchiver.unarchive(Box.self, from: bytes, classes: [OtherPart.self])
    Self.check(again, Self.box())
  }

  @Test func `elements keep their places in sequential archives, whatever makes them`() throws {
    let bytes = try Archiver.archive(Self.box())
    let again = try Unarchiver.unarchive(Box.self, from: bytes, classes: [OtherPart.self])
    Self.check(again, Self.box())
  }

  @Test func `elements of an array that could not be read are not in the one around it`() throws {
    func check(_ openers: [Opener]) {
      #expect(openers.map(\.name) == ["x", "y"] && openers.map(\.count) == [-1, -1])
      #expect(openers.allSatisfy { type(of: $0) == Opener.self })
    }
    let archiver = KeyedArchiver()
    try archiver.encodeObjects([Opener("x"), Opener("y")], forKey: "openers")
    check(try KeyedUnarchiver(archiver.finish()).decodeObjects(Opener.self, forKey: "openers"))
    let sequential = Archiver()
    try sequential.encodeObjects([Opener("x"), Opener("y")], forKey: "openers")
    check(try Unarchiver(sequential.finish()).decodeObjects(Opener.self, forKey: "openers"))
  }

  @Test func `elements of an array that could not be read are in no other`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObjects([Part("a"), Part("b"), OtherPart("c")], forKey: "mixed")
    try archiver.encodeObjects([Part("d"), Part("e")], forKey: "plain")
    let keyed = try KeyedUnarchiver(archiver.finish())
    #expect(throws: ArchiveError.self) { try keyed.decodeObjects(Part.self, forKey: "mixed") }
    #expect(try keyed.decodeObjects(Part.self, forKey: "plain").map(\.name) == ["d", "e"])

    let sequential = Archiver()
    try sequential.encodeObjects([Part("a"), Part("b"), OtherPart("c")], forKey: "mixed")
    try sequential.encodeObjects([Part("d"), Part("e")], forKey: "plain")
    let stream = try Unarchiver(sequential.finish())
    #expect(throws: ArchiveError.self) { try stream.decodeObjects(Part.self, forKey: "mixed") }
    #expect(try stream.decodeObjects(Part.self, forKey: "plain").map(\.name) == ["d", "e"])
  }
}
