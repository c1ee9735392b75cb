import PortolanGraphics
import Testing

@testable import PortolanDocuments

@Suite("Ranks of features")
struct RankTests {
  private static func column(_ name: String, _ value: AttributeValue) -> AttributeColumn {
    var builder = AttributeColumnBuilder(name: name)
    builder.append(value)
    return builder.column()
  }

  @Test("Populations rank before ranks, ranks before codes, elevations never")
  func guess() {
    let population = Self.column("Population", .number("1"))
    let scale = Self.column("scalerank", .number("1"))
    let code = Self.column("iata", .string("TXL"))
    let elevation = Self.column("elevation", .number("1"))
    #expect(RankField.guess([elevation, code, scale, population]) == "Population")
    #expect(RankField.guess([elevation, code, scale]) == "scalerank")
    #expect(RankField.guess([elevation, code]) == "iata")
    #expect(RankField.guess([elevation]) == nil)
    let size = Self.column("type", .string("medium_airport"))
    #expect(RankField.guess([elevation, code, size]) == "type")
    #expect(RankField.guess([code, Self.column("type", .string("seaplane_base"))]) == "iata")
    #expect(RankField.guess([Self.column("population", .string("many"))]) == nil)
  }

  @Test(
    "The order of a rank follows from the field's name",
    arguments: [
      ("population", RankOrder.high), ("SCALERANK", .low), ("iata", .given), ("Type", .given),
      ("depth", .high),
    ])
  func orders(name: String, order: RankOrder) { #expect(RankOrder(ofFieldNamed: name) == order) }

  @Test("Values without a rank come last, and a block keeps its ranks")
  func values() {
    #expect(RankOrder.high.rank(of: .number("1.5e3")) == 1_500)
    #expect(RankOrder.low.rank(of: .number("3")) == -3)
    for value in [AttributeValue.missing, .null, .string("7"), .number("1e999")] {
      #expect(RankOrder.high.rank(of: value) == -.infinity)
      #expect(RankOrder.low.rank(of: value) == -.infinity)
    }
    #expect(RankOrder.given.rank(of: .string("TXL")) > RankOrder.given.rank(of: .string("")))
    let sizes = ["large_airport", "medium_airport", "small_airport", "heliport", ""]
    let sizeRanks = sizes.map { RankOrder.given.rank(of: .string($0)) }
    #expect(sizeRanks == sizeRanks.sorted(by: >) && Set(sizeRanks).count == 5)
    let layer = Samples.points(5)
    let ranks = layer.blocks[0].ranks(by: "rank", .low)
    #expect(ranks?.values == [0, -.infinity, -2, -.infinity, -4])
    #expect(ranks === layer.blocks[0].ranks(by: "rank", .low))
    #expect(layer.blocks[0].ranks(by: "none", .low) == nil)
    #expect(ranks?[7] == -.infinity)
  }

  @Test("Of airports with a code those for flights abroad come first")
  func airports() throws {
    var layer = FeatureLayer(
      id: LayerID(1), name: "airports",
      style: Style(
        name: "", mark: MarkStyle(symbol: "•"), labelField: "name", rankField: "iata",
        rankOrder: .given))
    for (code, name) in [
      ("", "Ocean International Field"), ("OCA", "Ocean Reef Club Airport"),
      ("ATL", "Hartsfield/Jackson Atlanta International Airport"),
    ] {
      _ = layer.add(
        geometry: .point(Coordinate(x: 0, y: 0)),
        attributes: [("iata", .string(code)), ("name", .string(name))])
    }
    let ranks = try #require(layer.blocks.first?.ranks(by: "iata", .given))
    #expect(ranks.values == [0, 1, 2])
  }

  @Test("Points with a sign are dots of their block, and their signs come above, ranked")
  func drawing() {
    var layer = Samples.points(2_500)
    layer.style = Style(
      name: "", mark: MarkStyle(stroke: Colour(red: 1, green: 2, blue: 3), symbol: "x"),
      rankField: "rank", rankOrder: .low)
    var canvas = RecordingCanvas(visible: Box(minX: 0, minY: -10, maxX: 10, maxY: 0))
    layer.draw(on: &canvas, labelPriority: 3)
    guard canvas.marks.count == 2, case .block(_, let style, _) = canvas.marks[0],
      case .symbols(let set) = canvas.marks[1]
    else {
      Issue.record("\(canvas.marks.count) marks")
      return
    }
    #expect(style.symbol.isEmpty && set.style.symbol == "x" && set.priority == 3)
    // Those beyond the window keep others from showing.
    #expect(set.parts.map(\.number) == Array(layer.blocks.indices))
    #expect(set.parts[0].ranks?[2] == -2)
  }
}
