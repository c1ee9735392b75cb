import Archiving

/// Collections by the one call for everything, `encode(_:forKey:)` and `decode(_:forKey:)`, against
/// the calls of their types, in both kinds of archives.
struct CollectionBenchmarks: BenchmarkSuite {
  let name = "collections"

  private static let count = 100_000

  func run() throws {
    let numbers = (0..<Self.count).map { ($0 &* 7_919) % 1_000_003 }
    let words = numbers.map { "word \($0)" }
    let reals = numbers.map { Double($0) / 8 }
    let objects = words.prefix(Self.count / 4).map { BenchmarkWord($0) }
    let texts = Dictionary(zip(words, words.reversed()), uniquingKeysWith: { $1 })
    let named = Dictionary(zip(words, objects), uniquingKeysWith: { $1 })
    try measure(
      "[Int]", numbers, { try $0.encodeInts(numbers, forKey: "v") },
      { try $0.decodeInts(forKey: "v") })
    try measure(
      "[Double]", reals, { try $0.encodeDoubles(reals, forKey: "v") },
      { try $0.decodeDoubles(forKey: "v") })
    try measure(
      "[String]", words, { try $0.encodeStrings(words, forKey: "v") },
      { try $0.decodeStrings(forKey: "v") })
    try measure(
      "[Word]", objects, { try $0.encodeObjects(objects, forKey: "v") },
      { try $0.decodeObjects(BenchmarkWord.self, forKey: "v") })
    try measure(
      "[String: String]", texts, { try $0.encodeStringDictionary(texts, forKey: "v") },
      { try $0.decodeStringDictionary(forKey: "v") })
    try measure(
      "[String: Word]", named, { try $0.encodeDictionary(named, forKey: "v") },
      { try $0.decodeDictionary(of: BenchmarkWord.self, forKey: "v") })
    let strings = Set(words)
    try measure(
      "Set<String>", strings, { try $0.encodeStringSet(strings, forKey: "v") },
      { try $0.decodeStringSet(forKey: "v") })
  }

  /// Prints how many times as long the general call takes as the one of the type.
  private func measure<Value: Coding>(
    _ type: String, _ value: Value, _ encode: (any EncodingCoder) throws -> Void,
    _ decode: (any DecodingCoder) throws -> Value
  ) throws {
    for isKeyed in [true, false] {
      let typed = try fastest { try archive(isKeyed, encode) }
      let general = try fastest { try archive(isKeyed) { try $0.encode(value, forKey: "v") } }
      let bytes = try archive(isKeyed, encode)
      let typedBack = try fastest { try decode(reader(isKeyed, bytes)) }
      let generalBack = try fastest {
        try reader(isKeyed, bytes).decode(Value.self, forKey: "v")
      }
      let kind = isKeyed ? "keyed" : "sequential"
      print(
        "collections \(kind) \(type): encode \(milli(general)), typed \(milli(typed)), "
          + "ratio \(ratio(general, typed)); decode \(milli(generalBack)), "
          + "typed \(milli(typedBack)), ratio \(ratio(generalBack, typedBack))")
    }
  }

  private func fastest<Made>(_ body: () throws -> Made) throws -> Double {
    try (0..<5).map { _ in try medianSeconds(3, body) }.min() ?? 0
  }

  private func archive(
    _ isKeyed: Bool, _ encode: (any EncodingCoder) throws -> Void
  ) throws -> [UInt8] {
    if isKeyed {
      let archiver = KeyedArchiver()
      try encode(archiver)
      return try archiver.finish()
    }
    let archiver = Archiver()
    try encode(archiver)
    return try archiver.finish()
  }

  private func reader(_ isKeyed: Bool, _ bytes: [UInt8]) throws -> any DecodingCoder {
    isKeyed ? try KeyedUnarchiver(bytes) : try Unarchiver(bytes)
  }
}

/// A small object, as an element of collections.
private final class BenchmarkWord: Coding {
  let text: String
  init(_ text: String) { self.text = text }
  static var archivedClass: ArchivedClass { "Word" }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeString(text, forKey: "text") }
  init(coder: any DecodingCoder) throws { text = try coder.decodeString(forKey: "text") }
}
