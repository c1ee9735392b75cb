import PortolanDocuments
import PortolanGraphics
import Testing

@testable import PortolanInterchange

/// A layer without features is written as files that can be read again, wherever it came from.
@Suite struct EmptyExportTests {
  private static let sources: [(name: String, text: String)] = [
    ("one.geojsons", "\u{1E}"), ("one.geojson", "\u{1E}"),
    ("blank.geojsonl", "\n"), ("none.ndjson", ""),
    ("rowless.csv", "name,lon,lat\n"), ("rowless.csv", "name;wkt"), ("rowless.tsv", "lon\tlat\r\n"),
    ("none.geojson", #"{"type":"FeatureCollection","features":[]}"#),
    ("none.geojson", #"{"type":"GeometryCollection","geometries":[]}"#),
  ]

  @Test(arguments: sources)
  func `Every format reads what it wrote of no features`(name: String, text: String) throws {
    let bytes = Array(text.utf8)
    let reader = try #require(FileFormats.importer(ofFile: name, head: bytes[...]))
    let layers = try reader.read(bytes, options: ImportOptions(name: "a"), progress: { _ in })
      .featureLayers
    #expect(layers.map(\.count) == [0])
    try expectReadable(layers)
  }

  @Test func `A layer that was drawn, and one whose features a box leaves out`() throws {
    let style = Style(name: "new", mark: MarkStyle())
    try expectReadable([FeatureLayer(id: LayerID(1), name: "new", style: style)])
    let point = #"{"type":"Point","coordinates":[1,2]}"#
    let feature = #"{"type":"Feature","properties":{},"geometry":\#(point)}"#
    for text in [point, feature, feature + "\n" + feature, "\u{1E}" + feature + "\n"] {
      let layers = try Sample.read(Array(text.utf8)).featureLayers
      #expect(layers[0].count > 0)
      var options = ExportOptions()
      options.box = Box(minX: 50, minY: 50, maxX: 60, maxY: 60)
      try expectReadable(layers, options)
    }
  }

  private func expectReadable(
    _ layers: [FeatureLayer], _ options: ExportOptions = ExportOptions()
  ) throws {
    for format in FileFormats.both {
      var written: [UInt8] = []
      try format.write(layers, options: options) { written += $0 }
      let again = try format.read(written, options: ImportOptions(name: "a"), progress: { _ in })
      #expect(again.featureLayers.map(\.count) == [0], "\(format.name)")
    }
  }
}
