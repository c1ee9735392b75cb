import Archiving
import Foundation
import PortolanTestSupport
import Testing

/// A part of a chain: it holds the next one in one of the ways in which objects hold others.
private final class Bead: Coding, Hashable {
  /// The ways in which a bead holds the next one.
  enum Form: Int32, CaseIterable {
    case direct, optional, array, anyArray, nestedArray, list, set, objectSet, orderedSet,
      countedSet
    case dictionary, objectDictionary, box, unkeyed
  }

  let form: Form
  var next: Bead?

  init(_ form: Form, _ next: Bead?) { (self.form, self.next) = (form, next) }

  static var archivedClass: ArchivedClass { "Bead" }

  static func == (first: Bead, second: Bead) -> Bool { first === second }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  private var row: [Bead] { next.map { [$0] } ?? [] }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt32(form.rawValue, forKey: "form")
    switch form {
    case .direct: try coder.encodeObject(next, forKey: "next")
    case .optional: try coder.encode(next, forKey: "next")
    case .array: try coder.encodeObjects(row, forKey: "next")
    case .anyArray: try coder.encode(row, forKey: "next")
    case .nestedArray: try coder.encode([row], forKey: "next")
    case .list: try coder.encodeObjects(row as [any Coding], forKey: "next")
    case .set: try coder.encode(Set(row), forKey: "next")
    case .objectSet: try coder.encodeObjectSet(row, forKey: "next")
    case .orderedSet: try coder.encode(ArchivedOrderedSet(row), forKey: "next")
    case .countedSet:
      try coder.encode(ArchivedCountedSet(row.map { (element: $0, count: 2) }), forKey: "next")
    case .dictionary: try coder.encode(next.map { [7: $0] } ?? [:], forKey: "next")
    case .objectDictionary:
      try coder.encodeDictionary(next.map { ["next": $0] } ?? [:], forKey: "next")
    case .box: try coder.encode(BeadBox(items: row), forKey: "next")
    case .unkeyed: try coder.encodeObject(row)
    }
  }

  init(coder: any DecodingCoder) throws {
    guard let form = Form(rawValue: try coder.decodeInt32(forKey: "form")) else {
      throw coder.invalidValue("no form", forKey: "form")
    }
    self.form = form
    switch form {
    case .direct: next = try coder.decodeObjectIfPresent(Bead.self, forKey: "next")
    case .optional: next = try coder.decodeIfPresent(Bead.self, forKey: "next")
    case .array: next = try coder.decodeObjects(Bead.self, forKey: "next").first
    case .anyArray: next = try coder.decode([Bead].self, forKey: "next").first
    case .nestedArray: next = try coder.decode([[Bead]].self, forKey: "next").first?.first
    case .list:
      next = try coder.decodeObjects(in: ClassList<Bead>([Bead.self]), forKey: "next").first
    case .set: next = try coder.decode(Set<Bead>.self, forKey: "next").first
    case .objectSet: next = try coder.decodeObjectSet(Bead.self, forKey: "next").first
    case .orderedSet:
      next = try coder.decode(ArchivedOrderedSet<Bead>.self, forKey: "next").elements.first
    case .countedSet:
      next = try coder.decode(ArchivedCountedSet<Bead>.self, forKey: "next").members.first?.element
    case .dictionary: next = try coder.decode([Int: Bead].self, forKey: "next").values.first
    case .objectDictionary:
      next = try coder.decodeDictionary(of: Bead.self, forKey: "next").values.first
    case .box: next = try coder.decode(BeadBox<Bead>.self, forKey: "next").items.first
    case .unkeyed: next = try coder.decodeObject([Bead].self).first
    }
  }

  /// A chain whose first bead has the first form.
  static func chain(_ forms: [Form]) -> Bead {
    var bead: Bead?
    for form in forms.reversed() { bead = Bead(form, bead) }
    return bead ?? Bead(.direct, nil)
  }

  var forms: [Form] {
    var forms: [Form] = []
    var bead: Bead? = self
    while let present = bead {
      forms.append(present.form)
      bead = present.next
    }
    return forms
  }

  /// Lets go of a chain without recursion.
  static func dismantle(_ chain: Bead) {
    var bead: Bead? = chain
    while let present = bead {
      bead = present.next
      present.next = nil
    }
  }
}

/// A generic collection of a program's own.
private struct BeadBox<Item: Coding>: Coding {
  var items: [Item]

  init(items: [Item]) { self.items = items }

  static var archivedClass: ArchivedClass { "BeadBox" }

  func encode(with coder: any EncodingCoder) throws { try coder.encode(items, forKey: "items") }

  init(coder: any DecodingCoder) throws { items = try coder.decode([Item].self, forKey: "items") }
}

/// A part that holds others in an array, and nothing else.
private protocol Nested: Coding, AnyObject {
  var parts: [Self] { get set }
  init(_ parts: [Self])
}

extension Nested {
  static func chain(_ height: Int) -> Self {
    var part = Self([])
    for _ in 1..<height { part = Self([part]) }
    return part
  }

  var height: Int {
    var height = 1
    var part = self
    while let next = part.parts.first { (height, part) = (height + 1, next) }
    return height
  }

  /// Lets go of a chain without recursion.
  static func dismantle(_ chain: Self) {
    var part: Self? = chain
    while let present = part {
      part = present.parts.first
      present.parts = []
    }
  }
}

/// One that has its parts coded by the call for arrays of objects.
private final class Twig: Nested {
  var parts: [Twig]

  init(_ parts: [Twig]) { self.parts = parts }

  static var archivedClass: ArchivedClass { "Twig" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObjects(parts, forKey: "parts")
  }

  init(coder: any DecodingCoder) throws {
    parts = try coder.decodeObjects(Twig.self, forKey: "parts")
  }
}

/// One that has its parts coded by the call for everything.
private final class Bough: Nested {
  var parts: [Bough]

  init(_ parts: [Bough]) { self.parts = parts }

  static var archivedClass: ArchivedClass { "Bough" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encode(parts, forKey: "parts")
  }

  init(coder: any DecodingCoder) throws {
    parts = try coder.decode([Bough].self, forKey: "parts")
  }
}

/// The coders, each with a form of its own.
enum Medium: CaseIterable {
  case binary, xml, sequential, port

  private static var limits: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.depthMax = .max
    return limits
  }

  func archive(_ object: some Coding) throws -> [UInt8] {
    switch self {
    case .binary: return try KeyedArchiver.archive(object, limits: Self.limits)
    case .xml:
      let archiver = KeyedArchiver(limits: Self.limits)
      archiver.outputFormat = .xml
      try archiver.encodeObject(object, forKey: "root")
      return try archiver.finish()
    case .sequential: return try Archiver.archive(object, limits: Self.limits)
    case .port:
      let message = try PortArchiver(
        .request("tie", sequence: 1), objects: PortObjects(), limits: Self.limits)
      try message.encodeBycopyObject(object, forKey: "root")
      return try message.finish()
    }
  }

  func object<Object: Coding>(_ type: Object.Type, _ bytes: [UInt8]) throws -> Object {
    switch self {
    case .binary, .xml:
      return try KeyedUnarchiver.unarchive(type, from: bytes, limits: Self.limits)
    case .sequential: return try Unarchiver.unarchive(type, from: bytes, limits: Self.limits)
    case .port:
      let message = try PortUnarchiver(
        bytes, objects: PortObjects(), sizeMax: .max, limits: Self.limits)
      return try message.decodeObject(type, forKey: "root")
    }
  }
}

/// The result of a step; `nil` when objects are nested too deep for the stack.
func unlessTooDeep<Value>(_ body: () throws -> Value) throws -> Value? {
  do {
    return try body()
  } catch let error as ArchiveError where error.code == .tooDeep {
    #expect(error.reason.contains("a larger stack"))
    return nil
  }
}

@Suite struct NestingTests {
  /// Archives a chain of forms on one stack, and reads it on another; `nil` for what is too deep.
  private func travel(
    _ forms: [Bead.Form], _ medium: Medium, written stack: Int, read other: Int
  ) throws -> (isWritten: Bool, forms: [Bead.Form]?) {
    nonisolated(unsafe) let chain = Bead.chain(forms)
    defer { Bead.dismantle(chain) }
    let bytes = try onStack(bytes: stack) { try unlessTooDeep { try medium.archive(chain) } }
    guard let bytes else { return (false, nil) }
    // The chain that was read is let go of on the same small stack.
    return (
      true,
      try onStack(bytes: other) { try unlessTooDeep { try medium.object(Bead.self, bytes).forms } }
    )
  }

  @Test(arguments: Seeds.some(16))
  func `objects nested in any way come back, or are refused as too deep`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stack = Int.random(in: 128...768, using: &random) << 10
    let few = Array(
      Bead.Form.allCases.shuffled(using: &random).prefix(.random(in: 1...4, using: &random)))
    let forms = (0..<Int.random(in: 1...1_200, using: &random)).compactMap { _ in
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

  /// How high a chain is that comes back from an archive, written and read on a stack.
  private func travel<Part: Nested>(
    _ type: Part.Type, _ height: Int, _ medium: Medium, stack: Int
  ) throws -> Int? {
    nonisolated(unsafe) let chain = Part.chain(height)
    defer { Part.dismantle(chain) }
    // Written and read by one thread: another may be given a larger stack than it asked for.
    return try onStack(bytes: stack) {
      try unlessTooDeep { try medium.archive(chain) }.map {
        let part = try medium.object(Part.self, $0)
        defer { Part.dismantle(part) }
        return part.height
      }
    }
  }

  @Test(arguments: Medium.allCases, [2_000])
  func `objects in arrays of each other are written and read`(
    _ medium: Medium, _ height: Int
  ) throws {
    #expect(try travel(Twig.self, height, medium, stack: 8 << 20) == height)
    #expect(try travel(Bough.self, height, medium, stack: 8 << 20) == height)
  }

  @Test(arguments: Medium.allCases)
  func `a small stack reads more than it writes`(_ medium: Medium) throws {
    // Written on a large one.
    for height in [200, 400] {
      nonisolated(unsafe) let (twigs, boughs) = (Twig.chain(height), Bough.chain(height))
      defer {
        Twig.dismantle(twigs)
        Bough.dismantle(boughs)
      }
      let bytes = try onStack(bytes: 8 << 20) { try medium.archive(twigs) }
      let read = try onStack(bytes: 512 << 10) { try medium.object(Twig.self, bytes).height }
      #expect(read == height)
      guard height == 200 else { continue }
      let others = try onStack(bytes: 8 << 20) { try medium.archive(boughs) }
      #expect(
        try onStack(bytes: 512 << 10) { try medium.object(Bough.self, others).height } == height)
    }
  }

  @Test(arguments: Medium.allCases)
  func `a small stack carries four hundred objects, written, read and let go`(
    _ medium: Medium
  ) throws {
    #expect(try travel(Twig.self, 400, medium, stack: 512 << 10) == 400)
    #expect(try travel(Bough.self, 400, medium, stack: 512 << 10) == 400)
    for form in Bead.Form.allCases {
      // Its method for coding has much on the stack, and some forms are several objects.
      let forms = Array(repeating: form, count: 200)
      let result = try travel(forms, medium, written: 512 << 10, read: 512 << 10)
      #expect(result.forms == forms, "\(form)")
    }
  }

  @Test(arguments: Medium.allCases)
  func `a thread reads what it writes`(_ medium: Medium) throws {
    var refused = 0
    for height in stride(from: 20, through: 2_000, by: 330) {
      for read in [
        try travel(Twig.self, height, medium, stack: 512 << 10),
        try travel(Bough.self, height, medium, stack: 512 << 10),
      ] {
        #expect(read == nil || read == height)
        if read == nil { refused += 1 }
      }
    }
    #expect(refused > 0)
  }
}
