import PortolanGraphics
import Testing

@testable import PortolanDocuments

/// New layers of water, ice and towns have the usual colours.
@Suite struct LayerNatureTests {
  private static func layer(
    _ name: String, _ dimension: Int, kind: String? = nil
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
      geometry: geometry, attributes: kind.map { [("featurecla", .string($0))] } ?? [])
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
