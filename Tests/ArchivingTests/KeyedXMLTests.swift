import Archiving
import PropertyLists
import Testing

/// Keyed archives in the XML form.
@Suite struct KeyedXMLTests {
  private func archive(_ encode: (KeyedArchiver) throws -> Void) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    archiver.outputFormat = .xml
    try encode(archiver)
    return try archiver.finish()
  }

  @Test func `objects come back from XML with their state and identity`() throws {
    let boss = Employee("Ada & <Co>", "Lovelace", number: 1)
    let bytes = try archive {
      try $0.encodeObjects([Employee("Zoë", "", number: -7, manager: boss), boss], forKey: "staff")
      try $0.encodeDouble(0.1, forKey: "real")
      try $0.encodeBytes([0, 1, 255], forKey: "bytes")
      try $0.encodeInt64(.min, forKey: "$min")
    }
    #expect(bytes.starts(with: "<?xml".utf8))
    let unarchiver = try KeyedUnarchiver(bytes)
    let staff = try unarchiver.decodeObjects(Employee.self, forKey: "staff")
    #expect(staff.map(\.firstName) == ["Zoë", "Ada & <Co>"])
    #expect(staff[0].manager === staff[1])
    #expect(try unarchiver.decodeDouble(forKey: "real") == 0.1)
    #expect(try unarchiver.decodeBytes(forKey: "bytes") == [0, 1, 255])
    #expect(try unarchiver.decodeInt64(forKey: "$min") == .min)
  }

  @Test func `a graph opened from XML is kept and written back in binary`() throws {
    let bytes = try archive { try $0.encodeObject(FutureThing(parts: [1, 2.5]), forKey: "root") }
    let kept = try KeyedUnarchiver(bytes).decodeObject(UnknownObject.self, forKey: "root")
    let again = try KeyedUnarchiver(KeyedArchiver.archive(kept))
    #expect(try again.decodeObject(FutureThing.self, forKey: "root").parts == [1, 2.5])
  }

  @Test func `XML that is no archive is an error`() throws {
    let text = "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>"
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver(Array(text.utf8)) }
    #expect(error?.code == .notAnArchive)
  }

  @Test(arguments: [
    ("nil", 474), ("30000", 437), ("INT_MAX", 442), ("-5", 434), ("INT_MIN", 443), ("BOOL", 420),
    ("10 bytes", 448), ("15 bytes", 452), ("25 bytes", 468),
    ("two equal buffers of 25 bytes", 546), ("double", 445), ("int64 max", 451),
    ("a string", 502), ("positional *", 492), ("positional i", 432), ("positional * and i", 533),
    ("an empty dictionary", 840), ("an array of strings", 1094), ("data", 500),
    ("a set of strings", 993),
  ])
  func `an archive in XML has the size that was published`(_ name: String, _ size: Int) throws {
    let sample = try #require(PublishedSizeTests.samples.first { $0.name == name })
    #expect(try archive(sample.encode).count == size)
  }
}

/// References that are written as dictionaries, as GNUstep and other programs do in any form.
@Suite struct ReferenceDictionaryTests {
  /// A binary archive of a view whose references are dictionaries of the key `CF$UID`.
  private func archive(title: UInt32 = 2) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    func reference(_ number: UInt32) -> PropertyListReference {
      let reference = writer.reserve()
      writer.setDictionary(
        reference, keys: [writer.addString("CF$UID")], values: [writer.addInteger(Int64(number))])
      return reference
    }
    func dictionary(_ pairs: [(String, PropertyListReference)]) -> PropertyListReference {
      let reference = writer.reserve()
      writer.setDictionary(
        reference, keys: pairs.map { writer.addString($0.0) }, values: pairs.map(\.1))
      return reference
    }
    func array(_ elements: [PropertyListReference]) -> PropertyListReference {
      let reference = writer.reserve()
      writer.setArray(reference, elements)
      return reference
    }
    let view = dictionary([
      ("title", reference(title)), ("extra", reference(2)), ("$class", reference(3)),
    ])
    let views = dictionary([
      ("NS.objects", array([reference(1), reference(1)])), ("$class", reference(5)),
    ])
    let objects = array([
      writer.addString("$null"), view, writer.addString("by a dictionary"),
      dictionary([
        ("$classname", writer.addString("View")),
        ("$classes", array([writer.addString("View"), writer.addString("NSObject")])),
      ]), views,
      dictionary([
        ("$classname", writer.addString("NSArray")),
        ("$classes", array([writer.addString("NSArray"), writer.addString("NSObject")])),
      ]),
    ])
    writer.setDictionary(
      top,
      keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [
        writer.addInteger(100_000), writer.addString("NSKeyedArchiver"),
        dictionary([("root", reference(1)), ("views", reference(4))]), objects,
      ])
    return try writer.finish(top: top)
  }

  @Test func `they are followed like references`() throws {
    let unarchiver = try KeyedUnarchiver(archive())
    let view = try unarchiver.decodeObject(View.self, forKey: "root")
    #expect(view.title == "by a dictionary")
    let views = try unarchiver.decodeObjects(View.self, forKey: "views")
    #expect(views.count == 2 && views[0] === view && views[1] === view)
    let graph = unarchiver.graph
    let node = try graph.node(NodeID(rawValue: 1))
    #expect(node.classChain == ["View", "NSObject"])
    guard case .reference(NodeID(rawValue: 2)) = try graph.content(of: node.fields[0].value) else {
      Issue.record("not a reference")
      return
    }
  }

  @Test func `what is kept of them refers to the right objects in another archive`() throws {
    let unarchiver = try KeyedUnarchiver(archive())
    let view = try unarchiver.decodeObject(View.self, forKey: "root")
    #expect(view.unread.keys == ["extra"])
    let archiver = KeyedArchiver()
    try archiver.encodeStrings(["a", "b", "c"], forKey: "before")
    try archiver.encodeObject(view, forKey: "root")
    let again = try KeyedUnarchiver(archiver.finish())
    let kept = try again.decodeObject(View.self, forKey: "root").unread
    #expect(kept.keys == ["extra"])
    final class Probe: Coding {
      static var archivedClass: ArchivedClass { "View" }
      let extra: String
      func encode(with coder: any EncodingCoder) {}
      init(coder: any DecodingCoder) throws { extra = try coder.decodeString(forKey: "extra") }
    }
    let other = try KeyedUnarchiver(graph: again.graph)
    #expect(try other.decodeObject(Probe.self, forKey: "root").extra == "by a dictionary")
  }

  @Test func `a rewritten graph keeps them`() throws {
    let graph = try GraphRewriter(ObjectGraph(archive())).finish()
    let view = try KeyedUnarchiver(graph: graph).decodeObject(View.self, forKey: "root")
    #expect(view.title == "by a dictionary")
  }

  @Test func `one that is beyond the archive is an error`() throws {
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(archive(title: 77)).decodeObject(View.self, forKey: "root")
    }
    #expect(error?.code == .corrupt)
  }
}
