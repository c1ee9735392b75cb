import Foundation
import Testing

/// Which format an export has, and what a box takes of it.
@Suite struct ExportTests {
  @Test(arguments: [["-o", "x.zzz"], ["-o", "a.b/x.QQQ"], ["--format", "shape"]])
  func `An ending that no format knows is refused, and the formats are named`(
    arguments: [String]
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    let result = try program.run(["export", "p.geojson"] + arguments)
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "geojson, ndjson, geojsonseq, csv, tsv, gpkg, shapefile, topojson, kml"),
      "\(result.errors)")
    #expect(program.files == ["p.geojson"])
  }

  @Test func `The format that is named goes before the ending`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(FilterTests.points, to: "p.geojson")
    for name in ["x.csv", "x.kml", "x.ndjson", "plain"] {
      let format = name == "x.ndjson" ? [] : ["--format", "ndjson"]
      let result = try program.run(["export", "p.geojson", "-o", name] + format)
      #expect(result.status == 0, "\(result.errors)")
      let lines = try program.read(name).split(whereSeparator: \.isNewline)
      #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(#"{"type":"Feature""#) })
    }
    #expect(try program.run(["export", "p.geojson", "-o", "no-ending"]).status == 0)
    #expect(try program.read("no-ending") == FilterTests.points)
    #expect(try program.run(["info", "x.ndjson"]).output.contains("2 features"))
  }

  @Test func `Columns of a table are named, also of one on standard input`() throws {
    let program = try Program()
    defer { program.remove() }
    let table = "E;N;name\n1;2;Ulm\n"
    try program.write(table, to: "t.csv")
    try program.write(table, to: "plain")
    let flags = ["--x-column", "E", "--y-column", "N", "--format", "csv", "--separator", "tab"]
    for input in ["t.csv", "-", "plain"] {
      let result = try program.run(["export", input] + flags, input: table)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output == "E\tN\tname\n1\t2\tUlm\n", "\(input)")
    }
    let info = try program.run(["info", "t.csv", "--x-column", "E", "--y-column", "N"])
    #expect(info.output.contains("1 feature"), "\(info.errors)")
    let wrong = try program.run(["info", "t.csv", "--x-column", "X"])
    #expect(wrong.status == 3)
    #expect(wrong.errors.contains("no column has that name"), "\(wrong.errors)")
  }

  @Test(arguments: [
    [], ["--precision", "0"], ["--precision", "1"], ["--rfc7946"], ["--format", "ndjson"],
    ["--bbox", "0,0,9,9"], ["--format", "csv"], ["--precision", "0", "--rfc7946"],
  ])
  func `Numbers beyond the third are told where they are not written, and there alone`(
    options: [String]
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      #"{"type":"LineString","coordinates":[[1.25,2,3,777],[5.1,6,7,777]]}"#, to: "long.geojson")
    let result = try program.run(["export", "long.geojson", "-o", "-"] + options)
    #expect(result.status == 0)
    let isTold = result.errors.contains("more than 3 numbers a position")
    #expect(isTold != result.output.contains("777"), "\(result.output) \(result.errors)")
  }

  static let across = """
    {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":\
    [[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]}}
    """
  static let apart = """
    {"type":"Feature","properties":{},"geometry":{"type":"MultiPoint","coordinates":\
    [[170,0],[-170,0]]}}
    """
  static let polar = """
    {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":\
    [[[-170,-70],[-50,-70],[70,-70],[170,-70],[-170,-70]]]}}
    """

  @Test(arguments: [
    (across, "175,-5,-175,5", true), (across, "174,-5,176,5", true),
    (across, "-176,-5,-174,5", true), (across, "0,-5,10,5", false),
    (across, "171,11,175,20", false), (apart, "174,-5,176,5", false),
    (apart, "165,-5,175,5", true), (apart, "-175,-5,-165,5", true),
    (polar, "0,-90,10,-80", true), (polar, "0,10,10,20", false),
  ])
  func `A shape across 180 degrees is taken as it is drawn`(
    shape: String, box: String, isTaken: Bool
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(
      ["export", "-", "--format", "ndjson", "--bbox", box], input: shape + "\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("Feature") == isTaken)
  }

  /// An arch: its box holds the gap between its legs.
  static let arch = """
    {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":\
    [[[0,0],[2,0],[2,8],[8,8],[8,0],[10,0],[10,10],[0,10],[0,0]]]}}
    """
  static let slope = """
    {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":\
    [[0,0],[10,10]]}}
    """
  static let overlapping = """
    {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[\
    {"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]},\
    {"type":"Polygon","coordinates":[[[1,1],[10,1],[10,10],[1,10],[1,1]]]}]}}
    """

  @Test(arguments: [
    (arch, "4,1,6,6", false), (arch, "4,1,6,8", true), (arch, "0.5,1,1,2", true),
    (slope, "6,0,9,4", false), (slope, "4,0,9,4", true), (slope, "5,5,5,5", true),
    (overlapping, "4,4,5,5", true), (overlapping, "11,4,12,5", false),
  ])
  func `A box takes what its geometry touches, not its own box`(
    shape: String, box: String, isTaken: Bool
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(
      ["export", "-", "--format", "ndjson", "--bbox", box], input: shape + "\n")
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("Feature") == isTaken)
  }

  @Test func `A device as output is told as one`() throws {
    let program = try Program()
    defer { program.remove() }
    let result = try program.run(["export", "-", "-o", "/dev/full", "--force"], input: Self.across)
    #expect(result.status == 4)
    #expect(!result.errors.contains("input"), "\(result.errors)")
  }
}
