import PortolanGraphics

extension FeatureBlock {
  /// The block of some rows; `nil` if there are none.
  ///
  /// - Complexity: O(rows + the vertices and texts of those that are kept), as copies of memory.
  package func keeping(_ keeps: (Int) -> Bool) -> FeatureBlock? {
    var runs: [Range<Int>] = []
    var start = 0
    for row in 0..<rowCount where !keeps(row) {
      if start < row { runs.append(start..<row) }
      start = row + 1
    }
    if start == 0 { return self }
    if start < rowCount { runs.append(start..<rowCount) }
    return runs.isEmpty ? nil : keeping(runs)
  }

  /// The block of some runs of rows, column by column, without columns that have become empty.
  private func keeping(_ runs: [Range<Int>]) -> FeatureBlock {
    var shapes = KeptShapes(self.shapes)
    var ids: [FeatureID] = []
    let outline = geometry.isOutline ? geometry.outline(of: runs) : nil
    var kept = GeometryBlockBuilder()
    for run in runs {
      if outline == nil { kept.append(geometry, rows: run) }
      ids.append(contentsOf: featureIDs[run])
      for row in run { shapes.append(shapeIndices[row]) }
    }
    func part(_ column: AttributeColumn?) -> AttributeColumn? {
      column?.keeping(runs).flatMap { $0.isEmpty ? nil : $0 }
    }
    let attributes = attributes.map(part)
    var places: [UInt16?] = []
    var next: UInt16 = 0
    for column in attributes {
      places.append(column == nil ? nil : next)
      if column != nil { next &+= 1 }
    }
    return FeatureBlock(
      FeatureBlockParts(
        geometry: outline ?? kept.block(), featureIDs: ids,
        identifiers: identifiers.keeping(runs) ?? .missing(name: "id", rows: ids.count),
        attributes: attributes.compactMap { $0 },
        foreignMembers: foreignMembers.compactMap(part),
        geometryForeignMembers: geometryForeignMembers.compactMap(part),
        sourceGeometries: part(sourceGeometries), sourceFeatures: part(sourceFeatures),
        shapes: shapes.shapes.placing(columns: places), shapeIndices: shapes.indices))
  }
}

/// The shapes of kept rows, in order of first appearance.
private struct KeptShapes {
  private(set) var shapes: [FeatureShape] = []
  /// One a kept row.
  private(set) var indices: [UInt16] = []
  private let former: [FeatureShape]
  /// The new index of each former shape.
  private var known: [UInt16?]
  private var numbers: [FeatureShape: UInt16] = [:]

  init(_ former: [FeatureShape]) {
    self.former = former
    known = Array(repeating: nil, count: former.count)
  }

  mutating func append(_ index: UInt16) {
    if let number = known[Int(index)] { return indices.append(number) }
    let shape = former[Int(index)]
    let number = numbers[shape] ?? UInt16(truncatingIfNeeded: shapes.count)
    if Int(number) == shapes.count { shapes.append(shape) }
    (known[Int(index)], numbers[shape]) = (number, number)
    indices.append(number)
  }
}

extension AttributeColumn {
  /// Some runs of rows; `nil` only without rows.
  ///
  /// - Precondition: the runs rise and lie within the column.
  fileprivate func keeping(_ runs: [Range<Int>]) -> AttributeColumn? {
    guard let last = runs.last, last.upperBound <= rowCount else { return nil }
    let texts = runs.map { textRange($0.lowerBound).lowerBound..<Int(ends[$0.upperBound - 1]) }
    var keptKinds: [UInt8] = []
    var keptEnds: [UInt32] = []
    var keptBytes: [UInt8] = []
    keptKinds.reserveCapacity(runs.reduce(0) { $0 + $1.count })
    keptEnds.reserveCapacity(keptKinds.capacity)
    keptBytes.reserveCapacity(texts.reduce(0) { $0 + $1.count })
    kinds.withUnsafeBufferPointer { kinds in
      ends.withUnsafeBufferPointer { ends in
        bytes.withUnsafeBufferPointer { bytes in
          for (run, text) in zip(runs, texts) {
            let shift = UInt32(truncatingIfNeeded: keptBytes.count &- text.lowerBound)
            for row in run {
              keptKinds.append(kinds[row])
              keptEnds.append(ends[row] &+ shift)
            }
            keptBytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[text]))
          }
        }
      }
    }
    return AttributeColumn(unchecked: name, kinds: keptKinds, ends: keptEnds, bytes: keptBytes)
  }
}
