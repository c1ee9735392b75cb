import PortolanGraphics
import Testing

@testable import PortolanDocuments

@Suite("Building layers")
struct FeatureBlockBuilderTests {
  @Test("Blocks close at 1,024 features")
  func rows() {
    let layer = Samples.points(2_500)
    #expect(layer.blocks.map(\.rowCount) == [1_024, 1_024, 452])
    #expect(layer.count == 2_500)
    #expect(layer.kindCode == "pt")
    #expect(layer.fieldNames == ["name", "rank"])
    #expect(layer.extent == Box(minX: 0, minY: -2_499, maxX: 2_499, maxY: 0))
  }

  @Test("Blocks close at 16,384 vertices; a much larger feature has a block of its own")
  func vertices() {
    #expect(Samples.lines(7, length: 6_000).blocks.map(\.rowCount) == [3, 3, 1])
    #expect(Samples.lines(3, length: 20_000).blocks.map(\.rowCount) == [1, 1, 1])
    var builder = FeatureBlockBuilder()
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    for (name, length) in [("a", 9), ("b", 9), ("c", 60_000), ("d", 9)] {
      builder.geometry.appendPath(role, pairs: [Double](repeating: 1, count: 2 * length))
      builder.setAttribute(name, .string, text: name)
      builder.endRow(.lineString, shape: .plain)
    }
    let blocks = builder.finish()
    #expect(blocks.map(\.rowCount) == [2, 1, 1])
    #expect(blocks.map { $0.attributes.map(\.name) } == [["a", "b"], ["c"], ["d"]])
    #expect(blocks.flatMap(\.featureIDs) == (1...4).map { FeatureID($0) })
  }

  @Test("An attribute given twice keeps the last value in the first place")
  func repeated() throws {
    var builder = FeatureBlockBuilder()
    builder.setAttribute("b", .string, text: "first")
    builder.setAttribute("c", .null, text: "")
    builder.setAttribute("b", .string, text: "last")
    builder.endRow(.none, shape: .plain)
    let block = try #require(builder.finish().first)
    let feature = block.feature(row: 0)
    #expect(feature.attributes.map(\.name) == ["b", "c"])
    #expect(feature.attributes.map(\.value) == [.string("last"), .null])
    #expect(block.attributes.count == 2)
  }

  @Test("Each feature keeps the order of its own attributes")
  func order() throws {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    for names in [["a", "b", "c"], ["c", "a"], ["b", "c"], ["d", "b"]] {
      for name in names { builder.setAttribute(name, .string, text: name) }
      builder.endRow(.none, shape: shape)
    }
    let block = try #require(builder.finish().first)
    let orders = (0..<4).map { block.feature(row: $0).attributes.map(\.name) }
    #expect(orders == [["a", "b", "c"], ["c", "a"], ["b", "c"], ["d", "b"]])
    #expect(block.shapes.map(\.propertyOrder) == [nil, [2, 0], [3, 1]])
  }

  @Test("Names that differ in bytes only are two attributes")
  func canonicalEquivalents() {
    var builder = FeatureBlockBuilder()
    #expect(builder.attributes.place(of: "\u{E9}") == 0)
    #expect(builder.attributes.place(of: "e\u{301}") == 1)
    #expect(builder.attributes.place(of: "\u{E9}") == 0)
  }

  @Test("Bytes that are not UTF-8 and numbers that are none are repaired")
  func repair() throws {
    var builder = FeatureBlockBuilder()
    let column = builder.attributes.place(of: "a")
    let shape = FeatureShape.plain
    [UInt8(0x41), 0xFF].withUnsafeBufferPointer { builder.setAttribute(column, .string, utf8: $0) }
    builder.endRow(.none, shape: shape)
    builder.setAttribute("a", .number, text: "01")
    builder.endRow(.none, shape: shape)
    let block = try #require(builder.finish().first)
    #expect(block.attributes[0].value(0) == .string("A\u{FFFD}"))
    #expect(block.attributes[0].value(1) == .string("01"))
  }

  @Test("Many columns of few values make smaller blocks, not huge tables")
  func sparse() {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    for row in 0..<900 {
      for column in 0..<10 {
        builder.setAttribute("\(row)-\(column)", .string, text: "x")
      }
      builder.endRow(.none, shape: shape)
    }
    let blocks = builder.finish()
    let cells = blocks.reduce(0) { $0 + $1.rowCount * $1.attributes.count }
    #expect(blocks.count > 3)
    #expect(cells < 2_000_000)
  }

  @Test("Heights are kept where there are any")
  func heights() throws {
    var builder = FeatureBlockBuilder()
    let shape = FeatureShape.plain
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    builder.geometry.appendPath(role, pairs: [1, 2, 3, 4])
    builder.endRow(.lineString, shape: shape)
    builder.geometry.appendPath(role, pairs: [5, 6, 7, 8], heights: [.nan, 9])
    builder.endRow(.lineString, shape: shape)
    let block = try #require(builder.finish().first)
    #expect(block.geometry.elevations.count == 4)
    #expect(block.feature(row: 0).geometry.paths[0].elevations.isEmpty)
    #expect(block.feature(row: 1).geometry.paths[0].elevations == [nil, 9])
  }
}
