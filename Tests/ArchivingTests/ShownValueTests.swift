import Archiving
import PortolanTestSupport
import Testing

/// Notes what it sees, and replaces it as it is told to.
private final class Viewer: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
  let seesEncodedValues: Bool
  var seesDecodedValues: Bool { seesEncodedValues }
  var seen: [String] = []
  var replace: (any Coding) -> (any Coding)?

  init(
    seesValues: Bool = true, _ replace: @escaping (any Coding) -> (any Coding)? = { $0 }
  ) {
    (seesEncodedValues, self.replace) = (seesValues, replace)
  }

  private func note(_ word: String, _ object: any Coding) {
    seen.append("\(word) \(object as? String ?? "\(type(of: object))")")
  }

  func archiver(
    _ archiver: KeyedArchiver, willEncode object: any Coding
  ) throws -> (any Coding)? {
    note("will", object)
    return replace(object)
  }
  func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) { note("did", object) }
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
  ) throws -> (any Coding)? {
    note("made", object)
    return replace(object)
  }
}

/// A set whose elements a delegate makes equal is written with one of them.
@Suite struct EqualElementTests {
  @Test(arguments: [true, false])
  func `elements of a set that become equal are written once`(_ seesValues: Bool) throws {
    let viewer = Viewer(seesValues: seesValues) { $0 is String ? "one" : $0 }
    let archiver = KeyedArchiver()
    archiver.delegate = viewer
    try archiver.encodeObjectSet(["a", "b", "c"], forKey: "objects")
    if seesValues {
      try archiver.encodeStringSet(["a", "b", "c"], forKey: "strings")
      try archiver.encode(Set(["a", "b"]), forKey: "set")
    }
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeObjectSetIfPresent(String.self, forKey: "objects") == ["one"])
    guard seesValues else { return }
    #expect(try unarchiver.decodeStringSetIfPresent(forKey: "strings") == ["one"])
    #expect(try unarchiver.decode(Set<String>.self, forKey: "set") == ["one"])
  }
}

/// An object with a field of every kind that is an object in the archive and no class's.
private final class Fields: Coding, Equatable {
  var name: String? = "name"
  var words = ["a", "b"]
  var numbers = [1, 2]
  var reals = [0.5]
  var facts = ["k": "v"]
  var ordered = ["z": "1", "y": "two"]
  var data: [UInt8]? = [1]
  var packed: [Int32] = [1, 2]
  var date: Double? = 2.5
  var tags: Set<String> = ["t"]
  var any: Cocoa.Object? = .array(["x", 1])
  var grid = [[1.5, 2], []]
  var byNumber = [3: "three"]
  var parts: [Fields] = []
  var named: [String: Fields] = [:]
  var mixed: [any Coding] = []

  init() {}

  static var archivedClass: ArchivedClass { "Fields" }
  static let list = ClassList<any Coding>([Fields.self, String.self, Int.self, Bool.self])

  static func == (first: Fields, second: Fields) -> Bool { first.words(0) == second.words(0) }

  /// All fields in words.
  private func words(_ depth: Int) -> String {
    """
    \(name ?? "-") \(words) \(numbers) \(reals) \(facts.sorted { $0.key < $1.key }) \
    \(ordered.sorted { $0.key < $1.key }) \(data ?? []) \(packed) \(date ?? -1) \(tags.sorted()) \
    \(String(describing: any)) \(grid) \(byNumber.sorted { $0.key < $1.key }) \
    \(parts.map { $0.words(depth + 1) }) \
    \(named.sorted { $0.key < $1.key }.map { ($0.key, $0.value.words(depth + 1)) }) \
    \(mixed.map { ($0 as? Fields)?.words(depth + 1) ?? "\($0)" })
    """
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeStrings(words, forKey: "words")
    try coder.encodeInts(numbers, forKey: "numbers")
    try coder.encodeDoubles(reals, forKey: "reals")
    try coder.encodeStringDictionary(facts, forKey: "facts")
    try coder.encodeStringPairs(
      ordered.sorted { $0.key > $1.key }.map { (key: $0.key, value: $0.value) }, forKey: "ordered")
    try coder.encodeData(data, forKey: "data")
    try coder.encodePacked(packed, forKey: "packed")
    try coder.encodeDate(date, forKey: "date")
    try coder.encodeStringSet(tags, forKey: "tags")
    try coder.encodeAnyValue(any, forKey: "any")
    try coder.encode(grid, forKey: "grid")
    try coder.encode(byNumber, forKey: "byNumber")
    try coder.encodeObjects(parts, forKey: "parts")
    try coder.encodeObjectSet(parts, forKey: "partSet")
    try coder.encodeDictionary(named, forKey: "named")
    try coder.encodeObjects(mixed, forKey: "mixed")
    try coder.encodeDictionary(
      Dictionary(uniqueKeysWithValues: mixed.enumerated().map { ("\($0)", $1) }),
      forKey: "mixedByKey")
    try coder.encodeString(name)
    try coder.encodeDate(date)
    try coder.encodeData(data)
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeStringIfPresent(forKey: "name")
    words = try coder.decodeStringsIfPresent(forKey: "words") ?? []
    numbers = try coder.decodeIntsIfPresent(forKey: "numbers") ?? []
    reals = try coder.decodeDoublesIfPresent(forKey: "reals") ?? []
    facts = try coder.decodeStringDictionaryIfPresent(forKey: "facts") ?? [:]
    ordered = Dictionary(
      uniqueKeysWithValues: try coder.decodeStringPairsIfPresent(forKey: "ordered")?.map {
        ($0.key, $0.value)
      } ?? [])
    data = try coder.decodeDataIfPresent(forKey: "data")
    packed = try coder.decodePackedIfPresent(Int32.self, forKey: "packed") ?? []
    date = try coder.decodeDateIfPresent(forKey: "date")
    tags = try coder.decodeStringSetIfPresent(forKey: "tags") ?? []
    any = try coder.decodeAnyValueIfPresent(forKey: "any")
    grid = try coder.decodeIfPresent([[Double]].self, forKey: "grid") ?? []
    byNumber = try coder.decodeIfPresent([Int: String].self, forKey: "byNumber") ?? [:]
    parts = try coder.decodeObjectsIfPresent(Fields.self, forKey: "parts") ?? []
    let partSet = try coder.decodeObjectSetIfPresent(Fields.self, forKey: "partSet") ?? []
    #expect(partSet.count == parts.count)
    named = try coder.decodeDictionaryIfPresent(of: Fields.self, forKey: "named") ?? [:]
    mixed = try coder.decodeObjectsIfPresent(in: Self.list, forKey: "mixed") ?? []
    let byKey = try coder.decodeDictionaryIfPresent(in: Self.list, forKey: "mixedByKey")
    #expect((byKey?.count ?? 0) == mixed.count)
    #expect(try coder.decodeStringIfPresent() == name)
    #expect(try coder.decodeDateIfPresent() == date)
    #expect(try coder.decodeDataIfPresent() == data)
  }

  /// Fields with any values, some of them shared.
  static func random(_ generator: inout SeededGenerator, depth: Int = 0) -> Fields {
    let texts = ["", "a", "bb", "$null", "a text of more than fifteen bytes", "é"]
    func text(_ generator: inout SeededGenerator) -> String {
      texts.randomElement(using: &generator) ?? ""
    }
    func count(_ generator: inout SeededGenerator) -> Int {
      Int.random(in: 0...3, using: &generator)
    }
    let fields = Fields()
    fields.name = Bool.random(using: &generator) ? text(&generator) : nil
    fields.words = (0..<count(&generator)).map { _ in text(&generator) }
    fields.numbers = (0..<count(&generator)).map { _ in Int.random(in: -9...9, using: &generator) }
    fields.reals = (0..<count(&generator)).map { _ in Double.random(in: 0...1, using: &generator) }
    fields.facts = Dictionary(
      (0..<count(&generator)).map { _ in (text(&generator), text(&generator)) },
      uniquingKeysWith: { first, _ in first })
    fields.data = Bool.random(using: &generator) ? [1, 2] : nil
    fields.packed = (0..<Int32(count(&generator))).map { $0 }
    fields.date = Bool.random(using: &generator) ? Double(count(&generator)) : nil
    fields.tags = Set((0..<count(&generator)).map { _ in text(&generator) })
    fields.any = .dictionary(
      ["list": .array(["a", 1.5, .data([7])]), .string(text(&generator)): .null])
    guard depth < 3 else { return fields }
    fields.parts = (0..<count(&generator)).map { _ in random(&generator, depth: depth + 1) }
    for part in fields.parts { fields.named[text(&generator)] = part }
    fields.mixed = [text(&generator), count(&generator), true] + fields.parts
    return fields
  }
}

/// Delegates that see strings, numbers and collections inside objects.
@Suite struct ShownValueTests {
  private func archive(_ fields: Fields, _ delegate: Viewer?) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    archiver.delegate = delegate
    try archiver.encodeObject(fields, forKey: "root")
    return try archiver.finish()
  }

  private func fields(in bytes: [UInt8], _ delegate: Viewer?) throws -> Fields {
    let unarchiver = try KeyedUnarchiver(bytes)
    unarchiver.delegate = delegate
    return try unarchiver.decodeObject(Fields.self, forKey: "root")
  }

  @Test func `a delegate that replaces nothing changes no byte and no value`() throws {
    var generator = SeededGenerator(seed: 20_261_123)
    for _ in 0..<40 {
      let original = Fields.random(&generator)
      let plain = try archive(original, nil)
      let viewer = Viewer()
      #expect(try archive(original, viewer) == plain)
      let again = try fields(in: plain, Viewer())
      #expect(again == original)
      #expect(try archive(again, nil) == archive(fields(in: plain, nil), nil))
    }
  }

  @Test func `replaced on the way in or on the way out, the values are the same`() throws {
    func changed(_ object: any Coding) -> (any Coding)? {
      switch object {
      case let text as String: text + "!"
      case let number as Int: number + 1
      case let number as Double: number / 2
      case let date as Cocoa.Date:
        Cocoa.Date(secondsSinceReferenceDate: date.secondsSinceReferenceDate + 1)
      // An empty array would be of any elements.
      case let words as [String] where type(of: object) == [String].self: words + ["more"]
      case .data(let bytes) as Cocoa.Object: Cocoa.Object.data(bytes + [9, 9, 9, 9])
      case .string(let text) as Cocoa.Object: Cocoa.Object.string(text + "?")
      default: object
      }
    }
    var generator = SeededGenerator(seed: 20_261_124)
    for _ in 0..<40 {
      let original = Fields.random(&generator)
      let outer = try fields(in: archive(original, nil), Viewer(changed))
      #expect(outer != original)
      #expect(outer.name == original.name.map { $0 + "!" })
      #expect(outer.numbers == original.numbers.map { $0 + 1 })
      #expect(outer.date == original.date.map { $0 + 1 })
      #expect(outer.packed.count == original.packed.count + 1)
      let inner = try fields(in: archive(original, Viewer(changed)), nil)
      // The word that is added to a list is itself an element on the way in.
      inner.dropMarks()
      #expect(inner == outer)
    }
  }

  @Test func `nothing in the place of a value leaves it out, with its key`() throws {
    func removed(_ object: any Coding) -> (any Coding)? {
      switch object {
      case let text as String: ["name", "a", "k", "two", "t", "three"].contains(text) ? nil : text
      case let numbers as [Int]: numbers.isEmpty ? object : nil
      case is Cocoa.Date, .data as Cocoa.Object, .string as Cocoa.Object: nil
      case let number as Double: number == 1.5 ? nil : number
      default: object
      }
    }
    let original = Fields()
    original.mixed = ["a", 5, true]
    for made in [
      try fields(in: archive(original, Viewer(removed)), nil),
      try fields(in: archive(original, nil), Viewer(removed)),
    ] {
      #expect(made.name == nil && made.words == ["b"] && made.numbers.isEmpty)
      #expect(made.facts.isEmpty && made.ordered == ["z": "1"] && made.byNumber.isEmpty)
      #expect(made.data == nil && made.packed.isEmpty && made.date == nil && made.tags.isEmpty)
      #expect(made.any == .array([1]) && made.grid == [[2], []] && made.mixed.count == 2)
    }
  }

  @Test func `it sees every value on the way in, and all that collections hold`() throws {
    let original = Fields()
    original.mixed = [true]
    let viewer = Viewer()
    _ = try archive(original, viewer)
    let expected = [
      "Fields", "name", "Array<String>", "a", "b", "Array<Int>", "Int", "Int", "Array<Double>",
      "Double", "Dictionary<String, String>", "k", "v", "MixedDictionary", "z", "y", "1", "two",
      "Object", "Object", "Date", "Set<String>", "t", "Object", "Object", "Object",
      "Array<Array<Double>>", "Array<Double>", "Double", "Double", "Array<Double>",
      "Dictionary<Int, String>", "Int", "three", "Array<Fields>", "MixedSet",
      "Dictionary<String, Fields>", "MixedArray", "Bool", "MixedDictionary", "0", "Bool", "name",
      "Date", "Object",
    ]
    #expect(viewer.seen.filter { $0.hasPrefix("will ") } == expected.map { "will " + $0 })
    #expect(viewer.seen.filter { $0.hasPrefix("did ") }.count == expected.count)
  }

  @Test func `it sees every value on the way out, each object once`() throws {
    let original = Fields()
    original.words = ["name", "name"]
    let viewer = Viewer()
    _ = try fields(in: archive(original, nil), viewer)
    #expect(viewer.seen.filter { $0 == "made name" }.count == 1)
    for kind in [
      "Array<String>", "Array<Int>", "Dictionary<String, String>", "MixedDictionary", "Object",
      "Date", "Set<String>", "Array<Array<Double>>", "Dictionary<Int, String>", "three",
      "MixedSet", "MixedArray", "Fields",
    ] {
      #expect(viewer.seen.contains("made " + kind), "\(kind)")
    }
  }

  @Test func `what is handed out must be of the type that is read`() throws {
    let replacements: [(String, (any Coding) -> (any Coding)?)] = [
      ("name", { $0 as? String == "name" ? 7 : $0 }),
      ("numbers", { $0 is [Int] ? ["a"] : $0 }),
      ("data", { if case .data? = $0 as? Cocoa.Object { Cocoa.Object.null } else { $0 } }),
      ("date", { $0 is Cocoa.Date ? "today" : $0 }),
      ("mixed", { $0 is MixedArray ? MixedArray([Cocoa.Null()]) : $0 }),
    ]
    for (key, replace) in replacements {
      let bytes = try archive(Fields(), nil)
      let error = #expect(throws: ArchiveError.self) { try fields(in: bytes, Viewer(replace)) }
      #expect(error?.code == .classNotAllowed, "\(key)")
      #expect(error?.path.contains(key) == true, "\(key)")
    }
  }

  @Test func `a number that is an object is seen, and nothing in its place is none`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeObject(5, forKey: "number")
    try archiver.encodeObject(6)
    let bytes = try archiver.finish()
    for replacement in [9, nil] as [Int?] {
      let viewer = Viewer { _ in replacement }
      let unarchiver = try KeyedUnarchiver(bytes)
      unarchiver.delegate = viewer
      #expect(try unarchiver.decodeIntIfPresent(forKey: "number") == replacement)
      guard replacement == nil else { continue }
      let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt() }
      #expect(error?.code == .valueNotFound)
    }
  }

  @Test func `a delegate that does not say so sees no value under a typed call`() throws {
    let viewer = Viewer(seesValues: false)
    let original = Fields()
    (original.any, original.grid, original.byNumber) = (nil, [], [:])
    let bytes = try archive(original, viewer)
    _ = try fields(in: bytes, viewer)
    #expect(!viewer.seen.contains { $0.hasSuffix(" name") || $0.hasSuffix("Array<Int>") })
  }

  @Test func `messages between programs show their values too`() throws {
    let viewer = Viewer { $0 as? String == "Europe" ? "Asia" : $0 }
    let message = try PortArchiver(.request("rename", sequence: 1), objects: PortObjects())
    message.delegate = viewer
    try message.encodeString("Europe")
    let received = try PortUnarchiver(message.finish(), objects: PortObjects())
    #expect(try received.decodeString() == "Asia")
    #expect(viewer.seen == ["will Europe", "did Asia"])
  }
}

extension Fields {
  /// Takes the mark off the words that a delegate added on the way in.
  fileprivate func dropMarks() {
    if words.last == "more!" { words[words.count - 1] = "more" }
    for part in parts { part.dropMarks() }
    for case let part as Fields in mixed { part.dropMarks() }
  }
}
