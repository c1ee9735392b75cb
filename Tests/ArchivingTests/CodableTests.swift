import Archiving
import Foundation
import Testing

@Suite struct CodableTests {
  struct Settings: Codable, Equatable {
    enum Mode: String, Codable { case fast, slow }
    struct Entry: Codable, Equatable {
      var name: String
      var weight: Float
      var tags: [String: Int]
      var parent: [Entry]
    }

    var flag = true
    var small: Int8 = -5
    var large: UInt64 = .max
    var real = -91.73
    var text = "Zoë"
    var none: Int?
    var list: [Int?] = [1, nil, 3]
    var mode = Mode.slow
    var raw: [UInt8] = [1, 2, 255]
    var data = Data([9, 8, 7])
    var date = Date(timeIntervalSinceReferenceDate: 1_234.5)
    var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    var url = URL(string: "https://example.org/a?b")
    var entries = [
      Entry(
        name: "e", weight: 0.25, tags: ["a": 1, "b": 2],
        parent: [Entry(name: "p", weight: .infinity, tags: [:], parent: [])])
    ]
    var pairs: [Int: String] = [3: "three"]
    var empty: [String: String] = [:]
  }

  @Test func `a codable value is the same again`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeCodable(Settings(), forKey: "settings")
    try archiver.encodeCodable(nil as Settings?, forKey: "none")
    try archiver.encodeCodable(42, forKey: "number")
    try archiver.encodeCodable([1.5, 2], forKey: "list")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeCodable(Settings.self, forKey: "settings") == Settings())
    #expect(try unarchiver.decodeCodableIfPresent(Settings.self, forKey: "none") == nil)
    #expect(try unarchiver.decodeCodable(Int.self, forKey: "number") == 42)
    #expect(try unarchiver.decodeCodable([Double].self, forKey: "list") == [1.5, 2])
    #expect(try unarchiver.decodeCodable(Set<Double>.self, forKey: "list") == [1.5, 2])
  }

  /// A class whose superclass codes itself too.
  class Base: Codable {
    var base = "base"
    init() {}
  }
  final class Derived: Base {
    var own = 7
    override init() { super.init() }
    enum CodingKeys: String, CodingKey { case own, nested, list }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(own, forKey: .own)
      var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
      try nested.encode(own + 1, forKey: .own)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode("first")
      try list.encodeNil()
      try super.encode(to: container.superEncoder())
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      own = try container.decode(Int.self, forKey: .own)
      let nested = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .nested)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      guard try nested.decode(Int.self, forKey: .own) == own + 1,
        try list.decode(String.self) == "first", try list.decodeNil(), list.isAtEnd
      else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not nested"))
      }
      try super.init(from: container.superDecoder())
    }
  }

  @Test func `nested containers and superclasses are written and read`() throws {
    let object = Derived()
    (object.base, object.own) = ("other", 9)
    let archiver = KeyedArchiver()
    try archiver.encodeCodable(object, forKey: "object")
    let again = try KeyedUnarchiver(archiver.finish()).decodeCodable(Derived.self, forKey: "object")
    #expect(again.base == "other" && again.own == 9)
  }

  @Test func `what does not fit is an error with its path`() throws {
    struct Wrong: Codable { var entries: [[String: Bool]] }
    struct Right: Codable { var entries: [[String: Int]] }
    let archiver = KeyedArchiver()
    try archiver.encodeCodable(Right(entries: [[:], ["a": 5]]), forKey: "root")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeCodable(Wrong.self, forKey: "root")
    }
    #expect(error?.description == "$top.root.entries[1].a: expected Bool, found a number")
    struct More: Codable { var missing: Int }
    let absent = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeCodable(More.self, forKey: "root")
    }
    #expect(absent?.code == .valueNotFound && absent?.path == "$top.root.missing")
    let tooSmall = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeCodable([Int8].self, forKey: "root")
    }
    #expect(tooSmall?.code == .typeMismatch)
  }

  @Test func `other values stay bounded by the limits`() throws {
    let archiver = KeyedArchiver()
    var value = Cocoa.Object.null
    for _ in 0..<200 { value = .array(Cocoa.Array([value])) }
    try archiver.encodeObject(value, forKey: "value")
    try archiver.encodeCodable(1, forKey: "number")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeCodable(Int.self, forKey: "number") == 1)
    #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(Cocoa.Object.self, forKey: "value")
    }
  }

  @Test func `Foundation reads it as objects of property lists`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeCodable(Settings(), forKey: "settings")
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archiver.finish()))
    let classes =
      [
        NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
      ] as [AnyClass]
    let read = unarchiver.decodeObject(of: classes, forKey: "settings")
    let settings = try #require(read as? [String: Any])
    #expect(settings["text"] as? String == "Zoë")
    #expect(settings["flag"] as? Bool == true)
    #expect(settings["small"] as? Int == -5)
    #expect(settings["real"] as? Double == -91.73)
    #expect(settings["data"] as? Data == Data([9, 8, 7]))
    #expect(settings["date"] as? Date == Date(timeIntervalSinceReferenceDate: 1_234.5))
    #expect((settings["entries"] as? [[String: Any]])?.first?["name"] as? String == "e")
  }

  @Test func `objects of property lists that Foundation wrote are read`() throws {
    struct Plain: Codable, Equatable {
      var name: String
      var numbers: [Double]
      var when: Date
      var flag: Bool
    }
    let plain = Plain(
      name: "n", numbers: [3, 2.5], when: Date(timeIntervalSinceReferenceDate: 7), flag: true)
    let list: [String: Any] = [
      "name": "n", "numbers": [3, 2.5], "when": plain.when, "flag": true,
    ]
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(list as NSDictionary, forKey: "plain")
    archiver.finishEncoding()
    let unarchiver = try KeyedUnarchiver([UInt8](archiver.encodedData))
    #expect(try unarchiver.decodeCodable(Plain.self, forKey: "plain") == plain)
  }
}

extension CodableTests {
  @Test func `a codable value goes through a sequential archive`() throws {
    let archiver = Archiver()
    try archiver.encodeCodable(Settings(), forKey: "settings")
    try archiver.encodeCodable(nil as Settings?, forKey: "none")
    try archiver.encodeCodable([1.5, 2], forKey: "list")
    let unarchiver = try Unarchiver(archiver.finish())
    #expect(try unarchiver.decodeCodable(Settings.self, forKey: "settings") == Settings())
    #expect(try unarchiver.decodeCodableIfPresent(Settings.self, forKey: "none") == nil)
    #expect(try unarchiver.decodeCodable([Double].self, forKey: "list") == [1.5, 2])
  }
}
