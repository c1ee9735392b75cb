import PortolanGraphics

/// A fault of a ring, by the numbers of positions in the coordinates of its polygon.
struct RingFault: Hashable {
  var code: FaultCode
  /// The ring, 0 for the outer one.
  var ring: Int
  /// The position at fault.
  var position: Int
  /// The place on the map.
  var place: Coordinate
  /// The fault in words.
  var message: String
}

/// Checks the rings of one polygon after another, with memory that is used again.
///
/// Crossings are searched with a grid of about two edges a cell, so that a ring of n short edges
/// takes O(n). The pairs that it compares are limited; a polygon beyond that is told as such.
struct PolygonCheck {
  /// The positions of a ring; whether the last one is the first again is looked at.
  typealias Ring = Range<Int>

  /// A ring as far as it is known.
  struct Summary {
    /// The range of its edges among those of the polygon.
    var edges: Range<Int>
    /// Twice the area, counter-clockwise positive.
    var area: Double
    var box: Box
    var hasCrossing = false
  }

  /// The edges of all rings, without those between equal positions.
  var edges: [Edge] = []
  var summaries: [Summary] = []
  var grid = EdgeGrid()
  var meetings: [Meeting] = []
  /// The places at which spikes begin: the rings touch themselves there, too.
  private var spikeBases: Set<Coordinate> = []

  /// The most crossings of one polygon that are told.
  static let crossingsMax = 3

  /// A place where two rings touch.
  struct Meeting: Hashable {
    var first: Int32
    var second: Int32
    var place: Coordinate
  }

  init() {}

  /// Checks the rings of a polygon, the outer one first.
  ///
  /// - Parameters:
  ///   - xy: two doubles a position, x then y, all of them finite.
  ///   - rings: their positions, at least three each.
  ///   - isGeographic: whether the coordinates are degrees.
  ///   - faults: the faults are added at its end.
  /// - Returns: whether the rings lie as they stand, not across 180 degrees, and none crosses
  ///   another one.
  @discardableResult
  mutating func check(
    _ xy: UnsafePointer<Double>, _ rings: [Ring], isGeographic: Bool,
    _ faults: inout [RingFault]
  ) -> Bool {
    edges.removeAll(keepingCapacity: true)
    summaries.removeAll(keepingCapacity: true)
    spikeBases.removeAll(keepingCapacity: true)
    let before = faults.count
    var jumps: [RingFault] = []
    var isAcross = false
    for (index, ring) in rings.enumerated() {
      addRing(xy, ring, index, &faults)
      let box = summaries[index].box
      if isGeographic, box.width > 180, box.width < 361, findJump(index, &jumps) {
        isAcross = true
      }
    }
    if isAcross {
      // The spikes are found again.
      faults.replaceSubrange(before..., with: jumps)
      checkAcross(xy, rings, &faults)
      return false
    }
    faults += jumps
    findCrossings(xy, &faults)
    for index in rings.indices where !summaries[index].hasCrossing {
      checkArea(xy, rings[index], index, &faults)
    }
    if summaries.contains(where: \.hasCrossing) { return false }
    if rings.count > 1 { checkHoles(xy, rings, &faults) }
    return true
  }

  /// Adds the edges of a ring, and finds its spikes.
  private mutating func addRing(
    _ xy: UnsafePointer<Double>, _ ring: Ring, _ index: Int, _ faults: inout [RingFault]
  ) {
    let start = edges.count
    var box = Box.empty
    var area = 0.0
    let first = ring.lowerBound
    let (originX, originY) = (xy[2 * first], xy[2 * first + 1])
    var (x, y) = (originX, originY)
    var from = first
    var position = first
    while true {
      position += 1
      let isLast = position >= ring.upperBound
      // The way back to the beginning is no edge if the ring is closed.
      let target = isLast ? first : position
      let (nextX, nextY) = (xy[2 * target], xy[2 * target + 1])
      box.minX = min(box.minX, nextX)
      box.maxX = max(box.maxX, nextX)
      box.minY = min(box.minY, nextY)
      box.maxY = max(box.maxY, nextY)
      if nextX != x || nextY != y {
        area += (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY)
        edges.append(
          Edge(
            ax: x, ay: y, bx: nextX, by: nextY, position: Int32(truncatingIfNeeded: from),
            ring: Int32(truncatingIfNeeded: index)))
        (x, y) = (nextX, nextY)
        from = target
      }
      if isLast { break }
    }
    summaries.append(Summary(edges: start..<edges.count, area: area, box: box))
    findSpikes(start..<edges.count, index, &faults)
  }

  private mutating func findSpikes(_ range: Range<Int>, _ ring: Int, _ faults: inout [RingFault]) {
    // Two edges are a line there and back: a flat ring.
    guard range.count > 2 else { return }
    var found = 0
    var before = edges[range.upperBound - 1]
    for index in range {
      let edge = edges[index]
      defer { before = edge }
      let (backX, backY) = (before.ax - edge.ax, before.ay - edge.ay)
      let (dx, dy) = (edge.bx - edge.ax, edge.by - edge.ay)
      guard backX * dx + backY * dy > 0, edge.side(before.ax, before.ay) == 0 else { continue }
      let isShort = backX * backX + backY * backY < dx * dx + dy * dy
      spikeBases.insert(
        isShort ? Coordinate(x: before.ax, y: before.ay) : Coordinate(x: edge.bx, y: edge.by))
      found += 1
      if found > Self.crossingsMax { continue }
      faults.append(
        RingFault(
          code: .spike, ring: ring, position: Int(edge.position),
          place: Coordinate(x: edge.ax, y: edge.ay),
          message: "the ring goes out to this position and back on the same line"))
    }
  }

  private func checkArea(
    _ xy: UnsafePointer<Double>, _ ring: Ring, _ index: Int, _ faults: inout [RingFault]
  ) {
    let summary = summaries[index]
    let place = Coordinate(x: xy[2 * ring.lowerBound], y: xy[2 * ring.lowerBound + 1])
    let least = summary.box.width * summary.box.height * 1e-12
    guard summary.edges.count > 2, summary.area.magnitude > least else {
      let word = summary.edges.isEmpty ? "all positions of the ring are one place" : "a line"
      faults.append(
        RingFault(
          code: .flatRing, ring: index, position: ring.lowerBound, place: place,
          message: summary.edges.isEmpty ? word : "the ring is \(word): it has no area"))
      return
    }
    let isHole = index > 0
    if (summary.area > 0) == isHole {
      faults.append(
        RingFault(
          code: .winding, ring: index, position: ring.lowerBound, place: place,
          message: isHole
            ? "the hole winds counter-clockwise" : "the outer ring winds clockwise"))
    }
  }

  private mutating func findCrossings(
    _ xy: UnsafePointer<Double>, _ faults: inout [RingFault]
  ) {
    meetings.removeAll(keepingCapacity: true)
    var found = CrossingList()
    let isWhole = grid.search(edges, summaries.map(\.edges), &found)
    for crossing in found.list {
      let edge = edges[crossing.first]
      let ring = Int(edge.ring)
      let other = Int(edges[crossing.second].ring)
      var code: FaultCode
      var message: String
      switch (crossing.kind, ring == other) {
      case (.touch, true):
        if spikeBases.contains(crossing.place) { continue }
        (code, message) = (.touching, "the ring comes back to this place")
      case (.touch, false):
        let meeting = Meeting(
          first: Int32(truncatingIfNeeded: min(ring, other)),
          second: Int32(truncatingIfNeeded: max(ring, other)), place: crossing.place)
        if meetings.contains(meeting) { continue }
        let isSecond = meetings.contains {
          $0.first == meeting.first && $0.second == meeting.second
        }
        meetings.append(meeting)
        guard isSecond else { continue }
        (code, message) = (.ringsCross, "two rings of the polygon meet in more than one place")
      case (.proper, true): (code, message) = (.crossing, "the ring crosses itself")
      case (.proper, false): (code, message) = (.ringsCross, "two rings of the polygon cross")
      case (.along, true): (code, message) = (.crossing, "the ring runs along itself")
      case (.along, false):
        (code, message) = (.ringsCross, "two rings of the polygon share a stretch")
      }
      if code != .touching {
        summaries[ring].hasCrossing = true
        summaries[other].hasCrossing = true
      }
      let same = faults.contains {
        $0.code == code && $0.ring == ring && $0.place == crossing.place
      }
      if same { continue }
      faults.append(
        RingFault(
          code: code, ring: ring, position: Int(edge.position), place: crossing.place,
          message: message))
    }
    if !isWhole, !summaries.contains(where: \.hasCrossing), let edge = edges.first {
      tellIntricate(edge, &faults)
    }
  }

  func tellIntricate(_ edge: Edge, _ faults: inout [RingFault]) {
    faults.append(
      RingFault(
        code: .intricate, ring: 0, position: Int(edge.position),
        place: Coordinate(x: edge.ax, y: edge.ay),
        message: "the polygon of \(edges.count) edges was not searched to the end"))
  }
}

/// An edge of a ring, between two different positions.
struct Edge {
  var ax: Double
  var ay: Double
  var bx: Double
  var by: Double
  /// The position that it begins at.
  var position: Int32
  var ring: Int32

  /// The sign of the side on which a point lies: 1 left, -1 right, 0 on the line.
  @inline(__always)
  func side(_ x: Double, _ y: Double) -> Int {
    let left = (bx - ax) * (y - ay)
    let right = (by - ay) * (x - ax)
    let area = left - right
    let bound = (left.magnitude + right.magnitude) * 4e-16
    if area > bound { return 1 }
    if area < -bound { return -1 }
    return Orientation.side(
      of: Coordinate(x: x, y: y), from: Coordinate(x: ax, y: ay), to: Coordinate(x: bx, y: by))
  }

  /// Whether a point on its line lies between its ends, or on one of them.
  @inline(__always)
  func spans(_ x: Double, _ y: Double) -> Bool {
    x >= min(ax, bx) && x <= max(ax, bx) && y >= min(ay, by) && y <= max(ay, by)
  }
}
