import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// Permanent numbers reach up to 2^53: what is saved with the last of them opens again.
@Suite struct LastNumberTests {
  private static let last: UInt64 = 1 << 53

  private func document(legend: UInt64 = 3, layer: UInt64 = 1, next: UInt64 = 9) -> Document {
    var document = Document()
    document.nextID = next
    document.layers = [
      FeatureLayer(id: LayerID(layer), name: "l", style: Style(name: "", mark: MarkStyle()))
    ]
    var map = MapView(id: ViewID(2), name: "m", mapName: "m")
    map.legend = LegendView(id: ViewID(legend), name: "Legend")
    document.views = [map]
    return document
  }

  private func layer(nextFeatureID: UInt64) -> FeatureLayer {
    FeatureLayer(
      id: LayerID(1), name: "l", style: Style(name: "", mark: MarkStyle()),
      nextFeatureID: nextFeatureID)
  }

  @Test func `A document with the last numbers but one is saved and opens`() throws {
    for document in [
      document(next: Self.last), document(layer: Self.last - 1, next: Self.last),
      document(legend: Self.last - 1),
    ] {
      let opened = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
      #expect(opened.nextID <= Self.last)
    }
  }

  @Test func `A document that would not open is not saved`() {
    for document in [
      document(next: Self.last + 1), document(layer: Self.last, next: Self.last),
      document(legend: Self.last), document(legend: 2, next: Self.last),
    ] {
      #expect(throws: DocumentError.self) { try DocumentArchive.bytes(of: document) }
    }
  }

  @Test func `A layer that is out of numbers for features is not saved`() throws {
    var document = document()
    document.layers = [layer(nextFeatureID: Self.last)]
    _ = try DocumentArchive.open(DocumentArchive.bytes(of: document))
    var full = layer(nextFeatureID: Self.last)
    _ = full.add(geometry: .point(Coordinate(x: 1, y: 2)), attributes: [])
    document.layers = [full]
    #expect(throws: DocumentError.self) { try DocumentArchive.bytes(of: document) }
  }

  @Test(arguments: [(UInt64(1) << 53 - 1, UInt64(1)), (UInt64(3), UInt64(1) << 53 - 1)])
  func `A document from elsewhere that leaves no number is refused, not opened and then lost`(
    legend: UInt64, layer: UInt64
  ) throws {
    let document = document(legend: legend, layer: layer, next: Self.last)
    var bytes = try DocumentArchive.bytes(of: document)
    // The number before the last, as it stands in the archive, becomes the last.
    let (former, later): ([UInt8], [UInt8]) = (
      [0x13, 0, 0x1F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x13, 0, 0x20, 0, 0, 0, 0, 0, 0]
    )
    let place = try #require(
      bytes.indices.dropLast(8).first { bytes[$0..<$0 + 9].elementsEqual(former) })
    bytes.replaceSubrange(place..<place + 9, with: later)
    #expect(throws: (any Error).self) { try DocumentArchive.open(bytes) }
  }

  @Test func `The next number is above that of a legend when the document is opened`() throws {
    var bytes = try DocumentArchive.bytes(of: document(legend: 0x5A5A, next: 0x6B6B))
    let place = try #require(
      bytes.indices.dropLast(2).first { bytes[$0..<$0 + 3].elementsEqual([0x11, 0x5A, 0x5A]) })
    bytes[place + 1] = 0x7A
    let opened = try DocumentArchive.open(bytes).document
    #expect(opened.nextID == 0x7A5B)
    let saved = try DocumentArchive.bytes(of: opened)
    #expect(try DocumentArchive.open(saved).document.nextID == 0x7A5B)
  }
}
