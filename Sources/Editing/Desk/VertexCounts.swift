import PortolanDocuments
import PortolanGraphics

// Vertices as people count them: the position that closes a ring is its first vertex again.

extension Geometry {
  /// The number of vertices that can be picked.
  var distinctVertexCount: Int {
    paths.reduce(0) { sum, path in
      let count = path.vertices.count
      return sum + (path.role.isRing && count > 1 ? count - 1 : count)
    }
  }
}

extension FeatureHolding {
  /// The number of vertices that can be picked.
  ///
  /// - Complexity: O(blocks) for points and lines, else O(paths).
  var distinctVertexCount: Int {
    let mayHaveRings = !["pt", "ln"].contains(kindCode)
    return blocks.reduce(0) { sum, block in
      sum + block.geometry.vertexCount - (mayHaveRings ? block.geometry.closingCount : 0)
    }
  }
}

extension GeometryBlock {
  /// The number of positions that close a ring.
  fileprivate var closingCount: Int {
    var start: UInt32 = 0
    var count = 0
    for (end, role) in zip(pathEnds, pathRoles) {
      if role.isRing, end > start, end - start > 1 { count += 1 }
      start = end
    }
    return count
  }
}
