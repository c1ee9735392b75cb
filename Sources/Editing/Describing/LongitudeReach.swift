import PortolanDocuments
import PortolanGraphics

/// The shortest arc of longitudes in which all features lie; it may go across 180 degrees.
struct LongitudeReach: Sendable {
  /// In degrees, -180 to 180; `west` is greater than `east` where the arc crosses 180 degrees.
  var west: Double
  var east: Double

  /// The width of the arc in degrees.
  var width: Double { east - west + (west > east ? 360 : 0) }

  /// - Parameter arcs: the longitudes of parts of features, each from west to east.
  /// - Returns: `nil` without arcs, and where they go all around.
  /// - Complexity: O(n log n) in the number of arcs.
  init?(_ arcs: [ClosedRange<Double>]) {
    var parts: [ClosedRange<Double>] = []
    parts.reserveCapacity(arcs.count)
    for arc in arcs {
      let width = arc.upperBound - arc.lowerBound
      guard width < 360 else { return nil }
      let west = Geodesy.wrapped(arc.lowerBound)
      let east = west + width
      parts.append(west...min(east, 180))
      if east > 180 { parts.append(-180...(east - 360)) }
    }
    parts.sort { $0.lowerBound < $1.lowerBound }
    guard let first = parts.first, let last = parts.map(\.upperBound).max() else { return nil }
    // The widest gap between the parts is left out; that across 180 degrees is the first one.
    (west, east) = (first.lowerBound, last)
    var gap = first.lowerBound + 360 - last
    var end = first.upperBound
    for part in parts {
      if part.lowerBound - end > gap {
        gap = part.lowerBound - end
        (west, east) = (part.lowerBound, end)
      }
      end = max(end, part.upperBound)
    }
    if gap <= 0 { return nil }
  }

  /// The arcs of the features of a block: of a wide feature those of its paths, as one that is cut
  /// at 180 degrees has parts at both ends.
  ///
  /// - Complexity: O(features + the vertices of wide ones).
  static func arcs(of block: GeometryBlock) -> [ClosedRange<Double>] {
    var arcs: [ClosedRange<Double>] = []
    for (row, box) in block.boxes.enumerated() where !box.isEmpty {
      if box.width <= 180 {
        arcs.append(box.minX...box.maxX)
        continue
      }
      for path in block.geometry(ofFeature: row).paths {
        let longitudes = path.vertices.map(\.x).filter(\.isFinite)
        if let west = longitudes.min(), let east = longitudes.max() { arcs.append(west...east) }
      }
    }
    return arcs
  }
}
