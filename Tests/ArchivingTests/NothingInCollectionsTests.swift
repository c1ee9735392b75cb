import Archiving
import Testing

/// A part that is archived as nothing when it is hidden, and awakes as nothing when it is stale.
private struct Part: Hashable, Comparable, SubstitutingCoding, AwakingCoding {
  var name: String
  var isHidden = false
  var isStale = false

  static var archivedClass: ArchivedClass { "Part" }
  static func < (first: Part, second: Part) -> Bool { first.name < second.name }

  init(_ name: String, isHidden: Bool = false, isStale: Bool = false) {
    (self.name, self.isHidden, self.isStale) = (name, isHidden, isStale)
  }

  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { isHidden ? nil : self }

  static func awake(_ decoded: Part, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.isStale ? nil : decoded
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeBool(isStale, forKey: "stale")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    isStale = try coder.decodeBool(forKey: "stale")
  }
}

/// Collections with parts that are archived as nothing, or awake as nothing: the others stay, each
/// with what belongs to it.
@Suite struct NothingInCollectionsTests {
  private static let parts = [
    Part("a"), Part("b", isHidden: true), Part("c"), Part("d", isStale: true), Part("e"),
    Part("f", isHidden: true), Part("g", isStale: true),
  ]
  private static let left = [Part("a"), Part("c"), Part("e")]

  /// Encodes a value with both kinds of coders, one more text behind it, and decodes it.
  private func both<Value: Coding>(_ value: Value, _ check: (Value) throws -> Void) throws {
    let (keyed, sequential) = (KeyedArchiver(), Archiver())
    for coder in [keyed, sequential] as [any EncodingCoder] {
      try coder.encode(value, forKey: "value")
      try coder.encode("end", forKey: "end")
    }
    for coder in [
      try KeyedUnarchiver(keyed.finish()), try Unarchiver(sequential.finish()),
    ] as [any DecodingCoder] {
      try check(coder.decode(Value.self, forKey: "value"))
      #expect(try coder.decode(String.self, forKey: "end") == "end")
    }
  }

  @Test func `arrays`() throws {
    try both(Self.parts) { #expect($0 == Self.left) }
    try both([Self.parts, []]) { #expect($0 == [Self.left, []]) }
  }

  @Test func `sets`() throws {
    try both(Set(Self.parts)) { #expect($0 == Set(Self.left)) }
  }

  @Test func `ordered sets`() throws {
    try both(ArchivedOrderedSet(Self.parts)) { #expect($0.elements == Self.left) }
  }

  @Test func `counted sets`() throws {
    let members = Self.parts.enumerated().map { (element: $1, count: $0 + 1) }
    try both(ArchivedCountedSet(members)) { again in
      #expect(again.members.map(\.element) == Self.left)
      #expect(again.members.map(\.count) == [1, 3, 5])
    }
  }

  @Test func `values of dictionaries go with their keys`() throws {
    let numbered = Dictionary(
      uniqueKeysWithValues: Self.parts.enumerated().map { ($0, $1) })
    try both(numbered) { #expect($0 == [0: Part("a"), 2: Part("c"), 4: Part("e")]) }
    let named = Dictionary(uniqueKeysWithValues: Self.parts.map { ($0.name, $0) })
    try both(named) { #expect($0 == ["a": Part("a"), "c": Part("c"), "e": Part("e")]) }
  }

  @Test func `keys of dictionaries go with their values`() throws {
    let numbers = Dictionary(uniqueKeysWithValues: Self.parts.enumerated().map { ($1, $0) })
    try both(numbers) { #expect($0 == [Part("a"): 0, Part("c"): 2, Part("e"): 4]) }
    let parts = Dictionary(
      uniqueKeysWithValues: zip(Self.parts, Self.parts.reversed()).map { ($0, $1) })
    try both(parts) { #expect($0 == [Part("c"): Part("e"), Part("e"): Part("c")]) }
  }

  /// Leaves out the texts that begin with an x.
  private final class Remover: KeyedArchiverDelegate {
    func archiver(
      _ archiver: KeyedArchiver, willEncode object: any Coding
    ) throws -> (any Coding)? {
      if case .string(let text)? = object as? Cocoa.Object, text.hasPrefix("x") { return nil }
      return object
    }
  }

  @Test func `a delegate leaves out elements of values of any class`() throws {
    func archived(_ value: Cocoa.Object) throws -> Cocoa.Object {
      let remover = Remover()
      let archiver = KeyedArchiver()
      archiver.delegate = remover
      try archiver.encodeAnyValue(value, forKey: "value")
      return try KeyedUnarchiver(archiver.finish()).decodeAnyValue(forKey: "value")
    }
    #expect(try archived(.array(["a", "x", "b"])) == .array(["a", "b"]))
    #expect(
      try archived(.set(Cocoa.Set(["x", "a", "b"]))) == .set(Cocoa.Set(["a", "b"])))
    #expect(
      try archived(.orderedSet(Cocoa.OrderedSet(["a", "x", "b"])))
        == .orderedSet(Cocoa.OrderedSet(["a", "b"])))
    #expect(
      try archived(.dictionary(["a": 1, "x": 2, "b": "x", "c": 3]))
        == .dictionary(["a": 1, "c": 3]))
    let counted = try #require(
      Cocoa.CountedSet([.init("x", count: 4), .init("a", count: 2)]))
    let left = try #require(Cocoa.CountedSet([.init("a", count: 2)]))
    #expect(try archived(.countedSet(counted)) == .countedSet(left))
  }

  @Test func `none where an object belongs is still an error`() throws {
    /// An array that is written with none among its elements.
    struct Gap: Coding {
      static var archivedClass: ArchivedClass { "NSArray" }
      init() {}
      func encode(with coder: any EncodingCoder) throws {
        try coder.encodeValues([.integer(1)], ofTypes: "i")
        try coder.encodeNil(forKey: "")
      }
      init(coder: any DecodingCoder) throws { throw coder.notSupported(by: Self.self) }
    }
    let gap = Archiver()
    try gap.encodeRootObject(Gap())
    let unarchiver = try Unarchiver(gap.finish())
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeObject([Part].self) }
    #expect(error?.code == .valueNotFound)
  }
}
