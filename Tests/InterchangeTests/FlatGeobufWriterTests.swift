import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Files of FlatGeobuf are what GDAL reads as the same features.
@Suite struct FlatGeobufWriterTests {
  private static func written(
    _ layer: FeatureLayer, _ options: ExportOptions = ExportOptions()
  ) throws -> (bytes: [UInt8], report: ExportReport) {
    var bytes: [UInt8] = []
    let report = try FlatGeobufWriter().write([layer], options: options) { bytes += $0 }
    return (bytes, report)
  }

  private static func read(_ bytes: [UInt8], _ box: Box? = nil) throws -> ImportResult {
    let reader = try #require(BridgedReader.all.first { $0.name == "flatgeobuf" })
    return try reader.wanted(
      of: FileSource(bytes),
      options: ImportOptions(name: "one", own: box.map { ReadingOptions(box: $0) })
    ) { _ in }
  }

  /// How often each feature stands in a layer: GDAL reads a shape of no position as none.
  private static func counts(_ layer: FeatureLayer) -> [FeatureValues: Int] {
    let hasHeights = layer.blocks.contains { $0.geometry.elevations.contains { !$0.isNaN } }
    return FeatureValues.all(layer).reduce(into: [:]) { counts, values in
      var values = values.asTable
      if hasHeights {
        for index in values.paths.indices {
          let count = values.paths[index].ordinates.count / 2
          let heights = values.paths[index].heights.map {
            Double(bitPattern: $0).isNaN ? 0.0.bitPattern : $0
          }
          values.paths[index].heights =
            heights.isEmpty ? Array(repeating: 0, count: count) : heights
        }
      }
      counts[values, default: 0] += 1
    }
  }

  @Test(
    .enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"), arguments: Seeds.some(12))
  func `Random layers come back bit for bit`(seed: UInt64) throws {
    var random = RandomLayers(seed: seed)
    let kinds = GeometryKind.allCases + [nil, nil] as [GeometryKind?]
    let kind = kinds[Int(seed % UInt64(kinds.count))]
    let layer = random.layer(
      "one", kind: kind == GeometryKind.none ? nil : kind, hasHeights: seed % 3 == 0)
    let system = CoordinateSystem(named: ["EPSG:25833", "OGC:CRS84", "EPSG:3857"][Int(seed % 3)])
    let (bytes, report) = try Self.written(layer, ExportOptions(coordinateSystem: system))
    let result = try Self.read(bytes)
    let again = try #require(result.layers.first as? FeatureLayer)
    #expect(Self.counts(layer) == Self.counts(again), "seed \(seed): \(report.remarks)")
    #expect(result.coordinateSystem == system && again.name == "one")
  }

  @Test(
    .enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"), arguments: Seeds.some(6))
  func `The index finds the features in a box, of any number of them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var layer = FeatureLayer(
      id: LayerID(1), name: "one", style: Style(name: "one", mark: MarkStyle()))
    let count = [1, 15, 16, 17, 256, 257, 300][Int(seed % 7)]
    for _ in 0..<count {
      let place = Coordinate(
        x: Double.random(in: -100...100, using: &random),
        y: Double.random(in: -80...80, using: &random))
      _ = layer.add(geometry: .point(place), attributes: [])
    }
    let bytes = try Self.written(layer).bytes
    let box = Box(minX: -20, minY: -30, maxX: 50, maxY: 20)
    let wanted = FeatureValues.all(layer).filter { values in
      let (x, y) = (
        Double(bitPattern: values.paths[0].ordinates[0]),
        Double(bitPattern: values.paths[0].ordinates[1])
      )
      return box.minX <= x && x <= box.maxX && box.minY <= y && y <= box.maxY
    }
    let found = try Self.read(bytes, box).layers.compactMap { $0 as? FeatureLayer }
    #expect(Set(found.flatMap { FeatureValues.all($0) }.map(\.paths)) == Set(wanted.map(\.paths)))
  }

  @Test func `The curve visits each cell once, and goes on to one beside it`() {
    // Sixteen cells each way, at the corner of the grid.
    let cells = (0..<16).flatMap { y in (0..<16).map { (x: UInt32($0), y: UInt32(y)) } }
    let order = cells.sorted { PackedTree.hilbert($0.x, $0.y) < PackedTree.hilbert($1.x, $1.y) }
    #expect(Set(cells.map { PackedTree.hilbert($0.x, $0.y) }) == Set(0..<256))
    for (one, next) in zip(order, order.dropFirst()) {
      #expect(abs(Int(one.x) - Int(next.x)) + abs(Int(one.y) - Int(next.y)) == 1)
    }
  }

  @Test func `Equal layers give equal bytes; ids and a missing index are told`() throws {
    var random = RandomLayers(seed: 3)
    var layer = random.layer("one", kind: .point)
    _ = layer.add(geometry: Geometry(kind: .none, paths: []), attributes: [])
    let (bytes, report) = try Self.written(layer)
    #expect(try Self.written(layer).bytes == bytes)
    #expect(report.remarks.contains { $0.contains("without an index") })
    #expect(report.features == layer.count)
    let error = #expect(throws: ToolError.self) {
      try FlatGeobufWriter().write([layer, layer], options: ExportOptions()) { _ in }
    }
    #expect(error?.description.contains("choose with --layers") == true)
  }

  @Test(arguments: [[1.0, 2, 3], [1, 80, 2]])
  func `Ids are told, and their order where the index has another`(xs: [Double]) throws {
    let lines = xs.enumerated().map { number, x in
      #"{"type":"Feature","id":\#(number),"properties":{},"geometry":{"type":"Point","#
        + #""coordinates":[\#(x),\#(x)]}}"#
    }
    let read = try LinesFormat().read(
      Array(lines.joined(separator: "\n").utf8), options: ImportOptions(name: "one")
    ) { _ in }
    let layer = try #require(read.layers.first as? FeatureLayer)
    let words = "FlatGeobuf does not hold the ids of features"
    let boxes = layer.blocks.flatMap(\.geometry.boxes)
    let isSorted = PackedTree.order(boxes) != Array(boxes.indices)
    #expect(isSorted || xs == [1, 2, 3])
    #expect(
      try Self.written(layer).report.notes == [words + (isSorted ? ", nor their order" : "")])
  }

  @Test(.enabled(if: GeoPackageTests.hasOGR, "ogr2ogr is not installed"))
  func `Texts with a NUL come back whole, with a blank for it, told`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "one", style: Style(name: "one", mark: MarkStyle()))
    for text in ["a\0b", "plain", "\0"] {
      _ = layer.add(
        geometry: .point(Coordinate(x: 1, y: 2)), attributes: [("text", .string(text))])
    }
    let (bytes, report) = try Self.written(layer)
    #expect(report.remarks.contains(ExportReport.zeroNote(2)))
    let again = try #require(Self.read(bytes).layers.first as? FeatureLayer)
    let texts = again.blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute("text", row: $0).text }
    }
    #expect(texts.sorted() == [" ", "a b", "plain"])
  }
}
