import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// What a table says of its coordinates and its columns, and what the reports say of it.
@Suite struct TableStatementTests {
  private func read(_ text: String) throws -> ImportResult {
    try CSVFormat.comma.read(
      Array(text.utf8), options: ImportOptions(name: "t"), progress: { _ in })
  }

  private func write(
    _ layers: [FeatureLayer], _ system: CoordinateSystem, _ format: CSVFormat = .comma
  ) throws -> (text: String, notes: [String]) {
    var bytes: [UInt8] = []
    let options = ExportOptions(coordinateSystem: system)
    let report = try format.write(layers, options: options) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), report.notes)
  }

  private let utm = CoordinateSystem(authority: "EPSG", code: "25833")

  private func layer(_ geometry: Geometry, _ names: [String] = []) -> FeatureLayer {
    var layer = FeatureLayer(
      id: LayerID(1), name: "a", style: .standard(forDimension: geometry.kind.dimension, index: 0))
    _ = layer.add(geometry: geometry, attributes: names.map { ($0, .string("v")) })
    return layer
  }

  private let line = Geometry.line([Coordinate(x: 1, y: 2), Coordinate(x: 30, y: 40)])
  private let point = Geometry.point(Coordinate(x: 1, y: 2))

  @Test func `Well-known text names its system and is read as of that`() throws {
    let written = try write([layer(line)], utm)
    #expect(written.text == "wkt\r\n\"SRID=25833;LINESTRING (1 2, 30 40)\"\r\n")
    #expect(written.notes.isEmpty)
    #expect(try read(written.text).coordinateSystem == utm)
    #expect(try write([layer(line)], .crs84).text == "wkt\r\n\"LINESTRING (1 2, 30 40)\"\r\n")
  }

  @Test func `Small planar numbers are read as planar, or the report says what is lost`() throws {
    let text = try write([layer(line)], .planar)
    #expect(text.notes.count == 1 && text.notes[0].contains("planar"))
    let points = try write([layer(point)], .planar)
    #expect(points.text == "easting,northing\r\n1,2\r\n" && points.notes.isEmpty)
    #expect(try read(points.text).coordinateSystem == .planar)
    let far = layer(.point(Coordinate(x: 450_000, y: 5_700_000)))
    #expect(try write([far], .planar).text.hasPrefix("x,y\r\n"))
    // A table that was read keeps its names.
    let former = try read("x,y\n1,2\n").featureLayers
    let again = try write(former, .planar)
    #expect(again.text == "x,y\n1,2\n" && again.notes.count == 1)
    #expect(
      try write([layer(point)], utm).notes == [
        "a table cannot state that its coordinates are of EPSG:25833: tell its readers, or write "
          + "GeoJSON, which states it (--format geojson)"
      ])
  }

  @Test func `Headings that are empty or given twice are reported`() throws {
    let result = try read("lon,lat,name,,name\n1,2,a,b,c\n")
    #expect(result.featureLayers[0].fieldNames == ["name", "column4", "name_5"])
    let note = try #require(result.report[.renamedColumns])
    #expect(note.count == 2 && note.places.map(\.column) == [14, 15])
    #expect(note.text.contains("2 column headings are empty or given twice"))
    #expect(try read("lon,lat,name\n1,2,a\n").report[.renamedColumns] == nil)
  }

  @Test func `Columns of one name get another one, and are told`() throws {
    var layer = layer(point, ["id", "lat"])
    let id = layer.blocks[0].featureIDs[0]
    try layer.setIdentifier(.string("7"), of: id)
    let (text, notes) = try write([layer], .crs84)
    #expect(text == "id,lon,lat,id_2,lat_2\r\n7,1,2,v,v\r\n")
    #expect(notes.count == 1 && notes[0].hasSuffix("are renamed: id → id_2, lat → lat_2"))
    #expect(try write([self.layer(point, ["name"])], .crs84).notes.isEmpty)
    // Composed and decomposed, they are two.
    #expect(try write([self.layer(point, ["\u{E9}", "e\u{301}"])], .crs84).notes.isEmpty)
  }

  @Test func `A table of one column, or with separators in its names, is read as written`() throws {
    for format in [CSVFormat.comma, .tab] {
      let one = try write([layer(line)], .crs84, format)
      let again = try read(one.text).featureLayers[0]
      #expect(FeatureValues.all(again).map(\.kind) == [.lineString])
      let names = ["a,b,c", "d;e|f"]
      let table = try write([layer(point, names)], .crs84, format)
      #expect(try read(table.text).featureLayers[0].fieldNames == names)
      #expect(try read(table.text).featureLayers[0].extent.minX == 1)
    }
  }

  @Test func `What there is no column for is told with all names that there are`() {
    let error = #expect(throws: ImportError.self) { try read("a,b\n1,2\n") }
    #expect(error?.description.contains("easting and northing") == true)
  }

  @Test func `Planar coordinates are called planar`() {
    let error = ExportError(.notWGS84, CoordinateSystem.planar.name)
    #expect(error.description.contains("the coordinates are planar"))
    #expect(ExportError(.notWGS84, utm.name).description.contains("are of EPSG:25833"))
    #expect(FileKind.xmlPropertyList.remedy.contains("portolan inspect"))
  }
}
