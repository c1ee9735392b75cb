import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Whatever attributes are called, their values and the positions of features come back.
@Suite struct ColumnNameLawTests {
  private static let names = [
    "", "a", "A", "wkt", "WKT", "wkt_2", "geometry", "geom", "the_geom", "lon", "Lat", "x", "y",
    "X",
    "longitude", " latitude ", "id", "ele", "easting", "column", "name", "Name", "fid", "shape",
    "a\0b",
  ]

  /// Points or lines with some of the names as attributes; every value has a text of its own.
  private static func layer(
    _ random: inout SeededGenerator, _ pool: [String] = names
  ) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: 0, index: 0))
    let chosen = pool.filter { _ in random.next() % 3 == 0 }
    let areLines = random.next() % 2 == 0
    for row in 0..<3 {
      let (x, y) = (Double(row) + 0.5, 40 + Double(random.next() % 40))
      let values = chosen.enumerated().map { place, name -> (String, AttributeValue) in
        let number = 10 * place + row + 1
        switch random.next() % 3 {
        case 0: return (name, .number("\(number)"))
        case 1: return (name, .string("POINT (\(number) \(number))"))
        default: return (name, .string("t\(number)"))
        }
      }
      let start = Coordinate(x: x, y: y)
      _ = layer.add(
        geometry: areLines ? .line([start, Coordinate(x: x + 1, y: y)]) : .point(start),
        attributes: values)
    }
    return layer
  }

  /// The places and the texts of the features, without the names of the columns.
  private static func contents(_ layer: any FeatureHolding) -> [String] {
    layer.blocks.flatMap { block in
      (0..<block.rowCount).map { row in
        let texts = block.attributes.filter { $0.kind(row) != .missing }.map { $0.value(row).text }
        let places = block.geometry.geometry(ofFeature: row).paths.flatMap(\.vertices)
        return "\(places.map { "\($0.x) \($0.y)" }) \(texts.sorted())"
      }
    }
  }

  private static func written(
    _ layer: FeatureLayer, _ format: any Exporter
  ) throws -> (bytes: [UInt8], notes: [String]) {
    var bytes: [UInt8] = []
    let report = try format.write([layer], options: ExportOptions()) { bytes += $0 }
    return (bytes, report.notes)
  }

  @Test(arguments: Seeds.some(60))
  func `A table is read as it was written, whatever its attributes are called`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let layer = Self.layer(&random)
    for format in [CSVFormat.comma, .tab] {
      let (bytes, notes) = try Self.written(layer, format)
      let result = try format.read(bytes, options: ImportOptions(name: "a")) { _ in }
      let again = try #require(result.layers.first as? FeatureLayer)
      #expect(Self.contents(again) == Self.contents(layer), "seed \(seed)")
      #expect(format.fault(in: bytes[...]) == nil, "seed \(seed)")
      let isRenamed = Set(again.fieldNames) != Set(layer.fieldNames)
      #expect(notes.contains { $0.contains("are renamed: ") } == isRenamed, "seed \(seed)")
    }
  }

  @Test(arguments: Seeds.some(12))
  func `A GeoPackage and a Shapefile keep the values of renamed columns`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let layer = Self.layer(&random)
    let names = layer.fieldNames
    let package = try Self.written(layer, GeoPackageWriter())
    let result = try GeoPackageFormat().read(
      package.bytes, options: ImportOptions(name: "a")
    ) { _ in }
    let again = try #require(result.layers.first as? FeatureLayer)
    #expect(Self.contents(again) == Self.contents(layer), "seed \(seed)")
    let hasLost = names.contains { !again.fieldNames.contains($0) }
    #expect(package.notes.contains { $0.contains("are renamed: ") } == hasLost, "seed \(seed)")
    var files: [String: [UInt8]] = [:]
    let report = try ShapefileWriter().write([layer], options: ExportOptions()) { ending, bytes in
      files[ending, default: []] += bytes
    }
    let folder = MemoryFileSystem(
      files: Dictionary(uniqueKeysWithValues: files.map { ("/m/a." + $0, $1) }))
    let source = FileSource(path: "/m/a.shp", in: folder)
    let shapes = try ShapefileFormat().read(source, options: ImportOptions(name: "a")) { _ in }
    let read = try #require(shapes.layers.first as? FeatureLayer)
    // The reader leaves the number of the row, which is there without other columns.
    if !names.isEmpty { #expect(Self.contents(read) == Self.contents(layer), "seed \(seed)") }
    let isRenamed = names.contains { !read.fieldNames.contains($0) }
    #expect(report.notes.contains { $0.contains(" → ") } == isRenamed, "seed \(seed)")
  }

  @Test func `A layer of KML has no two names that differ only in capitals`() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: 0, index: 0))
    let names = ["a", "A", "name", "NAME", "", "Id"]
    _ = layer.add(
      geometry: .point(Coordinate(x: 1, y: 2)),
      attributes: names.map { ($0, .string("v\($0)")) })
    let (bytes, notes) = try Self.written(layer, KMLWriter())
    let text = String(decoding: bytes, as: UTF8.self)
    for (name, value) in [("A_2", "vA"), ("NAME_2", "vNAME"), ("column", "v"), ("Id", "vId")] {
      #expect(text.contains("<SimpleData name=\"\(name)\">\(value)</SimpleData>"))
    }
    #expect(
      notes == [
        "layer a: attributes without a name, or that differ only in capitals, are renamed: "
          + "A → A_2, NAME → NAME_2, “” → column"
      ])
  }

  @Test(arguments: [
    ("longitude,latitude,lat", [1, 2]), ("lat,longitude,latitude", [2, 3]), ("x,y,lon", [1, 2]),
    ("X,Y,latitude", [1, 2]), ("lat,x,y,lon", [4, 1]), ("lng,latitude,lat", [1, 3]),
    ("lon,y", [1, 2]), ("easting,northing,x", [1, 2]),
  ])
  func `Names of positions that belong together are taken together`(
    head: String, place: [Double]
  ) throws {
    let count = head.split(separator: ",").count
    let row = (1...count).map(String.init).joined(separator: ",")
    let result = try CSVFormat.comma.read(
      Array("\(head)\n\(row)\n".utf8), options: ImportOptions(name: "t")
    ) { _ in }
    let layer = try #require(result.featureLayers.first)
    let point = layer.blocks[0].geometry.coordinate(at: 0)
    #expect([point.x, point.y] == place)
    #expect(result.warnings.contains { $0.hasPrefix("positions are those of") } == (count > 2))
  }
}
