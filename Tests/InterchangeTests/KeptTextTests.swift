import Archiving
import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// What a document keeps as text is written only if it says what the document shows.
@Suite struct KeptTextTests {
  /// Writes layers and gives the text with what the export told.
  private func write(
    _ layers: [FeatureLayer], _ format: any Importer & Exporter = GeoJSONFormat()
  ) throws -> (text: String, report: ExportReport) {
    var bytes: [UInt8] = []
    let report = try format.write(layers, options: ExportOptions()) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), report)
  }

  private func column(_ name: String, _ values: [AttributeValue]) -> AttributeColumn {
    var column = AttributeColumnBuilder(name: name)
    for value in values { column.append(value) }
    return column.column()
  }

  /// Two points with their names, as a document from elsewhere may hold them: saved and opened.
  private func layer(
    features: [String?] = [nil, nil], geometries: [String?] = [nil, nil],
    note: AttributeValue = .missing, source: CollectionSource = .plain
  ) throws -> FeatureLayer {
    var geometry = GeometryBlockBuilder()
    geometry.append(.point(Coordinate(x: 1, y: 2)))
    geometry.append(.point(Coordinate(x: 3, y: 4)))
    func texts(_ texts: [String?]) -> AttributeColumn? {
      texts.allSatisfy { $0 == nil }
        ? nil : column("text", texts.map { $0.map { .json($0) } ?? .missing })
    }
    let block = FeatureBlock(
      geometry: geometry.block(), featureIDs: [FeatureID(1), FeatureID(2)],
      identifiers: column("id", [.missing, .missing]),
      attributes: [
        column("name", [.string("one"), .string("two")]), column("note", [note, .missing]),
      ], sourceGeometries: texts(geometries), sourceFeatures: texts(features),
      shapes: [
        FeatureShape(
          members: ["type", "properties", "geometry"], geometryMembers: ["type", "coordinates"])
      ], shapeIndices: [0, 0])
    var document = Document()
    document.nextID = 9
    document.layers = [
      FeatureLayer(
        id: LayerID(5), name: "l", style: Style(name: "", mark: MarkStyle()), source: source,
        blocks: [try #require(block)])
    ]
    let opened = try DocumentFile.open(DocumentFile.bytes(of: document)).document
    return try #require(opened.layers[0] as? FeatureLayer)
  }

  private static let one =
    #"{"type":"Feature","properties":{"name":"one"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
  private static let two =
    #"{"type":"Feature","properties":{"name":"two"},"geometry":{"type":"Point","coordinates":[3,4]}}"#
  private static let collection =
    "{\"type\":\"FeatureCollection\",\"features\":[\n\(one),\n\(two)\n]}\n"

  @Test(arguments: [
    // Not JSON, not whole, and more than one.
    "oops", #"{"type":"Feature""#, one + "," + two, one + " ", "[1,2]", "\(one)\u{1E}",
    // Another feature than the one that is shown.
    two, one.replacing("one", with: "two"), one.replacing("[1,2]", with: "[1,2.5]"),
    one.replacing("[1,2]", with: "[1,2,0]"), one.replacing(#""name""#, with: #""Name""#),
    one.replacing("{\"name\"", with: #"{"more":1,"name""#),
    one.replacing("Point\",\"coordinates\":[1,2]", with: "MultiPoint\",\"coordinates\":[[1,2]]"),
    one.replacing(#""Feature","#, with: #""Feature","id":7,"#),
    one.replacing(#""Feature","#, with: #""Feature","foreign":7,"#),
    #"{"type":"Point","coordinates":[1,2]}"#,
  ])
  func `A feature's text that does not fit its values is not written, and that is told`(
    text: String
  ) throws {
    let (written, report) = try write([try layer(features: [text, nil])])
    #expect(written == Self.collection)
    #expect(report.refusedTexts == 1)
    #expect(report.notes.count == 1)
    let lines = try write([try layer(features: [nil, text])], LinesFormat())
    #expect(lines.text == Self.one + "\n" + Self.two + "\n" || text == Self.two)
  }

  @Test(arguments: [
    one, one.replacing(":", with: " : "), one.replacing("[1,2]", with: "[1.0,0.2e1]"),
    one.replacing("one", with: "\\u006fne"), one.replacing(#"{"name""#, with: #"{"name":0,"name""#),
  ])
  func `A feature's text that fits its values is written`(text: String) throws {
    let (written, report) = try write([try layer(features: [text, nil])])
    #expect(written == Self.collection.replacing(Self.one, with: text))
    #expect(report.notes == [])
  }

  @Test(arguments: [
    "1", #"{"type":"Point","coordinates":[1,3]}"#, #"{"type":"Point","coordinates":[1,2],"a":1}"#,
    #"{"type":"Point","coordinates":[1,2]},"x":{}"#, one,
  ])
  func `A geometry's text that does not fit its values is not written`(text: String) throws {
    let (written, report) = try write([try layer(geometries: [text, nil])])
    #expect(written == Self.collection)
    #expect(report.refusedTexts == 1)
  }

  @Test func `A text behind one that cannot be read is still looked at`() throws {
    let odd = Self.two.replacing(":", with: " : ")
    let (written, report) = try write([try layer(features: ["{", odd])])
    #expect(written == Self.collection.replacing(Self.two, with: odd))
    #expect(report.refusedTexts == 1)
  }

  @Test(arguments: ["oops", "[1", "1 2", "", "]}", "{\"a\":1}}", "\u{1}"])
  func `A value that should be JSON and is none is written as a string`(text: String) throws {
    let source = CollectionSource(
      root: .featureCollection,
      members: [
        .init(name: "type", json: "\"FeatureCollection\""), .init(name: "x", json: "nul"),
        .init(name: "features", json: ""), .init(name: "more", json: ""),
      ])
    let (written, report) = try write([try layer(note: .json(text), source: source)])
    #expect(report.brokenValues == 3)
    let layer = try Sample.read(written).featureLayers[0]
    #expect(layer.count == 2)
    #expect(try layer.row(0).attributes.last?.value == .string(text))
    #expect(layer.source.members.first { $0.name == "x" }?.json == "\"nul\"")
  }

  @Test func `The root of a document from elsewhere is one that can be read`() throws {
    for members in [
      [("type", "\"Topology\""), ("features", "")], [("features", "[1]"), ("features", "")],
      [("x", "1")], [("type", "\"FeatureCollection\""), ("geometries", "")], [],
    ] {
      let source = CollectionSource(
        root: .featureCollection, members: members.map { .init(name: $0.0, json: $0.1) })
      let (written, _) = try write([try layer(source: source)])
      #expect(try Sample.read(written).featureLayers[0].count == 2, "\(written)")
    }
  }

  @Test func `Separators of a document from elsewhere stand in sequences only`() throws {
    let words = "root=e,e,e,e,e,e items.open=e items.next=ne gap1=e,e"
    for root in [CollectionSource.Root.featureCollection, .lines] {
      let source = CollectionSource(
        root: root, members: CollectionSource.plain.members, whitespace: words)
      #expect(
        try Sample.read(try write([try layer(source: source)]).text).featureLayers[0].count == 2)
    }
  }

  @Test func `An order of properties that leaves one out, or names one twice, loses none`() throws {
    let layer = try Sample.read(
      Sample.collection(#""properties":{"b":1,"a":2},"geometry":null"#)
        .replacing("]}", with: #",{"type":"Feature","properties":{"a":1,"b":2},"geometry":null}]}"#)
    ).featureLayers[0]
    let block = layer.blocks[0]
    let shapes = block.shapes.map { shape in
      var shape = shape
      shape.propertyOrder = [1, 1]
      return shape
    }
    let crafted = try #require(
      FeatureBlock(
        geometry: block.geometry, featureIDs: block.featureIDs, identifiers: block.identifiers,
        attributes: block.attributes, shapes: shapes, shapeIndices: block.shapeIndices))
    let (written, _) = try write([
      FeatureLayer(id: LayerID(1), name: "l", style: layer.style, blocks: [crafted])
    ])
    #expect(written.contains(#"{"a":2,"b":1}"#) && written.contains(#"{"a":1,"b":2}"#))
  }

  @Test func `Precision rounds the coordinates of a kept text and nothing else`() throws {
    let geometry =
      #"{"n": -0.0, "type":"GeometryCollection","geometries":[{"type":"Point","coordinates":"#
      + #"[1.26,2e0,3.04,4.06],"coordinates ":1.26}], "big": 1e400, "s": "[1.26]"}"#
    var bytes: [UInt8] = []
    let layers = try Sample.read(Sample.geometry(geometry)).featureLayers
    try GeoJSONFormat().write(layers, options: ExportOptions(precision: 1)) { bytes += $0 }
    let wanted = geometry.replacing("[1.26,2e0,3.04,4.06]", with: "[1.3,2,3,4.1]")
    #expect(String(decoding: bytes, as: UTF8.self) == Sample.geometry(wanted))
  }
}
