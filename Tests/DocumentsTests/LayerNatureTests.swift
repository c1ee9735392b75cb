import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// New layers of water, ice and towns have the usual colours.
@Suite struct LayerNatureTests {
  private static func layer(
    _ name: String, _ dimension: Int, kind: String? = nil, field: String = "featurecla"
  ) -> FeatureLayer {
    var layer = FeatureLayer(id: LayerID(1), name: name, style: Style(name: "", mark: MarkStyle()))
    let places = [(0.0, 0.0), (1, 0), (1, 1), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
    let geometry: Geometry =
      switch dimension {
      case 0: .point(places[0])
      case 1: .line(places)
      default: .polygon([places])
      }
    _ = layer.add(
      geometry: geometry, attributes: kind.map { [(field, .string($0))] } ?? [])
    return layer
  }

  private static func marks(_ layers: [FeatureLayer]) -> [MarkStyle] {
    var document = Document()
    document.add(layers, hasLooks: false)
    return document.layers.map(\.style.mark)
  }

  @Test(arguments: [
    "ne_110m_lakes", "Lakes", "ne_10m_ocean", "wdb_rivers_i", "Sea", "world-water", "rivers 2",
  ])
  func `Water is blue, its areas too`(name: String) {
    let marks = Self.marks([
      Self.layer("countries", 2), Self.layer(name, 2), Self.layer(name, 1),
      Self.layer("parcels", 2), Self.layer("more", 2), Self.layer("roads", 1),
    ])
    for mark in marks[1...2] {
      let colour = mark.stroke ?? Colour(red: 255, green: 0, blue: 0)
      #expect(colour.blue > colour.green && colour.green > colour.red)
      #expect(mark.dash == .solid)
    }
    #expect(marks[1].fill == marks[1].stroke?.dimmed)
    #expect(Set(marks.map(\.stroke)).count == marks.count, "each has a colour of its own")
    for mark in marks[3...5] {
      let colour = mark.stroke ?? Colour(red: 0, green: 0, blue: 255)
      #expect(colour.blue <= colour.green || colour.blue <= colour.red)
    }
  }

  @Test(arguments: ["ne_usa_can_roads", "railways", "tracks", "contours", "a", "faults"])
  func `Lines that are no water are not blue, above water least of all`(name: String) {
    let layers = [Self.layer("lakes", 2)] + (0..<7).map { _ in Self.layer(name, 1) }
    for mark in Self.marks(layers).dropFirst() + Self.marks([Self.layer(name, 1)]) {
      let colour = mark.stroke ?? Colour(red: 0, green: 0, blue: 255)
      let reach = Int(colour.blue) - Int(min(colour.red, colour.green))
      #expect(reach < 30 || colour.red >= 0xA0, "\(colour.hex)")
      #expect(mark.stroke != Self.marks([Self.layer("rivers", 1)])[0].stroke)
    }
  }

  @Test func `Roads are of a warm red, railways dashed; both by name or kind`() {
    for layer in [Self.layer("Main roads", 1), Self.layer("layer", 1, kind: "Road")] {
      #expect(layer.nature == .road)
      let colour = Self.marks([layer])[0].stroke ?? Colour(red: 0, green: 0, blue: 0)
      #expect(colour.red > colour.green && colour.green >= colour.blue)
    }
    for layer in [Self.layer("ne_10m_railroads", 1), Self.layer("x", 1, kind: "Railroad")] {
      #expect(layer.nature == .railway)
      #expect(Self.marks([layer])[0].dash == .dashed)
    }
    #expect(Self.layer("broads", 1).nature == nil && Self.layer("trail", 1).nature == nil)
  }

  @Test(arguments: [
    ("lines", "Admin-1 boundary", "featurecla", true), ("lines", "Provincial boundary", "", true),
    ("state_borders", nil, "", true), ("County boundaries", nil, "", true),
    ("lines", "4", "admin_level", true), ("state borders", "2", "admin_level", false),
    ("lines", "International boundary (verify)", "featurecla", false),
    ("United States border", nil, "", false), ("borders", nil, "", false),
  ])
  func `Borders within countries are dotted and light, others dashed`(
    name: String, kind: String?, field: String, isInner: Bool
  ) {
    let field = field.isEmpty ? "featurecla" : field
    let mark = Self.marks([Self.layer(name, 1, kind: kind, field: field)])[0]
    #expect(mark.dash == (isInner ? .dotted : .dashed))
    #expect(mark.weight == (isInner ? .light : .normal))
  }

  @Test(arguments: ["season", "search", "islands", "Lakewood", "seams", "wasteland"])
  func `Words that only hold those of water do not count`(name: String) {
    #expect(Self.layer(name, 2).nature == nil)
  }

  @Test func `The kinds of features count more than the name`() {
    #expect(Self.layer("lake states", 2, kind: "Admin-1 states provinces").nature == nil)
    #expect(Self.layer("layer 7", 2, kind: "Alkaline Lake").nature == .water)
    #expect(Self.layer("ne_50m_glaciated_areas", 2, kind: "Glaciated areas").nature == .ice)
    #expect(Self.layer("ne_50m_urban_areas", 2, kind: "Urban area").nature == .town)
    #expect(Self.marks([Self.layer("lakes", 0)]) == Self.marks([Self.layer("towns", 0)]))
  }
}
