import PortolanDocuments
import PortolanExpressions
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

  @Test func `A report that throws ends the work`() {
    struct Stop: Error {}
    var table = RandomTable(seed: 1)
    let rows = TableRows(table.layer(id: LayerID(1), rows: 20).blocks)
    #expect(throws: Stop.self) {
      try TableOrder.sorted(rows, by: [TableKey(source: .attribute("a"))]) { _ in throw Stop() }
    }
  }
}
