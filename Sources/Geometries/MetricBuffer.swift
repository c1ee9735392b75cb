package import PortolanGraphics

/// What lies within a distance in metres of shapes in degrees.
///
/// A small shape is put into an `AzimuthalPlane` of its own, and GEOS does the work there. Of a
/// larger one each part, and each stretch of some hundred kilometres of its lines and edges, has a
/// plane of its own. Edges are straight in degrees. Results lie between -180 and 180 and are cut
/// there.
package struct MetricBuffer {
  private let geos: Geos
  private let metres: Double
  private let segments: Int

  /// A quarter of the way around the world.
  package static let metresMax = 10_000_000.0
  /// How far a shape may reach from the centre of its plane.
  private static let reachMax = 300_000.0

  /// - Parameters:
  ///   - metres: negative takes a rim off areas; at most `metresMax` on either side of zero.
  ///   - segments: the edges in a quarter of a circle.
  package init(_ geos: Geos, metres: Double, segments: Int) {
    (self.geos, self.metres, self.segments) = (geos, metres, segments)
  }

  private var tolerance: Double { max(metres.magnitude * 5e-4, 0.001) }

  /// The buffer of a shape; `nil` if nothing is left.
  ///
  /// - Throws: `GeometryError`, `offGlobe` where the coordinates are no degrees.
  package func buffer(_ shape: FlatGeometry) throws(GeometryError) -> FlatGeometry? {
    let whole = shape.unwrapped
    guard whole.isFinite else { throw .notFinite }
    guard whole.box.isOnGlobe else { throw .offGlobe }
    if whole.isEmpty { return nil }
    let made: GeosShape
    if let plane = plane(for: whole) {
      made = try buffer(whole, in: plane, metres)
    } else {
      made = try bufferOfParts(whole)
    }
    guard let exact = try geos.flat(made, dimension: 2) else { return nil }
    let rounded = exact.rounded
    return try geos.isValid(try geos.shape(rounded)) ? rounded : exact
  }

  /// The plane in which all of a shape is right; `nil` if it is too large.
  private func plane(for shape: FlatGeometry) -> AzimuthalPlane? {
    let box = shape.box
    guard box.width < 120, !hasSeam(shape) else { return nil }
    let center = box.center
    // The farthest place of a box is a corner, or below one on the parallel nearest the equator.
    let low = box.minY < 0 && box.maxY > 0 ? 0 : min(box.minY.magnitude, box.maxY.magnitude)
    let corners = [box.minY, box.maxY, low, -low].map { Coordinate(x: box.maxX, y: $0) }
      .filter { $0.y >= box.minY && $0.y <= box.maxY }
    let reach = corners.map { Geodesy.distance(from: center, to: $0) }.max() ?? 0
    return reach <= Self.reachMax ? AzimuthalPlane(center: center) : nil
  }

  private func hasSeam(_ shape: FlatGeometry) -> Bool {
    shape.roles.indices.contains { path in
      shape.roles[path].isRing
        && shape.vertices(ofPath: path).dropLast().contains { shape.isSeam($0) }
    }
  }

  /// The buffer of a large shape: its areas, and the buffers of stretches of its lines and edges.
  private func bufferOfParts(_ whole: FlatGeometry) throws(GeometryError) -> GeosShape {
    var areas: [GeosShape] = []
    var rims: [GeosShape] = []
    for part in whole.separated {
      try geos.check()
      if let plane = plane(for: part) {
        areas.append(try buffer(part, in: plane, metres))
        continue
      }
      if part.dimension == 2 { areas.append(try geos.worldShape(part, isUnwrapped: true)) }
      if part.dimension != 2, metres < 0 { continue }
      for stretch in stretches(of: part) {
        try geos.check()
        let plane = AzimuthalPlane(center: stretch.box.center)
        rims.append(try buffer(stretch, in: plane, metres.magnitude))
      }
    }
    if metres > 0 { return try geos.union(areas + rims) }
    // The rim of one part reaches into another one where the world is cut between them.
    let rest = try geos.union(areas)
    return rims.isEmpty ? rest : try geos.difference(rest, try geos.union(rims))
  }

  /// The lines and edges of a part in stretches, without edges where the world is cut.
  private func stretches(of part: FlatGeometry) -> [FlatGeometry] {
    var made: [FlatGeometry] = []
    for path in part.roles.indices {
      var run: [Coordinate] = []
      var length = 0.0
      func end() {
        if run.count > 1 {
          var flat = FlatGeometry(.lineString)
          flat.append(.line, run)
          made.append(flat)
        }
        (run, length) = ([], 0)
      }
      let isRing = part.roles[path].isRing
      var vertices = part.coordinates(ofPath: path)
      if isRing, let first = vertices.first, vertices.last != first { vertices.append(first) }
      let range = part.vertices(ofPath: path)
      for (index, vertex) in vertices.enumerated().dropFirst() {
        let start = vertices[index - 1]
        let isKnown = range.lowerBound + index < range.upperBound
        if isRing, isKnown, part.isSeam(range.lowerBound + index - 1) {
          end()
          continue
        }
        if run.isEmpty { run.append(start) }
        let way = Geodesy.length(of: [start, vertex])
        let turns = (vertex.x - start.x).magnitude / 5
        let pieces = Int(min(max((way / 100_000).rounded(.up), turns.rounded(.up), 1), 4096))
        for piece in 1...pieces {
          let share = Double(piece) / Double(pieces)
          run.append(
            piece == pieces
              ? vertex
              : Coordinate(
                x: start.x + (vertex.x - start.x) * share,
                y: start.y + (vertex.y - start.y) * share))
          length += way / Double(pieces)
          if length > Self.reachMax {
            let last = run[run.count - 1]
            end()
            run = [last]
          }
        }
      }
      end()
    }
    return made
  }

  /// The buffer of a shape in a plane, in degrees between -180 and 180.
  private func buffer(
    _ shape: FlatGeometry, in plane: AzimuthalPlane, _ metres: Double
  ) throws(GeometryError) -> GeosShape {
    let flat = plane.shape(shape, tolerance: tolerance)
    let made = try geos.buffer(try geos.shape(flat), by: metres, segments: segments)
    guard let area = try geos.flat(made, dimension: 2) else {
      return try geos.shape(FlatGeometry(.polygon))
    }
    let box = area.box
    if box.maxY < plane.north, box.minY > plane.south {
      return try geos.worldShape(
        plane.degrees(area, tolerance: tolerance), isUnwrapped: true)
    }
    return try geos.union(try halves(made, box, plane))
  }

  /// A shape that reaches beyond a pole, cut along the centre's meridian, in degrees.
  private func halves(
    _ made: GeosShape, _ box: Box, _ plane: AzimuthalPlane
  ) throws(GeometryError) -> [GeosShape] {
    var halves: [GeosShape] = []
    for side in [AzimuthalPlane.Side.east, .west] {
      let room = Box(
        minX: side == .east ? 0 : box.minX - 1, minY: box.minY - 1,
        maxX: side == .east ? box.maxX + 1 : 0, maxY: box.maxY + 1)
      if room.isEmpty { continue }
      let half = try geos.intersection(made, try geos.rectangle(room))
      guard let flat = try geos.flat(half, dimension: 2) else { continue }
      var degrees = plane.degrees(flat, tolerance: tolerance, side: side)
      for index in stride(from: 1, to: degrees.pairs.count, by: 2) {
        degrees.pairs[index] = min(max(degrees.pairs[index], -90), 90)
      }
      var shape = try geos.shape(degrees)
      if try !geos.isValid(shape) { shape = try geos.repaired(shape) }
      guard let sound = try geos.flat(shape, dimension: 2) else { continue }
      halves.append(try geos.worldShape(sound, isUnwrapped: true))
    }
    return halves
  }
}
