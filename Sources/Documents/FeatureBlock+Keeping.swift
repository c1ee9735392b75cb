import PortolanGraphics

extension FeatureBlock {
  /// The block of some rows; `nil` if there are none.
  ///
  /// - Complexity: O(rows + the vertices and texts of those that are kept), as copies of memory.
  package func keeping(_ keeps: (Int) -> Bool) -> FeatureBlock? {
    keeping(rows: (0..<rowCount).filter(keeps))
  }

  /// The same of rows that rise.
  package func keeping(rows: [Int]) -> FeatureBlock? {
    if rows.count == rowCount { return self }
    var runs: [Range<Int>] = []
    var run = 0..<0
    for row in rows {
      if row == run.upperBound {
        run = run.lowerBound..<row + 1
      } else {
        if !run.isEmpty { runs.append(run) }
        run = row..<row + 1
      }
    }
    return run.isEmpty ? nil : keeping(runs + [run])
  }

  /// The block of some runs of rows, column by column, without columns that have become empty.
  private func keeping(_ runs: [Range<Int>]) -> FeatureBlock {
    var shapes = KeptShapes(self.shapes)
    for run in runs {
      for row in run { shapes.append(shapeIndices[row]) }
    }
    let ids = featureIDs.keeping(runs)
    let outline = geometry.hasNoCoordinates ? geometry.outline(of: runs) : nil
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
        geometry: outline ?? geometry.keeping(runs), featureIDs: ids,
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
    return AttributeColumn(
      unchecked: name, kinds: kinds.keeping(runs), ends: ends.keepingEnds(runs),
      bytes: bytes.keeping(ends.ranges(of: runs)))
  }
}

extension GeometryBlock {
  /// Some runs of features.
  ///
  /// - Precondition: the runs rise and lie within the block; it is no outline.
  fileprivate func keeping(_ runs: [Range<Int>]) -> GeometryBlock {
    let paths = featureEnds.ranges(of: runs)
    let vertices = pathEnds.ranges(of: paths)
    let heights = elevations.isEmpty ? [] : elevations.keeping(vertices)
    return GeometryBlock(
      unchecked: coordinates.keeping(vertices.map { 2 * $0.lowerBound..<2 * $0.upperBound }),
      elevations: heights.contains { !$0.isNaN } ? heights : [],
      pathEnds: pathEnds.keepingEnds(paths), pathRoles: pathRoles.keeping(paths),
      featureEnds: featureEnds.keepingEnds(runs), kinds: kinds.keeping(runs),
      boxes: boxes.keeping(runs))
  }
}

extension Array {
  /// The elements of some runs, one run after the other.
  ///
  /// - Precondition: the runs lie within the array.
  fileprivate func keeping(_ runs: [Range<Int>]) -> [Element] {
    let count = runs.reduce(0) { $0 + $1.count }
    return withUnsafeBufferPointer { all in
      [Element](unsafeUninitializedCapacity: count) { room, kept in
        for run in runs {
          _ = room[kept...].initialize(fromContentsOf: all[run])
          kept += run.count
        }
      }
    }
  }
}

/// Where parts end that lie one behind the other.
extension [UInt32] {
  /// What lies in some runs of parts.
  fileprivate func ranges(of runs: [Range<Int>]) -> [Range<Int>] {
    runs.map { run in
      let start = run.lowerBound == 0 ? 0 : Int(self[run.lowerBound - 1])
      return start..<(run.isEmpty ? start : Int(self[run.upperBound - 1]))
    }
  }

  /// Where the parts of some runs end, one run behind the other.
  fileprivate func keepingEnds(_ runs: [Range<Int>]) -> [UInt32] {
    var kept = keeping(runs)
    var place = 0
    var end: UInt32 = 0
    for run in runs {
      let shift = end &- (run.lowerBound == 0 ? 0 : self[run.lowerBound - 1])
      for next in place..<place + run.count { kept[next] &+= shift }
      place += run.count
      end = place == 0 ? 0 : kept[place - 1]
    }
    return kept
  }
}
