/// The boxes of stretches of 64 vertices of one large feature, for finding near vertices without
/// visiting all of them.
package struct FeatureParts: Hashable, Sendable {
  /// Smaller features have none.
  package static let vertexCountMin = 512
  package static let size = 64

  /// The feature's first vertex.
  package let start: Int
  /// The box of part i: of vertices `start + 64 i` up to and including the first of the next part.
  package let boxes: [Box]

  /// The index of a vertex's part.
  package func index(of vertex: Int) -> Int { (vertex - start) / Self.size }

  /// The parts of all large features of a block.
  ///
  /// - Complexity: O(vertices of large features), about 1 ns each.
  static func all(
    _ coordinates: [Double], _ pathEnds: [UInt32], _ featureEnds: [UInt32]
  ) -> [Int: FeatureParts] {
    var result: [Int: FeatureParts] = [:]
    var start = 0
    for (row, pathEnd) in featureEnds.enumerated() {
      let end = pathEnd == 0 ? 0 : Int(pathEnds[Int(pathEnd) - 1])
      if end - start >= vertexCountMin {
        result[row] = FeatureParts(start: start, boxes: boxes(coordinates, start..<end))
      }
      start = end
    }
    return result
  }

  private static func boxes(_ coordinates: [Double], _ vertices: Range<Int>) -> [Box] {
    coordinates.withUnsafeBufferPointer { numbers in
      stride(from: vertices.lowerBound, to: vertices.upperBound, by: size).map { first in
        var box = Box.empty
        for vertex in first..<min(first + size + 1, vertices.upperBound) {
          box.formUnion(Coordinate(x: numbers[2 &* vertex], y: numbers[2 &* vertex &+ 1]))
        }
        return box
      }
    }
  }
}
