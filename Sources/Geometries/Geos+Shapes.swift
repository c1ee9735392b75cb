internal import PortolanCGEOS
package import PortolanGraphics

/// Shapes into GEOS and out of it.
extension Geos {
  private enum Kind {
    static let point: Int32 = 0
    static let line: Int32 = 1
    static let ring: Int32 = 2
    static let polygon: Int32 = 3
    static let multiPoint: Int32 = 4
    static let collection: Int32 = 7
  }

  /// A shape as GEOS has it. Rings that are open are closed; rings of fewer than three different
  /// vertices and lines of one are left out.
  ///
  /// - Throws: `GeometryError.notFinite`.
  package func shape(_ flat: FlatGeometry) throws(GeometryError) -> GeosShape {
    guard flat.isFinite else { throw .notFinite }
    var made: [OpaquePointer?] = []
    var dimensions = Set<Int>()
    for paths in flat.parts {
      let role = flat.roles[paths.lowerBound]
      let dimension = role.kind.dimension ?? 0
      switch dimension {
      case 0:
        for vertex in flat.vertices(ofPath: paths.lowerBound) {
          let sequence = sequence(flat, vertex..<vertex + 1, isRing: false)
          made.append(calls.GEOSGeom_createPoint_r(context, sequence))
        }
      case 1:
        let range = flat.vertices(ofPath: paths.lowerBound)
        if range.count < 2 { continue }
        let sequence = sequence(flat, range, isRing: false)
        made.append(calls.GEOSGeom_createLineString_r(context, sequence))
      default:
        guard let polygon = polygon(flat, paths) else { continue }
        made.append(polygon)
      }
      dimensions.insert(dimension)
    }
    return try collection(made, dimensions)
  }

  private func collection(
    _ made: [OpaquePointer?], _ dimensions: Set<Int>
  ) throws(GeometryError) -> GeosShape {
    guard made.allSatisfy({ $0 != nil }) else {
      for case let part? in made { calls.GEOSGeom_destroy_r(context, part) }
      throw failure("the shape")
    }
    if made.count == 1, let only = made[0] { return GeosShape(only, of: self) }
    let kind =
      dimensions.count == 1
      ? Kind.multiPoint + Int32(dimensions.first ?? 0) : Kind.collection
    return try collection(made, kind)
  }

  private func collection(
    _ parts: [OpaquePointer?], _ kind: Int32
  ) throws(GeometryError) -> GeosShape {
    var parts = parts
    let made = parts.withUnsafeMutableBufferPointer {
      calls.GEOSGeom_createCollection_r(
        context, kind, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count))
    }
    guard let made else { throw failure("the shape") }
    return GeosShape(made, of: self)
  }

  private func polygon(_ flat: FlatGeometry, _ paths: Range<Int>) -> OpaquePointer? {
    func ring(_ path: Int) -> OpaquePointer? {
      let range = flat.vertices(ofPath: path)
      guard range.count > 2 else { return nil }
      let isClosed = flat[range.lowerBound] == flat[range.upperBound - 1]
      if isClosed, range.count < 4 { return nil }
      return calls.GEOSGeom_createLinearRing_r(context, sequence(flat, range, isRing: true))
    }
    guard let shell = ring(paths.lowerBound) else { return nil }
    var holes = paths.dropFirst().compactMap { ring($0) as OpaquePointer? } as [OpaquePointer?]
    return holes.withUnsafeMutableBufferPointer {
      calls.GEOSGeom_createPolygon_r(
        context, shell, $0.baseAddress, UInt32(truncatingIfNeeded: $0.count))
    }
  }

  private func sequence(
    _ flat: FlatGeometry, _ range: Range<Int>, isRing: Bool
  ) -> OpaquePointer? {
    let isOpen = isRing && flat[range.lowerBound] != flat[range.upperBound - 1]
    let hasZ = !flat.heights.isEmpty
    let size = UInt32(truncatingIfNeeded: range.count + (isOpen ? 1 : 0))
    let vertices = Array(range) + (isOpen ? [range.lowerBound] : [])
    guard let copy = calls.GEOSCoordSeq_copyFromBuffer_r else {
      let made = calls.GEOSCoordSeq_create_r(context, size, hasZ ? 3 : 2)
      for (index, vertex) in vertices.enumerated() {
        let place = UInt32(truncatingIfNeeded: index)
        let at = flat[vertex]
        _ = calls.GEOSCoordSeq_setXY_r(context, made, place, at.x, at.y)
        if hasZ { _ = calls.GEOSCoordSeq_setZ_r(context, made, place, flat.heights[vertex]) }
      }
      return made
    }
    if !hasZ, !isOpen {
      return flat.pairs.withUnsafeBufferPointer { pairs in
        copy(context, pairs.baseAddress.map { $0 + 2 * range.lowerBound }, size, 0, 0)
      }
    }
    var numbers: [Double] = []
    numbers.reserveCapacity((hasZ ? 3 : 2) * vertices.count)
    for vertex in vertices {
      numbers.append(flat.pairs[2 * vertex])
      numbers.append(flat.pairs[2 * vertex + 1])
      if hasZ { numbers.append(flat.heights[vertex]) }
    }
    return copy(context, numbers, size, hasZ ? 1 : 0, 0)
  }

  /// Some shapes as one collection.
  func collected(_ shapes: [GeosShape]) throws(GeometryError) -> GeosShape {
    if shapes.count == 1 { return shapes[0] }
    // A collection owns its parts: it takes copies, which reading and making again gives.
    var parts: [OpaquePointer?] = []
    for shape in shapes { parts.append(calls.GEOSGeom_clone_r(context, shape.pointer)) }
    return try collection(parts, Kind.collection)
  }

  /// A rectangle.
  package func rectangle(_ box: Box) throws(GeometryError) -> GeosShape {
    var flat = FlatGeometry(.polygon)
    flat.append(
      PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true),
      pairs: [
        box.minX, box.minY, box.maxX, box.minY, box.maxX, box.maxY, box.minX, box.maxY, box.minX,
        box.minY,
      ])
    return try shape(flat)
  }

  // MARK: Reading

  /// A shape of GEOS in flat arrays; `nil` if nothing is left.
  ///
  /// Outer rings run counter-clockwise, holes clockwise.
  ///
  /// - Parameter dimension: only parts of this dimension; `nil` for all.
  /// - Throws: `GeometryError.notFinite` where numbers became too large.
  package func flat(
    _ shape: GeosShape, dimension: Int? = nil
  ) throws(GeometryError) -> FlatGeometry? {
    var parts: [FlatGeometry] = []
    var open = [shape.pointer]
    while let next = open.popLast() {
      if calls.GEOSisEmpty_r(context, next) != 0 { continue }
      let kind = calls.GEOSGeomTypeId_r(context, next)
      if kind >= Kind.multiPoint {
        let count = calls.GEOSGetNumGeometries_r(context, next)
        for index in (0..<max(0, count)).reversed() {
          if let part = calls.GEOSGetGeometryN_r(context, next, index) { open.append(part) }
        }
        continue
      }
      let own = kind == Kind.polygon ? 2 : kind == Kind.point ? 0 : 1
      if let dimension, dimension != own { continue }
      parts.append(try part(next, kind))
    }
    return FlatGeometry(collecting: parts)
  }

  private func part(_ shape: OpaquePointer, _ kind: Int32) throws(GeometryError) -> FlatGeometry {
    let hasZ = calls.GEOSHasZ_r(context, shape) == 1
    guard kind == Kind.polygon else {
      var part = FlatGeometry(kind == Kind.point ? .point : .lineString)
      try append(shape, to: &part, kind == Kind.point ? .point : .line, hasZ: hasZ)
      return part
    }
    var part = FlatGeometry(.polygon)
    let count = calls.GEOSGetNumInteriorRings_r(context, shape)
    for index in -1..<max(0, count) {
      let ring =
        index < 0
        ? calls.GEOSGetExteriorRing_r(context, shape)
        : calls.GEOSGetInteriorRingN_r(context, shape, index)
      let role = PathRole(kind: .polygon, beginsMember: index < 0, beginsPolygon: index < 0)
      try append(ring, to: &part, role, hasZ: hasZ)
    }
    return part
  }

  private func append(
    _ path: OpaquePointer?, to part: inout FlatGeometry, _ role: PathRole, hasZ: Bool
  ) throws(GeometryError) {
    let sequence = calls.GEOSGeom_getCoordSeq_r(context, path)
    var size: UInt32 = 0
    guard sequence != nil, calls.GEOSCoordSeq_getSize_r(context, sequence, &size) == 1 else {
      throw failure("the shape")
    }
    var (pairs, heights) = numbers(sequence, Int(size), hasZ: hasZ)
    guard pairs.allSatisfy(\.isFinite) else { throw .notFinite }
    if role.isRing, Self.isClockwise(pairs) == role.beginsPolygon {
      for low in 0..<Int(size) / 2 {
        let high = Int(size) - 1 - low
        pairs.swapAt(2 * low, 2 * high)
        pairs.swapAt(2 * low + 1, 2 * high + 1)
      }
      heights.reverse()
    }
    part.append(role, pairs: pairs, heights: heights)
  }

  private func numbers(
    _ sequence: OpaquePointer?, _ size: Int, hasZ: Bool
  ) -> (pairs: [Double], heights: [Double]) {
    let width = hasZ ? 3 : 2
    var numbers = [Double](repeating: .nan, count: width * size)
    if let copy = calls.GEOSCoordSeq_copyToBuffer_r {
      _ = copy(context, sequence, &numbers, hasZ ? 1 : 0, 0)
    } else {
      for index in 0..<size {
        let place = UInt32(truncatingIfNeeded: index)
        var (x, y, z) = (Double.nan, Double.nan, Double.nan)
        _ = calls.GEOSCoordSeq_getXY_r(context, sequence, place, &x, &y)
        (numbers[width * index], numbers[width * index + 1]) = (x, y)
        guard hasZ else { continue }
        _ = calls.GEOSCoordSeq_getZ_r(context, sequence, place, &z)
        numbers[width * index + 2] = z
      }
    }
    guard hasZ else { return (numbers, []) }
    var pairs: [Double] = []
    pairs.reserveCapacity(2 * size)
    for index in 0..<size { pairs += numbers[3 * index...3 * index + 1] }
    let heights = (0..<size).map { numbers[3 * $0 + 2] }
    return (pairs, heights.allSatisfy(\.isNaN) ? [] : heights)
  }

  private static func isClockwise(_ pairs: [Double]) -> Bool {
    guard pairs.count > 5 else { return false }
    let (x, y) = (pairs[0], pairs[1])
    var sum = 0.0
    for index in stride(from: 0, to: pairs.count - 3, by: 2) {
      sum +=
        (pairs[index] - x) * (pairs[index + 3] - y) - (pairs[index + 2] - x)
        * (pairs[index + 1] - y)
    }
    return sum < 0
  }
}
