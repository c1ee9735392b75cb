import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

@Suite struct CSVTests {
  private func read(
    _ text: String, _ options: ImportOptions = ImportOptions(name: "table")
  )
    throws -> ImportResult
  {
    try CSVFormat.comma.read(Array(text.utf8), options: options) { _ in }
  }

  private func write(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions(),
    format: CSVFormat = .comma
  ) throws -> String {
    var bytes: [UInt8] = []
    try format.write(layers, options: options) { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: ["gbk", "GBK", "cp936", "euc-jp", "big5", "cp866"])
  func `A table is read in the encodings of the system, and saved in them`(name: String) throws {
    let encoding = try #require(TextEncoding(name: name))
    #expect(TextEncoding(name: encoding.name) == encoding)
    let text = Array("name,lon,lat\nabc,1,2\n".utf8)
    #expect(try encoding.decoded(text) == text && encoding.encoded(text).bytes == text)
    let (bytes, lost) = encoding.encoded(Array("a\u{1F600}b".utf8))
    #expect(bytes == Array("a?b".utf8) && lost == 1)
  }

  @Test func `Bytes that are none in an encoding are told`() throws {
    let encoding = try #require(TextEncoding(name: "gbk"))
    #expect(try encoding.decoded([0xC4, 0xE3]) == Array("你".utf8))
    #expect(encoding.encoded(Array("你".utf8)).bytes == [0xC4, 0xE3])
    #expect(throws: ScanFault.self) { try encoding.decoded([0x61, 0xFF]) }
    #expect(TextEncoding(name: "nonsense") == nil && TextEncoding(name: "") == nil)
  }

  @Test(arguments: [
    "name,lat,lon,pop\nBerlin,52.52,13.40,3600000\n\"a \"\"b\"\", c\",1.0,2.0,\n",
    "lon;lat;wert\r\n13,4;52,5;1,25\r\n8,25;50,75;-3\r\n",
    "Longitude\tLatitude\tcode\n1.5\t2.5\t007\n3\t4\tx y\n",
    "\u{FEFF}X,Y\n1,2\n", "\"x\",\"y\",\"n\"\n1,2,\"two\nlines\"\n",
    "id,WKT,n\n1,\"POLYGON ((0 0, 4 0, 4 4, 0 0))\",a\n2,POINT (1 2),\"\"\n",
    "y,x,n\nN/A,,none\n1,2,one\n", "x,y\n",
  ])
  func `A table comes back byte for byte`(text: String) throws {
    let layers = try read(text).featureLayers
    let isTab = text.contains("\t")
    #expect(try write(layers, format: isTab ? .tab : .comma) == text)
  }

  @Test(arguments: Seeds.some(10))
  func `A short decimal is the number, and in the style, that the printer has`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let length = Int.random(in: 0...18, using: &random)
      let letters = Array("0123456789000990.-".utf8) + (length % 7 == 0 ? Array("+eE ,".utf8) : [])
      var text = (0..<length).map { _ in letters.randomElement(using: &random) ?? 0x30 }
      if let point = text.firstIndex(of: 0x2E) {
        text = text[...point] + text[(point + 1)...].filter { $0 != 0x2E }
      }
      let short = text.withUnsafeBufferPointer { ShortDecimal($0) }
      let isNumber = text.withUnsafeBufferPointer { NumberText.isValid($0) }
      let digits = text.count { $0 &- 0x30 <= 9 }
      #expect((short != nil) == (isNumber && digits <= 15 && !text.contains { $0 | 0x20 == 0x65 }))
      guard let short, let value = Double(String(decoding: text, as: UTF8.self)) else { continue }
      #expect(short.value.bitPattern == value.bitPattern)
      #expect(short.isShortest == (NumberPrinter.shortest(value, isPointed: false) == text))
      #expect(short.isPointed == (NumberPrinter.shortest(value, isPointed: true) == text))
      let places = text.firstIndex(of: 0x2E).map { text.count - $0 - 1 } ?? 0
      #expect(short.decimals == places)
    }
  }

  /// Positions that are read in the short way and in the other, of one meaning.
  @Test func `Positions of any notation keep their values and styles`() throws {
    let texts = [
      ("1.5", "2.5"), ("-0", "0"), ("1.0", "2.0"), ("1.50", "2.25"), ("1.500", "2.250"),
      ("007", "1"), ("+1.5", "2.5"), (".5", "1"), ("1e1", "2"), ("\" 1.5\"", "2.5"),
      ("1.2345678901234567", "2.5"), ("0.000001", "10"), ("1.10", "3"),
    ]
    for (x, y) in texts {
      let text = "lon,lat,n\n\(x),\(y),a\n"
      let layers = try read(text).featureLayers
      let place = try #require(layers.first?.blocks.first?.geometry.coordinate(at: 0))
      let plain = x.filter { !"\" ".contains($0) }
      let numbers = try (#require(Double(plain)), #require(Double(y)))
      #expect(place == Coordinate(x: numbers.0, y: numbers.1))
      let isKept = !["007", "+1.5", ".5", "1e1", "\" 1.5\""].contains(x) && x != "1.10"
      if isKept { #expect(try write(layers) == text) }
    }
  }

  @Test func `Columns of numbers become numbers, codes stay strings`() throws {
    let layer = try read("lat,lon,n,code\n1,2,5,007\n3,4,,12\n").featureLayers[0]
    #expect(try layer.row(0).geometry == .point(Coordinate(x: 2, y: 1)))
    #expect(try layer.row(0).attributes.map(\.value) == [.number("5"), .string("007")])
    #expect(try layer.row(1).attributes.map(\.name) == ["code"])
  }

  @Test func `A decimal comma is understood beside semicolons`() throws {
    let layer = try read("lon;lat;h\n13,4;52,5;-1,25\n").featureLayers[0]
    #expect(try layer.row(0).geometry == .point(Coordinate(x: 13.4, y: 52.5)))
    #expect(try layer.row(0).attributes.map(\.value) == [.number("-1.25")])
  }

  @Test func `Columns can be named`() throws {
    let options = ImportOptions(
      name: "t", own: TableOptions(xColumn: "East", yColumn: "north", idColumn: "key"))
    let layer = try read("key,east,north\nA1,5,6\n", options).featureLayers[0]
    #expect(try layer.row(0).geometry == .point(Coordinate(x: 5, y: 6)))
    #expect(try layer.row(0).identifier == .string("A1"))
  }

  @Test func `What is no position is kept and reported`() throws {
    let result = try read("n,lat,lon\na,none,\nb,1\nc,1,2,3\n")
    let layer = result.featureLayers[0]
    #expect(layer.count == 3)
    #expect(try layer.row(0).attributes.map(\.name) == ["n", "lat"])
    #expect(try layer.row(0).geometry.kind == .none)
    #expect(result.report[.unlocated]?.count == 2)
    #expect(result.report[.raggedRows]?.count == 2)
    #expect(try layer.row(2).attributes.map(\.value) == [.string("c"), .string("3")])
  }

  @Test(arguments: [
    ("", ImportError.Code.empty), ("a,b\n1,2\n", .noColumns), ("x,y\n\"1,2\n", .badTable),
  ])
  func `A broken table is refused`(text: String, code: ImportError.Code) throws {
    let error = #expect(throws: ImportError.self) { try read(text) }
    #expect(error?.code == code)
  }

  @Test func `Features of any kind are written as well-known text`() throws {
    let layer = try Sample.read(
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"k","#
        + #""properties":{"a":"x;y"},"geometry":{"type":"LineString","coordinates":"#
        + #"[[1,2],[3,4.5]]}},{"type":"Feature","#
        + #""properties":{"b":[1,"q"]},"geometry":null}]}"#
    ).featureLayers[0]
    #expect(
      try write([layer])
        == "id,wkt,a,b\r\nk,\"LINESTRING (1 2, 3 4.5)\",x;y,\r\n,,,\"[1,\"\"q\"\"]\"\r\n")
    #expect(
      try write([layer], ExportOptions(separator: UInt8(ascii: ";"))).hasPrefix(
        "id;wkt;a;b\r\nk;LINESTRING (1 2, 3 4.5);\"x;y\""))
  }

  @Test func `A table becomes GeoJSON a feature a line`() throws {
    let layers = try read("n,lon,lat\na,13.4,52.5\n").featureLayers
    #expect(
      String(decoding: try Sample.write(layers), as: UTF8.self)
        == "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"properties\":"
        + "{\"n\":\"a\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[13.4,52.5]}}\n]}\n")
  }

  @Test(arguments: [
    "POINT (1 2)", "POINT Z (1 2 3)", "LINESTRING (1 2, 3 4)", "MULTIPOINT ((1 2), (3 4))",
    "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 2, 2 1, 1 1))",
    "MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))",
    "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 0)), ((5 5, 6 5, 6 6, 5 5), (5 5, 6 6, 6 5, 5 5)))",
    "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (1 2, 3 4))", "POLYGON EMPTY",
    "GEOMETRYCOLLECTION EMPTY",
  ])
  func `Well-known text comes back`(text: String) throws {
    #expect(WKT.text(try WKT.geometry(text)) == text)
  }

  @Test(arguments: [
    ("srid=4326; point( 1 2 )", "POINT (1 2)"), ("POINTZ(1 2 3)", "POINT Z (1 2 3)"),
    ("MULTIPOINT(1 2,3 4)", "MULTIPOINT ((1 2), (3 4))"),
    ("POLYGON((0 0,4 0,4 4))", "POLYGON ((0 0, 4 0, 4 4, 0 0))"),
    (
      "GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(1 2)),POINT(3 4))",
      "GEOMETRYCOLLECTION (POINT (1 2), POINT (3 4))"
    ),
  ])
  func `Other spellings of well-known text are understood`(text: String, usual: String) throws {
    #expect(WKT.text(try WKT.geometry(text)) == usual)
  }

  @Test(arguments: [
    "", "POINT", "POINT (1)", "POINT (1 2", "POINT (1 2) x", "CIRCLE (1 2)",
    "POINT (a b)", "LINESTRING ((1 2))", "POLYGON (1 2)", "POINT (1 nan)", "POINT (1 2, 3 4)",
  ])
  func `Broken well-known text is refused`(text: String) {
    #expect(throws: WKT.Fault.self) { try WKT.geometry(text) }
  }

  @Test func `A million collections in collections are refused as text`() {
    let text = String(repeating: "GEOMETRYCOLLECTION(", count: 1_000_000)
    #expect(throws: WKT.Fault.self) { try WKT.geometry(text) }
  }

  @Test(arguments: [1, 2]) func `Changed tables never trap`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = Array(
      "id,WKT,lon,lat\n1,\"POLYGON ((0 0, 4 0, 4 4, 0 0))\",1.5,2\n2,POINT (1 2),\"3\",-4e5\n".utf8)
    let marks = Array("\",;\t\n\r()0e-. \u{0}é".utf8)
    for _ in 0..<1000 {
      var bytes = table
      for _ in 0...(random.next() % 4) {
        let at = Int(random.next() % UInt64(bytes.count))
        if random.next() % 2 == 0 {
          bytes[at] = marks[Int(random.next() % UInt64(marks.count))]
        } else {
          bytes.remove(at: at)
        }
      }
      for options in [
        ImportOptions(name: "t"),
        ImportOptions(name: "t", own: TableOptions(xColumn: "lon", yColumn: "lat")),
      ] {
        guard let result = try? CSVFormat.comma.read(bytes, options: options, progress: { _ in })
        else { continue }
        _ = try write(result.featureLayers)
      }
    }
  }

  private static func table(_ texts: [String], isSafe: Bool) throws -> (String, ExportReport) {
    var layer = FeatureLayer(
      id: LayerID(1), name: "t", style: Style(name: "t", mark: MarkStyle()))
    for text in texts {
      _ = layer.add(
        geometry: .point(Coordinate(x: -1.5, y: -2)), attributes: [("t", .string(text))])
    }
    var bytes: [UInt8] = []
    let report = try CSVFormat.comma.write(
      [layer], options: ExportOptions(hasSafeCells: isSafe)
    ) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), report)
  }

  @Test(arguments: [
    "=cmd|' /C calc'!A0", "@SUM(1)", "+1+1", "-1+1", "-", "+49 30", "\t=1", "\r=1", "\n=1", "=",
    "\u{FF1D}1", "\u{FF0B}1", "--1", "-1e", "-1-",
  ])
  func `Texts that a spreadsheet would run are told, and safe with an apostrophe`(
    text: String
  ) throws {
    let plain = try Self.table([text, "b"], isSafe: false)
    #expect(plain.1.notes.count == 1 && plain.1.notes[0].contains("1 text"), "\(plain.1.notes)")
    #expect(plain.0.contains(text))
    let safe = try Self.table([text, "b"], isSafe: true)
    #expect(safe.1.notes.count == 1 && safe.1.notes[0].contains("apostrophe"))
    #expect(safe.0.contains("'" + text))
    let again = try Voyage.read(Array(safe.0.utf8), CSVFormat.comma)
    #expect(try again.row(0).attributes.last?.value == .string("'" + text))
  }

  @Test(arguments: [
    "-12.5", "+3", "-12,5", "+1e5", "-.5", "a=1", "a@b", " =1", "'=1", "1-1", "", "2020-01-01",
  ])
  func `Other texts and numbers stay as they are`(text: String) throws {
    let (plain, safe) = (
      try Self.table([text], isSafe: false), try Self.table([text], isSafe: true)
    )
    #expect(plain.1.notes == [] && plain.0 == safe.0 || text.contains(","))
    #expect(safe.1.notes == [])
  }

  @Test func `A safe cell is one cell at any separator`() throws {
    #expect(try Self.table(["a;=1"], isSafe: true).0.contains("\"a;=1\""))
  }
}
