import Archiving
import Testing

/// The sizes of archives that were published for Apple's archiver, and ours.
///
/// Ours are smaller where Apple writes one thing twice: the name of a class, once as the name and
/// once at the head of the chain, and a truth value or a reference, once for each use of it. The
/// text `$null` of a boxed string is one with that of element 0. Ours are larger by what we always
/// write, although nothing may refer to it: the key `$class`, and the reference to "none".
@Suite struct PublishedSizeTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var apple: Int
    /// What we write less than Apple: the parts, and why.
    var less: [(bytes: Int, reason: String)]
    var encode: @Sendable (KeyedArchiver) throws -> Void

    init(
      _ name: String, _ apple: Int, less: [(bytes: Int, reason: String)] = [],
      _ encode: @escaping @Sendable (KeyedArchiver) throws -> Void
    ) {
      (self.name, self.apple, self.less, self.encode) = (name, apple, less, encode)
    }

    var testDescription: String { name }

    /// The text `$class` with its marker, and its place in the table, unless an object has a class.
    var classKey: Int { less.isEmpty ? 7 + 1 : 0 }
    /// A reference with its marker, and its place in the table, unless something is none.
    var none: Int { name.hasPrefix("nil") ? 0 : 2 + 1 }
  }

  static let samples: [Sample] = [
    Sample("nothing", 124) { _ in },
    Sample("nil", 136) { try $0.encodeNil(forKey: "myKey") },
    Sample("nil as root", 135) { try $0.encodeNil(forKey: "root") },
    Sample("123", 136) { try $0.encodeInt32(123, forKey: "myKey") },
    Sample("30000", 137) { try $0.encodeInt32(30_000, forKey: "myKey") },
    Sample("INT_MAX", 139) { try $0.encodeInt32(.max, forKey: "myKey") },
    Sample("-5", 143) { try $0.encodeInt32(-5, forKey: "myKey") },
    Sample("INT_MIN", 143) { try $0.encodeInt32(.min, forKey: "myKey") },
    Sample("BOOL", 135) { try $0.encodeBool(true, forKey: "myKey") },
    Sample("10 bytes", 145) { try $0.encodeBytes([UInt8](0..<10), forKey: "myKey") },
    Sample("15 bytes", 152) { try $0.encodeBytes([UInt8](0..<15), forKey: "myKey") },
    Sample("25 bytes", 162) { try $0.encodeBytes([UInt8](0..<25), forKey: "myKey") },
    Sample("two equal buffers of 25 bytes", 201) {
      try $0.encodeBytes([UInt8](0..<25), forKey: "myKey")
      try $0.encodeBytes([UInt8](0..<25), forKey: "myKey2")
    },
    Sample("double", 143) { try $0.encodeDouble(-91.73, forKey: "myKey") },
    Sample("float", 139) { try $0.encodeFloat(3.14159, forKey: "myKey") },
    Sample("int64 max", 143) { try $0.encodeInt64(.max, forKey: "myKey") },
    Sample("a string", 147) { try $0.encodeString("myString", forKey: "myKey") },
    Sample("the string $null", 235, less: [(10, "the class's name"), (7, "the text of element 0")])
    { try $0.encodeString("$null", forKey: "myKey") },
    Sample("positional * and i", 146) {
      try $0.encodeValues([.cString(Array("i".utf8))], ofTypes: "*")
      try $0.encodeValues([.integer(0xDD)], ofTypes: "i")
    },
    Sample("positional *", 137) { try $0.encodeValues([.cString(Array("i".utf8))], ofTypes: "*") },
    Sample("positional i", 133) { try $0.encodeValues([.integer(0xDD)], ofTypes: "i") },
    Sample("an empty dictionary", 252, less: [(14, "the class's name")]) {
      try $0.encodeStringDictionary([:], forKey: "myKey")
    },
    Sample("an array of strings", 261, less: [(9, "the class's name")]) {
      try $0.encodeStrings(["one", "two", "three"], forKey: "myKey")
    },
    Sample("data", 142) { try $0.encodeData(Array("abc".utf8), forKey: "myKey") },
    Sample("a set of strings", 245, less: [(7, "the class's name")]) {
      try $0.encodeStringSet(["abc", "xyz"], forKey: "myKey")
    },
    Sample("a string beyond ASCII", 173) {
      try $0.encodeString("myStß©∆¬ååœ∑ring", forKey: "myKey")
    },
    Sample("a string as root", 145) { try $0.encodeString("abcdefg", forKey: "root") },
    Sample("a date as root", 231, less: [(8, "the class's name")]) {
      try $0.encodeDate(0, forKey: "root")
    },
    Sample("numbers as root", 252, less: [(9, "the class's name")]) {
      try $0.encodeInts([4, 5, 6], forKey: "root")
    },
  ]

  @Test(arguments: samples)
  func `an archive has the size that was published, but for what we write once or always`(
    _ sample: Sample
  ) throws {
    let archiver = KeyedArchiver()
    try sample.encode(archiver)
    let size = try archiver.finish().count
    let less = sample.less.map(\.bytes).reduce(0, +)
    #expect(size == sample.apple - less + sample.classKey + sample.none)
  }
}
