import Archiving
import PortolanTestSupport
import Testing

private class Person: Coding {
  let name: String
  init(_ name: String) { self.name = name }
  class var archivedClass: ArchivedClass { "Person" }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(name, forKey: "name") }
  required init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
}

private final class Chief: Person {
  override class var archivedClass: ArchivedClass {
    ArchivedClass("Chief", superclass: super.archivedClass)
  }
}

/// Names what it holds with a list of its own.
private struct Box: Coding {
  var content: [any Coding]
  static var archivedClass: ArchivedClass { "Box" }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(content, forKey: "content") }
  init(coder: any DecodingCoder) throws {
    content = try coder.decodeObjects(in: [String.self], forKey: "content")
  }
  init(_ content: [any Coding]) { self.content = content }
}

/// A list of classes holds at every depth of collections, in every coder.
@Suite struct ClassListTests {
  /// What a list makes of a value in each coder; all must agree in words.
  private func read(
    _ value: any Coding, _ types: [any Coding.Type], classes: [any Coding.Type] = []
  ) throws -> [Result<any Coding, ArchiveError>] {
    let list = ClassList<any Coding>(types)
    func result(_ read: () throws -> any Coding) throws -> Result<any Coding, ArchiveError> {
      do {
        return .success(try read())
      } catch let error as ArchiveError {
        return .failure(error)
      }
    }
    let archiver = KeyedArchiver()
    archiver.outputFormat = .xml
    try archiver.encodeObject(value, forKey: "root")
    let xml = try archiver.finish()
    let sequential = Archiver()
    try sequential.encodeAnyObject(value, forKey: "root")
    let stream = try sequential.finish()
    let line = Line()
    let message = try line.send(classes: classes) { coder in
      func copy<Value: Coding>(_ value: Value) throws { try coder.encodeBycopyObject(value) }
      try copy(value)
    }
    return [
      try result {
        try KeyedUnarchiver(KeyedArchiver.archive(value), classes: classes)
          .decodeObject(in: list, forKey: "root")
      },
      try result {
        try KeyedUnarchiver(xml, classes: classes).decodeObject(in: list, forKey: "root")
      },
      try result { try Unarchiver(stream, classes: classes).decodeObject(in: list) },
      try result { try message.decodeObject(in: list) },
    ]
  }

  private func values(_ value: any Coding, _ types: [any Coding.Type]) throws -> [any Coding] {
    try read(value, types).map { try $0.get() }
  }

  @Test func `mixed data below the first level holds objects of one's own`() throws {
    let value = MixedDictionary([("list", MixedArray([Person("a"), "s", MixedArray([2.5])]))])
    let types: [any Coding.Type] = [
      MixedDictionary.self, MixedArray.self, Person.self, String.self, Double.self,
    ]
    for made in try values(value, types) {
      let list = (made as? MixedDictionary)?.pairs.first?.value as? MixedArray
      #expect((list?.elements[0] as? Person)?.name == "a")
      #expect(list?.elements[1] as? String == "s")
      #expect((list?.elements[2] as? MixedArray)?.elements.first as? Double == 2.5)
    }
    // What is not listed is refused below the first level as on it.
    for failed in try read(value, [MixedDictionary.self, MixedArray.self, String.self]) {
      #expect(throws: ArchiveError.self) { try failed.get() }
    }
  }

  @Test func `two types of arrays in a list do not clash`() throws {
    for types in [[[Person].self, [String].self], [[String].self, [Person].self]]
      as [[any Coding.Type]]
    {
      for made in try values([Person("a")], types) {
        #expect((made as? [Person])?.map(\.name) == ["a"])
      }
      for made in try values(["s"], types) { #expect(made as? [String] == ["s"]) }
      for made in try read(MixedArray([Person("a"), "s"]), types) {
        let error = #expect(throws: ArchiveError.self) { try made.get() }
        #expect(error?.code == .classNotAllowed)
        #expect(error?.reason.contains("MixedArray") == true)
      }
    }
    for made in try values([[1], []], [[[String]].self, [[Int]].self]) {
      #expect(made as? [[Int]] == [[1], []])
    }
    for made in try values([1, 2.5], [[Int].self, [Double].self] + [Int.self]) {
      #expect(made as? [Double] == [1, 2.5])
    }
  }

  @Test func `a list admits subclasses that are listed, at every depth`() throws {
    let value = [[Chief("c"), Person("p")]]
    for made in try values(value, [[[Person]].self, Chief.self]) {
      let people = try #require(made as? [[Person]])
      #expect(people[0][0] is Chief && people[0][1].name == "p")
    }
    for made in try read(value, [[[Person]].self]) {
      #expect(throws: ArchiveError.self) { try made.get() }
    }
    for made in try read(value, [[[Person]].self], classes: [Chief.self]) {
      #expect(((try made.get()) as? [[Person]])?[0][0] is Chief)
    }
  }

  @Test func `a list ends at objects that name their classes themselves`() throws {
    for made in try read(MixedArray([Box(["a", 1])]), [MixedArray.self, Box.self, Int.self]) {
      #expect(throws: ArchiveError.self) { try made.get() }
    }
    for made in try values(MixedArray([Box(["a"])]), [MixedArray.self, Box.self]) {
      #expect((((made as? MixedArray)?.elements[0]) as? Box)?.content[0] as? String == "a")
    }
  }

  @Test func `any value goes beside classes of one's own, and becomes an instance later`() throws {
    let values: [any Coding] = ["s", Person("a"), 2.5, ["t"], MixedArray([Person("b")])]
    let types: ClassList<any Coding> = [Cocoa.Object.self, Person.self]
    let keyed = KeyedArchiver()
    try keyed.encode(values, forKey: "x")
    let sequential = Archiver()
    try sequential.encode(values, forKey: "x")
    let unarchiver = try KeyedUnarchiver(keyed.finish())
    let reader = try Unarchiver(sequential.finish())
    for coder in [unarchiver, reader] as [any DecodingCoder] {
      let made = try coder.decodeObjects(in: types, forKey: "x")
      #expect(made[0] as? Cocoa.Object == "s")
      #expect((made[1] as? Person)?.name == "a")
      #expect(made[2] as? Cocoa.Object == 2.5)
      #expect(made[3] as? Cocoa.Object == .array(["t"]))
      guard case .array(let array)? = made[4] as? Cocoa.Object,
        case .unknown(let kept)? = array.elements.first
      else {
        Issue.record("\(made[4])")
        continue
      }
      #expect(try kept.decode(Person.self).name == "b")
      let instance =
        try (coder as? KeyedUnarchiver)?.decodeObject(Person.self, from: kept)
        ?? (coder as? Unarchiver)?.decodeObject(Person.self, from: kept)
      let again =
        try (coder as? KeyedUnarchiver)?.decodeObject(in: types, from: kept)
        ?? (coder as? Unarchiver)?.decodeObject(in: types, from: kept)
      #expect(instance != nil && again as? Person === instance)
      #expect(throws: ArchiveError.self) { try kept.decode(Box.self) }
      #expect(throws: ArchiveError.self) {
        try KeyedUnarchiver(KeyedArchiver.archive(1)).decodeObject(Person.self, from: kept)
      }
    }
  }

  @Test func `unknown objects below the first level are kept as the list says`() throws {
    let list = ClassList<any Coding>([MixedArray.self, String.self], unknown: { $0 })
    let bytes = try KeyedArchiver.archive(MixedArray(["a", Person("b")]))
    let made = try KeyedUnarchiver(bytes).decodeObject(in: list, forKey: "root") as? MixedArray
    #expect((made?.elements[1] as? UnknownObject)?.className == "Person")
  }

  @Test func `the present name of a type has it before the former name of another`() throws {
    let value = Cocoa.Object.mutableString(Cocoa.MutableString("m"))
    for made in try values(
      MixedArray([value]), [MixedArray.self, String.self, Cocoa.MutableString.self])
    {
      #expect(
        (made as? MixedArray)?.elements[0] as? Cocoa.MutableString == Cocoa.MutableString("m"))
    }
  }

  // MARK: Numbers

  @Test func `mixed numbers keep their kinds in every coder`() throws {
    let types: [any Coding.Type] = [MixedArray.self, Bool.self, Int.self, Double.self]
    for made in try values(MixedArray([1, 2.5, true]), types) {
      let numbers = try #require(made as? MixedArray).elements
      #expect(
        numbers[0] as? Int == 1 && numbers[1] as? Double == 2.5 && numbers[2] as? Bool == true)
    }
    for made in try read(MixedArray([UInt64.max]), types) {
      #expect(throws: ArchiveError.self) { try made.get() }
    }
  }

  private static let numberTypes: [any Coding.Type] = [
    Bool.self, Int.self, Double.self, Float.self, Int32.self, UInt8.self, UInt64.self,
    Cocoa.Number.self,
  ]

  /// Whether a type holds a number exactly.
  private func holds(_ type: any Coding.Type, _ number: Cocoa.Number) -> Bool {
    let whole: Int128? =
      switch number.value {
      case .bool(let value): value ? 1 : 0
      case .integer(let value): Int128(value)
      case .unsigned(let value): Int128(value)
      case .float(let value): Int128(exactly: value)
      case .double(let value): Int128(exactly: value)
      }
    switch type {
    case is Bool.Type: return whole == 0 || whole == 1
    case is Int.Type: return whole.flatMap { Int(exactly: $0) } != nil
    case is Int32.Type: return whole.flatMap { Int32(exactly: $0) } != nil
    case is UInt8.Type: return whole.flatMap { UInt8(exactly: $0) } != nil
    case is UInt64.Type: return whole.flatMap { UInt64(exactly: $0) } != nil
    case is Double.Type: return whole.map { Double(exactly: $0) != nil } ?? true
    case is Float.Type:
      if let whole { return Float(exactly: whole) != nil }
      return number.asDouble.isNaN || Double(Float(number.asDouble)) == number.asDouble
    default: return true
    }
  }

  private func isOwn(_ type: any Coding.Type, _ number: Cocoa.Number) -> Bool {
    switch number.value {
    case .bool: type is Bool.Type
    case .integer, .unsigned:
      type is Int.Type || type is Int32.Type || type is UInt8.Type || type is UInt64.Type
    case .float, .double: type is Float.Type || type is Double.Type
    }
  }

  @Test(arguments: Seeds.some(300))
  func `a number becomes the nearest listed type that holds it exactly`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let number: any Coding =
      switch UInt8.random(in: 0..<8, using: &random) {
      case 0: Bool.random(using: &random)
      case 1: Int.random(in: -2...2, using: &random)
      case 2: Int.random(in: .min ... .max, using: &random)
      case 3: UInt64.random(in: .min ... .max, using: &random)
      case 4: Double.random(in: -1e300...1e300, using: &random)
      case 5: Double(Int.random(in: -9...9, using: &random)) / 4
      case 6: Float.random(in: -1e30...1e30, using: &random)
      default:
        [Double.nan, .infinity, -0.0, 9_007_199_254_740_992].randomElement(using: &random) ?? 0
      }
    let value = try #require(Cocoa.Object(value: number))
    guard case .number(let exact) = value else { return }
    let count = Int.random(in: 1...4, using: &random)
    let types = Array(Self.numberTypes.shuffled(using: &random).prefix(count))
    let candidates = types.filter { holds($0, exact) }
    for made in try read(number, types) {
      switch made {
      case .failure(let error): #expect(candidates.isEmpty, "\(error)")
      case .success(let made):
        #expect(candidates.contains { $0 == type(of: made) }, "\(exact) as \(type(of: made))")
        if candidates.contains(where: { isOwn($0, exact) }) {
          #expect(isOwn(type(of: made), exact), "\(exact) as \(type(of: made))")
        }
        let back = try #require(Cocoa.Object(value: made))
        guard case .number(let back) = back else { return }
        #expect(holds(type(of: made), back))
        #expect(back.asDouble == exact.asDouble || exact.asDouble.isNaN && back.asDouble.isNaN)
      }
    }
  }

  @Test func `numbers that do not fit the type of a call throw in every coder`() throws {
    let archiver = KeyedArchiver()
    for (key, number) in ["7": 7, "2.5": 2.5, "large": 1e300, "-1": -1] as [String: Double] {
      try archiver.encode(number, forKey: key)
      try archiver.encodeObject(number, forKey: "object " + key)
      try archiver.encode([number], forKey: "list " + key)
    }
    try archiver.encode(UInt64.max, forKey: "max")
    try archiver.encode(1, forKey: "1")
    try archiver.encodeDouble(.infinity, forKey: "infinity")
    let keyed = try KeyedUnarchiver(archiver.finish())
    for key in ["7", "2.5", "-1", "max"] {
      #expect(throws: ArchiveError.self) { try keyed.decodeBool(forKey: key) }
    }
    for key in ["list 7", "list 2.5"] {
      #expect(throws: ArchiveError.self) { try keyed.decode([Bool].self, forKey: key) }
    }
    #expect(try keyed.decodeBool(forKey: "1"))
    #expect(throws: ArchiveError.self) { try keyed.decodeFloat(forKey: "large") }
    #expect(throws: ArchiveError.self) {
      try keyed.decodeObject(Float.self, forKey: "object large")
    }
    #expect(throws: ArchiveError.self) { try keyed.decode([Float].self, forKey: "list large") }
    #expect(try keyed.decodeFloat(forKey: "infinity") == .infinity)

    let sequential = Archiver()
    try sequential.encodeValues([.integer(7)], ofTypes: "c")
    try sequential.encode([7, 1e300] as [any Coding], forKey: "")
    try sequential.encodeObject(1e300)
    let reader = try Unarchiver(sequential.finish())
    #expect(throws: ArchiveError.self) { try reader.decodeBool() }
    #expect(throws: ArchiveError.self) { try reader.decode([Bool].self, forKey: "") }
    #expect(throws: ArchiveError.self) { try reader.decodeObject(Float.self) }
  }
}
