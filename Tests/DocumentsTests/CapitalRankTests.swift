import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// Capitals rank above other towns of their size.
@Suite struct CapitalRankTests {
  @Test(arguments: Seeds.some(20))
  func `A capital comes before towns of up to twice its size, a second one does not`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let size = Double(Int.random(in: 10_000...1_000_000, using: &random))
    let times = Double.random(in: 1.1...4, using: &random)
    for kind in ["Admin-0 capital", "Admin-0 capital alt", "Populated place"] {
      var layer = FeatureLayer(
        id: LayerID(1), name: "places",
        style: Style(
          name: "", mark: MarkStyle(symbol: "•"), labelField: "name", rankField: "pop_max"))
      for (name, population, kind) in [
        ("Amsterdam", size, kind), ("The Hague", size * times, "Populated place"),
      ] {
        _ = layer.add(
          geometry: .point(Coordinate(x: 4, y: 52)),
          attributes: [
            ("name", .string(name)), ("pop_max", .number(String(population))),
            ("featurecla", .string(kind)),
          ])
      }
      let block = try #require(layer.blocks.first)
      let ranks = try #require(layer.ranks(of: block.geometry))
      let order = (0..<2).sorted { ranks[$0] > ranks[$1] }
      #expect(order.first == (kind == "Admin-0 capital" && times < 2 ? 0 : 1))
    }
  }

  @Test(arguments: Seeds.some(20))
  func `A capital of the greatest scale comes before towns below nine millions`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let other = Double.random(in: 1e6...15e6, using: &random).rounded()
    let scale = Int.random(in: 0...3, using: &random)
    var layer = FeatureLayer(
      id: LayerID(1), name: "places",
      style: Style(
        name: "", mark: MarkStyle(symbol: "•"), labelField: "name", rankField: "pop_max"))
    for (name, population, kind) in [
      ("New Delhi", 317_797, "Admin-0 capital"), ("Chennai", other, "Admin-1 capital"),
    ] as [(String, Double, String)] {
      _ = layer.add(
        geometry: .point(Coordinate(x: 77, y: 28)),
        attributes: [
          ("name", .string(name)), ("pop_max", .number(String(population))),
          ("scalerank", .number(String(scale))), ("featurecla", .string(kind)),
        ])
    }
    let block = try #require(layer.blocks.first)
    let ranks = try #require(layer.ranks(of: block.geometry))
    #expect((ranks[0] > ranks[1]) == (scale <= 1 && other < 9e6 + 2 * 31_779.7))
  }
}
