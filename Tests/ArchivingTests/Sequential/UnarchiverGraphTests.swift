import Archiving
import Testing

/// An object that hands out one instance for each name.
final class SharedTone: AwakingCoding {
  let name: String
  static let known = SharedTone("known")

  init(_ name: String) { self.name = name }

  static var archivedClass: ArchivedClass { "SharedTone" }

  static func awake(_ decoded: SharedTone, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.name == known.name ? known : decoded
  }

  func encode(with coder: any EncodingCoder) throws { try coder.encodeString(name) }
  init(coder: any DecodingCoder) throws { name = try coder.decodeString() }
}

extension SharedTone: @unchecked Sendable {}

/// Reads its first object late, after what stands behind it.
final class LateReader: Coding {
  var first: Gallery?
  var view: View?
  var tones: [SharedTone] = []

  init() {}

  static var archivedClass: ArchivedClass { "LateReader" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(first)
    try coder.encodeValues([.object(view), .integer(5), .object(view)], ofTypes: "@i@")
    try coder.encodeObjects(tones, forKey: "tones")
  }

  init(coder: any DecodingCoder) throws {
    try coder.decodeReference(Gallery.self) { [weak self] in self?.first = $0 }
    let classes = ClassList<any Coding>([View.self])
    let values = try coder.decodeValues(ofTypes: "@i@", in: classes)
    if case .object(let object)? = values.first { view = object as? View }
    tones = try coder.decodeObjects(SharedTone.self, forKey: "tones")
  }
}

/// Reads one list of strings after another.
final class ListReader: Coding {
  var count = 0
  static var archivedClass: ArchivedClass { "ListReader" }
  func encode(with coder: any EncodingCoder) {}
  init(coder: any DecodingCoder) throws {
    while try coder.containsValue(forKey: "list") {
      count += try coder.decodeStrings(forKey: "list").count
    }
  }
}

/// Graphs whose objects are not made in the order in which they stand.
@Suite struct UnarchiverGraphTests {
  @Test func `an object that is read late is the one that others refer to`() throws {
    let view = View(title: "shared")
    let reader = LateReader()
    reader.first = Gallery(favourite: nil, views: [view])
    reader.view = view
    reader.tones = [SharedTone("known"), SharedTone("other"), SharedTone.known]
    let bytes = try Archiver.archive(reader)
    let again = try Unarchiver.unarchive(LateReader.self, from: bytes)
    #expect(again.view?.title == "shared")
    #expect(again.first?.views.first === again.view)
    #expect(again.tones.map(\.name) == ["known", "other", "known"])
    #expect(again.tones[0] === SharedTone.known && again.tones[2] === SharedTone.known)
  }

  @Test func `an object may be put in the place of one that was decoded`() throws {
    let view = View(title: "first")
    let archiver = Archiver()
    for _ in 0..<2 { try archiver.encodeObject(view) }
    let unarchiver = try Unarchiver(archiver.finish())
    let other = View(title: "other")
    unarchiver.replaceObject(try unarchiver.decodeObject(View.self), with: other)
    #expect(try unarchiver.decodeObject(View.self) === other)
  }

  @Test func `a list that is referred to again and again is not expanded without end`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    writer.beginObject([("ListReader", 0), ("NSObject", 0)])
    writer.beginGroup("@")
    let list = writer.beginObject([("NSArray", 0), ("NSObject", 0)])
    writer.beginGroup("i")
    writer.writeInteger(2_000)
    var text: Int?
    for _ in 0..<2_000 {
      writer.beginGroup("@")
      if let text {
        writer.writeReference(text)
      } else {
        text = writer.beginObject([("NSString", 1), ("NSObject", 0)])
        writer.beginGroup("+")
        writer.writeBytes(Array("a".utf8))
        writer.endObject()
      }
    }
    writer.endObject()
    for _ in 0..<2_000 {
      writer.beginGroup("@")
      writer.writeReference(list)
    }
    writer.endObject()
    let error = #expect(throws: ArchiveError.self) {
      try Unarchiver.unarchive(ListReader.self, from: writer.bytes)
    }
    #expect(error?.code == .tooLarge)
    #expect(error?.path == "group 0.list")
    var limits = ArchiveLimits()
    limits.expansionBase = 1 << 30
    let reader = try Unarchiver.unarchive(ListReader.self, from: writer.bytes, limits: limits)
    #expect(reader.count == 2_000 * 2_001)
  }

  @Test func `lists and dictionaries that hold none or themselves are refused`() throws {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    let list = writer.beginObject([("NSArray", 0), ("NSObject", 0)])
    writer.beginGroup("i")
    writer.writeInteger(1)
    writer.beginGroup("@")
    var empty = writer
    empty.writeNone()
    empty.endObject()
    let none = #expect(throws: ArchiveError.self) {
      try Unarchiver(empty.bytes).decodeStrings(forKey: "list")
    }
    #expect(none?.code == .valueNotFound)
    #expect(none?.path == "group 0[0]")
    writer.writeReference(list)
    writer.endObject()
    #expect(throws: ArchiveError.self) {
      try Unarchiver(writer.bytes).decodeStrings(forKey: "list")
    }
    #expect(throws: ArchiveError.self) {
      try Unarchiver(writer.bytes).decodeObjects(View.self, forKey: "list")
    }
  }

  @Test func `what comes after a value that failed can still be read`() throws {
    let archiver = Archiver()
    try archiver.encodeObjects([View(title: "a"), View(title: "b")], forKey: "views")
    try archiver.encodeInt(7)
    let unarchiver = try Unarchiver(archiver.finish())
    #expect(throws: ArchiveError.self) { try unarchiver.decodeStrings(forKey: "views") }
    #expect(try unarchiver.decodeInt() == 7)
  }
}
