import Archiving
import Testing

/// Values of the standard library, and collections of own classes.
@Suite struct StandardValueTests {
  private func both(
    _ encode: (any EncodingCoder) throws -> Void, _ check: (any DecodingCoder) throws -> Void
  ) throws {
    let keyed = KeyedArchiver()
    try encode(keyed)
    try check(KeyedUnarchiver(keyed.finish()))
    let sequential = Archiver()
    try encode(sequential)
    try check(Unarchiver(sequential.finish()))
  }

  @Test func `one call encodes and one decodes every value`() throws {
    try both(
      { coder in
        try coder.encode("text", forKey: "s")
        try coder.encode(-5, forKey: "i")
        try coder.encode(2.5, forKey: "d")
        try coder.encode(true, forKey: "b")
        try coder.encode([1, 2, 3] as [UInt8], forKey: "data")
        try coder.encode(Float(1.5), forKey: "f")
        try coder.encode(UInt64.max, forKey: "u")
        try coder.encode(["a": [1.5, 2]], forKey: "nested")
        try coder.encode([[true], [false, true]], forKey: "truths")
        try coder.encode(nil as View?, forKey: "none")
      },
      { (coder) throws in
        #expect(try coder.decode(String.self, forKey: "s") == "text")
        #expect(try coder.decode(Int.self, forKey: "i") == -5)
        #expect(try coder.decode(Double.self, forKey: "d") == 2.5)
        #expect(try coder.decode(Bool.self, forKey: "b"))
        #expect(try coder.decode([UInt8].self, forKey: "data") == [1, 2, 3])
        #expect(try coder.decode(Float.self, forKey: "f") == 1.5)
        #expect(try coder.decode(UInt64.self, forKey: "u") == UInt64.max)
        #expect(try coder.decode([String: [Double]].self, forKey: "nested") == ["a": [1.5, 2]])
        #expect(try coder.decode([[Bool]].self, forKey: "truths") == [[true], [false, true]])
        #expect(try coder.decodeIfPresent(View.self, forKey: "none") == nil)
      })
  }

  @Test func `the new calls write what the old ones write`() throws {
    let (old, new) = (KeyedArchiver(), KeyedArchiver())
    let views = [View(title: "a"), View(title: "b")]
    try old.encodeString("s", forKey: "s")
    try new.encode("s", forKey: "s")
    try old.encodeInt(1, forKey: "i")
    try new.encode(1, forKey: "i")
    try old.encodeStrings(["x", "y"], forKey: "strings")
    try new.encode(["x", "y"], forKey: "strings")
    try old.encodeInts([1, 2], forKey: "ints")
    try new.encode([1, 2], forKey: "ints")
    try old.encodeObjects(views, forKey: "views")
    try new.encode(views, forKey: "views")
    let unarchivers = [
      try KeyedUnarchiver(old.finish()), try KeyedUnarchiver(new.finish()),
    ]
    for coder in unarchivers {
      #expect(try coder.decodeStrings(forKey: "strings") == ["x", "y"])
      #expect(try coder.decode([String].self, forKey: "strings") == ["x", "y"])
      #expect(try coder.decodeInts(forKey: "ints") == [1, 2])
      #expect(try coder.decode([Int].self, forKey: "ints") == [1, 2])
      #expect(try coder.decodeObjects(View.self, forKey: "views").map(\.title) == ["a", "b"])
      #expect(try coder.decode([View].self, forKey: "views").map(\.title) == ["a", "b"])
      #expect(try coder.decodeAnyValue(forKey: "ints") == .array([1, 2]))
    }
  }

  @Test func `ordered and counted sets of own objects keep identity`() throws {
    let (first, second) = (View(title: "a"), View(title: "b"))
    try both(
      { coder in
        try coder.encode(ArchivedOrderedSet([second, first]), forKey: "ordered")
        try coder.encode(ArchivedCountedSet([(first, 3), (second, 1)]), forKey: "counted")
      },
      { (coder) throws in
        let ordered = try coder.decode(ArchivedOrderedSet<View>.self, forKey: "ordered")
        let counted = try coder.decode(ArchivedCountedSet<View>.self, forKey: "counted")
        #expect(ordered.elements.map(\.title) == ["b", "a"])
        #expect(counted.members.map(\.count) == [3, 1])
        #expect(counted.members[0].element === ordered.elements[1])
      })
  }

  @Test func `an id is a text or an object`() throws {
    let ids = ClassList<any Coding>([String.self, View.self])
    try both(
      { coder in
        try coder.encode("id", forKey: "text")
        try coder.encode(View(title: "id"), forKey: "object")
      },
      { (coder) throws in
        let text = try coder.decodeObject(in: ids, forKey: "text")
        let object = try coder.decodeObject(in: ids, forKey: "object")
        #expect(text as? String == "id")
        #expect((object as? View)?.title == "id")
      })
  }

  @Test func `a wrong element is an error that names its place`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(["a", 1], forKey: "root")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decode([View].self, forKey: "root")
    }
    #expect(error?.path.hasPrefix("$top.root") == true)
    #expect(throws: ArchiveError.self) { try unarchiver.decode([Int].self, forKey: "root") }
    #expect(throws: ArchiveError.self) { try unarchiver.decode([Bool: Int].self, forKey: "root") }
  }
}
