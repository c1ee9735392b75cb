import PortolanGraphics
import Testing

@testable import PortolanDocuments

@Suite("Building layers")
struct FeatureLayerBuilderTests {
  @Test("Blocks close at a thousand features")
  func rows() {
    let layer = Samples.points(2_500)
    #expect(layer.blocks.map(\.rowCount) == [1_000, 1_000, 500])
    #expect(layer.count == 2_500)
    #expect(layer.kindCode == "pt")
    #expect(layer.fieldNames == ["name", "rank"])
    #expect(layer.extent == Box(minX: 0, minY: -2_499, maxX: 2_499, maxY: 0))
  }

  @Test("Blocks close before 16,384 vertices; a larger feature has a block of its own")
  func vertices() {
    #expect(Samples.lines(9, length: 6_000).blocks.map(\.rowCount) == [2, 2, 2, 2, 1])
    #expect(Samples.lines(3, length: 20_000).blocks.map(\.rowCount) == [1, 1, 1])
  }

  @Test("A feature that was left out leaves no trace, one given twice keeps the last value")
  func cancelAndRepeat() throws {
    var builder = FeatureLayerBuilder()
    let shape = builder.shape(.plain)
    builder.beginFeature()
    builder.setAttribute(builder.column("a"), .string, text: "lost")
    builder.cancelFeature()
    builder.beginFeature()
    builder.setAttribute(builder.column("b"), .string, text: "first")
    builder.setAttribute(builder.column("c"), .null, text: "")
    builder.setAttribute(builder.column("b"), .string, text: "last")
    builder.endFeature(.none, shape: shape)
    let block = try #require(builder.finish().first)
    let feature = block.feature(row: 0)
    #expect(feature.attributes.map(\.name) == ["b", "c"])
    #expect(feature.attributes.map(\.value) == [.string("last"), .null])
    #expect(block.attributes.count == 2)
  }

  @Test("Each feature keeps the order of its own attributes")
  func order() throws {
    var builder = FeatureLayerBuilder()
    let shape = builder.shape(.plain)
    for names in [["a", "b", "c"], ["c", "a"], ["b", "c"], ["d", "b"]] {
      builder.beginFeature()
      for name in names { builder.setAttribute(builder.column(name), .string, text: name) }
      builder.endFeature(.none, shape: shape)
    }
    let block = try #require(builder.finish().first)
    let orders = (0..<4).map { block.feature(row: $0).attributes.map(\.name) }
    #expect(orders == [["a", "b", "c"], ["c", "a"], ["b", "c"], ["d", "b"]])
    #expect(block.shapes.map(\.propertyOrder) == [nil, [2, 0], [3, 1]])
  }

  @Test("Names that differ in bytes only are two attributes")
  func canonicalEquivalents() {
    var builder = FeatureLayerBuilder()
    #expect(builder.column("\u{E9}") == 0)
    #expect(builder.column("e\u{301}") == 1)
    #expect(builder.column("\u{E9}") == 0)
  }

  @Test("Bytes that are not UTF-8 and numbers that are none are repaired")
  func repair() throws {
    var builder = FeatureLayerBuilder()
    let column = builder.column("a")
    let shape = builder.shape(.plain)
    builder.beginFeature()
    [UInt8(0x41), 0xFF].withUnsafeBufferPointer { builder.setAttribute(column, .string, utf8: $0) }
    builder.endFeature(.none, shape: shape)
    builder.beginFeature()
    builder.setAttribute(column, .number, text: "01")
    builder.endFeature(.none, shape: shape)
    let block = try #require(builder.finish().first)
    #expect(block.attributes[0].value(0) == .string("A\u{FFFD}"))
    #expect(block.attributes[0].value(1) == .string("01"))
  }

  @Test("Many columns of few values make smaller blocks, not huge tables")
  func sparse() {
    var builder = FeatureLayerBuilder()
    let shape = builder.shape(.plain)
    for row in 0..<900 {
      builder.beginFeature()
      for column in 0..<10 {
        builder.setAttribute(builder.column("\(row)-\(column)"), .string, text: "x")
      }
      builder.endFeature(.none, shape: shape)
    }
    let blocks = builder.finish()
    let cells = blocks.reduce(0) { $0 + $1.rowCount * $1.attributes.count }
    #expect(blocks.count > 3)
    #expect(cells < 2_000_000)
  }

  @Test("Heights are kept where there are any")
  func heights() throws {
    var builder = FeatureLayerBuilder()
    let shape = builder.shape(.plain)
    let role = PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false)
    builder.beginFeature()
    builder.appendPath(role, pairs: [1, 2, 3, 4])
    builder.endFeature(.lineString, shape: shape)
    builder.beginFeature()
    builder.appendPath(role, pairs: [5, 6, 7, 8], heights: [.nan, 9])
    builder.endFeature(.lineString, shape: shape)
    let block = try #require(builder.finish().first)
    #expect(block.geometry.elevations.count == 4)
    #expect(block.feature(row: 0).geometry.paths[0].elevations.isEmpty)
    #expect(block.feature(row: 1).geometry.paths[0].elevations == [nil, 9])
  }
}
