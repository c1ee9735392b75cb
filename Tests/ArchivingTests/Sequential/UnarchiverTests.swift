import Archiving
import Testing

/// An object of a class that once had fewer values.
final class Growing: Coding {
  var values: [Int]
  var skips: Bool

  init(_ values: [Int], skips: Bool = false) { (self.values, self.skips) = (values, skips) }

  static var archivedClass: ArchivedClass { ArchivedClass("Growing", version: 4) }

  func encode(with coder: any EncodingCoder) throws {
    for value in values { try coder.encodeInt(value) }
  }

  init(coder: any DecodingCoder) throws {
    values = [try coder.decodeInt(), try coder.decodeIntIfPresent(forKey: "second") ?? -1]
    skips = false
  }
}

/// Reads the same class and passes over what is new.
final class Patient: Coding {
  var first: Int
  static var archivedClass: ArchivedClass { ArchivedClass("Growing", version: 2) }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeInt(first) }
  init(coder: any DecodingCoder) throws {
    first = try coder.decodeInt()
    (coder as? Unarchiver)?.skipRemainingValues()
  }
}

@Suite struct UnarchiverTests {
  @Test func `a value of another type is an error that names both`() throws {
    let archiver = Archiver()
    try archiver.encodeDouble(2.5)
    try archiver.encodeInt(3)
    let unarchiver = try Unarchiver(archiver.finish())
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeInt(forKey: "age") }
    #expect(error?.code == .typeMismatch)
    #expect(error?.reason == "expected values of type q, found d")
    #expect(error?.path == "group 0")
    #expect(error?.offset != nil)
    // It was not read.
    #expect(try unarchiver.decodeDouble() == 2.5)
    #expect(try unarchiver.decodeInt() == 3)
  }

  @Test func `a path names the fields down to the fault`() throws {
    let bytes = try Archiver.archive(
      Gallery(favourite: nil, views: [View(title: "a"), MapView(title: "b", magnification: 1)]))
    let error = #expect(throws: ArchiveError.self) {
      try Unarchiver.unarchive(Gallery.self, from: bytes)
    }
    #expect(error?.code == .classNotAllowed)
    #expect(error?.path.hasPrefix("group 0.views[1]") == true)
    #expect(error?.reason.contains("MapView") == true)
    let again = try Unarchiver.unarchive(Gallery.self, from: bytes, classes: [MapView.self])
    #expect(again.views[1] is MapView)
  }

  @Test func `an object reads all its values, unless it passes over them`() throws {
    let archiver = Archiver()
    for values in [[1], [1, 2], [1, 2, 3], [1, 2, 3]] {
      try archiver.encodeObject(Growing(values))
    }
    let unarchiver = try Unarchiver(archiver.finish())
    #expect(try unarchiver.decodeObject(Growing.self).values == [1, -1])
    #expect(try unarchiver.decodeObject(Growing.self).values == [1, 2])
    let error = #expect(throws: ArchiveError.self) { try unarchiver.decodeObject(Growing.self) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.reason.contains("Growing") == true)
    #expect(try unarchiver.decodeObject(Patient.self).first == 1)
    #expect(unarchiver.isAtEnd)
    #expect(unarchiver.version(forClassName: "Growing") == 4)
  }

  @Test func `an object that needs itself is an error`() throws {
    let (one, two) = (Knot(), Knot())
    (one.other, two.other) = (two, one)
    let bytes = try Archiver.archive(one)
    let error = #expect(throws: ArchiveError.self) {
      try Unarchiver.unarchive(Knot.self, from: bytes)
    }
    #expect(error?.code == .cycle)
    #expect(error?.path == "group 0.other.other")
    one.other = nil
  }

  @Test func `an archive with something behind its root is refused`() throws {
    let archiver = Archiver()
    try archiver.encodeObject(View(title: "one"))
    try archiver.encodeBool(true)
    let bytes = try archiver.finish()
    #expect(throws: ArchiveError.self) { try Unarchiver.unarchive(View.self, from: bytes) }
  }

  @Test func `all types are read as they were written`() throws {
    let types = "cCsSiIlLqQfdB[2{P=ff}]*:%+!#@*"
    let values: [TypedValue] = [
      .integer(-128), .integer(255), .integer(-32_768), .integer(65_535), .integer(-70_000),
      .integer(4_294_967_295), .integer(.min), .integer(.max), .integer(-1), .unsigned(.max),
      .float(0.1), .double(0.1), .integer(1),
      .array([
        .structure([.float(1), .float(2.5)]), .structure([.float(-3), .float(.infinity)]),
      ]),
      .cString(Array("text".utf8)), .selector("copy:"), .atom(nil), .bytes([1, 2]),
      .archivedClass(Gauge.archivedClass), .object(View(title: "v")),
      .cString(Array("text".utf8)),
    ]
    let archiver = Archiver(byteOrder: .bigEndian)
    try archiver.encodeValues(values, ofTypes: types)
    try archiver.encodeValues([.byteArray([1, 2, 3])], ofTypes: "[3C]")
    let bytes = try archiver.finish()
    #expect(try TypedstreamWriter.rewrite(Typedstream(bytes)) == bytes)
    let unarchiver = try Unarchiver(bytes)
    #expect(throws: ArchiveError.self) { try unarchiver.decodeValues(ofTypes: types) }
    let classes = ClassList<any Coding>([View.self])
    let again = try unarchiver.decodeValues(ofTypes: types, in: classes)
    #expect(again.map { "\($0)" }.prefix(19) == values.map { "\($0)" }.prefix(19))
    guard case .object(let view as View)? = again.dropFirst(19).first else {
      Issue.record("no view in \(again)")
      return
    }
    #expect(view.title == "v")
    guard case .byteArray([1, 2, 3])? = try unarchiver.decodeValues(ofTypes: "[3C]").first else {
      Issue.record("no bytes")
      return
    }
    #expect(unarchiver.isAtEnd)
  }

  @Test func `a value that does not fit its type is an error`() throws {
    let cases: [([TypedValue], String)] = [
      ([.integer(128)], "c"), ([.integer(-1)], "C"), ([.integer(2)], "B"), ([.integer(-1)], "Q"),
      ([.integer(1 << 40)], "i"), ([.double(1)], "f"), ([.integer(1)], "ii"),
      ([.integer(1), .integer(1)], "i"), ([.array([.integer(1)])], "[2i]"),
      ([.structure([.integer(1)])], "{ii}"), ([.structure([.integer(1), .integer(2)])], "{i}"),
      ([.integer(1)], "^i"), ([.integer(1)], "(i)"), ([.integer(1)], ""), ([.integer(1)], "b3"),
    ]
    for (values, types) in cases {
      #expect(throws: ArchiveError.self, "\(types)") {
        try Archiver().encodeValues(values, ofTypes: types)
      }
    }
  }
}
