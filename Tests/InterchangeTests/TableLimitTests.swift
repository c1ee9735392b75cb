import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// Tables of any size and spelling are read and written in bounded time and memory.
@Suite struct TableLimitTests {
  private func error(_ text: String) -> ImportError? {
    do {
      _ = try CSVFormat.comma.read(Array(text.utf8), options: ImportOptions(name: "t")) { _ in }
      return nil
    } catch {
      return error as? ImportError
    }
  }

  @Test(.timeLimit(.minutes(1))) func `A line of more fields than a table may have is refused`() {
    let names = (0..<100_000).map { "c\($0)" }.joined(separator: ",")
    #expect(error("lon,lat,\(names)\n1,2\n")?.code == .tooManyColumns)
    let commas = String(repeating: ",", count: 500_000)
    #expect(error("lon,lat\n1,2\n3,4\(commas)")?.code == .tooManyColumns)
    #expect(error("lon,lat\n1,2\n3,4\(commas)")?.line == 3)
    #expect(error(commas)?.code == .tooManyColumns)
  }

  @Test func `As many columns as the widest spreadsheet has are read and written`() throws {
    let names = (2..<CSVScanner.fieldsMax).map { "c\($0)" }.joined(separator: ",")
    let text = "lon,lat,\(names)\r\n1,2" + String(repeating: ",7", count: 16_382) + "\r\n"
    let voyage = try Voyage(Array(text.utf8), CSVFormat.comma)
    #expect(try Voyage.write(try Voyage.reopened(voyage.document), voyage.format) == voyage.bytes)
  }

  /// Features of which each has an attribute of its own, `count` to the layer.
  private func sparse(_ count: Int, names: Int) throws -> FeatureLayer {
    let features = (0..<count).map { place in
      #"{"type":"Feature","properties":{"n\#(place % names)":1},"geometry":null}"#
    }
    return try Sample.read(features.joined(separator: "\n")).featureLayers[0]
  }

  private func exportError(_ layer: FeatureLayer) -> (error: ExportError?, bytes: Int) {
    var bytes = 0
    do {
      try CSVFormat.comma.write([layer], options: ExportOptions()) { bytes += $0.count }
      return (nil, bytes)
    } catch {
      return (error as? ExportError, bytes)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `A table of almost nothing but separators is refused before it is written`() throws {
    let wide = exportError(try sparse(20_000, names: 20_000))
    #expect(wide.error?.code == .tooManyColumns && wide.bytes == 0)
    let sparse = exportError(try sparse(27_500, names: 10_000))
    #expect(sparse.error?.code == .tooSparse && sparse.bytes == 0)
    #expect(sparse.error?.description.contains("--format geojson") == true)
    #expect(exportError(try self.sparse(300, names: 300)).error == nil)
  }

  @Test(arguments: [
    // Columns without values, and those that come late, keep their places.
    "a,lon,empty,lat,b\n,1,,2,x\n,3,,4,\n", "lon,lat,\"a, b\",c%,d e\n1,2,x,,\n",
    // Strings that look like numbers.
    "lon,lat,code\n1,2,\"007\"\n3,4,\"12\"\n".replacing("\"007\"", with: "\"7\""),
    "lon;lat;n\n1;2;\"5\"\n",
    // A decimal comma is one only beside others.
    "wkt;n\nPOINT (1 2);1,5\nPOINT (1 2);3\n", "lon,lat,n\n1,2,\"1,5\"\n1,2,3\n",
    "lat;lon\n\"-88,25\";\n", "x;y;n\n\"6869\";Berlin;\"1,5\"\n\"18,50\";;\"2\"\n",
    // What looks like a byte order mark is the first name.
    "\u{FEFF}\"\u{FEFF}a\",lon,lat\nx,1,2\n",
    // White space and controls at the ends of names and values.
    "\"\t\",lon,lat,\"\u{1}a\"\nx,1,2,\" y\u{1B}\"\n",
    // Geometry beside the place of a label.
    "wkt,lon,lat\n\"LINESTRING (0 0, 1 1)\",5,6\n",
  ])
  func `A table comes back byte for byte`(text: String) throws {
    let voyage = try Voyage(Array(text.utf8), CSVFormat.comma)
    let written = try Voyage.write(try Voyage.reopened(voyage.document), voyage.format)
    #expect(String(decoding: written, as: UTF8.self) == text)
  }

  @Test func `A column called wkt tells more than a pair of numbers, where it holds such text`()
    throws
  {
    let text = "lon,lat,wkt\n5,6,\"LINESTRING (0 0, 1 1)\"\n"
    let table = try Voyage(Array(text.utf8), CSVFormat.comma)
    #expect(try table.layer.row(0).geometry.kind == .lineString)
    let other = try Voyage(
      Array(text.replacing("LINESTRING", with: "see page").utf8), CSVFormat.comma)
    #expect(try other.layer.row(0).geometry.kind == .point)
  }

  @Test(arguments: ["0x10", "inf", "nan", "1_0", "1e999", "--1"])
  func `What is no decimal number is no position`(text: String) throws {
    let table = try Voyage(Array("lon,lat\n\(text),2\n".utf8), CSVFormat.comma)
    #expect(try table.layer.row(0).geometry.kind == .none)
  }

  @Test func `A feature without anything is a line of a table of one column`() throws {
    let layer = try Sample.read(
      #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"# + "\n"
        + #"{"type":"Feature","properties":{},"geometry":null}"#
    ).featureLayers[0]
    var document = Document()
    document.layers = [layer]
    let values = try Voyage.values(document, through: CSVFormat.comma)
    #expect(values == FeatureValues.all(layer))
  }

  @Test func `The column of ids keeps its name and place`() throws {
    let text = "name,code,lon,lat\nx,k1,1,2\n"
    let options = ImportOptions(name: "t", own: TableOptions(idColumn: "code"))
    let layers = try CSVFormat.comma.read(Array(text.utf8), options: options) { _ in }.featureLayers
    var bytes: [UInt8] = []
    try CSVFormat.comma.write(layers, options: ExportOptions()) { bytes += $0 }
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}
