import Archiving
import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

/// Keyed archives in the XML notation, from other programs and to them.
@Suite(.enabled(if: Shared.exists("corpus/MANIFEST.tsv"), "no shared/corpus"))
struct XMLArchiveTests {
  static let xmlFiles = files("xml")

  static func files(_ format: String) -> [String] {
    return Shared.manifest("corpus/MANIFEST.tsv").compactMap { row in
      guard let file = row["file"], row["format"] == format,
        !(row["note"] ?? "").contains("malformed"), Shared.exists("corpus/" + file)
      else { return nil }
      return file
    }
  }

  @Test func `there are files to read`() {
    #expect(Self.xmlFiles.count > 30)
  }

  @Test(arguments: xmlFiles)
  func `an XML archive opens and survives the way to binary and back`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    let graph = try ObjectGraph(bytes)
    try graph.list.validate()
    #expect(graph.nodeCount > 1)
    let again = try ObjectGraph(graph.list.xml())
    try expectSame(graph.list, again.list)
    let kept = try ObjectGraph(graph.list.reader.bytes)
    try expectSame(graph.list, kept.list)
    for field in try graph.top {
      guard case .reference(let node) = try graph.content(of: field.value), node.rawValue != 0
      else { continue }
      let archiver = KeyedArchiver()
      try archiver.encodeObject(UnknownObject(graph: graph, node: node), forKey: "root")
      let copy = try ObjectGraph(BinaryPropertyList(archiver.finish()).xml())
      #expect(try !copy.top.isEmpty)
    }
  }

  @Test(arguments: files("bplist00"))
  func `a binary archive comes back from XML`(_ file: String) throws {
    let list = try BinaryPropertyList(Shared.bytes("corpus/" + file))
    let again = try BinaryPropertyList(xml: list.xml())
    try again.validate()
    try expectSame(list, again)
  }

  @Test(arguments: files("xml").filter { $0.contains("nib") || $0.contains("corelibs") })
  func `what Apple wrote is written again byte for byte`(_ file: String) throws {
    let bytes = try Shared.bytes("corpus/" + file)
    // The name in the document type has changed; a carriage return is ours, see the writer.
    let expected = String(decoding: bytes, as: UTF8.self)
      .replacingOccurrences(of: "//Apple Computer//", with: "//Apple//")
      .replacingOccurrences(of: "\r", with: "&#13;")
    let written = String(decoding: try BinaryPropertyList(reading: bytes).xml(), as: UTF8.self)
    #expect(written == expected)
  }

  // MARK: Published sizes

  /// What the archives of the published sizes hold under `myKey`.
  enum Sample: Sendable {
    case none, yes, twoBuffers
    case int(Int)
    case int32(Int32)
    case double(Double)
    case float(Float)
    case bytes(Int)
    case string(String)
    case data(String)
    case strings([String])

    func encode(with archiver: KeyedArchiver) throws {
      let key = "myKey"
      switch self {
      case .none: try archiver.encodeNil(forKey: key)
      case .yes: try archiver.encodeBool(true, forKey: key)
      case .int(let value): try archiver.encodeInt(value, forKey: key)
      case .int32(let value): try archiver.encodeInt32(value, forKey: key)
      case .double(let value): try archiver.encodeDouble(value, forKey: key)
      case .float(let value): try archiver.encodeFloat(value, forKey: key)
      case .string(let text): try archiver.encodeString(text, forKey: key)
      case .data(let text): try archiver.encodeData(Array(text.utf8), forKey: key)
      case .strings(let texts): try archiver.encodeStrings(texts, forKey: key)
      case .bytes(let count):
        try archiver.encodeBytes([UInt8](repeating: 1, count: count), forKey: key)
      case .twoBuffers:
        try Self.bytes(25).encode(with: archiver)
        try archiver.encodeBytes([UInt8](repeating: 1, count: 25), forKey: "myKey2")
      }
    }
  }

  @Test(
    arguments: [
      (.none, 474), (.int(30_000), 437), (.int32(.max), 442), (.int(-5), 434),
      (.int32(.min), 443), (.int(.max), 451), (.yes, 420), (.bytes(10), 448), (.bytes(15), 452),
      (.bytes(25), 468), (.twoBuffers, 546), (.double(-91.73), 445), (.float(3.14159), 444),
      (.string("myString"), 502), (.data("abc"), 500), (.strings(["one", "two", "three"]), 1_094),
    ] as [(Sample, Int)])
  func `an archive in XML has the size that Apple's has`(
    _ sample: Sample, _ size: Int
  ) throws {
    let archiver = KeyedArchiver()
    try sample.encode(with: archiver)
    #expect(try BinaryPropertyList(archiver.finish()).xml().count == size)
  }

  // MARK: Python

  /// Reads with `plistlib` what we wrote, compares it with what it reads from the binary form, and
  /// writes it anew. Prints each file that it refuses.
  private static let script = """
    import plistlib, sys, os
    folder = sys.argv[1]
    def plain(v):
        if isinstance(v, plistlib.UID): return {'CF$UID': v.data}
        if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
        if isinstance(v, list): return [plain(x) for x in v]
        return v
    for name in sorted(os.listdir(folder)):
        if not name.endswith('.bin'): continue
        path = os.path.join(folder, name[:-4])
        value = plain(plistlib.load(open(path + '.bin', 'rb')))
        try:
            ours = plistlib.load(open(path + '.xml', 'rb'))
        except Exception:
            print('refused', name[:-4])
            continue
        if repr(ours) != repr(value) and repr(plain(ours)) != repr(value):
            order = lambda v: {k: order(v[k]) for k in sorted(v)} if isinstance(v, dict) else \\
                [order(x) for x in v] if isinstance(v, list) else v
            if repr(order(ours)) != repr(order(value)): print('differs', name[:-4])
        with open(path + '.py', 'wb') as file:
            plistlib.dump(value, file, fmt=plistlib.FMT_XML, sort_keys=False)
    """

  @Test(.enabled(if: hasPython, "no python3 with plistlib"))
  func `plistlib reads what we write, and we what it writes`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "portolan-xml-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var lists: [String: BinaryPropertyList] = [:]
    for (number, file) in (Self.files("bplist00") + Self.xmlFiles).enumerated() {
      let list = try BinaryPropertyList(reading: Shared.bytes("corpus/" + file))
      lists["\(number)"] = list
      try Data(list.reader.bytes).write(to: folder.appendingPathComponent("\(number).bin"))
      try Data(list.xml()).write(to: folder.appendingPathComponent("\(number).xml"))
    }
    let said = try #require(try python(Self.script, folder))
    for line in said.split(separator: "\n") {
      // Only control characters, which XML forbids, may be refused.
      let name = String(line.dropFirst("refused ".count))
      let list = try #require(lists[name], "\(line)")
      #expect(try list.xml().contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A }, "\(line)")
      lists[name] = nil
    }
    #expect(lists.count > 100)
    for (name, list) in lists {
      // plistlib writes line feeds for carriage returns.
      guard !String(decoding: try list.xml(), as: UTF8.self).contains("&#13;") else { continue }
      let text = try Data(contentsOf: folder.appendingPathComponent(name + ".py"))
      try expectSame(list, BinaryPropertyList(xml: [UInt8](text)), "\(name)")
    }
  }
}

/// Compares two lists, whatever the order of a dictionary's keys and the width of a number.
func expectSame(
  _ first: BinaryPropertyList, _ second: BinaryPropertyList, _ comment: Comment = ""
) throws {
  struct Pair: Hashable { var left, right: PropertyListReference }
  var seen: Set<Pair> = []
  var work = [Pair(left: first.top, right: second.top)]
  func row(
    _ list: BinaryPropertyList, _ row: PropertyListReferences
  ) throws -> [PropertyListReference] {
    try (0..<row.count).map { try list.reference($0, of: row) }
  }
  func entries(
    _ list: BinaryPropertyList, _ keys: PropertyListReferences, _ values: PropertyListReferences
  ) throws -> [[UInt16]: PropertyListReference] {
    let names = try row(list, keys).map { key in
      Array((try list.string(list.object(key)) ?? "").utf16)
    }
    return Dictionary(zip(names, try row(list, values)), uniquingKeysWith: { first, _ in first })
  }
  while let pair = work.popLast() {
    guard seen.insert(pair).inserted else { continue }
    let (left, right) = (try first.object(pair.left), try second.object(pair.right))
    switch (left, right) {
    case (.array(let one), .array(let two)):
      guard one.count == two.count else {
        Issue.record("\(one.count) and \(two.count) elements \(comment)")
        return
      }
      work += zip(try row(first, one), try row(second, two)).map { Pair(left: $0, right: $1) }
    case (.dictionary(let keys, let values), .dictionary(let others, let otherValues)):
      let one = try entries(first, keys, values)
      let two = try entries(second, others, otherValues)
      #expect(one.keys == two.keys, comment)
      work += one.compactMap { name, value in two[name].map { Pair(left: value, right: $0) } }
    case (.dictionary(let keys, let values), .uid(let uid)):
      // GNUstep has such dictionaries in its binary archives too.
      let value = try #require(try entries(first, keys, values)[Array("CF$UID".utf16)])
      #expect(try first.object(value) == .integer(Int64(uid)), comment)
    case (.float(let one), .double(let two)):
      #expect(Double(one).bitPattern == two.bitPattern || one.isNaN && two.isNaN, comment)
    case (.double(let one), .double(let two)):
      #expect(one.bitPattern == two.bitPattern || one.isNaN && two.isNaN, comment)
    case (.date(let one), .date(let two)): #expect(one.rounded(.down) == two, comment)
    case (.data(let one), .data(let two)):
      #expect(first.reader.bytes[one] == second.reader.bytes[two], comment)
    case (.ascii, _), (.utf16, _):
      #expect(try first.string(left) == second.string(right), comment)
    default: #expect(left == right, comment)
    }
  }
}

/// Broken XML: the hostile files, and a good archive that was damaged in every way.
@Suite struct XMLHostileTests {
  static func hostile(_ layer: String) -> [(String, String)] {
    Shared.exists("hostile/MANIFEST.tsv") ? HostileTests.files(layer) : []
  }

  @Test(arguments: hostile("xml/"))
  func `hostile XML is accepted or refused as the manifest says`(
    _ file: String, _ expect: String
  ) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    do throws(PropertyListError) {
      let list = try BinaryPropertyList(reading: bytes)
      #expect(expect != "reject", "\(file) was accepted")
      try list.validate()
    } catch {
      #expect(expect != "accept", "\(file) was refused: \(error)")
      #expect(error.reason.hasPrefix("line "))
      #expect(error.offset != nil)
    }
  }

  @Test(arguments: hostile("openstep/"))
  func `OpenStep text is refused by its name`(_ file: String, _: String) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    let error = #expect(throws: ArchiveError.self) { try ObjectGraph(bytes) }
    #expect(error?.code == .notAnArchive)
    #expect(error?.description.contains("OpenStep") == true)
  }

  /// An archive with everything in it that the reader looks at.
  static func good() throws -> [UInt8] {
    let archiver = KeyedArchiver()
    let boss = Employee("Ada", "Lovelace & Söhne <1>", number: 1)
    try archiver.encodeObjects(
      [boss, Employee("B", "C", number: 70_000, manager: boss)], forKey: "a")
    try archiver.encodeBytes((0..<60).map { UInt8($0 * 4) }, forKey: "data")
    try archiver.encodeDouble(-1.5e-7, forKey: "real")
    try archiver.encodeBool(true, forKey: "yes")
    let text = String(decoding: try BinaryPropertyList(archiver.finish()).xml(), as: UTF8.self)
    let extra =
      "<key>x</key><date>2001-03-24T00:00:00Z</date><!-- c --><key>y</key>"
      + "<string><![CDATA[<&>]]>&#x1F5FA;</string><key>z</key><integer>0xFF</integer>"
    return Array(
      text.replacingOccurrences(of: "<key>real</key>", with: extra + "<key>real</key>").utf8)
  }

  /// Whatever is read must be a sound list that can be written and read again.
  static func read(_ bytes: [UInt8]) throws {
    guard let list = try? BinaryPropertyList(xml: bytes) else { return }
    try list.validate()
    try expectSame(list, BinaryPropertyList(xml: list.xml()))
    MutationTests.read(bytes)
  }

  @Test func `a damaged archive is refused or read, never a trap`() throws {
    let good = try Self.good()
    #expect(try ObjectGraph(good).nodeCount > 3)
    try Self.read(good)
    let pieces = [
      "<", ">", "/", "&", ";", "<dict>", "</dict>", "<key>", "<array/>", "]]>", "<!--",
      "&#0;", "-", "9999999999", "CF$UID", "\u{0}", "é",
    ].map { Array($0.utf8) }
    var generator = SeededGenerator(seed: 20_010_324)
    for round in 0..<3_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: bytes.indices, using: &generator)
        let end = min(place + Int.random(in: 1...20, using: &generator), bytes.count)
        let piece = pieces.randomElement(using: &generator) ?? []
        switch (round &+ place) % 4 {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.insert(contentsOf: piece, at: place)
        case 2: bytes.replaceSubrange(place..<end, with: piece)
        default: bytes.removeSubrange(place..<end)
        }
      }
      try Self.read(bytes)
    }
  }

  @Test(arguments: [
    "<dict/>", "<true/>", "<data/>", "<array><dict/></array>", "<dict><key/><dict/></dict>",
    "<integer>1</integer>", "<string>é</string>", "<!-- -->", "\n",
  ])
  func `time grows with the file and no faster`(_ piece: String) throws {
    func seconds(_ count: Int) throws -> Double {
      let body = String(repeating: piece, count: count / piece.utf8.count)
      let bytes = Array("<plist><array>\(body)</array></plist>".utf8)
      var best = Double.infinity
      for _ in 0..<3 {
        best = min(best, try processorTime { _ = try BinaryPropertyList(xml: bytes) })
      }
      return best
    }
    let (small, large) = (try seconds(20_000), try seconds(320_000))
    // Sixteen times the file; four times as much again for caches shared with other programs.
    #expect(large < small * 64 + 0.05)
  }
}
