/// Rings: closed runs of positions.
package enum Ring {
  /// Twice the area of a closed ring, counter-clockwise positive.
  package static func signedArea(_ ring: [Coordinate]) -> Double {
    guard let origin = ring.first else { return 0 }
    return zip(ring, ring.dropFirst()).reduce(0) { sum, edge in
      sum + (edge.0.x - origin.x) * (edge.1.y - origin.y)
        - (edge.1.x - origin.x) * (edge.0.y - origin.y)
    }
  }
}
