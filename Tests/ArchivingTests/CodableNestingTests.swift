import Archiving
import PortolanTestSupport
import Testing

/// A codable value as an object of an archive.
private struct Holder<Part: Codable>: Coding {
  var part: Part

  init(part: Part) { self.part = part }

  static var archivedClass: ArchivedClass { "Holder" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeCodable(part, forKey: "part")
  }

  init(coder: any DecodingCoder) throws {
    part = try coder.decodeCodable(Part.self, forKey: "part")
  }
}

/// A codable part of a chain: it holds the next one in one of the ways in which values hold others.
private final class CodableBead: Codable {
  enum Form: Int, Codable, CaseIterable {
    case optional, array, dictionary, nestedArray, single, keyed, unkeyed, above, namedAbove
  }

  let form: Form
  var next: CodableBead?

  init(_ form: Form, _ next: CodableBead?) { (self.form, self.next) = (form, next) }

  private enum Key: String, CodingKey { case form, next, inner }

  /// A value that is written as the one which it holds.
  private struct Shell: Codable {
    var bead: CodableBead?

    init(bead: CodableBead?) { self.bead = bead }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let bead { try container.encode(bead) } else { try container.encodeNil() }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      bead = container.decodeNil() ? nil : try container.decode(CodableBead.self)
    }
  }

  private var row: [CodableBead] { next.map { [$0] } ?? [] }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(form, forKey: .form)
    switch form {
    case .optional: try container.encodeIfPresent(next, forKey: .next)
    case .array: try container.encode(row, forKey: .next)
    case .dictionary: try container.encode(next.map { ["a": $0] } ?? [:], forKey: .next)
    case .nestedArray: try container.encode([row], forKey: .next)
    case .single: try container.encode(Shell(bead: next), forKey: .next)
    case .keyed:
      var inner = container.nestedContainer(keyedBy: Key.self, forKey: .next)
      try inner.encode(next, forKey: .inner)
    case .unkeyed:
      var inner = container.nestedUnkeyedContainer(forKey: .next)
      for bead in row { try inner.encode(bead) }
    case .above: try next?.encode(to: container.superEncoder())
    case .namedAbove: try next?.encode(to: container.superEncoder(forKey: .next))
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    form = try container.decode(Form.self, forKey: .form)
    switch form {
    case .optional: next = try container.decodeIfPresent(CodableBead.self, forKey: .next)
    case .array: next = try container.decode([CodableBead].self, forKey: .next).first
    case .dictionary: next = try container.decode([String: CodableBead].self, forKey: .next)["a"]
    case .nestedArray:
      next = try container.decode([[CodableBead]].self, forKey: .next).first?.first
    case .single: next = try container.decode(Shell.self, forKey: .next).bead
    case .keyed:
      let inner = try container.nestedContainer(keyedBy: Key.self, forKey: .next)
      next = try inner.decode(CodableBead?.self, forKey: .inner)
    case .unkeyed:
      var inner = try container.nestedUnkeyedContainer(forKey: .next)
      next = inner.isAtEnd ? nil : try inner.decode(CodableBead.self)
    case .above: next = try Self.above { try container.superDecoder() }
    case .namedAbove: next = try Self.above { try container.superDecoder(forKey: .next) }
    }
  }

  /// The last part of a chain has none above it.
  private static func above(_ decoder: () throws -> any Decoder) throws -> CodableBead? {
    let above: any Decoder
    do {
      above = try decoder()
    } catch DecodingError.keyNotFound {
      return nil
    }
    return try CodableBead(from: above)
  }

  /// A chain whose first bead has the first form.
  static func chain(_ forms: [Form]) -> CodableBead {
    var bead: CodableBead?
    for form in forms.reversed() { bead = CodableBead(form, bead) }
    return bead ?? CodableBead(.optional, nil)
  }

  var forms: [Form] {
    var forms: [Form] = []
    var bead: CodableBead? = self
    while let present = bead {
      forms.append(present.form)
      bead = present.next
    }
    return forms
  }

  /// Lets go of a chain without recursion.
  static func dismantle(_ chain: CodableBead) {
    var bead: CodableBead? = chain
    while let present = bead {
      bead = present.next
      present.next = nil
    }
  }
}

/// A codable part that holds others in an array, and nothing else.
private final class CodableTwig: Codable {
  var parts: [CodableTwig]

  init(_ parts: [CodableTwig]) { self.parts = parts }

  static func chain(_ height: Int) -> CodableTwig {
    var part = CodableTwig([])
    for _ in 1..<height { part = CodableTwig([part]) }
    return part
  }

  var height: Int {
    var height = 1
    var part = self
    while let next = part.parts.first { (height, part) = (height + 1, next) }
    return height
  }

  static func dismantle(_ chain: CodableTwig) {
    var part: CodableTwig? = chain
    while let present = part {
      part = present.parts.first
      present.parts = []
    }
  }
}

/// Values of Swift's own `Codable` nest as deep as objects do.
@Suite struct CodableNestingTests {
  /// How high a chain is that comes back, written, read and let go by one thread.
  private func height(_ height: Int, _ medium: Medium, stack: Int) throws -> Int? {
    nonisolated(unsafe) let chain = CodableTwig.chain(height)
    defer { CodableTwig.dismantle(chain) }
    return try onStack(bytes: stack) {
      try unlessTooDeep { try medium.archive(Holder(part: chain)) }.map {
        try medium.object(Holder<CodableTwig>.self, $0).part.height
      }
    }
  }

  /// The forms of a chain that comes back from an archive, written on one stack and read on
  /// another.
  private func travel(
    _ forms: [CodableBead.Form], _ medium: Medium, written stack: Int, read other: Int
  ) throws -> (isWritten: Bool, forms: [CodableBead.Form]?) {
    nonisolated(unsafe) let chain = CodableBead.chain(forms)
    defer { CodableBead.dismantle(chain) }
    let bytes = try onStack(bytes: stack) {
      try unlessTooDeep { try medium.archive(Holder(part: chain)) }
    }
    guard let bytes else { return (false, nil) }
    return (
      true,
      try onStack(bytes: other) {
        try unlessTooDeep { try medium.object(Holder<CodableBead>.self, bytes).part.forms }
      }
    )
  }

  @Test(arguments: Medium.allCases)
  func `codable values in arrays of each other are written, read and let go`(
    _ medium: Medium
  ) throws {
    #expect(try height(2_000, medium, stack: 8 << 20) == 2_000)
    #expect(try height(400, medium, stack: 512 << 10) == 400)
  }

  @Test(arguments: Medium.allCases)
  func `a small stack carries codable values held in any way`(_ medium: Medium) throws {
    for form in CodableBead.Form.allCases {
      // Its methods have much on the stack, and some forms are several values.
      let forms = Array(repeating: form, count: 150)
      let result = try travel(forms, medium, written: 512 << 10, read: 512 << 10)
      #expect(result.forms == forms, "\(form)")
    }
  }

  @Test(arguments: Medium.allCases)
  func `a thread reads the codable values that it writes`(_ medium: Medium) throws {
    var refused = 0
    for number in stride(from: 20, through: 2_000, by: 220) {
      let read = try height(number, medium, stack: 512 << 10)
      #expect(read == nil || read == number)
      if read == nil { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test(arguments: Seeds.some(10))
  func `codable values nested in any way come back, or are refused as too deep`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let stack = Int.random(in: 128...768, using: &random) << 10
    let few = Array(
      CodableBead.Form.allCases.shuffled(using: &random).prefix(.random(in: 1...4, using: &random)))
    let forms = (0..<Int.random(in: 1...900, using: &random)).compactMap { _ in
      few.randomElement(using: &random)
    }
    for medium in Medium.allCases {
      // Read on the stack on which it was written, and from a larger one on a smaller.
      for written in [stack, 16 << 20] {
        let result = try travel(forms, medium, written: written, read: stack)
        #expect(result.forms == nil || result.forms == forms, "\(medium) \(few)")
        if written > stack { #expect(result.isWritten) }
      }
    }
  }

  /// A list that is as deep as it is long.
  private final class Chain: Codable {
    var next: Chain?
    init(_ next: Chain?) { self.next = next }

    static func dismantle(_ chain: Chain) {
      var rest: Chain? = chain
      while let present = rest { (rest, present.next) = (present.next, nil) }
    }
  }

  @Test(arguments: [256 << 10, 512 << 10, 8 << 20], [Medium.binary, .sequential])
  func `a hundred thousand codable values are refused before the stack ends`(
    _ stack: Int, _ medium: Medium
  ) throws {
    var first = Chain(nil)
    for _ in 1..<100_000 { first = Chain(first) }
    nonisolated(unsafe) let chain = first
    defer { Chain.dismantle(chain) }
    #expect(
      try onStack(bytes: stack) {
        try unlessTooDeep { try medium.archive(Holder(part: chain)) }
      } == nil)
  }

  /// What another program may have written.
  @Test(arguments: [256 << 10, 512 << 10])
  func `deep dictionaries of others are refused, or passed over where nothing asks for them`(
    _ stack: Int
  ) throws {
    struct Nothing: Codable {}
    for height in [100, 20_000] {
      let bytes = try onStack(bytes: 256 << 20) {
        var first = Chain(nil)
        for _ in 1..<height { first = Chain(first) }
        defer { Chain.dismantle(first) }
        return try Medium.binary.archive(Holder(part: first))
      }
      let isRead = try onStack(bytes: stack) {
        try unlessTooDeep { try Medium.binary.object(Holder<Nothing>.self, bytes) } != nil
      }
      #expect(isRead == (height == 100))
    }
  }

  @Test func `the named limit of depth holds for codable values`() throws {
    var limits = ArchiveLimits()
    limits.depthMax = 50
    let archiver = KeyedArchiver(limits: limits)
    let error = #expect(throws: ArchiveError.self) {
      try archiver.encodeCodable(CodableTwig.chain(60), forKey: "chain")
    }
    #expect(error?.code == .tooDeep)
    #expect(error?.reason.contains("ArchiveLimits.depthMax") == true)
  }
}

/// Keys are compared level by level, and so are bound to the usual depth.
@Suite struct CodableKeyDepthTests {
  /// An archive of a codable part that is a dictionary with two keys: equal chains of so many
  /// dictionaries, whose own keys stand in two orders.
  private static func archive(depth: Int) -> [UInt8] {
    var objects = ["<string>$null</string>", "<string>a</string>", "<string>b</string>"]
    func reference(_ number: Int) -> String {
      "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
    }
    func add(_ object: String) -> Int {
      objects.append(object)
      return objects.count - 1
    }
    let dictionaryClass = add(
      "<dict><key>$classname</key><string>NSDictionary</string><key>$classes</key>"
        + "<array><string>NSDictionary</string><string>NSObject</string></array></dict>")
    func dictionary(_ keys: [Int], _ values: [Int]) -> Int {
      add(
        "<dict><key>$class</key>\(reference(dictionaryClass))"
          + "<key>NS.keys</key><array>\(keys.map(reference).joined())</array>"
          + "<key>NS.objects</key><array>\(values.map(reference).joined())</array></dict>")
    }
    let chains = [[1, 2], [2, 1]].map { keys in
      (0..<depth).reduce(1) { inner, _ in
        dictionary(keys, keys.map { $0 == 1 ? inner : 2 })
      }
    }
    let part = dictionary(chains, [1, 2])
    let holderClass = add(
      "<dict><key>$classname</key><string>Holder</string><key>$classes</key>"
        + "<array><string>Holder</string><string>NSObject</string></array></dict>")
    let holder = add(
      "<dict><key>$class</key>\(reference(holderClass))<key>part</key>\(reference(part))</dict>")
    return Array(
      ("""
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key>\(reference(holder))</dict>
      <key>$objects</key><array>\(objects.joined())</array></dict></plist>
      """).utf8)
  }

  @Test(arguments: [(512 << 10, 100), (512 << 10, 1_000), (8 << 20, 4_000)])
  func `Deep keys are refused, and no stack ends`(stack: Int, depth: Int) throws {
    let bytes = Self.archive(depth: depth)
    let isRefused = try onStack(bytes: stack) {
      do {
        _ = try KeyedUnarchiver.unarchive(Holder<[String: Int]>.self, from: bytes)
        return false
      } catch is ArchiveError {
        return true
      }
    }
    #expect(isRefused)
  }
}
