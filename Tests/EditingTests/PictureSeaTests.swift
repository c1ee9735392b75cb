import Foundation
import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// The sea around land: where the data has all land of the map, or as wanted.
@Suite struct PictureSeaTests {
  private static func document(
    _ name: String, kind: String? = nil, west: Double = -180, east: Double = 180
  ) -> Document {
    var document = Document()
    var layer = FeatureLayer(
      id: LayerID(document.makeID()), name: name, style: .standard(forDimension: 2, index: 0))
    for x in [west, (west + east) / 2 + 1] {
      let far = x + (east - west) / 2 - 1
      let ring = [(x, -60.0), (far, -60), (far, 70), (x, 70), (x, -60)].map(Coordinate.init(pair:))
      _ = layer.add(
        geometry: .polygon([ring]), attributes: kind.map { [("featurecla", .string($0))] } ?? [])
    }
    document.layers = [layer]
    return document
  }

  private static func request(_ line: String, _ document: Document) throws -> PictureRequest {
    var editor = Editor(document)
    try editor.run(line)
    return try #require(
      editor.effects.lazy.compactMap { effect -> PictureRequest? in
        if case .perform(let request as RenderRequest, _) = effect { request.picture } else { nil }
      }.first)
  }

  @Test(arguments: [
    ("ne_110m_land", nil, true), ("countries", nil, true), ("x", "Admin-0 country", true),
    ("x", "Land", true), ("land_use", nil, false), ("lakes", nil, false), ("counties", nil, false),
    ("countries", "Urban area", false), ("parks", nil, false),
  ])
  func `Layers of land have the sea around them`(name: String, kind: String?, hasSea: Bool) throws {
    let document = Self.document(name, kind: kind)
    #expect(try Self.request("render -o a.svg", document).hasSea == hasSea)
    #expect(try Self.request("render -o a.svg --sea yes", document).hasSea == true)
    #expect(try Self.request("render -o a.svg --sea no", document).hasSea == false)
  }

  @Test func `Countries of a part of the world have it where they fill the map`() throws {
    let document = Self.document("countries", west: -10, east: 40)
    #expect(try Self.request("render -o a.svg --bbox=0,0,20,20", document).hasSea)
    #expect(try Self.request("render -o a.svg --bbox=-30,0,20,20", document).hasSea == false)
  }

  @Test func `The coast is beneath the areas, and heavier than the borders`() throws {
    let made = try Self.request("render -o a.svg --bbox=-150,-70,150,75", Self.document("land"))
    let text = String(
      decoding: try made.format.picture(of: made, depth: .trueColour), as: UTF8.self)
    let parts = text.components(separatedBy: "<use href=\"#layer-1\"")
    try #require(parts.count == 2)
    func width(_ text: String) throws -> Double {
      let found = try #require(text.firstMatch(of: /stroke-width="([0-9.]+)"/))
      return try #require(Double(found.output.1))
    }
    // The areas cover a half of the coast.
    let (coast, border) = (
      try width(parts[1]),
      try width(parts[1].components(separatedBy: "<g").dropFirst().joined(separator: "<g"))
    )
    #expect(coast / 2 > border)
    #expect(text.contains("fill=\"\(GroundInk(.light).sea.hex)\""))
  }

  @Test(arguments: Seeds.some(20))
  func `A narrow region on a wide page has its legend beside it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let document = Self.document("countries")
    let width = Int.random(in: 300...1600, using: &random)
    let size = "\(width)x\(Int.random(in: 200...900, using: &random))"
    let (east, north) = (
      Double.random(in: 1...80, using: &random), Double.random(in: 1...40, using: &random)
    )
    let box = "--bbox=0,0,\(east),\(north)"
    let below = try Self.request("render -o a.svg \(box) --size \(size)", document)
    let made = try Self.request("render -o a.svg \(box) --size \(size) --legend", document)
    var parts = made.parts
    parts.legendIsBeside.toggle()
    let other = made.format.mapSize(in: made.size, parts)
    let fitted = Camera.fitting(
      Box(minX: 0, minY: 0, maxX: east, maxY: north), plane: made.camera.plane, size: other,
      margin: 0)
    #expect(made.camera.zoom >= fitted.zoom - 0.15)
    #expect(made.camera.zoom <= below.camera.zoom + 1e-9)
  }
}
