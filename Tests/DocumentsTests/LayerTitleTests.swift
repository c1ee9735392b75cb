import PortolanDocuments
import PortolanTestSupport
import Testing

/// Titles of layers: given, or made of their names.
@Suite struct LayerTitleTests {
  @Test(arguments: [
    ("ne_110m_populated_places", "populated places"), ("ne_110m_countries", "countries"),
    ("ne_50m_admin_0_countries", "countries"),
    ("ne_10m_populated_places_simple", "populated places"),
    ("roads.geojson", "roads"), ("roads.geojson.gz", "roads"), ("St. Pauli", "St. Pauli"),
    ("towns", "towns"), ("Two  words", "Two  words"), ("wdb_rivers_i", "wdb rivers i"),
    ("ne_110m", "ne 110m"), (".geojson", ".geojson"), ("_", "_"), ("", ""),
    ("U.S.A.", "U.S.A."), ("admin_0", "admin 0"), ("v1.5_final", "v1.5 final"),
  ])
  func `Names of files become titles`(name: String, title: String) {
    #expect(LayerTitles.title(ofName: name) == title)
  }

  private static let words = [
    "ne", "110m", "50m", "admin", "0", "lakes", "simple", "x.geojson", "x.csv.gz", ".json", "é", "",
    "ne 10m",
  ]

  private static func name(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...5, using: &random))
      .map { _ in words.randomElement(using: &random) ?? "" }
      .joined(separator: ["_", " ", "."].randomElement(using: &random) ?? "_")
  }

  @Test(arguments: Seeds.some(200))
  func `No two layers share a title unless the user said so`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var document = Document()
    for name in Set((0..<8).map { _ in Self.name(&random) }).sorted() {
      var layer = FeatureLayer(
        id: LayerID(document.makeID()), name: name, style: .standard(forDimension: 0, index: 0))
      if Int.random(in: 0..<4, using: &random) == 0 { layer.title = Self.name(&random) }
      document.layers.append(layer)
    }
    let titles = LayerTitles(document)
    for layer in document.layers {
      let title = titles.title(of: layer)
      if !layer.title.isEmpty { #expect(title == layer.title) }
      if !layer.name.isEmpty { #expect(!title.isEmpty) }
      for other in document.layers
      where other.id != layer.id && titles.title(of: other) == title {
        #expect(!layer.title.isEmpty || !other.title.isEmpty, "\(layer.name) \(other.name)")
      }
      let made = LayerTitles.title(ofName: layer.name)
      #expect(LayerTitles.title(ofName: made) == made, "\(layer.name)")
    }
  }
}
