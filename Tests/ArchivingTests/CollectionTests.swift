import Archiving
import Testing

@Suite struct CollectionTests {
  private func coded(_ encode: (KeyedArchiver) throws -> Void) throws -> KeyedUnarchiver {
    let archiver = KeyedArchiver()
    try encode(archiver)
    return try KeyedUnarchiver(archiver.finish())
  }

  static let classes = ClassList<any Coding>([View.self, Employee.self])

  @Test func `a set is a set object, and its members are shared`() throws {
    let (one, two) = (View(title: "one"), View(title: "two"))
    let unarchiver = try coded {
      try $0.encodeObjectSet([one, two], forKey: "set")
      try $0.encodeObject(two, forKey: "two")
      try $0.encodeStringSet(["b", "a"], forKey: "strings")
    }
    let views = try unarchiver.decodeObjectSet(View.self, forKey: "set")
    #expect(views.map(\.title) == ["one", "two"])
    #expect(try unarchiver.decodeObject(View.self, forKey: "two") === views[1])
    #expect(try unarchiver.decodeStringSet(forKey: "strings") == ["a", "b"])
    #expect(try unarchiver.graph.node(NodeID(rawValue: 1)).classChain == ["NSSet", "NSObject"])
    #expect(try unarchiver.decodeObjectSet(in: Self.classes, forKey: "set").count == 2)
  }

  @Test func `a set is no array, nor the other way round`() throws {
    let unarchiver = try coded {
      try $0.encodeStringSet(["a"], forKey: "set")
      try $0.encodeStrings(["a"], forKey: "array")
    }
    let set = #expect(throws: ArchiveError.self) { try unarchiver.decodeStrings(forKey: "set") }
    #expect(
      set?.description.hasPrefix("$top.set: expected an array, found an object of class NSSet")
        == true)
    #expect(throws: ArchiveError.self) { try unarchiver.decodeStringSet(forKey: "array") }
    #expect(try unarchiver.decodeStringSetIfPresent(forKey: "absent") == nil)
  }

  @Test func `a string that is twice in a set is an error`() throws {
    let twice = KeyedArchiver()
    try twice.encodeObjectSet([View(title: "a"), View(title: "a")], forKey: "set")
    #expect(
      try KeyedUnarchiver(twice.finish()).decodeObjectSet(View.self, forKey: "set").count == 2)
  }

  @Test func `a dictionary of several types keeps each`() throws {
    let boss = Employee("Ada", "", number: 1)
    let unarchiver = try coded {
      try $0.encodeDictionary(
        ["view": View(title: "v"), "boss": boss] as [String: any Coding], forKey: "d")
      try $0.encodeObject(boss, forKey: "boss")
    }
    let again = try unarchiver.decodeDictionary(in: Self.classes, forKey: "d")
    #expect((again["view"] as? View)?.title == "v")
    let ada = try unarchiver.decodeObject(Employee.self, forKey: "boss")
    #expect((again["boss"] as? Employee) === ada)
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeDictionary(in: ClassList<any Coding>([View.self]), forKey: "d")
    }
    #expect(error?.path == "$top.d[0]")
  }

  @Test func `sets and mixed dictionaries pass through a sequential archive`() throws {
    let boss = Employee("Ada", "", number: 1)
    let archiver = Archiver()
    try archiver.encodeDictionary(
      ["view": View(title: "v"), "boss": boss] as [String: any Coding], forKey: "d")
    try archiver.encodeObjectSet([View(title: "one")], forKey: "set")
    try archiver.encodeStringSet(["b", "a"], forKey: "strings")
    let unarchiver = try Unarchiver(archiver.finish())
    let again = try unarchiver.decodeDictionary(in: Self.classes, forKey: "d")
    #expect((again["view"] as? View)?.title == "v")
    #expect((again["boss"] as? Employee)?.firstName == "Ada")
    #expect(try unarchiver.decodeObjectSet(View.self, forKey: "set").map(\.title) == ["one"])
    #expect(try unarchiver.decodeStringSet(forKey: "strings") == ["a", "b"])
  }

  @Test func `numbers of every type are an array without a key`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeArray(of: [Int8.min, 0, .max])
    try archiver.encodeArray(of: [UInt8.min, .max])
    try archiver.encodeArray(of: [Int16.min, .max])
    try archiver.encodeArray(of: [UInt16.max])
    try archiver.encodeArray(of: [Int32.min, .max])
    try archiver.encodeArray(of: [UInt32.max])
    try archiver.encodeArray(of: [Int64.min, .max])
    try archiver.encodeArray(of: [UInt64.max, 0])
    try archiver.encodeArray(of: [Int.min])
    try archiver.encodeArray(of: [Float(1.5), -.infinity])
    try archiver.encodeArray(of: [-0.0, 1e308])
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodeArray(of: Int8.self, count: 3) == [.min, 0, .max])
    #expect(try unarchiver.decodeArray(of: UInt8.self, count: 2) == [.min, .max])
    #expect(try unarchiver.decodeArray(of: Int16.self, count: 2) == [.min, .max])
    #expect(try unarchiver.decodeArray(of: UInt16.self, count: 1) == [.max])
    #expect(try unarchiver.decodeArray(of: Int32.self, count: 2) == [.min, .max])
    #expect(try unarchiver.decodeArray(of: UInt32.self, count: 1) == [.max])
    #expect(try unarchiver.decodeArray(of: Int64.self, count: 2) == [.min, .max])
    #expect(try unarchiver.decodeArray(of: UInt64.self, count: 2) == [.max, 0])
    #expect(try unarchiver.decodeArray(of: Int.self, count: 1) == [.min])
    #expect(try unarchiver.decodeArray(of: Float.self, count: 2) == [1.5, -.infinity])
    #expect(try unarchiver.decodeArray(of: Double.self, count: 2) == [0, 1e308])
  }

  @Test(arguments: ["[2i]", "[3q]", "[3I]"])
  func `an array of another type or length is an error`(_ types: String) throws {
    let archiver = KeyedArchiver()
    try archiver.encodeArray(of: [Int32(1), 2, 3])
    let graph = try ObjectGraph(archiver.finish())
    let array = try graph.node(NodeID(rawValue: 1))
    #expect(array.classChain == ["_NSKeyedCoderOldStyleArray", "NSObject"])
    #expect(array.fields.map(\.key) == ["NS.count", "NS.size", "NS.type", "$0", "$1", "$2"])
    let unarchiver = try KeyedUnarchiver(graph: graph)
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeValues(ofTypes: types) }
    #expect(error?.code == .typeMismatch)
  }

  @Test func `objects among the values of a group need their classes named`() throws {
    let view = View(title: "v")
    let archiver = KeyedArchiver()
    try archiver.encodeValues(
      [.object(view), .integer(3), .object(nil), .conditionalObject(view)], ofTypes: "@i@@")
    let bytes = try archiver.finish()
    let values = try KeyedUnarchiver(bytes).decodeValues(ofTypes: "@i@@", in: Self.classes)
    guard case .object(let first) = values[0], case .object(nil) = values[2],
      case .object(let last) = values[3]
    else {
      Issue.record("\(values)")
      return
    }
    #expect((first as? View)?.title == "v" && (first as? View) === (last as? View))
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(bytes).decodeValues(ofTypes: "@i@@")
    }
    #expect(error?.code == .misuse)
  }
}

@Suite struct GeometryCodingTests {
  @Test(arguments: [0, -0.1, 1.5, 113.90266512166016, 3.4e38, 1.7e308, .leastNonzeroMagnitude])
  func `points, sizes and rectangles are the same again, with a key and without`(
    _ number: Double
  ) throws {
    let point = Cocoa.Point(x: number, y: -number)
    let size = Cocoa.Size(width: number, height: 3)
    let rect = Cocoa.Rect(origin: point, size: size)
    let range = try #require(Cocoa.Range(location: 7, length: .max - 7))
    let archiver = KeyedArchiver()
    try archiver.encodePoint(point, forKey: "point")
    try archiver.encodeSize(size, forKey: "size")
    try archiver.encodeRect(rect, forKey: "rect")
    try archiver.encodeRange(range, forKey: "range")
    try archiver.encodePoint(point)
    try archiver.encodeSize(size)
    try archiver.encodeRect(rect)
    try archiver.encodeRange(range)
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    #expect(try unarchiver.decodePoint() == point)
    #expect(try unarchiver.decodeSize() == size)
    #expect(try unarchiver.decodeRect() == rect)
    #expect(try unarchiver.decodeRange() == range)
    #expect(try unarchiver.decodePoint(forKey: "point") == point)
    #expect(try unarchiver.decodeSize(forKey: "size") == size)
    #expect(try unarchiver.decodeRect(forKey: "rect") == rect)
    #expect(try unarchiver.decodeRange(forKey: "range") == range)
    #expect(try unarchiver.decodePointIfPresent(forKey: "absent") == nil)
  }

  @Test(arguments: [
    ("{1.5, 2}", Cocoa.Rect(x: 1.5, y: 2, width: 0, height: 0)),
    ("{{1, 2}, {3, 4}}", Cocoa.Rect(x: 1, y: 2, width: 3, height: 4)),
    ("{1.000000, 2, 3, 4e2}", Cocoa.Rect(x: 1, y: 2, width: 3, height: 400)),
  ])
  func `other programs' texts are read leniently`(_ text: String, _ rect: Cocoa.Rect) throws {
    let archiver = KeyedArchiver()
    try archiver.encodeString(text, forKey: "rect")
    #expect(try KeyedUnarchiver(archiver.finish()).decodeRect(forKey: "rect") == rect)
  }

  @Test func `a text that is no geometry is an error with its place`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeString("here", forKey: "place")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let point = #expect(throws: ArchiveError.self) { try unarchiver.decodePoint(forKey: "place") }
    #expect(point?.path == "$top.place" && point?.code == .invalidValue)
    let range = #expect(throws: ArchiveError.self) { try unarchiver.decodeRange(forKey: "place") }
    #expect(range?.code == .invalidValue)
  }
}
