import PortolanDocuments
import PortolanGraphics

/// Reads shapes as geometries.
///
///     0    4   type, least significant byte first: 1 point, 3 lines, 5 areas, 8 points;
///              10 more with heights (Z), 20 more with measures (M); 0 is none
///     4        of a point x and y, then z, then m
///     4   32   else the box, then the numbers of parts (but for points) and vertices, the first
///              vertex of each part, x and y of the vertices; the range of heights and the
///              heights; the range of measures and the measures, which may be missing
struct ShapeReader {
  private let bytes: [UInt8]
  /// The steps that are left for finding the areas that holes are in.
  private var budget = 200_000_000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Appends the paths of a shape; returns the kind of its geometry.
  mutating func read(
    _ range: Range<Int>, into builder: inout GeometryBlockBuilder,
    _ notes: inout [ImportNoteCode: Int]
  ) -> GeometryKind {
    let part = bytes[range]
    let type = part.withUnsafeBytes { Int(Self.int32($0, 0) ?? 0) }
    let hasHeights = (11...18).contains(type)
    let shape: Shape?
    switch type {
    case 0: shape = Shape()
    case 1, 11, 21:
      shape = part.withUnsafeBytes { Self.point($0, hasHeights, hasMeasures: type > 10) }
    case 3, 5, 8, 13, 15, 18, 23, 25, 28:
      shape = part.withUnsafeBytes {
        Self.vertices($0, hasParts: type % 10 != 8, hasHeights, hasMeasures: type > 10)
      }
    case 31:
      shape = part.withUnsafeBytes {
        Self.vertices($0, hasParts: true, hasPartKinds: true, true, hasMeasures: true)
      }
    default: shape = nil
    }
    guard let shape, shape.pairs.allSatisfy(\.isFinite) else {
      notes[.brokenShapes, default: 0] += 1
      return .none
    }
    if shape.pairs.isEmpty { return .none }
    if shape.hasMeasures { notes[.measures, default: 0] += 1 }
    if type == 31 {
      notes[.multipatches, default: 0] += 1
      return appendPatches(shape, into: &builder, &notes)
    }
    switch type % 10 {
    case 1:
      append(shape, [0..<1], .point, into: &builder)
      return .point
    case 8:
      append(shape, [0..<shape.pairs.count / 2], .multiPoint, into: &builder)
      return .multiPoint
    case 3:
      let lines = shape.parts.filter { $0.count > 1 }
      if lines.count < shape.parts.count { notes[.shortParts, default: 0] += 1 }
      let kind: GeometryKind =
        lines.isEmpty ? .none : lines.count == 1 ? .lineString : .multiLineString
      append(shape, lines, kind, into: &builder)
      return kind
    default: return appendAreas(shape, into: &builder, &notes)
    }
  }

  /// The vertices of a shape, in parts.
  private struct Shape {
    var pairs: [Double] = []
    var heights: [Double] = []
    var parts: [Range<Int>] = []
    /// What the parts of a multipatch are.
    var partKinds: [Int32] = []
    var hasMeasures = false
  }

  // MARK: Numbers

  private static func int32(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int32? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))
  }

  /// So many doubles; `nil` if they are not all inside.
  private static func doubles(
    _ bytes: UnsafeRawBufferPointer, at place: Int, count: Int
  ) -> [Double]? {
    guard count >= 0, place >= 0, place <= bytes.count, count <= (bytes.count - place) / 8 else {
      return nil
    }
    return (0..<count).map {
      let bits = bytes.loadUnaligned(fromByteOffset: place + 8 * $0, as: UInt64.self)
      return Double(bitPattern: UInt64(littleEndian: bits))
    }
  }

  private static func point(
    _ bytes: UnsafeRawBufferPointer, _ hasHeights: Bool, hasMeasures: Bool
  ) -> Shape? {
    guard let pairs = doubles(bytes, at: 4, count: 2) else { return nil }
    var shape = Shape(pairs: pairs, parts: [0..<1])
    if hasHeights { shape.heights = Self.heights(doubles(bytes, at: 20, count: 1) ?? [.nan]) }
    if hasMeasures {
      shape.hasMeasures = isMeasured(doubles(bytes, at: hasHeights ? 28 : 20, count: 1))
    }
    return shape
  }

  private static func vertices(
    _ bytes: UnsafeRawBufferPointer, hasParts: Bool, hasPartKinds: Bool = false,
    _ hasHeights: Bool, hasMeasures: Bool
  ) -> Shape? {
    guard let partCount = hasParts ? int32(bytes, 36) : 1,
      let vertexCount = int32(bytes, hasParts ? 40 : 36), partCount >= 0, vertexCount >= 0
    else { return nil }
    let (parts, count) = (Int(partCount), Int(vertexCount))
    var place = hasParts ? 44 : 40
    var starts = [0]
    if hasParts {
      guard parts <= (bytes.count - place) / 4 else { return nil }
      starts = (0..<parts).compactMap { int32(bytes, place + 4 * $0).map { Int($0) } }
      place += 4 * parts
    }
    var kinds: [Int32] = []
    if hasPartKinds {
      kinds = (0..<parts).compactMap { int32(bytes, place + 4 * $0) }
      place += 4 * parts
    }
    guard let pairs = doubles(bytes, at: place, count: 2 * count) else { return nil }
    place += 16 * count
    var shape = Shape(pairs: pairs)
    let ends = starts.dropFirst() + [count]
    guard starts.first ?? 0 == 0, zip(starts, ends).allSatisfy({ $0 <= $1 && $0 >= 0 }) else {
      return nil
    }
    let ranges = zip(starts, ends).map { $0..<$1 }
    shape.parts = ranges.filter { !$0.isEmpty }
    shape.partKinds = zip(ranges, kinds).compactMap { $0.isEmpty ? nil : $1 }
    if hasHeights {
      guard let heights = doubles(bytes, at: place + 16, count: count) else { return nil }
      shape.heights = Self.heights(heights)
      place += 16 + 8 * count
    }
    if hasMeasures { shape.hasMeasures = isMeasured(doubles(bytes, at: place + 16, count: count)) }
    return shape
  }

  private static func heights(_ values: [Double]) -> [Double] {
    values.map { $0.isFinite ? $0 : .nan }
  }

  /// Numbers below -10^38 are no measures.
  private static func isMeasured(_ values: [Double]?) -> Bool {
    values?.contains { $0 > -1e38 } ?? false
  }

  // MARK: Paths

  private func append(
    _ shape: Shape, _ parts: [Range<Int>], _ kind: GeometryKind,
    into builder: inout GeometryBlockBuilder
  ) {
    for (index, part) in parts.enumerated() {
      builder.appendPath(
        PathRole(kind: kind, beginsMember: index == 0, beginsPolygon: false),
        pairs: Array(shape.pairs[2 * part.lowerBound..<2 * part.upperBound]),
        heights: shape.heights.isEmpty ? [] : Array(shape.heights[part]))
    }
  }

  /// A ring, closed and wound as RFC 7946 wants it.
  private struct ShapeRing {
    var vertices: [Coordinate]
    var heights: [Double]
    var area: Double
    var box: Box
  }

  /// Appends rings as areas: those wound clockwise are outer rings, the others holes in them.
  private mutating func appendAreas(
    _ shape: Shape, into builder: inout GeometryBlockBuilder, _ notes: inout [ImportNoteCode: Int]
  ) -> GeometryKind {
    var rings = shape.parts.map { ring(shape, $0) }
    let count = rings.count
    rings.removeAll { $0.vertices.count < 4 }
    if rings.count < count { notes[.shortParts, default: 0] += 1 }
    let isAllHoles = rings.allSatisfy { $0.area > 0 }
    var outers: [(ring: Int, holes: [Int])] = []
    for (index, ring) in rings.enumerated() where isAllHoles || !(ring.area > 0) {
      outers.append((index, []))
    }
    if !isAllHoles {
      for (index, ring) in rings.enumerated() where ring.area > 0 {
        if let place = outer(of: ring, index, outers.map(\.ring), rings) {
          outers[place].holes.append(index)
        } else {
          outers.append((index, []))
        }
      }
    }
    outers.sort { $0.ring < $1.ring }
    let kind: GeometryKind =
      outers.isEmpty ? .none : outers.count == 1 ? .polygon : .multiPolygon
    var isFirst = true
    for (outer, holes) in outers {
      for (number, index) in ([outer] + holes).enumerated() {
        append(rings[index], kind, isHole: number > 0, isFirst: isFirst, into: &builder)
        isFirst = false
      }
    }
    return kind
  }

  private func append(
    _ ring: ShapeRing, _ kind: GeometryKind, isHole: Bool, isFirst: Bool,
    into builder: inout GeometryBlockBuilder
  ) {
    // Outer rings counter-clockwise, holes clockwise.
    let isReversed = isHole ? ring.area > 0 : ring.area < 0
    let vertices = isReversed ? ring.vertices.reversed() : ring.vertices
    builder.appendPath(
      PathRole(kind: kind, beginsMember: isFirst, beginsPolygon: !isHole),
      pairs: vertices.flatMap { [$0.x, $0.y] },
      heights: isReversed ? ring.heights.reversed() : ring.heights)
  }

  private func ring(_ shape: Shape, _ part: some Collection<Int>) -> ShapeRing {
    var vertices = part.map { Coordinate(x: shape.pairs[2 * $0], y: shape.pairs[2 * $0 + 1]) }
    var heights = shape.heights.isEmpty ? [] : part.map { shape.heights[$0] }
    if let first = vertices.first, vertices.last != first {
      vertices.append(first)
      if let height = heights.first { heights.append(height) }
    }
    var box = Box.empty
    for vertex in vertices {
      box = box.union(Box(minX: vertex.x, minY: vertex.y, maxX: vertex.x, maxY: vertex.y))
    }
    return ShapeRing(
      vertices: vertices, heights: heights, area: Ring.signedArea(vertices), box: box)
  }

  /// Appends the surfaces of a multipatch as areas: a triangle each of strips (0) and fans (1),
  /// outer (2) and first rings (4) with the inner (3) and other ones (5) behind them as holes.
  private func appendPatches(
    _ shape: Shape, into builder: inout GeometryBlockBuilder, _ notes: inout [ImportNoteCode: Int]
  ) -> GeometryKind {
    var areas: [[ShapeRing]] = []
    for (part, kind) in zip(shape.parts, shape.partKinds) {
      switch kind {
      case 0, 1:
        for last in part.dropFirst(2) {
          let first = kind == 0 ? last - 2 : part.lowerBound
          areas.append([ring(shape, [first, last - 1, last])])
        }
      case 3, 5:
        let hole = ring(shape, Array(part))
        if areas.isEmpty { areas.append([hole]) } else { areas[areas.count - 1].append(hole) }
      default: areas.append([ring(shape, Array(part))])
      }
    }
    let count = areas.count
    areas.removeAll { $0[0].vertices.count < 4 }
    if areas.count < count || shape.parts.count > shape.partKinds.count {
      notes[.shortParts, default: 0] += 1
    }
    let kind: GeometryKind = areas.isEmpty ? .none : areas.count == 1 ? .polygon : .multiPolygon
    for (place, rings) in areas.enumerated() {
      for (number, ring) in rings.filter({ $0.vertices.count > 3 }).enumerated() {
        append(
          ring, kind, isHole: number > 0, isFirst: place == 0 && number == 0, into: &builder)
      }
    }
    return kind
  }

  /// The place in a list of outer rings of the smallest that a hole lies in; `nil` if it lies in
  /// none.
  private mutating func outer(
    of hole: ShapeRing, _ index: Int, _ outers: [Int], _ rings: [ShapeRing]
  ) -> Int? {
    budget -= outers.count
    if budget < 0 { return outers.lastIndex { $0 < index } }
    let around = outers.indices.filter { rings[outers[$0]].box.contains(hole.box) }
    if around.count < 2 { return around.first }
    let inside = around.filter { place in
      budget -= rings[outers[place]].vertices.count
      return budget < 0 || Self.holds(rings[outers[place]], hole)
    }
    return inside.min { rings[outers[$0]].area.magnitude < rings[outers[$1]].area.magnitude }
  }

  /// Whether a ring holds another: by the first vertex that is not also one of its own.
  private static func holds(_ outer: ShapeRing, _ ring: ShapeRing) -> Bool {
    let own = Set(outer.vertices)
    guard let point = ring.vertices.first(where: { !own.contains($0) }) else { return true }
    var isInside = false
    for (a, b) in zip(outer.vertices, outer.vertices.dropFirst())
    where (a.y > point.y) != (b.y > point.y) {
      let x = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }
}

extension Box {
  fileprivate func contains(_ other: Box) -> Bool {
    minX <= other.minX && maxX >= other.maxX && minY <= other.minY && maxY >= other.maxY
  }
}
