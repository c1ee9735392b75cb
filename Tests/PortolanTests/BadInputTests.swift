import Foundation
import Glibc
import Testing

/// What people and scripts hand to the program by mistake: one clear line, the right exit code.
@Suite struct BadInputTests {
  /// A file that cannot be read, and words that the message must hold.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]?
    var words: String
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]?, _ words: String) {
      self.name = name
      self.bytes = bytes
      self.words = words
    }

    init(_ name: String, _ text: String, _ words: String) {
      self.init(name, Array(text.utf8), words)
    }
  }

  static let cases: [Case] = [
    Case("nothing.geojson", nil, "No such file"),
    Case("nothing.doc", nil, "No such file"),
    Case("empty.geojson", "", "empty"),
    Case("text.geojson", "not json\n", "not JSON"),
    Case("number.json", "5\n", "GeoJSON"),
    Case("other.json", "{\"a\": 1}\n", "GeoJSON"),
    Case("cut.geojson", "{\"type\":\"FeatureCollection\",\"features\":[", "ends too early"),
    Case("wrong.geojson", "{\"type\":\"FeatureCollection\",\"features\":5}", "wrong type"),
    Case("word.doc", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, 0, 0], "Microsoft"),
    Case("text.doc", "just text\n", "not a Portolan document"),
    Case("cut.doc", "bplist00\u{1}\u{2}", "cut.doc"),
    Case("zip.geojson", "PK\u{3}\u{4}zip", "zip"),
    Case("gz.geojson", [0x1F, 0x8B, 8, 0], "gzip"),
  ]

  @Test(arguments: cases)
  func `A file that is no map is told in one line`(_ input: Case) throws {
    let program = try Program()
    defer { program.remove() }
    if let bytes = input.bytes {
      try Data(bytes).write(to: program.folder.appendingPathComponent(input.name))
    }
    for verb in ["info", "render", "export"] {
      let result = try program.run([verb, input.name])
      expectFailure(result, code: 3, words: input.words)
      #expect(result.errors.hasPrefix("portolan: \(input.name): "))
    }
  }

  @Test func `Folders, pipes and devices are refused without waiting`() throws {
    let program = try Program()
    defer { program.remove() }
    #expect(mkfifo(program.path("fifo"), 0o600) == 0)
    expectFailure(try program.run(["info", "."]), code: 3, words: "folder")
    expectFailure(try program.run(["info", "fifo"]), code: 3, words: "pipe")
    expectFailure(try program.run(["info", "/dev/zero"]), code: 3, words: "device")
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `A file without permission is refused`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("{}", to: "secret.geojson")
    chmod(program.path("secret.geojson"), 0)
    expectFailure(try program.run(["info", "secret.geojson"]), code: 3, words: "Permission")
  }

  @Test func `Controls in a file's name do not reach the terminal`() throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(["info", "a\u{1B}]0;owned\u{7}\u{202E}b\nc.geojson"])
    #expect(result.status == 3)
    #expect(result.errors.filter(\.isNewline).count == 1)
    for scalar in result.errors.dropLast().unicodeScalars {
      #expect(scalar.value >= 0x20 && scalar.value != 0x7F && scalar.value != 0x202E)
    }
  }

  @Test(arguments: [
    ["frobnicate", "x.geojson", "--nonsense"], ["render", "--size", "axb"],
    ["render", "--bbox", "1,2"],
    ["export"], ["info"], ["import"], ["run"], ["render", "x", "--zoom", "nan"],
  ])
  func `A wrong command line is told in one line`(arguments: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(arguments)
    #expect(result.status == 2, "\(result.errors)")
    #expect(result.output.isEmpty)
    #expect(result.errors.hasPrefix("portolan: "))
    #expect(result.errors.filter(\.isNewline).count == 1, "\(result.errors)")
  }

  @Test(arguments: [
    (["exprot", "x.geojson"], "portolan export"), (["exprot", "x", "--bbox", "1,2,3,4"], "export"),
    (["rende"], "portolan render"),
    (["render", "x", "--sise", "3"], "portolan help render"),
    (["import"], "portolan import <paths>"),
    (["remote"], "portolan help remote"), (["list", "--al"], "portolan help list"),
    (["serve"], "portolan help serve"), (["attach", "x", "y"], "portolan help attach"),
    (["qeury", "x.geojson"], "portolan query"), (["chekc", "x.geojson"], "portolan check"),
    (["new", "x.doc"], "portolan NAME.doc"), (["frobnicate"], "see portolan help"),
    (["style", "x.geojson"], "portolan run"),
    (["import", "x y.geojson"], "portolan import 'x y.geojson' -o NAME.doc"),
    (["help", "styl"], "portolan help style?"), (["help", "frobnicate"], "portolan help commands"),
    (["render", "x", "-o", "r.gif"], ".txt or .ans or .svg"),
    (["render", "x", "-o", "r.gif"], ".gif"), (["render", "x", "-o", "a/r.TIFF"], ".tiff"),
    (["render", "x", "-o", "r.jpg"], "--format text"),
    (["render", "x", "--center", "10,95"], "latitude"),
  ])
  func `A misspelt verb and wrong options name what was meant`(
    arguments: [String], words: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "x")
    let result = try program.run(arguments)
    #expect(result.status == 2)
    #expect(result.errors.contains(words), "\(result.errors)")
    #expect(result.output.isEmpty && program.files == ["x"])
  }

  @Test func `Help knows the commands that are no verbs`() throws {
    let program = try Program()
    defer { program.remove() }
    for (topic, words) in [
      ("style", "Change how a layer looks"), ("render", "Draw the map"), ("commands", "import"),
      ("keys", "Move"),
    ] {
      let result = try program.run(["help", topic])
      #expect(result.status == 0 && result.errors.isEmpty)
      #expect(result.output.contains(words), "\(result.output)")
    }
  }

  @Test func `A picture is text or ANSI by its ending or by its format`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    for (arguments, isANSI) in [
      (["-o", "a.txt"], false), (["-o", "a"], false), (["-o", "a.ans"], true),
      (["-o", "b.ANSI"], true), (["-o", "c.txt", "--format", "ansi"], true),
    ] {
      let result = try program.run(["render", "p.geojson"] + arguments)
      #expect(result.status == 0, "\(result.errors)")
      #expect(try program.read(arguments[1]).contains("\u{1B}[") == isANSI)
    }
    let result = try program.run(["render", "p.geojson", "-o", "a.svg", "--format", "ansi"])
    #expect(result.status == 2 && result.errors.contains("a.svg is the name of a picture in svg"))
  }

  // MARK: Other programs' formats

  /// The first bytes of files that are no map data of ours, and what is told of them.
  static let foreign: [(name: String, bytes: [UInt8], words: String, way: String)] = [
    ("r.shp", Array("text".utf8), "these are no shapes", "r.shp"),
    ("s.shp", [0, 0, 0x27, 0x0A], "ends too early", "s.shp"),
    ("r.shx", [0, 0, 0x27, 0x0A], "a part of a Shapefile", "portolan r.shp"),
    ("r.dbf", [3, 0x7E, 1, 1, 0, 0], "ends too early", "r.dbf"),
    ("s.dbf", Array("a,b\n1,2\n".utf8), "no table of dBASE", "--from csv"),
    ("r.prj", Array(#"GEOGCS["WGS 84"]"#.utf8), "a part of a Shapefile", "r.shp"),
    (
      "r.gpkg",
      Array("SQLite format 3\0".utf8) + Array(repeating: 0, count: 52) + Array("GPKG".utf8)
        + Array(repeating: 0, count: 28),
      "SQLite refuses it", "r.gpkg"
    ),
    ("r.geojson", Array("<!DOCTYPE HTML><html>".utf8), "a web page", "fetch"),
    ("s.zip", [0x50, 0x4B, 3, 4] + Array("readme".utf8), "a zip file", "unzip s.zip"),
    ("r.geojson.gz", [0x1F, 0x8B, 8, 0], "gzip", "zcat r.geojson.gz"),
    ("r.json.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz", "xzcat"),
    ("r.topojson", Array(#"{"type":"Topology","arcs":[]}"#.utf8), "wrong type", "objects"),
    ("FILE MAIN.pbf", [0x1A, 0x99, 10], "tiles", "'FILE MAIN.geojson' 'FILE MAIN.pbf'"),
    ("a b.dwg", Array("AC1032\u{0}".utf8), "DWG", "save it as DXF"),
    ("a b.laz", Array("LASF\u{0}\u{1}".utf8), "a cloud of points", "'a b.laz' 'a b.csv'"),
    ("cloud", Array("LASF\u{0}\u{1}".utf8), "a cloud of points", "pdal translate cloud cloud.csv"),
    ("a.sid", Array("msid\u{1}\u{0}".utf8), "a grid", "gdal_contour"),
    ("a.grib", Array("GRIB\u{0}\u{2}".utf8), "a grid", "a.grib a.geojson"),
    ("a.tif", Array("II+\u{0}\u{8}\u{0}".utf8), "a grid", "a.tif a.geojson"),
    ("a.mdb", [0, 1, 0, 0] + Array("Standard Jet DB\0".utf8), "Access", "GeoPackage"),
    ("a.rar", Array("Rar!\u{1A}\u{7}\u{0}".utf8), "a RAR archive", "unpack"),
    ("a.qgs", Array("<!DOCTYPE qgis>\n<qgis>".utf8), "a project of QGIS", "open those"),
    ("a.gdbtable", [3, 0, 0, 0, 1, 0, 0, 0], "a part of a geodatabase", "zip -r"),
    ("a b.bin", Array(0...255), "neither text nor", "ogrinfo 'a b.bin'"),
    ("a.geojson", [0, 5, 1, 2, 3], "neither text nor", "GeoJSON a-read.geojson a.geojson"),
    ("wide.geojson", [0x7B, 0, 0x22, 0], "UTF-16", "iconv"),
    ("wide.json", [0, 0x7B, 0, 0x0A], "UTF-16", "iconv"),
    ("cut.gpkg", Array("SQLite format 3\0".utf8) + [16, 0], "cut: 18 bytes are there", "again"),
    ("FILE MAIN.prj", Array(#"GEOGCS["WGS 84"]"#.utf8), "a part", "portolan 'FILE MAIN.shp'"),
    ("it's a.mvt", [0x1A, 0x99, 10], "tiles", #"$'it\'s a.geojson' $'it\'s a.mvt'"#),
  ]

  @Test(arguments: foreign.indices)
  func `Another program's format is named with the way out`(index: Int) throws {
    let (name, bytes, words, way) = Self.foreign[index]
    let program = try Program()
    defer { program.remove() }
    try Data(bytes).write(to: program.folder.appendingPathComponent(name))
    for arguments in [["info", name], ["import", name, "-o", "x.doc"]] {
      let result = try program.run(arguments)
      expectFailure(result, code: 3, words: words)
      #expect(result.errors.contains(way), "\(result.errors)")
    }
    #expect(program.files == [name])
  }

  @Test(arguments: ["a.geojson", "a.ndjson", "a.csv", "a.doc", "a"])
  func `A file of gigabytes that is nothing is told at its first bytes`(name: String) throws {
    let program = try Program()
    defer { program.remove() }
    #expect(FileManager.default.createFile(atPath: program.path(name), contents: Data()))
    #expect(truncate(program.path(name), 3 << 30) == 0)
    // With less memory than the file has bytes.
    let shell = "ulimit -v 2000000; '\(Program.path.path)'"
    for verb in ["info", "inspect", "run", "import -o x.doc"] {
      let result = try program.shell("\(shell) \(verb) \(name)")
      expectFailure(result, code: 3, words: name)
    }
    let stream = try program.shell("\(shell) info - < \(name)")
    expectFailure(stream, code: 3, words: "standard input")
    #expect(truncate(program.path(name), 5 << 30) == 0)
    expectFailure(try program.run(["info", name]), code: 3, words: name)
  }

  @Test func `Verbs about archives say what is missing and what to write`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("hello", to: "text.txt")
    try program.write(
      "<plist version=\"1.0\"><dict><key>a</key><real>1</real></dict></plist>", to: "a.xml")
    try program.write(
      "<plist version=\"1.0\"><dict><key>a</key><real>2</real></dict></plist>", to: "b.xml")
    let cases: [([String], Int32, String)] = [
      (["convert", "a.xml"], 2, "standard output does not tell the format: give --format keyed"),
      (["convert", "a.xml", "-o", "x"], 2, "give --format keyed, xml, typedstream or json"),
      (["convert", "a.xml", "-o", "-"], 2, "standard output does not tell the format"),
      (["diff", "-", "-"], 2, "only one of the two"),
      (["diff", "a.xml", "text.txt"], 3, "text.txt: is neither an archive"),
      (["inspect", "text.txt"], 3, "it begins with “hello”"),
      (["inspect", "a.xml", "--width", "10"], 2, "40 to 1000"),
      (["inspect", "a.xml", "--path", "/b"], 2, "no /b: in the top there is a"),
    ]
    for (arguments, code, words) in cases {
      expectFailure(try program.run(arguments), code: code, words: words)
    }
    let difference = try program.run(["diff", "a.xml", "b.xml"])
    #expect(difference.status == 1 && difference.errors.isEmpty)
    #expect(difference.output == "--- a.xml\n+++ b.xml\n@@ / @@\n-a: 1\n+a: 2\n")
    let named = try program.run(["diff", "--archive", "a.xml", "b.xml"])
    #expect(named.status == 1 && named.output == difference.output)
    #expect(try program.run(["diff", "a.xml", "-"], input: program.read("a.xml")).status == 0)
  }

  private func expectFailure(
    _ result: Program.Result, code: Int32, words: String,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(!result.wasSignalled, sourceLocation: location)
    #expect(result.status == code, "\(result.errors)", sourceLocation: location)
    #expect(result.output.isEmpty, sourceLocation: location)
    #expect(
      result.errors.filter(\.isNewline).count == 1 && result.errors.hasSuffix("\n"),
      "\(result.errors)", sourceLocation: location)
    #expect(
      result.errors.localizedCaseInsensitiveContains(words), "\(result.errors)",
      sourceLocation: location)
  }
}
