import PortolanDocuments
import PortolanGraphics

/// The parts of shapes that rounding has left without extent, so that they are not written.
struct LostParts: Hashable, Sendable {
  /// Rings without area; with an outer ring go its holes.
  var rings = 0
  /// Lines of a single position.
  var lines = 0
  /// Shapes of which nothing is left.
  var shapes = 0

  /// One line for people each.
  var notes: [String] {
    var parts: [String] = []
    if rings > 0 { parts.append(CountText.text(rings, "ring", "rings") + " without area") }
    if lines > 0 { parts.append(CountText.text(lines, "line", "lines") + " of one position") }
    if parts.isEmpty { return [] }
    var note = "rounding leaves " + parts.joined(separator: " and ") + ", not written"
    if shapes > 0 { note += "; \(CountText.features(shapes)) without a geometry then" }
    return [note + ": --precision with more decimals keeps more"]
  }

  mutating func add(_ other: LostParts) {
    rings += other.rings
    lines += other.lines
    shapes += other.shapes
  }
}

extension Geometry {
  /// Rounds every coordinate to so many decimals.
  mutating func round(to decimals: Int) {
    for path in paths.indices {
      for index in paths[path].vertices.indices {
        let vertex = paths[path].vertices[index]
        paths[path].vertices[index] = Coordinate(
          x: NumberText.rounded(vertex.x, decimals: decimals),
          y: NumberText.rounded(vertex.y, decimals: decimals))
      }
      for index in paths[path].elevations.indices {
        guard let elevation = paths[path].elevations[index] else { continue }
        paths[path].elevations[index] = NumberText.rounded(elevation, decimals: decimals)
      }
    }
  }

  /// The geometry in fewer decimals, without positions that equal the one before, without rings of
  /// no area and lines of one position; of no kind if nothing is left.
  func reduced(to decimals: Int, _ lost: inout LostParts) -> Geometry {
    var geometry = self
    geometry.round(to: decimals)
    var kept: [Path] = []
    var (losesPolygon, beginsMember) = (false, false)
    for var path in geometry.paths {
      beginsMember = beginsMember || path.role.beginsMember
      if path.role.kind.dimension != 0 { path.removeRepeats() }
      if path.role.beginsPolygon { losesPolygon = false }
      if path.role.isRing {
        let isLost = losesPolygon || Self.isFlat(path.vertices, decimals: decimals)
        if path.role.beginsPolygon { losesPolygon = isLost }
        if isLost { lost.rings += 1 }
        if isLost { continue }
      } else if path.role.kind.dimension == 1, path.vertices.count < 2 {
        lost.lines += 1
        continue
      }
      // Where the first part of a member is lost, the next one begins it.
      path.role = PathRole(
        kind: path.role.kind, beginsMember: beginsMember, beginsPolygon: path.role.beginsPolygon)
      beginsMember = false
      kept.append(path)
    }
    geometry.paths = kept
    if kept.isEmpty, !paths.isEmpty {
      lost.shapes += 1
      return .none
    }
    return geometry
  }
}

extension Geometry {
  /// Whether a ring of rounded positions has no area; one that crosses itself has some on both its
  /// sides.
  fileprivate static func isFlat(_ ring: [Coordinate], decimals: Int) -> Bool {
    guard let origin = ring.first else { return true }
    // Ways that go back as they came are no area.
    var open: [Coordinate] = []
    for place in ring.dropLast() {
      if open.count > 1, open[open.count - 2] == place {
        open.removeLast()
      } else if open.last != place {
        open.append(place)
      }
    }
    while open.count > 2, open[1] == open[open.count - 1] {
      open.removeFirst()
      open.removeLast()
    }
    guard open.count > 2 else { return true }
    var (area, length) = (0.0, 0.0)
    for (from, to) in zip(open, open.dropFirst() + open.prefix(1)) {
      area +=
        ((from.x - origin.x) * (to.y - origin.y) - (to.x - origin.x) * (from.y - origin.y))
        .magnitude
      length += (to.x - from.x).magnitude + (to.y - from.y).magnitude
    }
    // Rounded decimals on a line are not exactly so as doubles.
    let unit = 1 / NumberText.power(ofTen: decimals)
    return area <= max(unit * unit / 2, 1e-13 * length)
  }
}

extension Geometry.Path {
  /// Removes positions that equal the one before.
  fileprivate mutating func removeRepeats() {
    let isHigh = elevations.count == vertices.count
    let kept = vertices.indices.filter { index in
      index == 0 || vertices[index] != vertices[index - 1]
        || isHigh && !role.isRing && elevations[index] != elevations[index - 1]
    }
    if kept.count == vertices.count { return }
    if isHigh { elevations = kept.map { elevations[$0] } }
    vertices = kept.map { vertices[$0] }
  }
}

extension GeometryBlock {
  /// Whether rounding a feature to so many decimals may bring positions together or take the area
  /// of a ring: no if all steps are wider than the rounding, and all rings than their outline moved
  /// by it.
  func mayCollapse(row: Int, decimals: Int) -> Bool {
    let unit = 1 / NumberText.power(ofTen: decimals)
    return coordinates.withUnsafeBufferPointer { numbers in
      paths(ofFeature: row).contains { path in
        let role = pathRoles[path]
        let range = vertices(ofPath: path)
        guard role.kind.dimension != 0, let first = range.first else { return false }
        let (originX, originY) = (numbers[2 * first], numbers[2 * first + 1])
        var (x, y, area, length) = (0.0, 0.0, 0.0, 0.0)
        for vertex in range.dropFirst() {
          let nextX = numbers[2 * vertex] - originX
          let nextY = numbers[2 * vertex + 1] - originY
          let (stepX, stepY) = ((nextX - x).magnitude, (nextY - y).magnitude)
          if stepX <= unit, stepY <= unit { return true }
          area += x * nextY - nextX * y
          length += stepX + stepY
          (x, y) = (nextX, nextY)
        }
        return role.isRing && !(area.magnitude > 2 * unit * (length + unit)) || range.count < 2
      }
    }
  }
}
