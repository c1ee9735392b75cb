import PortolanDocuments

/// The rows of a table: the features of some blocks, in an order.
struct TableRows: Sendable {
  let blocks: [FeatureBlock]
  /// The first row of each block in the order of the layer, and the number of all.
  let starts: [Int]
  /// The rows of the layer in the order of the table; `nil` for that of the layer.
  let order: [UInt32]?

  init(_ blocks: [FeatureBlock], order: [UInt32]? = nil) {
    self.blocks = blocks
    self.order = order
    starts = blocks.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.rowCount) }
  }

  var count: Int { starts.last ?? 0 }

  /// The block of a row of the layer.
  ///
  /// - Precondition: `row` is below `count`.
  func block(of row: Int) -> Int {
    var low = 0
    var high = blocks.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if starts[middle] <= row { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The feature of a row of the table; `nil` beyond the last.
  func place(_ row: Int) -> (block: FeatureBlock, row: Int)? {
    guard row >= 0, row < count else { return nil }
    let source = order.map { Int($0[row]) } ?? row
    let block = block(of: source)
    return (blocks[block], source - starts[block])
  }

  func feature(_ row: Int) -> FeatureID? { place(row).map { $0.block.featureIDs[$0.row] } }

  /// The row of the table with a feature.
  ///
  /// - Complexity: O(rows) comparisons of numbers where the rows are sorted, else O(blocks).
  func row(of feature: FeatureID) -> Int? {
    for (index, block) in blocks.enumerated() {
      guard let row = block.row(of: feature) else { continue }
      let source = starts[index] + row
      guard let order else { return source }
      let wanted = UInt32(truncatingIfNeeded: source)
      return order.firstIndex(of: wanted)
    }
    return nil
  }

  /// Whether the blocks are the same ones.
  func hasBlocks(_ others: [FeatureBlock]) -> Bool {
    blocks.count == others.count && zip(blocks, others).allSatisfy { $0 === $1 }
  }

  /// Whether the blocks have the same features: only values or shapes differ.
  ///
  /// - Complexity: O(blocks), and O(rows) of those that are not shared.
  func hasFeatures(of others: [FeatureBlock]) -> Bool {
    blocks.count == others.count
      && zip(blocks, others).allSatisfy { $0 === $1 || $0.featureIDs == $1.featureIDs }
  }
}
