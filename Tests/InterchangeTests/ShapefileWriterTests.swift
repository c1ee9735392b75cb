import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Shapefiles that are written: what comes back, what is refused, what is told.
@Suite struct ShapefileWriterTests {
  private typealias Row = (geometry: Geometry, values: [(name: String, value: AttributeValue)])

  private static func layer(_ rows: [Row]) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: 1, index: 0))
    for row in rows {
      _ = layer.add(geometry: row.geometry, attributes: row.values, isExact: true)
    }
    return layer
  }

  /// The files by their endings, and the report.
  private static func write(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions()
  ) throws -> (files: [String: [UInt8]], report: ExportReport) {
    var files: [String: [UInt8]] = [:]
    let report = try ShapefileWriter().write(layers, options: options) {
      files[$0, default: []] += $1
    }
    return (files.filter { !$0.value.isEmpty }, report)
  }

  private static func read(_ files: [String: [UInt8]]) throws -> ImportResult {
    let system = MemoryFileSystem()
    try system.makeDirectories("/m")
    for (ending, bytes) in files {
      _ = try system.save(bytes, to: "/m/a.\(ending)", expecting: .absent)
    }
    return try ShapefileFormat().read(
      FileSource(path: "/m/a.shp", in: system), options: ImportOptions(name: "a")
    ) { _ in }
  }

  private static func features(_ result: ImportResult) -> [Feature] {
    result.layers.compactMap { $0 as? FeatureLayer }.flatMap { layer in
      layer.blocks.flatMap { block in (0..<block.rowCount).map { block.feature(row: $0) } }
    }
  }

  // MARK: Laws

  private static func position(_ random: inout SeededGenerator) -> Coordinate {
    Coordinate(
      x: .random(in: -170...170, using: &random), y: .random(in: -80...80, using: &random))
  }

  private static func geometry(_ dimension: Int, _ random: inout SeededGenerator) -> Geometry {
    switch dimension {
    case 0: return .point(position(&random))
    case 1: return .line((0..<Int.random(in: 2...9, using: &random)).map { _ in position(&random) })
    default:
      let (middle, size) = (position(&random), Double.random(in: 0.1...4, using: &random))
      func square(_ size: Double) -> [Coordinate] {
        [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1), (-1, -1)].map {
          Coordinate(x: middle.x + $0 * size, y: middle.y + $1 * size)
        }
      }
      let rings =
        Bool.random(using: &random) ? [square(size), square(size / 2).reversed()] : [square(size)]
      return .polygon(rings)
    }
  }

  private static func value(_ kind: Int, _ random: inout SeededGenerator) -> AttributeValue {
    if Int.random(in: 0..<5, using: &random) == 0 { return .null }
    switch kind {
    case 0: return .number("\(Int.random(in: -9_999_999...99_999_999, using: &random))")
    case 1: return .number("\(Double.random(in: -1e9...1e9, using: &random))")
    case 2: return .number("\(Double.random(in: 0...1, using: &random) * 1e-12)")
    case 3: return .bool(.random(using: &random))
    default:
      let letters = ["a", "Ä", "中", "🙂", "x y", "\"", ",", "e\u{301}"]
      return .string(
        (1...Int.random(in: 1...20, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        }.joined())
    }
  }

  @Test(arguments: Seeds.some(60))
  func `features come back as they were written`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let dimension = Int.random(in: 0...2, using: &random)
    let kinds = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      Int.random(in: 0...4, using: &random)
    }
    let rows = (0..<Int.random(in: 1...30, using: &random)).map { number -> Row in
      let geometry = number % 7 == 6 ? Geometry.none : Self.geometry(dimension, &random)
      return (geometry, kinds.enumerated().map { ("column\($0)", Self.value($1, &random)) })
    }
    let (files, report) = try Self.write([Self.layer(rows)])
    #expect(Set(files.keys) == ["shp", "shx", "dbf", "cpg", "prj"])
    #expect(report.features == rows.count && report.remarks.isEmpty, "\(report.remarks)")
    let back = try Self.read(files)
    #expect(back.coordinateSystem == .crs84 && back.report.notes.isEmpty)
    for (feature, row) in zip(Self.features(back), rows) {
      #expect(feature.geometry.paths.map(\.vertices) == row.geometry.paths.map(\.vertices))
      #expect(feature.geometry.kind == row.geometry.kind)
      for (index, written) in row.values.enumerated() {
        #expect(feature.attributes[index].name == written.name)
        #expect(feature.attributes[index].value == written.value)
      }
    }
    // What was read is written as the same bytes.
    let again = try Self.write(back.layers.compactMap { $0 as? FeatureLayer })
    #expect(again.files == files)
  }

  @Test func `heights, several points and rings of the other winding are written`() throws {
    var high = Geometry.line([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])
    high.paths[0].elevations = [5, nil]
    let lines = try Self.write([Self.layer([(high, [])])])
    #expect(lines.report.remarks.count == 1 && lines.report.remarks[0].contains("no height"))
    let line = try #require(Self.features(try Self.read(lines.files)).first)
    #expect(line.geometry.paths[0].elevations == [5, 0])
    // Without attributes there is a column of numbers, as tables need one.
    #expect(line.attributes.map(\.name) == ["FID"])
    let clockwise = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)].map { Coordinate(x: $0, y: $1) }
    let area = try Self.write([Self.layer([(.polygon([clockwise]), [])])])
    let read = try #require(Self.features(try Self.read(area.files)).first)
    #expect(read.geometry.paths[0].vertices == clockwise.reversed())
  }

  @Test func `names are cut and stay apart, mixed and long values become text`() throws {
    let long = String(repeating: "ä", count: 200)
    let values: [(name: String, value: AttributeValue)] = [
      ("population of 2020", .number("1")), ("population of 2021", .string("x")),
      ("ÄÖÜäöü", .string(long)), ("", .string(" ")),
    ]
    let other: [(name: String, value: AttributeValue)] = [("population of 2021", .number("7"))]
    let point = Geometry.point(Coordinate(x: 0, y: 0))
    let (files, report) = try Self.write([Self.layer([(point, values), (point, other)])])
    let back = Self.features(try Self.read(files))
    #expect(back[0].attributes.map(\.name) == ["population", "populati_1", "ÄÖÜäö", "column"])
    #expect(back[1].attributes[1].value == .string("7"))
    #expect(back[0].attributes[2].value == .string(String(repeating: "ä", count: 127)))
    #expect(report.remarks.count == 4, "\(report.remarks)")
  }

  @Test func `several layers, several kinds and too many columns are refused`() throws {
    let point = Geometry.point(Coordinate(x: 0, y: 0))
    let line = Geometry.line([Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 1)])
    func code(_ layers: [FeatureLayer]) -> ExportError.Code? {
      do {
        _ = try Self.write(layers)
        return nil
      } catch { return (error as? ExportError)?.code }
    }
    #expect(code([]) == .nothingToWrite)
    #expect(code([Self.layer([(point, [])]), Self.layer([(line, [])])]) == .severalLayers)
    #expect(code([Self.layer([(point, []), (line, [])])]) == .mixedKinds)
    let many = (0..<256).map { (name: "c\($0)", value: AttributeValue.number("1")) }
    #expect(code([Self.layer([(point, many)])]) == .tooManyFields)
    #expect(code([Self.layer([])]) == nil)
  }

  @Test(arguments: ["EPSG:3857", "EPSG:32633", "EPSG:32756", "EPSG:25832"])
  func `systems come back`(_ name: String) throws {
    let system = CoordinateSystem(named: name)
    let layer = Self.layer([(.point(Coordinate(x: 500_000, y: 5_000_000)), [])])
    let (files, _) = try Self.write([layer], ExportOptions(coordinateSystem: system))
    #expect(try Self.read(files).coordinateSystem == system)
    let (plain, report) = try Self.write([layer], ExportOptions(coordinateSystem: .planar))
    #expect(plain["prj"] == nil && report.remarks.count == 1)
  }
}
