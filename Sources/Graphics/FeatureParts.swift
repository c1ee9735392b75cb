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

  /// The boxes of all features of a block, and the parts of the large ones.
  ///
  /// - Precondition: the ends never fall, and the last vertex is among the coordinates.
  /// - Complexity: O(vertices), about 1 ns each.
  static func measured(
    _ coordinates: [Double], _ pathEnds: [UInt32], _ featureEnds: [UInt32]
  ) -> (boxes: [Box], parts: [Int: FeatureParts]) {
    var parts: [Int: FeatureParts] = [:]
    let boxes = coordinates.withUnsafeBufferPointer { numbers in
      [Box](unsafeUninitializedCapacity: featureEnds.count) { boxes, made in
        for (row, vertices) in FeatureVertices(pathEnds, featureEnds).enumerated() {
          var box = Box.empty
          if vertices.count < vertexCountMin {
            box.formUnion(vertices, of: numbers)
          } else {
            let own = Self.boxes(numbers, vertices)
            for part in own { box.formUnion(part) }
            parts[row] = FeatureParts(start: vertices.lowerBound, boxes: own)
          }
          boxes.initializeElement(at: row, to: box)
        }
        made = featureEnds.count
      }
    }
    return (boxes, parts)
  }

  /// The boxes of all features of a block.
  ///
  /// - Precondition: as above.
  static func boxes(
    _ coordinates: [Double], _ pathEnds: [UInt32], _ featureEnds: [UInt32]
  ) -> [Box] {
    coordinates.withUnsafeBufferPointer { numbers in
      FeatureVertices(pathEnds, featureEnds).map { vertices in
        var box = Box.empty
        box.formUnion(vertices, of: numbers)
        return box
      }
    }
  }

  /// The parts of all large features of a block.
  ///
  /// - Precondition: as above.
  /// - Complexity: O(vertices of large features), about 1 ns each.
  static func all(
    _ coordinates: [Double], _ pathEnds: [UInt32], _ featureEnds: [UInt32]
  ) -> [Int: FeatureParts] {
    var result: [Int: FeatureParts] = [:]
    coordinates.withUnsafeBufferPointer { numbers in
      for (row, vertices) in FeatureVertices(pathEnds, featureEnds).enumerated()
      where vertices.count >= vertexCountMin {
        result[row] = FeatureParts(
          start: vertices.lowerBound, boxes: boxes(numbers, vertices))
      }
    }
    return result
  }

  private static func boxes(
    _ numbers: UnsafeBufferPointer<Double>, _ vertices: Range<Int>
  ) -> [Box] {
    stride(from: vertices.lowerBound, to: vertices.upperBound, by: size).map { first in
      var box = Box.empty
      box.formUnion(first..<min(first + size + 1, vertices.upperBound), of: numbers)
      return box
    }
  }
}

/// The vertices of each feature of a block.
private struct FeatureVertices: Sequence, IteratorProtocol {
  private let pathEnds: [UInt32]
  private let featureEnds: [UInt32]
  private var row = 0
  private var start = 0

  init(_ pathEnds: [UInt32], _ featureEnds: [UInt32]) {
    self.pathEnds = pathEnds
    self.featureEnds = featureEnds
  }

  mutating func next() -> Range<Int>? {
    guard row < featureEnds.count else { return nil }
    let pathEnd = featureEnds[row]
    row += 1
    let end = pathEnd == 0 ? 0 : Int(pathEnds[Int(pathEnd) - 1])
    defer { start = end }
    return start..<end
  }
}
