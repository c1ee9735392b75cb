import PortolanDocuments
import PortolanGraphics
import PortolanRendering
import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

/// Whether layers and classes are told apart on every screen.
@Suite struct FewColourTests {
  static let settings = ThemePalette.allCases.flatMap { palette in
    Ground.allCases.flatMap { ground in
      [ColourDepth.mono, .eight, .sixteen, .indexed, .trueColour].compactMap { depth in
        palette == .mono && depth != .mono
          ? nil : ThemeTests.Setting(palette: palette, ground: ground, depth: depth)
      }
    }
  }

  /// What a legend shows of an entry: its sign, and the colour of a screen.
  private struct Shown: Hashable {
    var sign: String
    var colours: BaseColours?
    var colour: Int

    init(_ entry: LegendEntry, _ capabilities: ScreenCapabilities) {
      let sample = ScreenLook(capabilities: capabilities).sample(entry)
      let depth = capabilities.depth
      sign = sample.text
      colours =
        depth == .eight || depth == .sixteen ? BaseColours(sample.style, depth) : nil
      colour =
        switch depth {
        case .indexed: Palette.indexed(sample.style.foreground)
        case .trueColour: Int(sample.style.foreground.rawValue)
        default: 0
        }
    }
  }

  private static func layer(_ name: String, _ dimension: Int) -> FeatureLayer {
    var layer = FeatureLayer(id: LayerID(1), name: name, style: Style(name: "", mark: MarkStyle()))
    let places = [(0.0, 0.0), (1, 0), (1, 1), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) }
    let geometry: Geometry =
      switch dimension {
      case 0: .point(places[0])
      case 1: .line(places)
      default: .polygon([places])
      }
    for number in 0..<8 {
      _ = layer.add(geometry: geometry, attributes: [("n", .number("\(number)"))])
    }
    return layer
  }

  private static func document(_ names: [String], dimension: Int) -> Document {
    var document = Document()
    document.add(names.map { layer($0, dimension) }, hasLooks: false)
    return document
  }

  private static func expectDifferent(
    _ entries: [LegendEntry], _ setting: ThemeTests.Setting, _ what: String
  ) {
    var known: [Shown: String] = [:]
    for entry in entries where !entry.isHeading {
      let shown = Shown(entry, setting.capabilities)
      let former = known.updateValue(entry.text, forKey: shown)
      #expect(former == nil, "\(setting) \(what): \(entry.text) as \(former ?? "")")
    }
  }

  @Test(arguments: settings)
  func `Layers of one kind differ by colour or sign`(setting: ThemeTests.Setting) {
    for (dimension, count) in [(0, 4), (1, 3), (2, 4)] {
      for water in [nil] + (0..<count).map(Optional.some) {
        let names = (0..<count).map { $0 == water ? "lakes" : "layer \($0)" }
        // Lines of water are never dashed.
        if dimension == 1, water != nil, setting.depth == .mono { continue }
        let document = Self.document(names, dimension: dimension)
        Self.expectDifferent(
          document.layers.flatMap { $0.legend(in: nil) }, setting, "\(dimension) \(names)")
      }
    }
  }

  @Test(arguments: settings, Seeds.some(12))
  func `Up to seven classes differ from each other and from the layer above`(
    setting: ThemeTests.Setting, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    for count in 1...7 {
      for dimension in [0, 2] {
        let ramp = try #require(ColourRamp.all.randomElement(using: &random))
        let isReversed = Bool.random(using: &random)
        // Seven classes of areas take all patterns.
        let names = count < 7 || dimension == 0 ? ["base", "above"] : ["base"]
        var document = Self.document(names, dimension: dimension)
        let bounds = (0...count).map { 7 * Double($0) / Double(count) }
        let base = document.layers[0].style.mark
        let classes = try #require(
          StyleClasses.breaks("n", bounds, ramp: ramp, isReversed: isReversed, base: base))
        document.layers[0].style = document.layers[0].style.changed { $0.classes = classes }
        Self.expectDifferent(
          document.layers.flatMap { $0.legend(in: nil) }, setting,
          "\(count) classes of \(dimension), \(ramp.name) \(isReversed), seed \(seed)")
      }
    }
  }

  @Test func `Sixteen colours keep the hue, and 4,5 to 1 on dark ground`() throws {
    var random = SeededGenerator(seed: 16)
    for ground in Ground.allCases {
      for depth in [ColourDepth.eight, .sixteen] {
        let ink = GroundInk(ground, depth: depth)
        for _ in 0..<2000 {
          let colour = Colour(
            red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
            blue: .random(in: 0...255, using: &random))
          let shown = try #require(ink.cells(MarkStyle(stroke: colour)).stroke)
          let base = TerminalColour(shown)
          let least = ground == .dark && depth == .sixteen ? 4.5 : 3
          #expect(Palette.contrast(base, ground.colour) >= least, "\(colour.hex) \(shown.hex)")
          let index = depth == .eight ? Palette.eight(base) : Palette.sixteen(base)
          #expect(Palette.colour(at: index) == base && index != 8)
        }
      }
    }
    let ink = GroundInk(.dark, depth: .sixteen)
    func shown(_ hex: String) -> String? {
      ink.cells(MarkStyle(stroke: Colour(hex: hex))).stroke?.hex
    }
    let (lakes, rivers) = (shown("#7cbcec"), shown("#56b4e9"))
    let countries = shown("#7fb37a")
    #expect(lakes == rivers && lakes != countries)
    #expect([shown("#440154"), shown("#101010")].allSatisfy { $0 != "#000000" })
  }
}
