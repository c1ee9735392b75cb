package import PortolanGraphics

extension Geometry {
  /// A good cursor position on the geometry: a point itself, the middle vertex of a line, a place
  /// inside of an area. `nil` without vertices.
  package var anchor: Coordinate? {
    guard let first = paths.first(where: { !$0.vertices.isEmpty }) else { return nil }
    switch first.role.kind.dimension {
    case 1: return first.vertices[first.vertices.count / 2]
    case 2: return insidePoint ?? first.vertices[0]
    default: return first.vertices[0]
    }
  }

  /// The middle of the widest run inside of the largest outer ring, half way up.
  private var insidePoint: Coordinate? {
    let outer = paths.indices.filter { paths[$0].role.isRing && !paths[$0].role.isHole }
    guard let largest = outer.max(by: { size(of: $0) < size(of: $1) }) else { return nil }
    var end = largest + 1
    while end < paths.count, paths[end].role.isHole { end += 1 }
    let box = Self.box(of: paths[largest].vertices)
    for part in [0.5, 0.37, 0.63, 0.21, 0.79] {
      let y = box.minY + part * box.height
      let crossings = paths[largest..<end].flatMap { Self.crossings(of: $0.vertices, y) }.sorted()
      var best: (width: Double, x: Double)?
      for index in stride(from: 0, to: crossings.count - 1, by: 2) {
        let width = crossings[index + 1] - crossings[index]
        if width > (best?.width ?? 0) { best = (width, crossings[index] + width / 2) }
      }
      if let best { return Coordinate(x: best.x, y: y) }
    }
    return nil
  }

  /// The box of the largest outer ring, without one that of the longest line, else of all points.
  var boxOfLargestPart: Box {
    for dimension in [2, 1] {
      let boxes = paths.filter { $0.role.kind.dimension == dimension && !$0.role.isHole }.map {
        Self.box(of: $0.vertices)
      }.filter { !$0.isEmpty }
      func size(_ box: Box) -> Double {
        dimension == 2 ? box.width * box.height : box.width + box.height
      }
      if let largest = boxes.max(by: { size($0) < size($1) }) { return largest }
    }
    return box
  }

  private func size(of path: Int) -> Double {
    let box = Self.box(of: paths[path].vertices)
    return box.width * box.height
  }

  private static func box(of vertices: [Coordinate]) -> Box {
    var box = Box.empty
    for vertex in vertices { box.formUnion(vertex) }
    return box
  }

  private static func crossings(of ring: [Coordinate], _ y: Double) -> [Double] {
    zip(ring, ring.dropFirst()).compactMap { a, b in
      (a.y > y) != (b.y > y) ? (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x : nil
    }
  }
}
