import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanInterchange

/// Real maps as documents: nothing is lost between import, save, open and export.
@Suite("Document files of real maps")
struct DocumentFileDataTests {
  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/portolan/Samples")

  /// Imports a map, archives it, opens the archive and compares what came out.
  private func check(_ source: [UInt8]) throws {
    var document = Document()
    let layer = try #require(try Sample.read(source).featureLayers.first)
    document.layers = [layer]
    let bytes = try DocumentFile.bytes(of: document)
    let opened = try DocumentFile.open(bytes).document
    #expect(try DocumentFile.bytes(of: opened) == bytes)
    let again = try #require(opened.layers.first as? FeatureLayer)
    #expect(again.source == layer.source && again.name == layer.name)
    #expect(again.blocks.count == layer.blocks.count && layer.count > 0)
    for (one, two) in zip(layer.blocks, again.blocks) {
      #expect(one.featureIDs == two.featureIDs && one.identifiers == two.identifiers)
      #expect(one.attributes == two.attributes && one.foreignMembers == two.foreignMembers)
      #expect(one.geometryForeignMembers == two.geometryForeignMembers)
      #expect(one.sourceGeometries == two.sourceGeometries)
      #expect(one.sourceFeatures == two.sourceFeatures)
      #expect((0..<one.rowCount).allSatisfy { one.shape(row: $0) == two.shape(row: $0) })
      let coordinates = one.geometry.coordinates.map(\.bitPattern)
      #expect(coordinates == two.geometry.coordinates.map(\.bitPattern))
      #expect(one.geometry.pathRoles == two.geometry.pathRoles)
      #expect(one.geometry.pathEnds == two.geometry.pathEnds)
      #expect(one.geometry.featureEnds == two.geometry.featureEnds)
      #expect(one.geometry.kinds == two.geometry.kinds && one.geometry.boxes == two.geometry.boxes)
    }
    #expect(try Sample.write([again]) == Sample.write([layer]))
  }

  @Test(
    "A sample map comes back from its document as it was imported",
    arguments: ["ne_110m_countries.geojson", "ne_110m_populated_places.geojson"])
  func samples(name: String) throws {
    try check([UInt8](Data(contentsOf: Self.samples.appendingPathComponent(name))))
  }

  @Test("Every trap of RFC 7946 survives in a document")
  func edges() throws {
    let name = "data/edge_rfc7946.geojson"
    guard Shared.exists(name) else { return print("skipped: no \(Shared.path(name))") }
    try check(Shared.bytes(name))
  }

  /// The countries as version 1 wrote them first: a frozen file.
  @Test("The countries of version 1 open as what the map itself makes now")
  func countries() throws {
    let file = Sample.fixtures.deletingLastPathComponent()
      .appendingPathComponent("documents/v1-countries.doc")
    let bytes = try [UInt8](Data(contentsOf: file))
    let opened = try DocumentFile.open(bytes)
    #expect(opened.migratedFrom == 1)
    let document = opened.document
    let layer = try #require(document.layers.first as? FeatureLayer)
    #expect(layer.count == 177 && layer.kindCode == "pg" && layer.fieldNames.count > 3)
    #expect(layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount } == 10_643)
    // Made of the same file now, it is the same document.
    var fresh = Document(metadata: DocumentMetadata(title: "Countries"))
    let sample = Self.samples.appendingPathComponent("ne_110m_countries.geojson")
    var map = try #require(
      try Sample.read([UInt8](Data(contentsOf: sample)), name: "countries").featureLayers.first)
    // The second layer of areas had this pattern then.
    var mark = Style.standard(forDimension: 2, index: 1).mark
    mark.pattern = .sparse
    map.style = Style(
      name: map.style.name, mark: mark, labelField: map.style.labelField,
      rankField: map.style.rankField)
    fresh.layers = [map]
    #expect(try DocumentFile.bytes(of: document) == DocumentFile.bytes(of: fresh))
  }
}
