import Archiving
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

@Suite("Archiving documents")
struct DocumentCodingTests {
  @Test("Decoding gives back what was encoded, and the same bytes again", arguments: Seeds.some(60))
  func roundTrip(seed: UInt64) throws {
    var random = RandomDocuments(seed: seed)
    let document = random.document()
    let bytes = try DocumentArchive.bytes(of: document)
    let opened = try DocumentArchive.open(bytes)
    #expect(opened.migratedFrom == nil)
    #expect(differences(document, opened.document) == [])
    #expect(try DocumentArchive.bytes(of: document) == bytes)
    // Once an overview that was left out has no place any more, the bytes stay the same.
    let again = try DocumentArchive.bytes(of: opened.document)
    if !FixtureDocument.refersToClosedOverview(document) { #expect(again == bytes) }
    #expect(try DocumentArchive.bytes(of: DocumentArchive.open(again).document) == again)
  }

  @Test("Settings that are no KEY=VALUE, or two of one key, are refused")
  func settings() throws {
    var document = Document()
    document.metadata.settings = ["k": "1", "l": "2"]
    let bytes = try DocumentArchive.bytes(of: document)
    #expect(try DocumentArchive.open(bytes).document.metadata == document.metadata)
    for line in ["k=2", "l:2", "=l2"] {
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "l=2".utf8) })
      var broken = bytes
      broken.replaceSubrange(place..<place + 3, with: line.utf8)
      let error = #expect(throws: ArchiveError.self, "\(line)") {
        try DocumentArchive.open(broken)
      }
      #expect(error?.path.hasSuffix("settings") == true)
    }
  }

  @Test("A style that layers share is archived once and shared again")
  func sharedStyle() throws {
    var document = Document()
    let style = Style.standard(forDimension: 0, index: 0, name: "shared")
    for number in 0..<3 {
      let other = Style.standard(forDimension: 0, index: 0, name: "shared")
      document.layers.append(
        FeatureLayer(
          id: LayerID(document.makeID()), name: "\(number)", style: number == 1 ? other : style))
    }
    let opened = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    #expect(opened.layers[0].style === opened.layers[2].style)
    #expect(opened.layers[0].style !== opened.layers[1].style)
  }

  @Test("An overview that the document holds is found again, before or after its map")
  func auxiliaryView() throws {
    for overviewFirst in [true, false] {
      var document = Document()
      let overview = MapView(
        id: ViewID(7), name: "overview", mapName: "w", auxiliaryView: ViewID(8))
      let map = MapView(id: ViewID(8), name: "map", mapName: "m", auxiliaryView: ViewID(7))
      document.views = overviewFirst ? [overview, map] : [map, overview]
      let opened = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
      let maps = opened.views.compactMap { $0 as? MapView }
      #expect(
        maps.map(\.auxiliaryView)
          == (overviewFirst ? [ViewID(8), ViewID(7)] : [ViewID(7), ViewID(8)]))
      #expect(opened.nextID == 9)
    }
  }

  @Test("An overview that the document does not hold decodes as none, and is not in the archive")
  func absentAuxiliaryView() throws {
    var document = Document()
    document.views = [MapView(id: ViewID(8), name: "m", mapName: "", auxiliaryView: ViewID(7))]
    let bytes = try DocumentArchive.bytes(of: document)
    let opened = try DocumentArchive.open(bytes).document
    #expect((opened.views[0] as? MapView)?.auxiliaryView == nil)
    let graph = try ObjectGraph(bytes)
    let views = try (0..<graph.nodeCount).filter {
      try graph.node(NodeID(rawValue: UInt32($0))).classChain.first == "PortolanMapView"
    }
    #expect(views.count == 1)
  }

  @Test("Legends that got one number by mistake are both kept")
  func legends() throws {
    var document = Document()
    let shown = LegendView(id: ViewID(2), name: "a")
    let hidden = LegendView(id: ViewID(2), name: "b", isShown: false)
    document.views = [
      MapView(id: ViewID(1), name: "1", mapName: "", legend: shown),
      MapView(id: ViewID(3), name: "2", mapName: "", legend: hidden),
      MapView(id: ViewID(4), name: "3", mapName: "", legend: LegendView(id: ViewID(1), name: "c")),
    ]
    let opened = try DocumentArchive.open(DocumentArchive.bytes(of: document)).document
    let legends = opened.views.compactMap { ($0 as? MapView)?.legend }
    #expect(legends.map(\.name) == ["a", "b", "c"])
    #expect(Set(legends.map(\.id)).count == 3)
  }

  @Test("Two layers of one number are refused when saving, for one would be lost")
  func duplicateLayers() {
    var document = Document()
    let style = Style.standard(forDimension: 0, index: 0)
    document.layers = ["a", "b"].map { FeatureLayer(id: LayerID(5), name: $0, style: style) }
    #expect(throws: DocumentError.self) { try DocumentArchive.bytes(of: document) }
  }

  @Test("The classes are archived with their superclasses")
  func chains() throws {
    var random = RandomDocuments(seed: 1)
    var document = random.document()
    document.layers = [random.layer(id: LayerID(1), style: Style(name: "", mark: MarkStyle()))]
    let graph = try ObjectGraph(DocumentArchive.bytes(of: document))
    var chains = Set<[String]>()
    for number in 0..<graph.nodeCount {
      let chain = try graph.node(NodeID(rawValue: UInt32(number))).classChain
      if chain.first?.hasPrefix("Portolan") == true { chains.insert(chain) }
    }
    #expect(chains.contains(["PortolanFeatureLayer", "PortolanLayer", "NSObject"]))
    #expect(chains.contains(["PortolanMapView", "PortolanView", "NSObject"]))
    #expect(chains.contains(["PortolanLegendView", "PortolanView", "NSObject"]))
    #expect(chains.contains(["PortolanDocument", "NSObject"]))
    #expect(chains.contains(["PortolanFeatureBlock", "NSObject"]))
  }
}
