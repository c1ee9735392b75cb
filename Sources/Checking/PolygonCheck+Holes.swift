import PortolanGraphics

/// Where holes lie.
extension PolygonCheck {
  /// Finds the holes outside of the outer ring or inside of another hole.
  ///
  /// No two rings cross here. So a hole lies right if a ray from one of its vertices meets the
  /// edges of the other rings an odd number of times: those of the outer ring alone.
  func checkHoles(
    _ xy: UnsafePointer<Double>, _ rings: [Ring], _ faults: inout [RingFault]
  ) {
    var budget = 1_000_000 + edges.count * 200
    let bands = EdgeBands(edges, summaries.reduce(.empty) { $0.union($1.box) })
    for index in rings.indices.dropFirst() {
      // A vertex on another ring tells nothing.
      for edge in edges[summaries[index].edges].prefix(8) {
        if budget < 0 { return tellIntricate(edge, &faults) }
        let counts = bands.count(
          edges, at: edge.ax, edge.ay, besides: Int32(truncatingIfNeeded: index), &budget)
        guard let counts else { continue }
        let place = Coordinate(x: edge.ax, y: edge.ay)
        if counts.outer % 2 == 0 {
          faults.append(
            RingFault(
              code: .holeOutside, ring: index, position: rings[index].lowerBound, place: place,
              message: "the hole lies outside of its outer ring"))
        } else if counts.all % 2 == 0 {
          faults.append(
            RingFault(
              code: .holeOutside, ring: index, position: rings[index].lowerBound, place: place,
              message: "the hole lies in another hole"))
        }
        break
      }
    }
  }
}

/// The edges of a polygon by the bands of y that they pass.
struct EdgeBands {
  private var starts: [Int32] = [0, 0]
  private var members: [Int32] = []
  private let minY: Double
  private var scale: Double
  private var count: Int

  init(_ edges: [Edge], _ box: Box) {
    minY = box.minY
    count = max(1, min(edges.count / 4, 1_000_000))
    scale = 0
    while true {
      scale = box.height > 0 ? Double(count) / box.height : 0
      if !scale.isFinite { scale = 0 }
      var entries = 0
      for edge in edges {
        let (low, high) = bands(of: edge)
        entries += high - low + 1
      }
      if count == 1 || entries <= edges.count * 8 { break }
      count = max(1, count / 4)
    }
    starts = Array(repeating: 0, count: count + 1)
    for edge in edges {
      let (low, high) = bands(of: edge)
      for band in low...max(low, high) { starts[band + 1] &+= 1 }
    }
    for band in 0..<count { starts[band + 1] &+= starts[band] }
    members = Array(repeating: 0, count: Int(starts[count]))
    var next = starts
    for (index, edge) in edges.enumerated() {
      let (low, high) = bands(of: edge)
      for band in low...max(low, high) {
        members[Int(next[band])] = Int32(truncatingIfNeeded: index)
        next[band] &+= 1
      }
    }
  }

  private func band(_ y: Double) -> Int {
    let at = (y - minY) * scale
    return at > 0 ? min(Int(min(at, 1e9)), count - 1) : 0
  }

  private func bands(of edge: Edge) -> (Int, Int) {
    (band(min(edge.ay, edge.by)), band(max(edge.ay, edge.by)))
  }

  /// How many edges a ray to the east meets, of all rings but one and of the outer one; `nil` if
  /// the point lies on an edge.
  func count(
    _ edges: [Edge], at x: Double, _ y: Double, besides ring: Int32, _ budget: inout Int
  ) -> (all: Int, outer: Int)? {
    var all = 0
    var outer = 0
    let band = band(y)
    budget -= Int(starts[band + 1] - starts[band])
    for member in members[Int(starts[band])..<Int(starts[band + 1])] {
      let edge = edges[Int(member)]
      if edge.ring == ring { continue }
      guard y >= min(edge.ay, edge.by), y <= max(edge.ay, edge.by) else { continue }
      let isBelow = edge.ay <= y
      let isUp = isBelow && edge.by > y
      let isDown = !isBelow && edge.by <= y
      let side = edge.side(x, y)
      if side == 0, edge.spans(x, y) { return nil }
      guard isUp && side > 0 || isDown && side < 0 else { continue }
      all += 1
      if edge.ring == 0 { outer += 1 }
    }
    return (all, outer)
  }
}
