/// How the panels of a side bar share its rows.
package enum PanelStack {
  /// The rows that a panel wants and those that it needs at least, heading included.
  package struct Demand: Equatable, Sendable {
    package var wanted: Int
    package var least: Int

    package init(wanted: Int, least: Int) {
      self.wanted = wanted
      self.least = min(least, wanted)
    }
  }

  /// The rows of each panel; 0 for panels without room, the last ones first.
  ///
  /// Each gets its least rows as long as there is room, then they grow in turn up to the wanted
  /// rows. The rest goes to the last one shown.
  package static func heights(_ demands: [Demand], rows: Int) -> [Int] {
    var heights = [Int](repeating: 0, count: demands.count)
    var rest = rows
    for (index, demand) in demands.enumerated() where demand.least <= rest {
      heights[index] = demand.least
      rest -= demand.least
    }
    var hasGrown = true
    while rest > 0 && hasGrown {
      hasGrown = false
      for (index, demand) in demands.enumerated()
      where rest > 0 && heights[index] > 0 && heights[index] < demand.wanted {
        heights[index] += 1
        rest -= 1
        hasGrown = true
      }
    }
    if rest > 0, let last = heights.lastIndex(where: { $0 > 0 }) { heights[last] += rest }
    return heights
  }
}
