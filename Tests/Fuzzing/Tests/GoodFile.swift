import ArchiveInspection
import Archiving
import Foundation
import PortolanProbes
import PortolanTestSupport
import PropertyLists
import Testing

/// A small sound file that our own writers made, from which damaged ones are made.
struct GoodFile: Sendable, CustomTestStringConvertible {
  let name: String
  /// The probe that reads it.
  let probe: String
  let bytes: [UInt8]

  var testDescription: String { name }

  /// About thirty of all kinds; those that could not be made are missing.
  static let all: [GoodFile] = {
    var files: [GoodFile] = []
    func add(_ name: String, _ probe: String, _ bytes: () throws -> [UInt8]) {
      if let bytes = try? bytes() { files.append(GoodFile(name: name, probe: probe, bytes: bytes)) }
    }
    add("list-every-kind", "bplist", everyKind)
    add("list-wide", "bplist", wideList)
    add("list-every-kind", "xml") { try XMLPropertyListWriter().write(.init(everyKind())) }
    add("list-text", "xml") { Array(xmlText.utf8) }
    add("nodes", "graph") { try archive(nodeNames: ["a", "Zoë", "a"]) }
    add("nodes", "keyed") { try archive(nodeNames: ["a", "a title of more than fifteen", "𝄞"]) }
    add("every-field", "keyed", everyField)
    add("collections", "keyed", collections)
    add("nodes", "xml") { try XMLPropertyListWriter().write(.init(archive(nodeNames: ["x"]))) }
    add("every-type-little", "typedstream") { everyType(.littleEndian) }
    add("every-type-big", "typedstream") { everyType(.bigEndian) }
    add("strings", "typedstream", stringStream)
    add("chain", "typedstream", chainStream)
    add("strings", "sequential", stringStream)
    add("document", "sequential") {
      try Archiver.archive(SampleDocument(names: ["a", "Zoë", "a"]))
    }
    add("document-big", "sequential") {
      try Archiver.archive(SampleDocument(names: ["a"]), byteOrder: .bigEndian)
    }
    for name in ["v1-future-kinds", "v2-everything", "v3-everything"] {
      add(name, "document") {
        let url = Shared.package.appendingPathComponent("Tests/Fixtures/documents/\(name).doc")
        return [UInt8](try Data(contentsOf: url))
      }
    }
    add("features", "geojson") { Array(geoJSON.utf8) }
    add("sequence", "geojson") { Array(lines.utf8) }
    add("points", "csv") { Array(table.utf8) }
    let kept = [
      ("shapefile", ["points", "areas"]), ("geopackage", ["small.gpkg"]),
      ("shapes", ["two.wkt", "ewkb.hex", "collection.wkb", "topology.json"]),
    ]
    for (probe, names) in kept {
      for name in names {
        add(name, probe) {
          let folder = FuzzingCorpusTests.folder.appendingPathComponent(probe)
          return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
        }
      }
    }
    add("values", "values", keyedValues)
    add("values-stream", "values", sequentialValues)
    add("nodes", "inspection") { try archive(nodeNames: ["a", "Zoë"]) }
    add("values", "inspection", keyedValues)
    add("every-type", "inspection") { everyType(.bigEndian) }
    add("list-text", "inspection") { Array(xmlText.utf8) }
    add("window", "inspection") { NibWriter.window.bytes }
    add("entries", "text") { Array(entriesText.utf8) }
    add("window", "nib") { NibWriter.window.bytes }
    add("every-item", "gnustep") { GNUstepWriter.everyItem.bytes }
    add("document", "bookmark") { BookmarkWriter.document.bytes }
    add("every-field", "exact") { try exact(everyField()) }
    add("every-type", "exact") { try exact(everyType(.bigEndian)) }
    add("every-kind", "exact") { try exact(everyKind()) }
    add("edits", "journal", journal)
    add("calls", "ports") {
      let folder = FuzzingCorpusTests.folder.appendingPathComponent("ports")
      return [UInt8](try Data(contentsOf: folder.appendingPathComponent("calls")))
    }
    return files
  }()

  /// An archive as JSON that tells all of it.
  private static func exact(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try InspectedArchive(bytes).text(.exact).utf8)
  }

  // MARK: Property lists

  private static func everyKind() throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let inner = writer.reserve()
    writer.setArray(
      inner,
      [
        writer.addInteger(-1), writer.addInteger(70_000), writer.addUnsigned(.max),
        writer.addDouble(0.1), writer.addFloat(2.5), writer.addDate(86_400), writer.addBool(true),
        writer.addData([1, 2, 3]), writer.addString("Zoë"), writer.addString(""),
      ])
    let names = ["plain", "a name of more than fifteen characters", "größe"]
    writer.setDictionary(
      top, keys: names.map { writer.addString($0) },
      values: [inner, writer.addString("text"), writer.addInteger(300)])
    return try writer.finish(top: top)
  }

  private static func wideList() throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    writer.setArray(top, (0..<300).map { writer.addInteger(Int64($0 * 7)) })
    return try writer.finish(top: top)
  }

  private static let xmlText = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><!-- a comment --><key>a&amp;b</key><array><true/><false/>
    <integer>-0x7F</integer><real>1.5e3</real><real>nan</real><date>2001-01-01T00:00:00Z</date>
    <data>AQID BA==</data><string>&#x41;<![CDATA[<raw>]]></string><string/></array>
    <key>u</key><dict><key>CF$UID</key><integer>7</integer></dict></dict></plist>
    """

  private static let entriesText = """
    // Entries
    "a b" = "\\U00e9\\303\\n"; flag;
    list = (1, <0a 0b>, <*I-5>, <*R2.5>, <*BY>, <*D2001-01-01 00:00:00 +0130>, {}, <[AQID]>,);
    /* more */ nested = { 'k' = v.1-2; };
    """

  // MARK: Keyed archives

  /// A document as the hostile files have it, with a parent that is referred to.
  private static func archive(nodeNames: [String]) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeObject(SampleDocument(names: nodeNames), forKey: "root")
    try archiver.encodeInt(7, forKey: "count")
    return try archiver.finish()
  }

  private static func everyField() throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeBool(true, forKey: "b")
    try archiver.encodeInt32(-5, forKey: "i")
    try archiver.encodeInt64(.max, forKey: "q")
    try archiver.encodeFloat(0.5, forKey: "f")
    try archiver.encodeDouble(-0.25, forKey: "d")
    try archiver.encodeString("name", forKey: "name")
    try archiver.encodeBytes([1, 2], forKey: "bytes")
    try archiver.encodeData([3, 4, 5], forKey: "a")
    try archiver.encodePacked([1, 2, 3] as [Int32], forKey: "packed")
    try archiver.encodeDate(1_000, forKey: "date")
    try archiver.encodeNil(forKey: "nothing")
    try archiver.encodeString("mangled", forKey: "$x")
    return try archiver.finish()
  }

  private static func collections() throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeStrings(["x", "y", "x"], forKey: "root")
    try archiver.encodeInts([1, 2, 300_000], forKey: "a")
    try archiver.encodeDoubles([0.5, -1], forKey: "map")
    try archiver.encodeStringDictionary(["k": "v", "$class": "w"], forKey: "tree")
    return try archiver.finish()
  }

  // MARK: Typedstreams

  private static let classChain = [("View", 41), ("NSResponder", 0), ("NSObject", 0)]

  private static func everyType(_ order: TypedstreamByteOrder) -> [UInt8] {
    var writer = TypedstreamWriter(byteOrder: order, systemVersion: 930)
    writer.beginGroup("cCsSiIlLqQfdB")
    writer.writeByte(0x80)
    writer.writeByte(0x92)
    for (value, type) in zip(
      [-2, 0xFFFF, -70_000, 4_294_967_295, 1 << 32, 4_000_000_000, Int64.min, -1], "sSiIlLqQ".utf8)
    {
      writer.writeInteger(value, type: type)
    }
    writer.writeFloat(0.1)
    writer.writeDouble(0.1)
    writer.writeByte(1)
    writer.beginGroup("*:%+*")
    let text = writer.writeNewCString(Array("text".utf8))
    writer.writeString(Array("copy:".utf8))
    writer.writeString(Array("text".utf8))
    writer.writeBytes(Array("bytes".utf8))
    writer.writeReference(text)
    writer.beginGroup("[3{_NSPoint=ff}]![4c]#@")
    for place in 0..<6 { writer.writeFloat(Float(place)) }
    writer.writeByteArray([1, 2, 3, 4])
    writer.writeClass(classChain)
    let view = writer.beginObject(classChain)
    writer.beginGroup("@I")
    writer.writeReference(view)
    writer.writeInteger(0b101 | 1_000 << 3, type: UInt8(ascii: "I"))
    writer.endObject()
    return writer.bytes
  }

  private static func stringStream() -> [UInt8] {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    writer.beginObject([("NSArray", 0), ("NSObject", 0)])
    writer.beginGroup("i")
    writer.writeInteger(2, type: UInt8(ascii: "i"))
    for text in ["hello", "Zoë"] {
      writer.beginGroup("@")
      writer.beginObject([("NSString", 1), ("NSObject", 0)])
      writer.beginGroup("+")
      writer.writeBytes(Array(text.utf8))
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }

  private static func chainStream() -> [UInt8] {
    var writer = TypedstreamWriter()
    writer.beginGroup("@")
    for _ in 0..<12 {
      writer.beginObject([("Link", 0), ("NSObject", 0)])
      writer.beginGroup("@")
    }
    writer.writeNone()
    for _ in 0..<12 { writer.endObject() }
    return writer.bytes
  }

  // MARK: Layers

  private static let geoJSON = """
    {"type":"FeatureCollection","name":"n","features":[{"type":"Feature","id":1,"properties":\
    {"a":null,"b":[1.50,true],"c":"\\u00e9\\n"},"geometry":{"type":"Polygon","coordinates":\
    [[[0,0],[10,0],[10,1e1],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}},{"type":"Feature","properties":{},\
    "geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2,3]},\
    {"type":"MultiLineString","coordinates":[[[179,0],[-179,0]]]}]},"bbox":[0,0,1,1]},\
    {"type":"Feature","properties":null,"geometry":null}],"other":{"x":[]}}
    """

  private static let lines = """
    {"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[0,0]}}
    {"type":"Feature","properties":{"n":"2"},"geometry":{"type":"Point","coordinates":[1,-1]}}

    """

  private static let table = "name,lon,lat,size\n\"A, \"\"b\"\"\",1.5,2,7\nC,-3,4e0,\n,,,\n"
}

/// Writes what `MapDocument` reads.
private struct SampleDocument: Coding {
  var names: [String]

  static var archivedClass: ArchivedClass { "MapDocument" }

  init(names: [String]) { self.names = names }

  init(coder: any DecodingCoder) throws { names = [] }

  func encode(with coder: any EncodingCoder) throws {
    let nodes = names.enumerated().map { SampleNode(name: $1, number: $0) }
    let top = SampleNode(name: "top", number: names.count, children: nodes)
    try coder.encodeString("t", forKey: "title")
    try coder.encodeInt(3, forKey: "schema")
    try coder.encodeInt(80, forKey: "width")
    try coder.encodeInt(24, forKey: "height")
    try coder.encodeObjects([top], forKey: "nodes")
    try coder.encodeObjects([SampleEdge(from: nodes.first, to: top)], forKey: "edges")
    try coder.encodeStringDictionary(["k": "v"], forKey: "meta")
  }
}

private final class SampleNode: Coding {
  let name: String
  let number: Int
  let children: [SampleNode]
  weak var parent: SampleNode?

  static var archivedClass: ArchivedClass { "MapNode" }

  init(name: String, number: Int, children: [SampleNode] = []) {
    self.name = name
    self.number = number
    self.children = children
    for child in children { child.parent = self }
  }

  init(coder: any DecodingCoder) throws { (name, number, children) = ("", 0, []) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeInt(number, forKey: "ident")
    try coder.encodeDouble(0.5, forKey: "x")
    try coder.encodeInt(0x2603, forKey: "glyph")
    try coder.encodeObjects(children, forKey: "children")
    try coder.encodeConditionalObject(parent, forKey: "parent")
  }
}

private struct SampleEdge: Coding {
  var from: SampleNode?
  var to: SampleNode?

  static var archivedClass: ArchivedClass { "MapEdge" }

  init(from: SampleNode?, to: SampleNode?) { (self.from, self.to) = (from, to) }

  init(coder: any DecodingCoder) throws {}

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeConditionalObject(from, forKey: "from")
    try coder.encodeConditionalObject(to, forKey: "to")
  }
}
