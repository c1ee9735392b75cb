import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Shapefiles: shapes, rows, encodings, systems, and what is told of them.
@Suite struct ShapefileTests {
  // MARK: Making files

  private static func little(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func big(_ number: Int) -> [UInt8] { little(number, 4).reversed() }

  private static func doubles(_ numbers: [Double]) -> [UInt8] {
    numbers.flatMap { little(Int(bitPattern: UInt($0.bitPattern)), 8) }
  }

  /// A .shp, and its .shx.
  private static func shapes(_ shapes: [[UInt8]]) -> (shp: [UInt8], shx: [UInt8]) {
    let head = big(9994) + Array(repeating: 0, count: 24) + little(1000, 4)
    let rest = [UInt8](repeating: 0, count: 68)
    var (shp, shx) = (head + rest, head + rest)
    for (index, shape) in shapes.enumerated() {
      shx += big(shp.count / 2) + big(shape.count / 2)
      shp += big(index + 1) + big(shape.count / 2) + shape
    }
    return (shp, shx)
  }

  private static func point(_ x: Double, _ y: Double) -> [UInt8] { little(1, 4) + doubles([x, y]) }

  /// Lines or areas; a vertex has x, y and, by the type, z and m.
  private static func paths(_ type: Int, _ parts: [[[Double]]]) -> [UInt8] {
    var starts: [Int] = []
    var count = 0
    for part in parts {
      starts.append(count)
      count += part.count
    }
    let vertices = parts.flatMap { $0 }
    var shape = little(type, 4) + doubles([0, 0, 0, 0]) + little(parts.count, 4) + little(count, 4)
    shape += starts.flatMap { little($0, 4) } + doubles(vertices.flatMap { $0.prefix(2) })
    let extra = type > 20 ? 1 : type > 10 ? 2 : 0
    for index in 0..<extra { shape += doubles([0, 0] + vertices.map { $0[2 + index] }) }
    return shape
  }

  private static func table(
    _ columns: [(name: String, type: Character, width: Int)], _ rows: [[[UInt8]]],
    driver: UInt8 = 0, deleted: Set<Int> = []
  ) -> [UInt8] {
    let width = 1 + columns.reduce(0) { $0 + $1.width }
    var bytes = [3, 126, 1, 1] + little(rows.count, 4) + little(33 + 32 * columns.count, 2)
    bytes += little(width, 2) + Array(repeating: 0, count: 17) + [driver, 0, 0]
    for column in columns {
      bytes += Array(column.name.utf8) + Array(repeating: 0, count: 11 - column.name.utf8.count)
      bytes += Array(String(column.type).utf8) + [0, 0, 0, 0, UInt8(column.width)]
      bytes += Array(repeating: 0, count: 15)
    }
    bytes.append(0x0D)
    for (index, row) in rows.enumerated() {
      bytes.append(deleted.contains(index) ? 0x2A : 0x20)
      for (column, value) in zip(columns, row) {
        bytes += value + Array(repeating: 0x20, count: column.width - value.count)
      }
    }
    return bytes
  }

  private static func read(
    _ files: [String: [UInt8]], encoding: TextEncoding? = nil
  ) throws -> ImportResult {
    let system = MemoryFileSystem()
    try system.makeDirectories("/m")
    for (ending, bytes) in files {
      _ = try system.save(bytes, to: "/m/a.\(ending)", expecting: .absent)
    }
    return try ShapefileFormat().read(
      FileSource(files["shp"] ?? [], path: "/m/a.shp", in: system),
      options: ImportOptions(name: "a", own: encoding.map { TableOptions(encoding: $0) })
    ) { _ in }
  }

  private static func layer(_ result: ImportResult) throws -> any FeatureHolding {
    try #require(result.layers.first as? any FeatureHolding)
  }

  private static func texts(_ result: ImportResult) throws -> [String] {
    let layer = try layer(result)
    return layer.blocks.flatMap { block in
      block.featureIDs.compactMap { layer.feature($0) }.map { WKT.text($0.geometry) ?? "none" }
    }
  }

  private static func values(_ result: ImportResult, _ name: String) throws -> [AttributeValue] {
    try layer(result).blocks.flatMap { block in
      (0..<block.rowCount).map { block.attribute(name, row: $0) }
    }
  }

  private static let square: [[Double]] = [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]]
  private static let hole: [[Double]] = [[2, 2], [4, 2], [4, 4], [2, 2]]
  private static let island: [[Double]] = [[20, 0], [20, 3], [23, 3], [20, 0]]

  // MARK: Tables alone

  @Test func `A table without shapes is read, one beside shapes is not`() throws {
    let dbf = Self.table(
      [("name", "C", 6), ("size", "N", 4)],
      [
        [Array("K\u{F6}ln".unicodeScalars.map { UInt8($0.value) }), Array("12".utf8)],
        [Array("gone".utf8), Array("1".utf8)], [Array("Ulm".utf8), []],
      ], deleted: [1])
    let files = MemoryFileSystem()
    try files.makeDirectories("/m")
    _ = try files.save(dbf, to: "/m/a b.dbf", expecting: .absent)
    func read() throws -> ImportResult {
      try DBFTableFormat().read(
        FileSource(dbf, path: "/m/a b.dbf", in: files), options: ImportOptions(name: "a")
      ) { _ in }
    }
    let result = try read()
    #expect(try Self.texts(result) == ["none", "none"])
    #expect(try Self.values(result, "name") == [.string("K\u{F6}ln"), .string("Ulm")])
    #expect(try Self.values(result, "size") == [.number("12"), .null])
    #expect(result.report[.deletedRows]?.count == 1)
    _ = try files.save([0], to: "/m/a b.SHP", expecting: .absent)
    let error = #expect(throws: ToolError.self) { _ = try read() }
    #expect(error?.description.hasSuffix("portolan '/m/a b.SHP'") == true)
  }

  // MARK: Shapes

  @Test func `Points, lines and areas are read, rings as RFC 7946 winds them`() throws {
    let (shp, shx) = Self.shapes([
      Self.point(10.5, 60), Self.little(0, 4),
      Self.paths(3, [[[0, 0], [1, 1]]]), Self.paths(3, [[[0, 0], [1, 1]], [[5, 5], [6, 6]]]),
      Self.paths(5, [Self.square, Self.island, Self.hole]),
      Self.paths(13, [[[0, 0, 7, 1], [1, 1, 8, 2]]]),
      Self.paths(23, [[[0, 0, 5], [1, 1, -1e39]]]),
    ])
    for files in [["shp": shp, "shx": shx], ["shp": shp]] {
      let result = try Self.read(files)
      #expect(
        try Self.texts(result) == [
          "POINT (10.5 60)", "none", "LINESTRING (0 0, 1 1)",
          "MULTILINESTRING ((0 0, 1 1), (5 5, 6 6))",
          "MULTIPOLYGON (((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 4 4, 4 2, 2 2)), "
            + "((20 0, 23 3, 20 3, 20 0)))",
          "LINESTRING Z (0 0 7, 1 1 8)", "LINESTRING (0 0, 1 1)",
        ])
      #expect(result.report[.measures]?.count == 2)
      #expect(result.warnings.contains { $0.contains("no .dbf") })
    }
  }

  @Test func `The index tells the order, one that does not fit is left aside`() throws {
    let (shp, shx) = Self.shapes([Self.point(1, 1), Self.point(2, 2)])
    let turned = Array(shx[..<100] + shx[108...] + shx[100..<108])
    #expect(
      try Self.texts(Self.read(["shp": shp, "shx": turned])) == ["POINT (2 2)", "POINT (1 1)"])
    var wrong = shx
    wrong[103] = 255
    let result = try Self.read(["shp": shp, "shx": wrong])
    #expect(try Self.texts(result) == ["POINT (1 1)", "POINT (2 2)"])
    #expect(result.report[.oddIndex] != nil)
  }

  @Test func `Broken shapes and parts are told with their number, the rest is read`() throws {
    let (shp, _) = Self.shapes([
      Self.point(.nan, 1), Self.point(1, 1), Self.little(31, 4) + Self.doubles([0]),
      Self.paths(3, [[[0, 0]]]), Array(Self.paths(5, [Self.square]).dropLast(8)),
    ])
    let result = try Self.read(["shp": shp + [1, 2, 3]])
    #expect(try Self.texts(result).filter { $0 != "none" } == ["POINT (1 1)"])
    #expect(result.report[.brokenShapes]?.count == 3)
    #expect(result.report[.shortParts]?.count == 1 && result.report[.cutShapes] != nil)
  }

  @Test func `The surfaces of a MultiPatch are areas`() throws {
    let parts: [(kind: Int, vertices: [[Double]])] = [
      (0, [[0, 0], [1, 0], [0, 1], [1, 1]]), (1, [[5, 5], [6, 5], [6, 6], [5, 6]]),
      (2, [[0, 0], [0, 9], [9, 9], [9, 0], [0, 0]]), (3, [[2, 2], [4, 2], [4, 4], [2, 2]]),
    ]
    let count = parts.reduce(0) { $0 + $1.vertices.count }
    var starts: [UInt8] = []
    var start = 0
    for part in parts {
      starts += Self.little(start, 4)
      start += part.vertices.count
    }
    let head = Self.little(31, 4) + Self.doubles([0, 0, 9, 9]) + Self.little(4, 4)
    let kinds = parts.flatMap { Self.little($0.kind, 4) }
    let shape =
      head + Self.little(count, 4) + starts + kinds
      + Self.doubles(parts.flatMap { $0.vertices.flatMap { $0 } })
      + Self.doubles([0, 16]) + Self.doubles((0..<count).map(Double.init))
    let result = try Self.read(["shp": Self.shapes([shape]).shp])
    #expect(
      try Self.texts(result) == [
        "MULTIPOLYGON Z (((0 0 0, 1 0 1, 0 1 2, 0 0 0)), ((1 0 1, 1 1 3, 0 1 2, 1 0 1)), "
          + "((5 5 4, 6 5 5, 6 6 6, 5 5 4)), ((5 5 4, 6 6 6, 5 6 7, 5 5 4)), "
          + "((0 0 12, 9 0 11, 9 9 10, 0 9 9, 0 0 8), (2 2 16, 4 4 15, 4 2 14, 2 2 13)))"
      ])
    #expect(result.report[.multipatches]?.count == 1)
    // Cut off at any byte it is broken, not read beyond its end.
    for length in stride(from: 0, to: shape.count, by: 7) {
      _ = try Self.read(["shp": Self.shapes([Array(shape.prefix(length))]).shp])
    }
  }

  @Test func `An encoding that is told goes before what the files say`() throws {
    let format = ShapefileFormat()
    #expect(format.takes(TableOptions(encoding: TextEncoding(name: "cp1251"))))
    #expect(!format.takes(TableOptions()) && !format.takes(TableOptions(xColumn: "x")))
    // Told as Windows-1251 though the .cpg says UTF-8.
    let dbf = Self.table([("name", "C", 4)], [[[0xCC, 0xEE, 0xF1, 0x20]]])
    let (shp, _) = Self.shapes([Self.point(1, 1)])
    let result = try Self.read(
      ["shp": shp, "dbf": dbf, "cpg": Array("UTF-8".utf8)], encoding: TextEncoding(name: "cp1251"))
    #expect(try Self.values(result, "name") == [.string("Мос")])
    #expect(result.report[.oddTexts] == nil)
  }

  // MARK: Rows

  @Test func `Values are read by the types of their columns`() throws {
    let columns: [(String, Character, Int)] = [
      ("name", "C", 8), ("n", "N", 6), ("n", "F", 6), ("day", "D", 8), ("yes", "L", 1),
      ("memo", "M", 4),
    ]
    let rows = [
      ["Ulm", "007.50", "1e3", "20240229", "T", "1"], ["", "******", "+.5", "00000000", "?", "2"],
      ["x", "1", "2x", "yesterda", "n", "3"],
    ].map { $0.map { Array($0.utf8) } }
    let (shp, shx) = Self.shapes([Self.point(1, 1), Self.point(2, 2), Self.point(3, 3)])
    let result = try Self.read(["shp": shp, "shx": shx, "dbf": Self.table(columns, rows)])
    #expect(try Self.values(result, "name") == [.string("Ulm"), .null, .string("x")])
    #expect(try Self.values(result, "n") == [.number("7.50"), .null, .number("1")])
    #expect(try Self.values(result, "n_3") == [.number("1e3"), .number("0.5"), .null])
    #expect(
      try Self.values(result, "day") == [.string("2024-02-29"), .null, .string("yesterda")])
    #expect(try Self.values(result, "yes") == [.bool(true), .null, .bool(false)])
    #expect(result.report[.lostNumbers]?.count == 1 && result.report[.starNumbers]?.count == 1)
    #expect(result.report[.oddColumns]?.count == 1)
  }

  @Test func `Rows without shapes stay, deleted ones go, missing ones are told`() throws {
    let rows = (0..<4).map { [Array(String($0).utf8)] }
    let columns: [(String, Character, Int)] = [("n", "N", 2)]
    let (shp, _) = Self.shapes([Self.point(0, 0), Self.point(1, 1), Self.point(2, 2)])
    let table = Self.table(columns, rows, deleted: [1])
    let result = try Self.read(["shp": shp, "dbf": table])
    #expect(try Self.texts(result) == ["POINT (0 0)", "POINT (2 2)", "none"])
    #expect(try Self.values(result, "n") == ["0", "2", "3"].map { .number($0) })
    #expect(result.report[.deletedRows]?.count == 1 && result.report[.surplusRows]?.count == 1)
    let short = try Self.read(["shp": shp, "dbf": Array(table.dropLast(8))])
    #expect(short.report[.cutRows]?.count == 3 && short.report[.missingRows]?.count == 2)
  }

  // MARK: Encodings

  @Test(
    arguments: [
      ("UTF-8", 0, [0xC3, 0xBC], "ü", []), ("1252", 0x4D, [0xFC], "ü", []),
      ("ISO 8859-2", 0, [0xB1], "ą", []), ("EUC-KR", 0, [0xB0, 0xA1], "가", []),
      ("874", 0, [0xA1], "ก", []), ("OEM 437", 0, [0x81], "ü", []),
      (nil, 0x57, [0xFC], "ü", []), (nil, 0xC9, [0xE4], "д", []),
      (nil, 0x4E, [0xB0, 0xA1], "가", []),
      (nil, 0, [0xC3, 0xBC], "ü", [.assumedUTF8]), (nil, 0, [0xFC], "ü", [.assumedWindows]),
      (nil, 0, [0x61], "a", []), ("UTF-8", 0, [0xFC], "ü", [.oddTexts]),
      ("KLINGON", 0, [0xC3, 0xBC], "ü", [.oddEncoding, .assumedUTF8]),
    ] as [(String?, UInt8, [UInt8], String, [ImportNoteCode])])
  func `The stated encoding is obeyed, a missing or lying one is told`(
    codepage: String?, driver: UInt8, bytes: [UInt8], text: String, notes: [ImportNoteCode]
  ) throws {
    var files = [
      "shp": Self.shapes([Self.point(1, 1)]).shp,
      "dbf": Self.table([("t", "C", 4)], [[bytes]], driver: driver),
    ]
    files["cpg"] = codepage.map { Array($0.utf8) }
    let result = try Self.read(files)
    #expect(try Self.values(result, "t") == [.string(text)])
    let told: Set<ImportNoteCode> = [.assumedUTF8, .assumedWindows, .oddTexts, .oddEncoding]
    #expect(Set(result.report.notes.map(\.code)).intersection(told) == Set(notes))
  }

  // MARK: Systems

  @Test(arguments: [
    (
      #"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.25]]]"#,
      "OGC:CRS84"
    ),
    (#"GEOGCS["GCS_North_American_1983",DATUM["x"]]"#, "EPSG:4269"),
    (#"PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984"]]"#, "EPSG:32633"),
    (#"PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989"]]"#, "EPSG:25832"),
    (#"PROJCS["x",GEOGCS["y",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG","31467"]]"#, "EPSG:31467"),
    (#"PROJCS["RT90_25_gon_V",GEOGCS["GCS_RT_1990"]]"#, "RT90_25_gon_V"),
  ])
  func `The system is that of the projection file`(text: String, name: String) throws {
    let shp = Self.shapes([Self.point(1, 1)]).shp
    let result = try Self.read(["shp": shp, "prj": Array(text.utf8)])
    #expect(result.coordinateSystem.name == name && !result.isSystemAssumed)
  }

  @Test func `Without a projection file degrees are assumed, and told, if they can be`() throws {
    let near = try Self.read(["shp": Self.shapes([Self.point(1, 1)]).shp])
    #expect(near.coordinateSystem == .crs84 && near.isSystemAssumed)
    #expect(near.report[.noProjection] != nil)
    let far = try Self.read(["shp": Self.shapes([Self.point(3e5, 5e6)]).shp])
    #expect(far.coordinateSystem == .planar && far.report[.beyondDegrees] != nil)
  }

  // MARK: Damage

  @Test(arguments: Seeds.some(300))
  func `Damage gives features or an error, never a trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (shp, shx) = Self.shapes([
      Self.point(1, 1), Self.paths(5, [Self.square, Self.hole, Self.island]),
      Self.paths(15, [Self.square.map { $0 + [1, 2] }]),
      Self.paths(23, [Self.hole.map { $0 + [1] }]),
    ])
    let table = Self.table(
      [("t", "C", 4), ("n", "N", 3), ("d", "D", 8)],
      (0..<4).map { [[0xFC, 0x61], Array(String($0).utf8), Array("20240101".utf8)] })
    var files = [
      "shp": shp, "shx": shx, "dbf": table, "cpg": Array("1252".utf8),
      "prj": Array(#"PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["x"]]"#.utf8),
    ]
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let ending = try #require(files.keys.sorted().randomElement(using: &random))
      var bytes = files[ending] ?? []
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      case 1:
        files[ending] = nil
        continue
      default:
        guard let place = bytes.indices.randomElement(using: &random) else { continue }
        let odd: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)]
        bytes[place] = odd.randomElement(using: &random) ?? 0
      }
      files[ending] = bytes
    }
    do {
      let result = try Self.read(files)
      for note in result.report.notes { #expect(!note.text.isEmpty && note.count > 0) }
      for block in try Self.layer(result).blocks {
        #expect(block.geometry.coordinates.allSatisfy { $0.isFinite })
      }
    } catch is ImportError {}
  }
}
