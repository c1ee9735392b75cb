import PortolanTerminals
import PortolanTestSupport
import Testing

@testable import PortolanEditing

/// Trees of panes: whatever is divided and taken away, the panes tile their rectangle.
@Suite struct PaneTreeTests {
  @Test(arguments: 1...200)
  func `Random splits and removals tile every rectangle`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var tree = PaneTree.pane(PaneID(1))
    var next = 2
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let ids = tree.panes
      let id = ids[Int.random(in: 0..<ids.count, using: &random)]
      if Int.random(in: 0..<4, using: &random) == 0, let rest = tree.removing(id) {
        #expect(rest.panes == ids.filter { $0 != id })
        tree = rest
      } else {
        let axis = PaneTree.Axis.allCases[Int.random(in: 0...1, using: &random)]
        tree = tree.splitting(
          id, axis, with: PaneID(next), share: Double.random(in: 0.1...0.9, using: &random))
        next += 1
      }
      expectPlain(tree)
    }
    let rect = CellRect(
      column: 3, row: 1, columns: Int.random(in: 0...150, using: &random),
      rows: Int.random(in: 0...60, using: &random))
    for tree in [tree, tree.equalized] {
      let places = tree.places(in: rect)
      #expect(places.panes.map(\.id) == tree.panes)
      expectTiles(places.panes.map(\.rect) + places.rules, rect)
    }
  }

  @Test func `The parts of a split along one axis are of one split`() {
    let tree = PaneTree.pane(PaneID(1)).splitting(PaneID(1), .columns, with: PaneID(2))
      .splitting(PaneID(2), .columns, with: PaneID(3))
    guard case .split(.columns, let parts) = tree else {
      Issue.record("no split")
      return
    }
    #expect(parts.map(\.tree) == [1, 2, 3].map { .pane(PaneID($0)) })
    #expect(parts.map(\.share) == [0.5, 0.25, 0.25])
    #expect(tree.filter { $0 == PaneID(3) } == .pane(PaneID(3)))
    #expect(tree.filter { _ in false } == nil)
  }

  /// No split has less than two parts, or a part that is split the same way.
  private func expectPlain(_ tree: PaneTree) {
    guard case .split(let axis, let parts) = tree else { return }
    #expect(parts.count > 1)
    for part in parts {
      if case .split(axis, _) = part.tree { Issue.record("\(axis) within \(axis)") }
      expectPlain(part.tree)
    }
  }

  /// The rectangles cover the whole and do not overlap, but where there is no room for the rules.
  private func expectTiles(_ parts: [CellRect], _ whole: CellRect) {
    var covered = Set<Int>()
    var sum = 0
    for part in parts where !part.isEmpty {
      for row in part.row..<part.row + part.rows {
        for column in part.column..<part.column + part.columns {
          covered.insert(row * 10_000 + column)
          sum += 1
        }
      }
    }
    #expect(covered.count == sum, "overlaps")
    if whole.columns >= 12 { #expect(sum == whole.columns * whole.rows, "gaps") }
  }
}
