import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Files of usual features, which are not read again, would be found whole.
@Suite(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
struct BridgeWritingLawTests {
  private static let words = [
    "a", "Zoë 東京", "x'y", "1", "007", "1e5", "true", "2020-01-02", "a, b; c", "<b>&amp;", "nan",
    "infinity", "it", "say \"x\"", "a|b", "@D", "back\\slash", "-", "é", "1,5", "(2:a,b)", "[1]",
    "", " a", "a\tb",
  ]

  /// A layer of one kind of geometry, with few texts, so that many are usual.
  private static func layer(_ random: inout SeededGenerator, _ seed: UInt64) -> FeatureLayer {
    var layers = RandomLayers(seed: seed)
    let kinds: [GeometryKind] = [
      .point, .multiPoint, .lineString, .multiLineString, .polygon, .multiPolygon,
    ]
    let kind = kinds.randomElement(using: &random)
    let hasHeights = Int.random(in: 0..<4, using: &random) == 0
    var layer = layers.layer("towns", kind: kind, hasHeights: hasHeights)
    if let other = kinds.filter({ $0.dimension == kind?.dimension }).randomElement(using: &random) {
      let more = layers.layer("towns", kind: other, hasHeights: hasHeights).blocks.flatMap {
        block in
        (0..<block.rowCount).map { block.feature(row: $0) }
      }
      layer.add(more, isExact: true) { $0 }
    }
    let texts = words.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
    for id in layer.blocks.flatMap(\.featureIDs) {
      try? layer.setAttribute(
        "text", to: .string(texts.randomElement(using: &random) ?? ""), of: [id])
    }
    let unplaced = layer.blocks.flatMap { block in
      (0..<block.rowCount).filter { block.geometry.kinds[$0] == .none }.map { block.featureIDs[$0] }
    }
    layer.remove(Set(unplaced))
    return layer
  }

  @Test(arguments: ["gpx", "gml", "dxf", "shapezip", "jml", "gmt"])
  func `No loss of usual features goes unseen`(name: String) throws {
    var usual = 0
    let seeds = Seeds.some(12)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let layer = Self.layer(&random, seed)
      var writer = try #require(BridgedWriter.all.first { $0.name == name })
      guard layer.count > 0, writer.areUsual([layer], ExportOptions()) else { continue }
      writer.readsAlways = true
      do {
        var bytes: [UInt8] = []
        let report = try writer.write([layer], options: ExportOptions()) { bytes += $0 }
        usual += 1
        // A GPX has the vertices as well, and DXF has each part as an entity.
        if name != "gpx", name != "dxf" {
          let reader = try #require(BridgedReader.all.first { $0.name == name })
          let again = try reader.read(bytes, options: ImportOptions(name: "a")) { _ in }
          let counts = again.layers.map { ($0 as? FeatureLayer)?.count }
          #expect(counts == [layer.count], "seed \(seed)")
        }
        let changed = report.remarks.filter { $0.contains("back changed") }
        #expect(changed == [], "seed \(seed)")
      } catch let error as ToolError {
        // Some kinds of shapes are refused before GDAL does it.
        #expect(error.description.contains(" holds a layer of "), "seed \(seed): \(error)")
      }
    }
    #expect(usual > 0 || name == "dxf")
  }
}
