import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// Names that stand, are taken away and put back.
@Suite struct PlacedNamesTests {
  private static let (columns, rows) = (60, 20)

  /// What names take of a map.
  private static func state(_ names: PlacedNames, _ features: [LabelCandidate]) -> [String] {
    let cells = (0..<rows).map { row in
      (0..<columns).map { column in
        let isFree = names.occupancy.isFree(column: column, row: row, columns: 1)
        let hasLabel = names.occupancy.hasLabel(column: column, row: row)
        let hasSign = names.occupancy.hasSign(column: column, row: row)
        let numbers = names.numbers(in: column...column, rows: row...row)
        return "\(isFree)\(hasLabel)\(hasSign)\(numbers)"
      }.joined()
    }
    let texts = features.map { feature in
      let positions = names.positions(of: NameKind(feature)).sorted {
        ($0.row, $0.column) < ($1.row, $1.column)
      }
      return "\(names.hasName(feature)) \(positions)"
    }
    return cells + texts + ["\(names.letters)", "\(Array(names.lines))"]
  }

  /// The name of a feature in one or two lines.
  private static func name(_ feature: LabelCandidate, _ column: Int, _ row: Int) -> PlacedNames.Name
  {
    let lines = feature.dimension == 2 ? 2 : 1
    let name = LabelName(feature.text)
    return PlacedNames.Name(
      owner: feature,
      lines: (0..<lines).map { line in
        PlacedLabel(
          name, at: LabelPlace(column: column, row: row + line, penalty: 0), of: feature,
          style: MarkStyle())
      }, place: .around(0, point: 0))
  }

  @Test(arguments: Seeds.some(40))
  func `A trial that fails leaves all as it was`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let block = try #require(MapSamples.block([.point(Coordinate(x: 1, y: 1))]))
    let features = (0..<24).map { number -> LabelCandidate in
      let (x, y) = (
        Int.random(in: 0..<2 * Self.columns, using: &random),
        Int.random(in: 0..<4 * Self.rows, using: &random)
      )
      var feature = LabelCandidate(
        key: LabelKey(block: ObjectIdentifier(block), row: number, copy: 0), set: 0,
        weight: LabelWeight(rank: 0), x: x, y: y, dimension: number % 3)
      feature.text = ["Ur", "Halle", "Leipzig"].randomElement(using: &random) ?? ""
      feature.number = number
      if number % 7 == 0 { feature.turn = .chosen }
      return feature
    }
    var names = PlacedNames(
      CellOccupancy(columns: Self.columns, rows: Self.rows), columns: Self.columns,
      rows: Self.rows)
    names.expect(features: features.count)
    // Names never overlap, so each has rows of its own here.
    for (number, feature) in features.prefix(16).enumerated() {
      let column = 20 * (number % 2) + Int.random(in: 0..<12, using: &random)
      names.add(Self.name(feature, column, 2 * (number / 2)))
    }
    let before = Self.state(names, features)
    let number = Int.random(in: 16..<24, using: &random)
    let hadSign = names.hasSign(of: features[number])
    let moved = (0..<16).shuffled(using: &random).prefix(5).sorted()
    let (mark, taken) = (names.mark, moved.compactMap { names.take($0) })
    #expect(taken.count == moved.count && Self.state(names, features) != before)
    names.add(Self.name(features[number], 44, 17))
    for name in taken {
      names.add(Self.name(name.owner, 41, Int.random(in: 0..<8, using: &random) * 2))
    }
    names.goBack(to: mark)
    names.setSign(hadSign, of: features[number])
    #expect(Self.state(names, features) == before)
  }

  @Test func `Every feature is named in a pass that tries its own places, in the order of turns`() {
    for turn in LabelTurn.allCases {
      #expect(LabelPass.all.contains { $0.turns.contains(turn) && $0.ways.contains(.own) })
    }
    let firsts = LabelTurn.allCases.map { turn in
      LabelPass.all.firstIndex { $0.turns.contains(turn) && $0.ways.contains(.own) } ?? .max
    }
    #expect(firsts == firsts.sorted())
  }
}
