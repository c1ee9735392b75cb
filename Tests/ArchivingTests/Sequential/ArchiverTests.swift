import Archiving
import Testing

/// What the archiver writes, and that the unarchiver reads it.
@Suite struct ArchiverTests {
  @Test func `an archive has the bytes of Apple's for the same values`() throws {
    let archiver = Archiver()
    try archiver.encodeStrings(["a", "b", "a"], forKey: "")
    let header: [UInt8] = [0x04, 0x0B] + Array("streamtyped".utf8) + [0x81, 0xE8, 0x03]
    let expected =
      header + [0x84, 0x01, 0x40, 0x84, 0x84, 0x84, 0x07] + Array("NSArray".utf8)
      + [0x00, 0x84, 0x84, 0x08] + Array("NSObject".utf8)
      + [0x00, 0x85, 0x84, 0x01, 0x69, 0x03, 0x92, 0x84, 0x84, 0x84, 0x08]
      + Array("NSString".utf8)
      + [0x01, 0x94, 0x84, 0x01, 0x2B, 0x01, 0x61, 0x86, 0x92, 0x84, 0x96, 0x97, 0x01, 0x62]
      + [0x86, 0x92, 0x95, 0x86]
    #expect(try archiver.finish() == expected)
  }

  @Test func `plain values have the types that their methods tell`() throws {
    let archiver = Archiver()
    try archiver.encodeBool(true, forKey: "a")
    try archiver.encodeInt(-200, forKey: "b")
    try archiver.encodeInt32(7, forKey: "c")
    try archiver.encodeFloat(0.5, forKey: "d")
    try archiver.encodeDouble(2, forKey: "e")
    try archiver.encodeBytes([1, 2], forKey: "f")
    try archiver.encodeNil(forKey: "g")
    try archiver.encodeDataObject([9])
    let bytes = try archiver.finish()
    let stream = try Typedstream(bytes)
    var types: [String] = []
    var scanner = stream.events()
    while let event = try scanner.next() {
      if case .beginGroup(let number) = event { types.append(stream.text(ofString: number)) }
    }
    #expect(types == ["c", "q", "i", "f", "d", "+", "@", "i", "[1c]"])
    let unarchiver = try Unarchiver(bytes)
    #expect(try unarchiver.decodeBool())
    #expect(try unarchiver.decodeInt() == -200)
    #expect(try unarchiver.decodeInt32() == 7)
    #expect(try unarchiver.decodeFloat() == 0.5)
    #expect(try unarchiver.decodeDouble(forKey: "e") == 2)
    #expect(try unarchiver.decodeBytes() == [1, 2])
    #expect(try unarchiver.decodeObjectIfPresent(View.self) == nil)
    #expect(!unarchiver.isAtEnd)
    #expect(try unarchiver.decodeDataObject().bytes == [9])
    #expect(unarchiver.isAtEnd)
    #expect(try unarchiver.decodeIntIfPresent(forKey: "h") == nil)
    #expect(throws: ArchiveError.self) { try unarchiver.decodeInt() }
  }

  @Test(arguments: [TypedstreamByteOrder.littleEndian, .bigEndian])
  func `collections, data and dates are the same again`(_ order: TypedstreamByteOrder) throws {
    let archiver = Archiver(byteOrder: order, systemVersion: 930)
    try archiver.encodeStrings(["a", "b", "a", "long enough to be shared by all"], forKey: "")
    try archiver.encodeInts([1, -1, .max, .min], forKey: "")
    try archiver.encodeDoubles([0.1, 2, .infinity], forKey: "")
    try archiver.encodeStringDictionary(["k": "v", "l": "w"], forKey: "")
    try archiver.encodeStringPairs([("z", "1"), ("a", "2")], forKey: "")
    try archiver.encodeData([1, 2, 3], forKey: "")
    try archiver.encodeData(nil, forKey: "")
    try archiver.encodePacked([1.5, -2.5] as [Double], forKey: "")
    try archiver.encodeDate(123.25, forKey: "")
    try archiver.encodeDictionary(["x": View(title: "x")], forKey: "")
    try archiver.encodeObjects([View(title: "1"), View(title: "2")], forKey: "")
    let bytes = try archiver.finish()
    let unarchiver = try Unarchiver(bytes)
    #expect(unarchiver.stream.byteOrder == order)
    #expect(unarchiver.systemVersion == 930)
    let strings = try unarchiver.decodeStrings(forKey: "")
    #expect(strings == ["a", "b", "a", "long enough to be shared by all"])
    #expect(try unarchiver.decodeInts(forKey: "") == [1, -1, .max, .min])
    #expect(try unarchiver.decodeDoubles(forKey: "") == [0.1, 2, .infinity])
    #expect(try unarchiver.decodeStringDictionary(forKey: "") == ["k": "v", "l": "w"])
    #expect(try unarchiver.decodeStringPairs(forKey: "").map(\.key) == ["z", "a"])
    #expect(try unarchiver.decodeData(forKey: "") == [1, 2, 3])
    #expect(try unarchiver.decodeDataIfPresent(forKey: "") == nil)
    #expect(try unarchiver.decodePacked(Double.self, forKey: "") == [1.5, -2.5])
    #expect(try unarchiver.decodeDate(forKey: "") == 123.25)
    #expect(try unarchiver.decodeDictionary(of: View.self, forKey: "")["x"]?.title == "x")
    #expect(try unarchiver.decodeObjects(View.self, forKey: "").map(\.title) == ["1", "2"])
    #expect(unarchiver.isAtEnd)
  }

  @Test func `sets and mixed dictionaries have the forms of Apple's`() throws {
    let archiver = Archiver()
    try archiver.encodeStringSet(["b", "a"], forKey: "")
    try archiver.encodeObjectSet([View(title: "1"), View(title: "2")], forKey: "")
    let mixed: [String: any Coding] = ["v": View(title: "v"), "s": Style(number: 1, colour: "red")]
    try archiver.encodeDictionary(mixed, forKey: "")
    let bytes = try archiver.finish()
    let stream = try Typedstream(bytes)
    let set = try #require(stream.roots().first)
    #expect(set.className == "NSSet")
    #expect(try set.groups().map(\.types) == ["I", "@", "@"])
    let unarchiver = Unarchiver(stream: stream)
    #expect(throws: ArchiveError.self) { try Unarchiver(bytes).decodeStrings(forKey: "") }
    #expect(try unarchiver.decodeStringSet(forKey: "") == ["a", "b"])
    #expect(try unarchiver.decodeObjectSet(View.self, forKey: "").map(\.title) == ["1", "2"])
    let classes = ClassList<any Coding>([View.self, Style.self])
    let again = try unarchiver.decodeDictionary(in: classes, forKey: "")
    #expect((again["v"] as? View)?.title == "v")
    #expect((again["s"] as? Style)?.colour == "red")
  }

  @Test func `shared objects and strings are one again`() throws {
    let boss = Employee("Ada", "Boss", number: 1)
    let staff = [
      boss, Employee("Bob", "Staff", number: 2, manager: boss),
      Employee("Cy", "Staff", number: -300_000, manager: boss),
    ]
    let archiver = Archiver()
    try archiver.encodeObjects(staff, forKey: "staff")
    try archiver.encodeObject(staff[2], forKey: "favourite")
    let bytes = try archiver.finish()
    let unarchiver = try Unarchiver(bytes)
    let again = try unarchiver.decodeObjects(Employee.self, forKey: "staff")
    #expect(again.map(\.number) == [1, 2, -300_000])
    #expect(again[1].manager === again[0] && again[2].manager === again[0])
    #expect(try unarchiver.decodeObject(Employee.self, forKey: "favourite") === again[2])
    #expect(unarchiver.isAtEnd)
    #expect(try TypedstreamWriter.rewrite(Typedstream(bytes)) == bytes)
  }

  @Test func `classes are written once, with their versions and superclasses`() throws {
    let archiver = Archiver()
    try archiver.encodeObject(
      MapView(title: "map", magnification: 2, legend: View(title: "legend")), forKey: "")
    try archiver.encodeObject(Gauge("g", ticks: [], level: 1), forKey: "")
    let stream = try Typedstream(archiver.finish())
    #expect(stream.chain(ofClass: 0) == ["MapView", "View", "NSObject"])
    #expect(stream.version(forClassName: "Gauge") == 3)
    #expect(stream.version(forClassName: "View") == 0)
    #expect(stream.version(forClassName: "Nobody") == nil)
    #expect(stream.classes.count == 5)
    #expect(Unarchiver(stream: stream).version(forClassName: "Gauge") == 3)
  }

  @Test func `a renamed class is read under its former name or as another class`() throws {
    let map = MapView(title: "map", magnification: 2)
    let archiver = Archiver()
    try archiver.encodeClassName("MapView", intoClassName: "OldMapView")
    #expect(archiver.classNameEncoded(forTrueClassName: "MapView") == "OldMapView")
    try archiver.encodeObject(map)
    #expect(throws: ArchiveError.self) {
      try archiver.encodeClassName("MapView", intoClassName: "Late")
    }
    let bytes = try archiver.finish()
    #expect(try Typedstream(bytes).chain(ofClass: 0) == ["OldMapView", "View", "NSObject"])
    #expect(try Unarchiver.unarchive(MapView.self, from: bytes).magnification == 2)

    let other = Archiver()
    try other.encodeClassName("MapView", intoClassName: "Strange")
    try other.encodeObject(map)
    let strange = try other.finish()
    let error = #expect(throws: ArchiveError.self) {
      try Unarchiver.unarchive(MapView.self, from: strange)
    }
    #expect(error?.code == .classNotAllowed)
    let unarchiver = try Unarchiver(strange)
    unarchiver.decodeClassName("Strange", asClassName: "MapView")
    #expect(try unarchiver.decodeObject(MapView.self).title == "map")
    #expect(unarchiver.version(forClassName: "MapView") == 0)
  }

  @Test func `an object may be replaced by another or by none`() throws {
    let (one, two) = (View(title: "one"), View(title: "two"))
    let archiver = Archiver()
    archiver.replaceObject(one, with: View(title: "other"))
    archiver.replaceObject(two, with: nil)
    try archiver.encodeObject(
      MapView(title: "map", magnification: 1, legend: one, auxiliary: one))
    try archiver.encodeObject(two)
    try archiver.encodeObject(Stand())
    let unarchiver = try Unarchiver(archiver.finish())
    let map = try unarchiver.decodeObject(MapView.self)
    #expect(map.legend?.title == "other" && map.auxiliary === map.legend)
    #expect(try unarchiver.decodeObjectIfPresent(View.self) == nil)
    #expect(try unarchiver.decodeObject(View.self).title == "stood for")
  }

  @Test func `a finished archiver takes nothing more`() throws {
    let archiver = Archiver()
    try archiver.encodeObject(View(title: ""))
    _ = try archiver.finish()
    #expect(throws: ArchiveError.self) { try archiver.finish() }
    #expect(throws: ArchiveError.self) { try archiver.encodeObject(View(title: "")) }
  }

  @Test func `an error of an object is the archiver's, with its path`() throws {
    let archiver = Archiver()
    let pairs = [("a", ""), ("a", "")]
    #expect(throws: ArchiveError.self) {
      try archiver.encodeStringPairs(pairs.map { (key: $0.0, value: $0.1) }, forKey: "names")
    }
    let error = #expect(throws: ArchiveError.self) { try archiver.finish() }
    #expect(error?.code == .duplicateKey)
    #expect(error?.path == "group 0.names")
  }
}
