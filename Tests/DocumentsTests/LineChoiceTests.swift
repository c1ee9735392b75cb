import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanDocuments

/// The lines of a layer that are drawn at a zoom.
@Suite struct LineChoiceTests {
  private static let world = Box(minX: -180, minY: -80, maxX: 180, maxY: 80)

  /// Short and long lines, most of them around a few places; some layers have points and areas.
  static func layer(_ random: inout SeededGenerator, lines: Int, ranked: Bool) -> FeatureLayer {
    var builder = FeatureBlockBuilder()
    let places = (0..<4).map { _ in
      Coordinate(
        x: .random(in: -150...150, using: &random), y: .random(in: -60...60, using: &random))
    }
    for number in 0..<lines {
      let place = places[number % 4]
      let size: Double = [1.0, 4, 20].randomElement(using: &random) ?? 1
      var last = Coordinate(
        x: place.x + .random(in: -12...12, using: &random),
        y: place.y + .random(in: -8...8, using: &random))
      var line = [last]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        last.x += Double.random(in: -size...size, using: &random) / 4
        last.y += Double.random(in: -size...size, using: &random) / 4
        line.append(last)
      }
      builder.append(
        number % 97 == 96 ? .point(last) : .line(line), "scalerank", .number("\(number % 7)"))
    }
    var layer = FeatureLayer(
      id: LayerID(1), name: "streams", style: .standard(forDimension: 1, index: 0),
      blocks: builder.finish())
    layer.style = layer.style.changed {
      $0.rankField = ranked ? "scalerank" : nil
      $0.rankOrder = .low
    }
    return layer
  }

  /// The features that a layer draws, with the weight of each.
  private static func drawn(
    _ layer: FeatureLayer, step: Int?, in box: Box = world
  ) -> [Int: MarkStyle.Weight] {
    let plane = MapPlane.webMercator
    var canvas = RecordingCanvas(
      visible: box, detail: step.map { MapDetail(plane: plane, step: $0) })
    layer.draw(on: &canvas, labelPriority: 0)
    var drawn: [Int: MarkStyle.Weight] = [:]
    func add(_ block: GeometryBlock, _ weight: MarkStyle.Weight, where isDrawn: (Int) -> Bool) {
      guard let ids = layer.featureIDs(of: block) else { return }
      for (row, id) in ids.enumerated() where isDrawn(row) {
        drawn[Int(clamping: id.rawValue)] = weight
      }
    }
    for mark in canvas.marks {
      switch mark {
      case .block(let block, let style, _): add(block, style.weight) { _ in true }
      case .group(let block, let groups, let number, let style):
        add(block, style.weight) { groups.contains($0, in: number) }
      default: continue
      }
    }
    return drawn
  }

  @Test(arguments: Seeds.some(12))
  func `A nearer look shows more lines, at last all; panning changes none`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 50...1500, using: &random)
    let layer = Self.layer(&random, lines: count, ranked: seed.isMultiple(of: 2))
    var former: Set<Int> = []
    for step in stride(from: -6, through: 44, by: 2) {
      let all = Self.drawn(layer, step: step)
      #expect(former.isSubset(of: all.keys), "step \(step)")
      former = Set(all.keys)
      let part = Box(
        minX: .random(in: -180...0, using: &random), minY: -60,
        maxX: .random(in: 1...180, using: &random), maxY: .random(in: -59...80, using: &random))
      for (feature, weight) in Self.drawn(layer, step: step, in: part) {
        #expect(all[feature] == weight)
      }
    }
    #expect(former.count == count)
    #expect(Self.drawn(layer, step: nil).count == count, "boxes take all")
  }

  @Test(arguments: Seeds.some(8))
  func `Dense lines are thinned, points and the lines of highest rank are not`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var layer = Self.layer(&random, lines: 3000, ranked: true)
    let drawn = Self.drawn(layer, step: 4)
    #expect(drawn.count < 1000 && drawn.count > 30)
    func share(rank: Int) -> Double {
      let lines = (0..<3000).filter { $0 % 7 == rank && $0 % 97 != 96 }
      return Double(lines.count { drawn[$0 + 1] != nil }) / Double(lines.count)
    }
    #expect(share(rank: 0) > share(rank: 3) && share(rank: 0) > share(rank: 6))
    #expect((0..<3000).filter { $0 % 97 == 96 }.allSatisfy { drawn[$0 + 1] == .normal })
    // The same without the cache.
    let again = layer.renumbered(layer.id, name: layer.name, parent: nil)
    #expect(Self.drawn(again, step: 4) == drawn)
    layer.style = layer.style.changed { $0.isThinned = false }
    #expect(Self.drawn(layer, step: 4).count == 3000)
    layer.style = layer.style.changed { $0.isThinned = true }
    layer.name = "Borders of 1990"
    #expect(Self.drawn(layer, step: 4).count == 3000, "borders stay whole")
  }

  @Test func `Lines have weights by rank, by size, or the one that was chosen`() throws {
    var random = SeededGenerator(seed: 1)
    var layer = Self.layer(&random, lines: 80, ranked: true)
    let weights: [MarkStyle.Weight] = [.bold, .bold, .bold, .normal, .normal, .light, .light]
    for (feature, weight) in Self.drawn(layer, step: 40) where feature % 97 != 0 {
      #expect(weight == weights[(feature - 1) % 7])
    }
    let entry = try #require(layer.legend(in: nil).first)
    #expect(entry.mark.weight == .bold && entry.leastWeight == .light)
    #expect(entry.note == "by scalerank")
    layer.style = layer.style.changed { ($0.mark.weight, $0.isWeightChosen) = (.light, true) }
    #expect(Set(Self.drawn(layer, step: 40).values) == [.light])
    layer.style = layer.style.changed {
      ($0.rankField, $0.sizeField, $0.isWeightChosen) = (nil, "scalerank", false)
    }
    // Parts of the greatest diameter: 6 is bold, 1 normal, 0 light.
    let sized = Self.drawn(layer, step: 40)
    #expect(sized[7] == .bold && sized[2] == .normal && sized[1] == .light)
  }

  @Test(arguments: Seeds.some(4))
  func `An edit of a large layer hides no line that was drawn, and draws new ones`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var layer = Self.layer(&random, lines: 9000, ranked: true)
    #expect(layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount } > 20_000)
    let before = Self.drawn(layer, step: 3)
    #expect(before.count < 5000)
    for _ in 0..<5 {
      let number = UInt64.random(in: 1...9000, using: &random)
      let ends = [Coordinate(x: 10, y: 10), Coordinate(x: 10.01, y: 10)]
      try layer.setGeometry(.line(ends), of: FeatureID(number))
      #expect(Self.drawn(layer, step: 3).keys == before.keys)
    }
    let added = layer.add(
      geometry: .line([Coordinate(x: 1, y: 1), Coordinate(x: 1.001, y: 1)]),
      attributes: [("scalerank", .number("6"))])
    let after = Self.drawn(layer, step: 3)
    #expect(Set(after.keys) == Set(before.keys).union([Int(added.rawValue)]))
  }

  @Test func `Lines of several paths go on as others, too`() {
    var layer = FeatureLayer(
      id: LayerID(1), name: "rivers", style: .standard(forDimension: 1, index: 0))
    // Each part of a river has an arm elsewhere.
    for number in 0..<200 {
      let x = Double(number) / 10
      let ends = [Coordinate(x: x, y: 0), Coordinate(x: x + 0.1, y: 0)]
      let arm = [Coordinate(x: x, y: -0.05), Coordinate(x: x + 0.05, y: -0.05)]
      let paths = [ends, arm].map {
        Geometry.Path(
          role: PathRole(kind: .lineString, beginsMember: true, beginsPolygon: false), vertices: $0)
      }
      _ = layer.add(geometry: Geometry(kind: .multiLineString, paths: paths), attributes: [])
      let side = [Coordinate(x: x, y: 0.02), Coordinate(x: x, y: 0.4)]
      _ = layer.add(geometry: .line(side), attributes: [])
    }
    let drawn = Self.drawn(layer, step: 12)
    #expect((0..<200).allSatisfy { drawn[2 * $0 + 1] != nil })
    #expect(drawn.count < 300)
  }

  @Test func `The parts of a long line count as one`() {
    var layer = FeatureLayer(
      id: LayerID(1), name: "roads", style: .standard(forDimension: 1, index: 0))
    // A road of many short parts between side streets that are longer than each part.
    for number in 0..<200 {
      let x = Double(number) / 10
      let ends = [Coordinate(x: x, y: 0), Coordinate(x: x + 0.1, y: 0)]
      _ = layer.add(geometry: .line(ends), attributes: [])
      let side = [Coordinate(x: x, y: 0.02), Coordinate(x: x, y: 0.4)]
      _ = layer.add(geometry: .line(side), attributes: [])
    }
    let drawn = Self.drawn(layer, step: 12)
    #expect((0..<200).allSatisfy { drawn[2 * $0 + 1] != nil })
    #expect(drawn.count < 300)
  }
}
