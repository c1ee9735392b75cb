/// The boxes of the features of a block, computed from its coordinates piece by piece.
package struct FeatureBoxes {
  /// One box a feature; empty as long as none of its vertices was added.
  package private(set) var boxes: [Box]
  /// The vertex after the last of each feature.
  private let ends: [Int]
  private var feature = 0
  private var vertex = 0

  /// - Precondition: the ends never fall, and `featureEnds` name paths of `pathEnds`.
  package init(pathEnds: [UInt32], featureEnds: [UInt32]) {
    ends = featureEnds.map { $0 == 0 ? 0 : Int(pathEnds[Int($0) - 1]) }
    boxes = Array(repeating: .empty, count: ends.count)
  }

  /// Adds the next vertices, two doubles each.
  package mutating func add(_ coordinates: UnsafeBufferPointer<Double>) {
    let count = coordinates.count / 2
    var place = 0
    while feature < ends.count, place < count {
      let stop = min(count, place + ends[feature] - vertex)
      vertex += stop - place
      var box = boxes[feature]
      while place < stop {
        box.formUnion(Coordinate(x: coordinates[2 &* place], y: coordinates[2 &* place &+ 1]))
        place &+= 1
      }
      boxes[feature] = box
      if vertex == ends[feature] { feature += 1 }
    }
  }
}
