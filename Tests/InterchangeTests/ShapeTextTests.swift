import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Well-known text and binary without a table around them, and TopoJSON.
@Suite struct ShapeTextTests {
  private func read(_ bytes: [UInt8]) throws -> ImportResult {
    let found = FileFormats.importer(ofFile: "-", head: bytes.prefix(FileHead.count))
    return try #require(found).read(bytes, options: ImportOptions(name: "input")) { _ in }
  }

  private func layer(_ bytes: [UInt8]) throws -> FeatureLayer {
    try #require(try read(bytes).layers.first as? FeatureLayer)
  }

  @Test func `Geometries come back from text and from binary`() throws {
    for seed in Seeds.some(12) {
      var random = RandomLayers(seed: seed)
      let former = random.layer("one", hasHeights: seed % 2 == 0)
      let block = try #require(former.blocks.first)
      let rows = (0..<block.rowCount).filter { block.geometry.kinds[$0] != .none }
      let texts = rows.compactMap { WKT.text(block.geometry.geometry(ofFeature: $0)) }
      let binary = rows.compactMap { WKB.bytes(of: block.geometry, row: $0) }
      let hex = binary.map { bytes in
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      }
      let wanted = rows.map { FeatureValues(block, $0) }
      let forms = [
        Array(texts.joined(separator: "\n").utf8), Array(texts.joined(separator: ";\n").utf8),
        binary.flatMap { $0 }, Array(hex.joined(separator: "\n").utf8),
      ]
      for (index, form) in forms.enumerated() {
        let found = FeatureValues.all(try layer(form))
        #expect(found.map(\.kind) == wanted.map(\.kind), "seed \(seed), form \(index)")
        #expect(found.map(\.paths) == wanted.map(\.paths), "seed \(seed), form \(index)")
      }
    }
  }

  /// The position of a number in the words of one of the four dimensions.
  private static func position(_ number: Int, _ dimension: String) -> String {
    let plain = "\(number) \(number + 1)"
    return switch dimension {
    case " Z": plain + " \(number + 2)"
    case " M": plain + " \(number + 5000)"
    case " ZM": plain + " \(number + 2) \(number + 5000)"
    default: plain
    }
  }

  @Test(arguments: Seeds.some(60))
  func `Measures are no heights, and empty parts change nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let dimension = ["", " Z", " M", " ZM"].randomElement(using: &random) ?? ""
    func places(_ range: Range<Int>) -> String {
      "(" + range.map { Self.position($0, dimension) }.joined(separator: ",") + ")"
    }
    let corners = [1, 4, 9, 1].map { Self.position($0 * $0, dimension) }
    let triangle = "(" + corners.joined(separator: ",") + ")"
    let forms = [
      ("POINT", places(1..<2), false), ("LINESTRING", places(1..<4), false),
      ("MULTIPOINT", "(\(places(1..<2)),\(places(5..<6)))", true),
      ("MULTILINESTRING", "(\(places(1..<3)),\(places(6..<9)))", true),
      ("MULTIPOLYGON", "((\(triangle)),(\(triangle)))", true),
    ]
    let (word, content, hasParts) = try #require(forms.randomElement(using: &random))
    let text = word + dimension + " " + content
    var room = Arcs.Room(bytes: text.utf8.count)
    let (geometry, hasMeasures, _) = try WKT.read(text, &room)
    #expect(hasMeasures == dimension.contains("M"), "seed \(seed): \(text)")
    for path in geometry.paths {
      let heights = path.elevations.compactMap(\.self)
      #expect(heights.count == (dimension.contains("Z") ? path.vertices.count : 0))
      #expect(zip(heights, path.vertices).allSatisfy { $0 == $1.x + 2 })
    }
    guard hasParts else { return }
    let inner = String(content.dropFirst().dropLast())
    for emptied in ["(EMPTY,\(inner))", "(\(inner), EMPTY )"] {
      #expect(try WKT.geometry(word + dimension + emptied) == geometry, "seed \(seed): \(emptied)")
    }
    #expect(try WKT.geometry(word + " (EMPTY)").paths.isEmpty)
  }

  @Test func `Measures are told, in text of their own and in tables`() throws {
    let bare = try read(Array("\u{FEFF}POINT M (1 2 3)\nPOINT (1 2)".utf8))
    #expect(bare.remarks == ["1 geometry has measures (M); left out"])
    let table = try CSVFormat.comma.read(
      Array("id,wkt\n1,POINT M (1 2 3)\n".utf8), options: ImportOptions(name: "t")
    ) { _ in }
    #expect(table.report[.measures]?.count == 1)
    let layer = try #require(table.layers.first as? FeatureLayer)
    #expect(layer.blocks[0].geometry.geometry(ofFeature: 0).paths[0].elevations.isEmpty)
  }

  @Test func `A system before a geometry is that of the layer`() throws {
    let text = "SRID=25833;POINT (5e5 6650000)\nSRID=25833;LINESTRING (1 2,\n 3 4)\n"
    #expect(try read(Array(text.utf8)).coordinateSystem.name == "EPSG:25833")
    let hex = "\\x0101000020E610000000000000000025400000000000004E40"
    let result = try read(Array(hex.utf8))
    #expect(result.coordinateSystem == .crs84 && result.isSystemAssumed == false)
    let mixed = "SRID=25833;POINT (1 2)\nPOINT (1 2)\n"
    let error = #expect(throws: ImportError.self) { _ = try read(Array(mixed.utf8)) }
    #expect(error?.code == .mixedSystems)
  }

  @Test(arguments: [
    ("POINT (10 60)\nPOINT (10 x)\n", ImportError.Code.badWKT, 2, 11),
    ("POINT (10 60)\n\nLINE (1 2)", .badWKT, 3, 1),
    ("0101000020E61000000000000000002540", .badWKB, 1, 19),
    ("0101000000000000000000F03F0000000000000040\nzz", .badWKB, 2, 1),
  ])
  func `A fault is told with its place`(
    text: String, code: ImportError.Code, line: Int, column: Int
  ) throws {
    let error = #expect(throws: ImportError.self) { _ = try read(Array(text.utf8)) }
    #expect(error?.code == code && error?.line == line && error?.column == column, "\(error!)")
  }

  private static let topology = """
    {"type":"Topology","transform":{"scale":[0.5,0.5],"translate":[10,60]},"objects":{
    "towns":{"type":"GeometryCollection","geometries":[
    {"type":"Point","id":5,"properties":{"n":1.5,"s":"a\\"b"},"coordinates":[4,0]},
    {"type":"LineString","arcs":[0,-2]},{"type":null,"properties":{"n":2}}]},
    "area":{"type":"Polygon","arcs":[[0,1]]}},
    "arcs":[[[0,0],[2,2],[0,2]],[[2,4],[-2,0],[0,-4]]]}
    """

  @Test func `Arcs are joined, turned and spread`() throws {
    let result = try read(Array(Self.topology.utf8))
    let layers = result.layers.compactMap { $0 as? FeatureLayer }
    #expect(layers.map(\.name) == ["towns", "area"] && layers.map(\.count) == [3, 1])
    let towns = try #require(layers.first?.blocks.first)
    #expect(towns.geometry.kinds == [.point, .lineString, .none])
    let line = towns.geometry.geometry(ofFeature: 1).paths[0].vertices
    let wanted = [(10, 60), (11, 61), (11, 62), (10, 62), (11, 62)]
    #expect(line == wanted.map { Coordinate(x: Double($0.0), y: Double($0.1)) })
    #expect(towns.attribute("s", row: 0) == .string("a\"b"))
    #expect(towns.identifiers.value(0) == .number("5"))
    let ring = layers[1].blocks[0].geometry.geometry(ofFeature: 0).paths[0].vertices
    #expect(ring.first == ring.last && ring.count == 5)
  }

  @Test(arguments: [
    (#""arcs":[[0,1]]"#, #""arcs":[[0,7]]"#), (#""arcs":[[0,1]]"#, #""arcs":7"#),
    (#""scale":[0.5,0.5]"#, #""scale":[0.5]"#), (#"[2,2]"#, #"[2]"#),
    (#""objects""#, #""subjects""#), (#""Polygon""#, #""Pentagon""#),
  ])
  func `A broken topology is refused`(text: String, other: String) throws {
    let broken = Self.topology.replacing(text, with: other)
    #expect(broken != Self.topology)
    #expect(throws: ImportError.self) { _ = try read(Array(broken.utf8)) }
  }

  @Test func `Arcs that are used without end are refused`() throws {
    let arc = "[" + String(repeating: "[0,0],", count: 2000) + "[1,1]]"
    let uses = String(repeating: "0,", count: 200_000) + "0"
    let text =
      #"{"type":"Topology","objects":{"a":{"type":"LineString","arcs":[\#(uses)]}},"#
      + #""arcs":[\#(arc)]}"#
    let error = #expect(throws: ImportError.self) { _ = try read(Array(text.utf8)) }
    #expect(error?.code == .tooLarge)
  }
}
