import Archiving
import PortolanTestSupport
import Testing

/// Arrays of numbers of one type, as C has them, each with its number before it.
private struct Numbers<Element: ArchivedScalar & Equatable>: Coding, Equatable {
  var elements: [Element]

  static var archivedClass: ArchivedClass { "Numbers" }

  init(_ elements: [Element]) { self.elements = elements }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt32(Int32(elements.count))
    try coder.encodeArray(of: elements)
  }

  init(coder: any DecodingCoder) throws {
    elements = try coder.decodeArray(of: Element.self, count: Int(coder.decodeInt32()))
  }
}

/// A value through each of the coders.
private func copies<Value: Coding>(of value: Value) throws -> [Value] {
  let keyed = KeyedArchiver()
  keyed.outputFormat = .xml
  try keyed.encodeObject(value, forKey: "root")
  let message = try PortArchiver(.request("take", sequence: 1), objects: PortObjects())
  try message.encodeObject(value)
  return [
    try KeyedUnarchiver.unarchive(Value.self, from: KeyedArchiver.archive(value)),
    try KeyedUnarchiver.unarchive(Value.self, from: keyed.finish()),
    try Unarchiver.unarchive(Value.self, from: Archiver.archive(value)),
    try PortUnarchiver(message.finish(), objects: PortObjects()).decodeObject(Value.self),
  ]
}

@Suite struct CArrayTests {
  private func check<Element: ArchivedScalar & Equatable>(
    _ element: (inout SeededGenerator) -> Element, _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let count = seed % 4 == 0 ? 0 : Int.random(in: 0...40, using: &random)
    let numbers = Numbers((0..<count).map { _ in element(&random) })
    for copy in try copies(of: numbers) { #expect(copy == numbers) }
  }

  private func check<Element: ArchivedScalar & FixedWidthInteger>(
    _ type: Element.Type, _ seed: UInt64
  ) throws {
    try check(
      { random in
        Bool.random(using: &random)
          ? Element.random(in: .min ... .max, using: &random)
          : [.min, .max, 0, 1].randomElement(using: &random) ?? 0
      }, seed)
  }

  @Test(arguments: Seeds.some(40))
  func `arrays of every type and number of elements come back`(_ seed: UInt64) throws {
    try check(Int8.self, seed)
    try check(UInt8.self, seed)
    try check(Int16.self, seed)
    try check(UInt16.self, seed)
    try check(Int32.self, seed)
    try check(UInt32.self, seed)
    try check(Int64.self, seed)
    try check(UInt64.self, seed)
    try check(Int.self, seed)
    try check(UInt.self, seed)
    try check({ Float(bitPattern: UInt32.random(in: 0...0x7F7F_FFFF, using: &$0)) }, seed)
    try check({ Double.random(in: -1e9...1e9, using: &$0) }, seed)
  }

  @Test func `an empty array is kept and written back`() throws {
    let bytes = try KeyedArchiver.archive(Numbers<Double>([]))
    let kept = try KeyedUnarchiver(bytes).decodeObject(UnknownObject.self, forKey: "root")
    let again = try KeyedArchiver.archive(kept)
    #expect(try KeyedUnarchiver.unarchive(Numbers<Double>.self, from: again).elements.isEmpty)
    let graph = try ObjectGraph(bytes)
    let arrays = try (0..<graph.nodeCount).compactMap { number in
      let node = NodeID(rawValue: UInt32(number))
      return try graph.node(node).classChain.first == "_NSKeyedCoderOldStyleArray" ? node : nil
    }
    #expect(arrays.count == 1)
  }

  @Test func `a message says the types of an array as characters`() throws {
    let bytes = try KeyedArchiver.archive(Numbers<Int32>([1, 2, 3]))
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Numbers<Double>.self, from: bytes)
    }
    #expect(error?.reason == "expected 3 elements of type d, found 3 of type i")
  }
}

@Suite struct QualifierTests {
  private static var values: [TypedValue] {
    [
      .integer(7), .double(2.5), .array([.integer(1), .integer(-2)]),
      .cString(Array("name".utf8)),
    ]
  }

  private struct Pair: Coding {
    var types: String

    static var archivedClass: ArchivedClass { "Pair" }

    init(types: String) { self.types = types }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(types)
      try coder.encodeValues(QualifierTests.values, ofTypes: types)
    }

    init(coder: any DecodingCoder) throws {
      types = try coder.decodeString()
      let asked = try coder.decodeValues(ofTypes: types)
      #expect(asked.map { "\($0)" } == QualifierTests.values.map { "\($0)" })
    }
  }

  @Test(arguments: Seeds.some(60))
  func `qualifiers stand before any type in any coder`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let qualifiers = Array("rnNoORV")
    func some() -> String {
      String(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          qualifiers[Int.random(in: 0..<qualifiers.count, using: &random)]
        })
    }
    let types = some() + "i" + some() + "d" + some() + "[2" + some() + "s]" + some() + "*"
    for copy in try copies(of: Pair(types: types)) { #expect(copy.types == types) }
  }

  @Test func `qualifiers without a type are refused`() throws {
    let error = #expect(throws: ArchiveError.self) {
      try KeyedArchiver().encodeValues([], ofTypes: "rn")
    }
    #expect(error?.code == .misuse)
  }
}

@Suite struct NarrowNumberTests {
  private struct Row<Number: Coding & Hashable>: Coding, Equatable {
    var numbers: [Number]
    var set: Set<Number>
    var table: [Number: Number]
    var single: Number

    static var archivedClass: ArchivedClass { "Row" }

    init(_ numbers: [Number], single: Number) {
      (self.numbers, self.single) = (numbers, single)
      set = Set(numbers)
      table = Dictionary(numbers.map { ($0, single) }) { first, _ in first }
    }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encode(numbers, forKey: "numbers")
      try coder.encode(set, forKey: "set")
      try coder.encode(table, forKey: "table")
      try coder.encode(single, forKey: "single")
    }

    init(coder: any DecodingCoder) throws {
      numbers = try coder.decode([Number].self, forKey: "numbers")
      set = try coder.decode(Set<Number>.self, forKey: "set")
      table = try coder.decode([Number: Number].self, forKey: "table")
      single = try coder.decode(Number.self, forKey: "single")
    }
  }

  private func check<Number: Coding & FixedWidthInteger>(
    _ type: Number.Type, _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let numbers =
      [.min, .max] + (0..<8).map { _ in Number.random(in: .min ... .max, using: &random) }
    let row = Row(numbers, single: numbers[Int.random(in: 0..<numbers.count, using: &random)])
    for copy in try copies(of: row) { #expect(copy == row) }
  }

  @Test(arguments: Seeds.some(20))
  func `whole numbers of every width are elements, keys and values`(_ seed: UInt64) throws {
    try check(Int8.self, seed)
    try check(Int16.self, seed)
    try check(UInt16.self, seed)
    try check(UInt.self, seed)
    try check(UInt8.self, seed)
    try check(Int32.self, seed)
    try check(UInt32.self, seed)
    try check(UInt64.self, seed)
  }

  @Test func `a number that does not fit is refused`() throws {
    let bytes = try KeyedArchiver.archive([300])
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive([Int8].self, from: bytes)
    }
  }
}
