import Foundation
import PortolanDatabases
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite(.enabled(if: Database.isFound, "SQLite is not installed"))
struct GeoPackageTests {
  static func read(
    _ bytes: [UInt8], _ own: ReadingOptions? = nil
  ) throws -> ImportResult {
    try GeoPackageFormat().wanted(
      of: FileSource(bytes), options: ImportOptions(name: "file", own: own)
    ) { _ in }
  }

  static func written(
    _ layers: [any Layer], _ options: ExportOptions = ExportOptions()
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try GeoPackageWriter().write(layers, options: options) { bytes += $0 }
    return bytes
  }

  static let hasOGR = ChildProcess(named: "ogr2ogr") != nil

  @Test func `What is written is read again, bit for bit`() throws {
    for seed in Seeds.some(12) {
      var random = RandomLayers(seed: seed)
      let hasHeights = seed % 3 == 0
      let layers = [
        random.layer("one", hasHeights: hasHeights), random.layer("two, \"2\"", kind: .polygon),
      ]
      let result = try Self.read(try Self.written(layers))
      #expect(result.layers.map(\.name) == ["one", "two, \"2\""], "seed \(seed)")
      for (layer, again) in zip(layers, result.layers) {
        let again = try #require(again as? FeatureLayer)
        let (old, new) = (FeatureValues.all(layer), FeatureValues.all(again))
        #expect(old.map(\.asTable) == new.map(\.asTable), "seed \(seed)")
      }
      #expect(result.remarks == [] && result.coordinateSystem == .crs84)
    }
  }

  @Test(.enabled(if: hasOGR, "ogr2ogr is not installed"))
  func `Through the bridge and by SQLite are equal, bit for bit`() throws {
    for seed in Seeds.some(2) {
      var random = RandomLayers(seed: seed)
      let bytes = try Self.written([random.layer("one", hasHeights: seed % 2 == 0)])
      let own = try Self.read(bytes)
      let driver = BridgeDriver(
        name: "gpkg", title: "GeoPackage", drivers: ["GPKG"], extensions: ["gpkg"],
        hasIdentifiers: true, hasNulls: true)
      let bridged = try BridgedReader(driver).read(
        bytes, options: ImportOptions(name: "file")
      ) { _ in }
      let one = try #require(own.layers.first as? FeatureLayer)
      let other = try #require(bridged.layers.first as? FeatureLayer)
      #expect(FeatureValues.all(one).map(\.asTable) == FeatureValues.all(other).map(\.asTable))
      let ids = [one, other].map { FeatureValues.all($0).map(\.identifier) }
      #expect(ids[0] == ids[1], "seed \(seed)")
      #expect(own.coordinateSystem == bridged.coordinateSystem)
    }
  }

  /// Well-known text of shapes on several turns of the globe, across 180 degrees and around poles.
  private static func turnedShapes(_ random: inout SeededGenerator) -> String {
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    return (0..<60).map { _ in
      let (x, y) = (number(-540...540), number(-85...80))
      let edge = [170, -170].randomElement(using: &random) ?? 170
      return [
        "POINT(\(x) \(y))", "POINT(\(x.rounded()) \(y.rounded()))",
        "LINESTRING(\(x) \(y), \(x + number(-20...20)) \(y + 5))",
        "LINESTRING(\(edge) \(y), \(-edge) \(y + 3))",
        "POLYGON((\(x) \(y), \(x + number(1...30)) \(y), \(x) \(y + 5), \(x) \(y)))",
        "POLYGON((\(edge) \(y), \(-edge) \(y), \(-edge) \(y + 4), \(edge) \(y)))",
        "POLYGON((-170 70, -60 71, 60 72, 170 73, -170 70))",
      ].randomElement(using: &random) ?? ""
    }.joined(separator: "\n")
  }

  @Test func `A box takes of the index what it takes of the features`() throws {
    for seed in Seeds.some(20) {
      var random = SeededGenerator(seed: seed)
      var layers = RandomLayers(seed: seed)
      let text = Array(Self.turnedShapes(&random).utf8)
      let turned = try WKTFormat().read(text, options: ImportOptions(name: "one")) { _ in }.layers
      let bytes = try Self.written(seed % 4 == 0 ? [layers.layer("one")] : turned)
      let all = try #require(try Self.read(bytes).layers.first as? FeatureLayer)
      for _ in 0..<8 {
        var box = Box(minX: -60, minY: -30, maxX: 40, maxY: 35)
        box.minX = Double(Int.random(in: -400...400, using: &random))
        box.maxX = box.minX + ([0, 10, 50].randomElement(using: &random) ?? 0)
        box.minY = Double(Int.random(in: -90...85, using: &random))
        box.maxY = min(box.minY + 20, 90)
        if box.maxX > 180, box.minX < 180, Bool.random(using: &random) { box.maxX -= 360 }
        let touch = BoxTouch(box, isGeographic: true)
        let wanted = all.blocks.flatMap { block in
          touch.rows(in: block.geometry).map { block.identifiers.value($0) }
        }
        var wish = ReadingOptions()
        wish.wishes.box = box
        for reading in [ReadingOptions(box: box), wish] {
          let layers = try Self.read(bytes, reading).layers
          let layer = try #require(layers.first as? FeatureLayer)
          let found = layer.blocks.flatMap { block in
            touch.rows(in: block.geometry).map { block.identifiers.value($0) }
          }
          #expect(found == wanted, "seed \(seed), \(box)")
          #expect(reading.box == nil || layer.count == wanted.count)
          #expect(reading.box != nil || layer.count > 0, "the names of the attributes are lost")
          #expect(reading.box != nil || layer.count < all.count || seed % 4 == 0)
        }
      }
    }
  }

  /// The numbers of the triggers `…_updateN` of a table, and the version of the file.
  private static func updateTriggers(
    _ database: Database
  ) throws -> (triggers: Set<Int>, version: Int) {
    var (triggers, version) = (Set<Int>(), 0)
    try database.rows(
      "SELECT substr(name, -1) FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_update_'"
    ) { triggers.insert(Int($0.text(0) ?? "") ?? 0) }
    try database.rows("PRAGMA user_version") { version = $0.integer(0) }
    return (triggers, version)
  }

  @Test(arguments: ["2024-05-01T08:00:00Z", "2024-05-01T08:00:00.000Z"])
  func `Columns of dates and of times alone have these types, with the same values`(
    time: String
  ) throws {
    let rows = [
      ["2024-05-01", time, "2024-05-01", "2024-02-30", "", "2024-05-01T08:00Z"],
      [
        "1999-12-31", "1999-12-31T23:59:59.125Z", "1999-12-31T00:00:00.000Z", "2024-02-28", "1",
        "1999-12-31T23:59Z",
      ],
    ]
    let names = ["day", "time", "mixed", "wrong", "none", "short"]
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: Style(name: "a", mark: MarkStyle()))
    let features = rows.enumerated().map { number, row in
      Feature(
        id: FeatureID(UInt64(number + 1)), geometry: .none,
        attributes: zip(names, row).map { ($0, .string($1)) } + [("null", .null)])
    }
    layer.add(features, isExact: true) { $0 }
    var other = RandomLayers(seed: 1)
    let bytes = try Self.written([layer, other.layer("b", kind: .point)])
    var types: [String: String] = [:]
    let database = try Database(bytes)
    try database.rows("SELECT name, type FROM pragma_table_xinfo('a')") { row in
      types[row.text(0) ?? ""] = row.text(1)
    }
    #expect(types["day"] == "DATE" && types["time"] == "DATETIME", "\(types)")
    #expect(["mixed", "wrong", "none", "short", "null"].allSatisfy { types[$0] == "TEXT" })
    let again = try #require(try Self.read(bytes).layers.first as? FeatureLayer)
    #expect(FeatureValues.all(layer).map(\.asTable) == FeatureValues.all(again).map(\.asTable))
    // Version 1.3 has times with milliseconds alone, and other triggers.
    let isNew = time.count == 20
    let (triggers, version) = try Self.updateTriggers(database)
    #expect(version == (isNew ? 10400 : 10300))
    #expect(triggers == (isNew ? [2, 4, 5, 6, 7] : [1, 2, 3, 4]))
  }

  @Test(.enabled(if: hasOGR, "ogrinfo is not installed"), arguments: ["Z", ".000Z"])
  func `The index stays right when GDAL edits a table of either version`(zone: String) throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: Style(name: "a", mark: MarkStyle()))
    for x in [1.0, 2, 3] {
      _ = layer.add(
        geometry: .point(Coordinate(x: x, y: 0)),
        attributes: [("time", .string("2024-05-01T08:00:00" + zone))])
    }
    let folder = try ScratchFolder()
    try folder.write(try Self.written([layer]), to: "a.gpkg")
    let info = try #require(ChildProcess(named: "ogrinfo"))
    func boxes(after sql: String) throws -> [Int: [Double]] {
      let done = try info.run(["a.gpkg", "-sql", sql], in: folder) { _ in }
      #expect(!done.errors.contains("ERROR"), "\(done.errors)")
      var boxes: [Int: [Double]] = [:]
      try Database(try folder.read("a.gpkg")).rows("SELECT * FROM rtree_a_geom") {
        boxes[$0.integer(0)] = [$0.real(1), $0.real(2)]
      }
      return boxes
    }
    let shape = "(SELECT geom FROM a WHERE fid = 3)"
    #expect(try boxes(after: "UPDATE a SET geom = NULL WHERE fid = 1") == [2: [2, 2], 3: [3, 3]])
    #expect(
      try boxes(after: "UPDATE a SET geom = \(shape) WHERE fid = 1")
        == [1: [3, 3], 2: [2, 2], 3: [3, 3]])
    #expect(
      try boxes(after: "UPDATE a SET geom = \(shape) WHERE fid = 2")
        == [1: [3, 3], 2: [3, 3], 3: [3, 3]])
    #expect(
      try boxes(after: "UPDATE a SET fid = 9 WHERE fid = 1")
        == [2: [3, 3], 3: [3, 3], 9: [3, 3]])
    #expect(try boxes(after: "DELETE FROM a WHERE fid > 2") == [2: [3, 3]])
  }

  @Test(arguments: [["1", "5", "9"], ["5", "1", "9"], ["2", "1", "x"]])
  func `The order of ids is told where it is not that of the layer`(ids: [String]) throws {
    let lines = ids.enumerated().map { number, id in
      let id = Int(id) == nil ? "\"\(id)\"" : id
      return #"{"type":"Feature","id":\#(id),"properties":{"n":\#(number)},"geometry":null}"#
    }
    let read = try LinesFormat().read(
      Array(lines.joined(separator: "\n").utf8), options: ImportOptions(name: "towns")
    ) { _ in }
    let layer = try #require(read.layers.first as? FeatureLayer)
    var bytes: [UInt8] = []
    let report = try GeoPackageWriter().write([layer], options: ExportOptions()) { bytes += $0 }
    let words =
      "layer towns: features are in the order of their ids, which is another one than that of the "
      + "layer"
    let again = try #require(try Self.read(bytes).layers.first as? FeatureLayer)
    let order = again.blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute("n", row: $0).text }
    }
    #expect(report.notes.contains(words) == (order != ["0", "1", "2"]))
    #expect(order == (ids[0] == "5" ? ["1", "0", "2"] : ["0", "1", "2"]))
  }

  @Test func `Remarks name the layer, whatever its table is called`() throws {
    let style = Style(name: "a", mark: MarkStyle())
    var layer = FeatureLayer(id: LayerID(1), name: "layer", style: style)
    _ = layer.add(geometry: Geometry(kind: .none, paths: []), attributes: [("n", .string("x"))])
    let database = try Database()
    var catalogue = try GeoPackageCatalogue(database)
    var writer = GeoPackageLayer(
      layer, layer.blocks.map { Array(0..<$0.rowCount) }, named: "layer",
      types: WrittenTypes(narrowsIntegers: false), hasIndex: false, holdsIdentifiers: false)
    writer.system = try catalogue.number(of: .crs84)
    try writer.write(to: database) {}
    try database.run("UPDATE layer SET n = x'00'")
    let table = try #require(try GeoPackageTable.all(database).first)
    var reader = GeoPackageReader(database, table)
    _ = try reader.read(named: "towns", box: nil) { _ in }
    #expect(reader.remarks == ["layer towns: 1 value is binary (blobs); left out"])
  }

  @Test func `Systems come back by their numbers and names`() throws {
    var random = RandomLayers(seed: 1)
    let layer = random.layer("one", kind: .point)
    for name in ["EPSG:25833", "EPSG:3857", "ESRI:54030", "site grid"] {
      let system = CoordinateSystem(named: name)
      let bytes = try Self.written([layer], ExportOptions(coordinateSystem: system))
      #expect(try Self.read(bytes).coordinateSystem == system)
    }
    let planar = try Self.written([layer], ExportOptions(coordinateSystem: .planar))
    #expect(try Self.read(planar).coordinateSystem == .planar)
  }

  @Test func `Layers are chosen, and an unknown one is named with those that there are`() throws {
    var random = RandomLayers(seed: 2)
    let bytes = try Self.written([random.layer("a"), random.layer("b"), random.layer("A")])
    #expect(try Self.read(bytes).layers.map(\.name) == ["a", "b", "A_2"])
    let chosen = try Self.read(bytes, ReadingOptions(layers: ["b"]))
    #expect(chosen.layers.map(\.name) == ["b"])
    let error = #expect(throws: ToolError.self) {
      _ = try Self.read(bytes, ReadingOptions(layers: ["c"]))
    }
    #expect(error?.description == "no layer is named \"c\": there are a, b, A_2")
  }

  @Test(arguments: Seeds.some(30))
  func `A cut file says so, with its sizes`(seed: UInt64) throws {
    var random = RandomLayers(seed: seed)
    let bytes = try Self.written([random.layer("one")])
    var numbers = SeededGenerator(seed: seed)
    let count = Int.random(in: 100..<bytes.count, using: &numbers)
    let error = #expect(throws: ToolError.self) { _ = try Self.read(Array(bytes.prefix(count))) }
    #expect(
      error?.description
        == "the file was cut: \(count) of \(bytes.count) bytes are there: fetch or export it again")
    // Where the pages are not counted, a cut one tells it. More behind the end does not matter.
    var uncounted = bytes
    uncounted[92] ^= 1
    _ = try Self.read(uncounted)
    let page = Int(bytes[16]) << 8 | Int(bytes[17])
    let part = Array(uncounted.prefix(count / page * page + page - 1))
    #expect(throws: ToolError.self) { _ = try Self.read(part) }
    _ = try Self.read(bytes + Array(repeating: 0, count: page))
  }

  @Test func `Equal layers give equal bytes, and looking changes nothing`() throws {
    let layer = { () -> FeatureLayer in
      var random = RandomLayers(seed: 3)
      return random.layer("one")
    }
    let bytes = try Self.written([layer()])
    #expect(try Self.written([layer()]) == bytes)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gpkg-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.gpkg").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let stamp = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    _ = try GeoPackageFormat().read(
      FileSource(path: path, in: RealFileSystem()), options: ImportOptions(name: "a")
    ) { _ in }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
    let now = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    #expect(stamp == now)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.gpkg"])
  }

  // MARK: Files of others

  static let corpus: [String] = {
    let folder = Shared.path("corpus/maps/geopackage")
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return (names ?? []).filter { $0.hasSuffix(".gpkg") }.sorted().map { folder + "/" + $0 }
  }()

  @Test(.enabled(if: hasOGR && !corpus.isEmpty, "ogrinfo or the files of others are missing"))
  func `Files of others have the layers and counts that ogrinfo tells`() throws {
    let info = try #require(ChildProcess(named: "ogrinfo"))
    for path in Self.corpus {
      let told = try info.run(["-ro", "-so", "-al", path], in: ScratchFolder()) { _ in }
      let wanted = try OGRTools.layers(told.output)
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      let layers = try Self.read(bytes).layers.compactMap { $0 as? FeatureLayer }
      let found = Dictionary(grouping: layers, by: \.name).mapValues { $0[0].count }
      #expect(
        found == Dictionary(grouping: wanted, by: \.name).mapValues { $0[0].count }, "\(path)")
    }
  }

  @Test(.enabled(if: hasOGR, "ogr2ogr is not installed"))
  func `A box is in the system into which all layers are converted`() throws {
    let ogr = try #require(ChildProcess(named: "ogr2ogr"))
    let folder = try ScratchFolder()
    for (name, place, words) in [
      ("a", "111000 0", ["-a_srs", "EPSG:3857"]), ("b", "1 0", ["-a_srs", "EPSG:4326", "-update"]),
    ] {
      try folder.write(Array("WKT,n\n\"POINT (\(place))\",1\n".utf8), to: name + ".csv")
      let done = try ogr.run(
        ["-f", "GPKG"] + words + ["both.gpkg", name + ".csv"], in: folder
      ) { _ in }
      #expect(done.end == .exit(code: 0), "\(done.errors)")
    }
    let box = Box(minX: 110_000, minY: -1000, maxX: 112_000, maxY: 1000)
    let result = try Self.read(try folder.read("both.gpkg"), ReadingOptions(box: box))
    let layers = result.layers.compactMap { $0 as? FeatureLayer }
    #expect(layers.map(\.count) == [1, 1], "\(result.remarks)")
  }

  @Test(arguments: ["endless-view", "great-blob-view", "cut"])
  func `A file that was made to block is refused`(_ name: String) throws {
    let url = Shared.package.appendingPathComponent("Tests/Fuzzing/Corpus/geopackage/\(name).gpkg")
    let bytes = [UInt8](try Data(contentsOf: url))
    #expect(throws: ToolError.self) { _ = try Self.read(bytes) }
  }
}
