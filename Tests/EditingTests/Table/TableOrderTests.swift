import PortolanDocuments
import PortolanExpressions
import PortolanGraphics
import PortolanTestSupport
import Testing

@testable import PortolanEditing

@Suite struct TableOrderTests {
  @Test(arguments: Seeds.some(60))
  func `Rows are sorted as a stable sort of their values does`(seed: UInt64) {
    var table = RandomTable(seed: seed)
    let layer = table.layer(
      id: LayerID(1), rows: Int.random(in: 0...60, using: &table.random))
    let names = ["a", "b", "c, \"d", "none"].shuffled(using: &table.random)
    let keys = names.prefix(Int.random(in: 0...4, using: &table.random)).map {
      TableKey(source: .attribute($0), isFalling: Bool.random(using: &table.random))
    }
    let rows = TableRows(layer.blocks)
    let sorted = TableRows(layer.blocks, order: TableOrder.sorted(rows, by: keys) { _ in })
    let features = layer.blocks.flatMap { block in
      (0..<block.rowCount).map { (block.featureIDs[$0], block, $0) }
    }
    let expected = features.enumerated().sorted { left, right in
      for key in keys {
        guard case .attribute(let name) = key.source else { continue }
        let order = Value.sortOrder(
          Value(left.element.1.attribute(name, row: left.element.2)),
          Value(right.element.1.attribute(name, row: right.element.2)), key.isFalling)
        if order != 0 { return order < 0 }
      }
      return left.offset < right.offset
    }.map(\.element.0)
    #expect((0..<sorted.count).map { sorted.feature($0) } == expected, "seed \(seed)")
    for (row, feature) in expected.enumerated() { #expect(sorted.row(of: feature) == row) }
  }

  /// Enough rows to be sorted by their digits, with texts that are equal for long.
  @Test(arguments: Seeds.some(2))
  func `Many rows are sorted as few are`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let starts = ["", "Europe/", "Europe/Stockholm and all that lies around it, "]
    let great = 9_007_199_254_740_992
    var builder = FeatureBlockBuilder()
    var values: [(AttributeValue, AttributeValue)] = []
    for row in 0..<2_500 {
      let number = Int.random(in: 0..<40, using: &random)
      let start = starts[Int.random(in: 0..<3, using: &random)]
      let first: AttributeValue =
        row % 7 == 0 ? .missing : row % 11 == 0 ? .bool(row % 2 == 0) : .string("\(start)\(number)")
      let second = AttributeValue.number("\(great - 20 + number)")
      values.append((first, second))
      builder.append(
        Feature(
          id: FeatureID(UInt64(row + 1)), identifier: .missing, geometry: .none,
          attributes: [("a", first), ("b", second)]))
    }
    let rows = TableRows(builder.finish())
    for falling in [(false, true), (true, false)] {
      let keys = [
        TableKey(source: .attribute("a"), isFalling: falling.0),
        TableKey(source: .attribute("b"), isFalling: falling.1),
      ]
      let expected = values.indices.sorted { left, right in
        for (one, other, isFalling) in [
          (values[left].0, values[right].0, falling.0),
          (values[left].1, values[right].1, falling.1),
        ] {
          let order = Value.sortOrder(Value(one), Value(other), isFalling)
          if order != 0 { return order < 0 }
        }
        return left < right
      }
      #expect(
        TableOrder.sorted(rows, by: keys) { _ in }.map { Int($0) } == expected, "seed \(seed)")
    }
  }

  @Test(arguments: Seeds.some(12))
  func `Rows of equal ranks keep their order`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = [0, 1, 9, 40, 700, 3_000][Int(seed % 6)]
    var rows = (0..<count).map { place in
      var row = RankedRow(row: UInt32(place))
      row.kind = UInt8.random(in: 0...3, using: &random)
      row.bits =
        Bool.random(using: &random) ? .random(in: 0...5, using: &random) : random.next()
      return row
    }
    let before = rows
    let range = count / 5..<count
    let expected = before[range].enumerated().sorted {
      ($0.element.kind, $0.element.bits, $0.offset)
        < ($1.element.kind, $1.element.bits, $1.offset)
    }.map(\.element.row)
    RankedRow.sort(&rows, range) {}
    #expect(
      rows[range].map(\.row) == expected
        && rows[..<range.lowerBound].map(\.row)
          == before[..<range.lowerBound].map(\.row)
    )
  }

  @Test func `A report that throws ends the work`() {
    struct Stop: Error {}
    var table = RandomTable(seed: 1)
    let rows = TableRows(table.layer(id: LayerID(1), rows: 1_500).blocks)
    #expect(throws: Stop.self) {
      try TableOrder.sorted(rows, by: [TableKey(source: .attribute("a"))]) { _ in throw Stop() }
    }
  }
}
