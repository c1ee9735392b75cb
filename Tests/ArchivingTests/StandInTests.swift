import Archiving
import Testing

/// A plate of a map.
private class Plate: Coding {
  let name: String
  init(_ name: String) { self.name = name }
  class var archivedClass: ArchivedClass { "Plate" }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(name, forKey: "name") }
  required init(coder: any DecodingCoder) throws {
    name = try coder.decode(String.self, forKey: "name")
  }
}

/// Awakes as a text, or as nothing where it is empty.
private struct Caption: AwakingCoding {
  var text: String
  static var archivedClass: ArchivedClass { "Caption" }
  init(_ text: String) { self.text = text }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(text, forKey: "text") }
  init(coder: any DecodingCoder) throws { text = try coder.decode(String.self, forKey: "text") }
  static func awake(_ decoded: Caption, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.text.isEmpty ? nil : decoded.text
  }
}

/// Another type with the name of `Plate`.
private struct OtherPlate: Coding {
  static var archivedClass: ArchivedClass { "Plate" }
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws {}
}

/// What stands for another value, in places of strings and in the eyes of a delegate; and what is
/// said where nothing can stand for it.
@Suite struct StandInTests {
  private func both(
    _ classes: [any Coding.Type], _ encode: (any EncodingCoder) throws -> Void,
    _ check: (any DecodingCoder) throws -> Void
  ) throws {
    let (keyed, sequential) = (KeyedArchiver(), Archiver())
    try encode(keyed)
    try encode(sequential)
    try check(KeyedUnarchiver(keyed.finish(), classes: classes))
    try check(Unarchiver(sequential.finish(), classes: classes))
  }

  @Test func `an object that awakes as a text is read where a text belongs`() throws {
    let (first, none) = (Caption("first"), Caption(""))
    try both([Caption.self]) { (coder) throws in
      try coder.encode(first, forKey: "one")
      try coder.encode(none, forKey: "none")
      try coder.encode([first, none, first], forKey: "list")
      try coder.encode([first, none, first], forKey: "values")
      try coder.encode(["a": first, "b": none], forKey: "dictionary")
      try coder.encodeObjectSet([first, none], forKey: "set")
      try coder.encode("end", forKey: "end")
    } _: { (coder) throws in
      #expect(try coder.decode(String.self, forKey: "one") == "first")
      #expect(try coder.decodeIfPresent(String.self, forKey: "none") == nil)
      #expect(try coder.decodeStrings(forKey: "list") == ["first", "first"])
      #expect(try coder.decode([String].self, forKey: "values") == ["first", "first"])
      #expect(try coder.decodeStringDictionary(forKey: "dictionary") == ["a": "first"])
      #expect(try coder.decodeStringSet(forKey: "set") == ["first"])
      #expect(try coder.decodeString(forKey: "end") == "end")
    }
    try both([]) { (coder) throws in
      try coder.encode(first, forKey: "one")
    } _: { (coder) throws in
      let error = #expect(throws: ArchiveError.self) { try coder.decodeString(forKey: "one") }
      #expect(error?.reason == "expected a string, found an object of class Caption")
    }
  }

  @Test func `keys of a dictionary that awake as nothing go with their values`() throws {
    try both([Caption.self]) { (coder) throws in
      let (key, none) = (Key(caption: Caption("key")), Key(caption: Caption("")))
      try coder.encode([key: "1", none: "2"], forKey: "strings")
      try coder.encode("end", forKey: "end")
    } _: { (coder) throws in
      #expect(try coder.decodeStringDictionary(forKey: "strings") == ["key": "1"])
      #expect(try coder.decodeString(forKey: "end") == "end")
    }
  }

  /// A caption as a key.
  private struct Key: Hashable, SubstitutingCoding {
    let caption: Caption
    static var archivedClass: ArchivedClass { "Key" }
    init(caption: Caption) { self.caption = caption }
    static func == (first: Key, second: Key) -> Bool { first.caption.text == second.caption.text }
    func hash(into hasher: inout Hasher) { hasher.combine(caption.text) }
    func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { caption }
    func encode(with coder: any EncodingCoder) throws {}
    init(coder: any DecodingCoder) throws { throw coder.notSupported(by: Self.self) }
  }

  /// Hands out a plate for each text.
  private final class Maker: KeyedUnarchiverDelegate {
    var seesDecodedValues: Bool { true }
    func unarchiver(
      _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
    ) throws -> (any Coding)? {
      guard let text = object as? String, text != "inner" else { return object }
      return text == "bad" ? 7 : text.isEmpty ? nil : Plate(text)
    }
  }

  @Test func `a delegate hands out an object for a listed text`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(["a", "", "b"], forKey: "list")
    try archiver.encode(["k": "c"], forKey: "dictionary")
    try archiver.encodeObject("d", forKey: "one")
    try archiver.encodeObject("bad", forKey: "bad")
    try archiver.encode([Plate("inner")], forKey: "layers")
    let bytes = try archiver.finish()
    let maker = Maker()
    let unarchiver = try KeyedUnarchiver(bytes, classes: [String.self])
    unarchiver.delegate = maker
    #expect(try unarchiver.decode([Plate].self, forKey: "list").map(\.name) == ["a", "b"])
    #expect(try unarchiver.decode(Plate.self, forKey: "one").name == "d")
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decode(Plate.self, forKey: "bad")
    }
    #expect(error?.code == .classNotAllowed)
    #expect(try unarchiver.decode([Plate].self, forKey: "layers").map(\.name) == ["inner"])
    // Texts are not admitted unless they are listed.
    let strict = try KeyedUnarchiver(bytes)
    strict.delegate = maker
    #expect(throws: ArchiveError.self) { try strict.decode([Plate].self, forKey: "list") }
  }

  @Test func `a false count of a dictionary of texts is told alike by both calls`() throws {
    let archiver = Archiver()
    try archiver.encode(["a": "first", "b": "second"], forKey: "texts")
    let whole = try archiver.finish()
    func reason(_ bytes: [UInt8], _ read: (Unarchiver) throws -> Void) -> String? {
      do {
        try read(Unarchiver(bytes))
        return nil
      } catch {
        return (error as? ArchiveError)?.reason
      }
    }
    var counted = 0
    for place in whole.indices {
      var bytes = whole
      bytes[place] = 100
      let typed = reason(bytes) { _ = try $0.decodeStringDictionary(forKey: "texts") }
      guard let typed, typed.contains("100 elements") else { continue }
      counted += 1
      let general = reason(bytes) { _ = try $0.decode([String: String].self, forKey: "texts") }
      #expect(general == typed)
    }
    #expect(counted > 0)
  }

  /// Counts the texts that it sees.
  private final class Watcher: KeyedUnarchiverDelegate {
    var seesDecodedValues: Bool { true }
    var texts: [String] = []
    func unarchiver(
      _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
    ) throws -> (any Coding)? {
      guard let text = object as? String else { return object }
      texts.append(text)
      return text + "!"
    }
  }

  @Test func `a delegate is told once of an object that awakes as a text`() throws {
    let archiver = KeyedArchiver()
    let caption = Caption("text")
    try archiver.encode(caption, forKey: "one")
    try archiver.encode([caption], forKey: "list")
    let unarchiver = try KeyedUnarchiver(archiver.finish(), classes: [Caption.self])
    let watcher = Watcher()
    unarchiver.delegate = watcher
    // The text inside the caption, and what that awakes as.
    #expect(try unarchiver.decodeString(forKey: "one") == "text!!")
    #expect(watcher.texts == ["text", "text!"])
    #expect(try unarchiver.decodeString(forKey: "one") == "text!!")
    #expect(watcher.texts == ["text", "text!"])
    // The other caption has the same text inside.
    #expect(try unarchiver.decodeStrings(forKey: "list") == ["text!!"])
    #expect(watcher.texts == ["text", "text!", "text!"])
  }

  @Test func `an error tells what stood for the object`() throws {
    try both([Caption.self]) { (coder) throws in
      try coder.encode(Caption("text"), forKey: "layer")
    } _: { (coder) throws in
      let error = #expect(throws: ArchiveError.self) {
        try coder.decode(Plate.self, forKey: "layer")
      }
      #expect(
        error?.reason
          == "expected Plate, found an object of class Caption, handed out as String")
    }
  }

  @Test func `a listed type with the name of the place is refused by its name`() throws {
    try both([OtherPlate.self]) { (coder) throws in
      try coder.encode(Plate("name"), forKey: "layer")
    } _: { (coder) throws in
      let error = #expect(throws: ArchiveError.self) {
        try coder.decode(Plate.self, forKey: "layer")
      }
      #expect(error?.code == .misuse)
      #expect(error?.reason.contains("OtherPlate have one archived name, Plate") == true)
    }
  }

  @Test func `archives of the other kind are named with their reader`() throws {
    let (keyed, sequential) = (KeyedArchiver(), Archiver())
    keyed.outputFormat = .xml
    try keyed.encode(1, forKey: "n")
    try sequential.encode(1, forKey: "n")
    let list = try keyed.finish()
    let stream = try sequential.finish()
    let first = #expect(throws: ArchiveError.self) { try KeyedUnarchiver(stream) }
    #expect(first?.description == "a typedstream, which Unarchiver reads (byte 0)")
    let second = #expect(throws: ArchiveError.self) { try Unarchiver(list) }
    #expect(
      second?.description == "a property list; KeyedUnarchiver reads keyed archives (byte 0)")
    #expect(throws: ArchiveError.self) { try Unarchiver([4, 11] + Array("streamtypeX".utf8)) }
  }

  @Test func `a list of classes is written where it is used`() throws {
    try both([]) { (coder) throws in
      try coder.encode([Plate("a"), "text", 5], forKey: "mixed")
    } _: { (coder) throws in
      let mixed: [any Coding] = try coder.decodeObjects(
        in: [Plate.self, String.self, Int.self], forKey: "mixed")
      #expect((mixed[0] as? Plate)?.name == "a")
      #expect(mixed[1] as? String == "text" && mixed[2] as? Int == 5)
    }
  }

  @Test func `a kept object describes itself by its class`() throws {
    let bytes = try KeyedArchiver.archive(Plate("a"))
    let value = try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
    #expect("\(value)".contains("an object of class Plate"))
    #expect(!"\(value)".contains("Source"))
  }
}
