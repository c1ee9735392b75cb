/// A position in whole world units: the world is 2^31 units wide and (0, 0) is its middle.
///
/// An `Int32` reaches from two worlds' halves west to two east, which leaves room for shapes that
/// cross the antimeridian.
package struct WorldPoint: Hashable, Sendable {
  package var x: Int32
  package var y: Int32

  package init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }

  /// The width of the world in these units.
  package static let worldWidth = 2_147_483_648.0

  /// The nearest whole units of a position in the unit square; `nil` where it is not a number.
  package init?(_ point: UnitPoint) {
    guard !point.x.isNaN && !point.y.isNaN else { return nil }
    x = Self.units(point.x)
    y = Self.units(point.y)
  }

  @inline(__always)
  static func units(_ value: Double) -> Int32 {
    let scaled = (value - 0.5) * worldWidth
    return Int32(min(max(scaled, -2_147_483_648), 2_147_483_647))
  }
}

extension MapPlane {
  /// The same plane with a unit square so large that whole units reach a box, if so many doublings
  /// make it so large; geographic planes and those that reach it are the same.
  ///
  /// Whole units reach a side of the square from its middle. They grow with it: their exactness is
  /// the farthest distance from the middle, divided by 2^31.
  package func reaching(_ box: Box, doublingsMax: Int) -> MapPlane {
    guard !isGeographic, !box.isEmpty else { return self }
    let middle = reference.center
    let farthest = max(
      max(box.maxX - middle.x, middle.x - box.minX), max(box.maxY - middle.y, middle.y - box.minY))
    let squares = farthest / side
    guard squares.isFinite, squares >= 1 else { return self }
    // The side stays finite.
    let room = min(
      doublingsMax - doublings, Int(Double.greatestFiniteMagnitude.exponent - side.exponent))
    return doubled(max(0, min(Int(squares.exponent) + 1, room)))
  }

  /// The whole units of a place; `nil` where it is not finite.
  private func units(of place: Coordinate) -> (Int32, Int32)? {
    guard place.x.isFinite, place.y.isFinite, let point = WorldPoint(forward(place)) else {
      return nil
    }
    return (max(point.x, .min + 1), max(point.y, .min + 1))
  }

  /// Projects a run of vertices to world units, two numbers each, into a buffer of the same size.
  ///
  /// A vertex that is not finite becomes the pair (`Int32.min`, `Int32.min`), which no finite
  /// vertex has.
  /// - Complexity: O(vertices); about 25 ns each for Web Mercator.
  package func project(
    _ coordinates: UnsafeBufferPointer<Double>, into world: UnsafeMutableBufferPointer<Int32>
  ) {
    let count = min(coordinates.count, world.count) / 2
    if isCurved {
      for index in stride(from: 0, to: 2 * count, by: 2) {
        let place = Coordinate(x: coordinates[index], y: coordinates[index + 1])
        (world[index], world[index + 1]) = units(of: place) ?? (.min, .min)
      }
      return
    }
    let transform = WorldTransform(self)
    var index = 0
    while index < 2 * count {
      let x = coordinates[index]
      let y = coordinates[index + 1]
      if (x - x) + (y - y) == 0 {
        world[index] = transform.x(x)
        world[index + 1] = transform.y(y)
      } else {
        world[index] = .min
        world[index + 1] = .min
      }
      index += 2
    }
  }
}

extension MapPlane {
  /// Projects the vertices of a block to world units, shapes in degrees as they lie on the globe:
  /// continued across the antimeridian, and moved by whole worlds so that their middle is in the
  /// world; holes go with their outer ring.
  ///
  /// - Complexity: O(vertices), as `project`.
  package func project(_ block: GeometryBlock) -> [Int32] {
    var world = [Int32](unsafeUninitializedCapacity: 2 * block.vertexCount) { buffer, count in
      block.coordinates.withUnsafeBufferPointer { project($0, into: buffer) }
      count = 2 * block.vertexCount
    }
    guard isGeographic, block.box.width >= Longitude.leastJump || block.box.leavesWorld else {
      return world
    }
    let transform = WorldTransform(self)
    for row in 0..<block.featureCount
    where block.boxes[row].mayJump || block.boxes[row].leavesWorld {
      if isCurved {
        projectTurned(row, of: block, into: &world)
      } else {
        project(row, of: block, transform, into: &world)
      }
    }
    return world
  }

  /// Projects a shape that jumps or leaves -180 to 180 where x depends on the latitude: it goes on
  /// beyond the edge of the map.
  private func projectTurned(_ row: Int, of block: GeometryBlock, into world: inout [Int32]) {
    let numbers = block.coordinates
    var outer: (low: Double, high: Double, turn: Double)?
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      let isApart = role.kind.dimension == 0
      var places: [(vertex: Int, x: Double)] = []
      let mayJump = block.boxes[row].mayJump && !isApart
      block.eachOnGlobe(block.vertices(ofPath: path), mayJump: mayJump) {
        places.append(($0, isApart ? Longitude.nearest($1, to: 0) : $1))
      }
      let low = places.reduce(.infinity) { min($0, $1.x) }
      let high = places.reduce(-.infinity) { max($0, $1.x) }
      guard low <= high else { continue }
      var turn = -360 * ((low + high) / 720).rounded()
      if role.isHole, let outer {
        let turns = [0, 360, -360].map { outer.turn + $0 }
        turn = turns.first { low + $0 >= outer.low && high + $0 <= outer.high } ?? outer.turn
      } else {
        outer = (low + turn, high + turn, turn)
      }
      for (vertex, x) in places {
        let place = Coordinate(x: x + turn, y: numbers[2 * vertex + 1])
        (world[2 * vertex], world[2 * vertex + 1]) = units(of: place) ?? (.min, .min)
      }
    }
  }

  /// Projects the longitudes of a shape that jumps or leaves -180 to 180.
  private func project(
    _ row: Int, of block: GeometryBlock, _ transform: WorldTransform, into world: inout [Int32]
  ) {
    let mayJump = block.boxes[row].mayJump
    let numbers = block.coordinates
    var outer: (least: Int64, most: Int64, worlds: Int64)?
    for path in block.paths(ofFeature: row) {
      let role = block.pathRoles[path]
      let isApart = role.kind.dimension == 0
      var places: [(vertex: Int, x: Int64)] = []
      var (least, most) = (Int64.max, Int64.min)
      block.eachOnGlobe(block.vertices(ofPath: path), mayJump: mayJump && !isApart) { vertex, x in
        // Whole worlds are added to the units, so that a ring around a pole ends a world from its
        // start.
        let raw = numbers[2 * vertex]
        let turns = Int64(min(max(((x - raw) / 360).rounded(), -1e6), 1e6))
        var units = transform.wideX(raw) + turns << 31
        if isApart { units -= Self.worlds(at: units) << 31 }
        places.append((vertex, units))
        (least, most) = (min(least, units), max(most, units))
      }
      guard !places.isEmpty else { continue }
      var worlds = isApart ? 0 : -Self.worlds(at: least + (most - least) / 2)
      if role.isHole, let outer {
        worlds = outer.worlds
        for side in [0, 1, -1] as [Int64] {
          let moved = (outer.worlds + side) << 31
          guard least + moved >= outer.least, most + moved <= outer.most else { continue }
          worlds += side
          break
        }
      }
      if !role.isHole { outer = (least + worlds << 31, most + worlds << 31, worlds) }
      for (vertex, units) in places {
        let moved = Int32(clamping: units + worlds << 31)
        world[2 * vertex] = max(moved, .min + 1)
      }
    }
  }

  /// The number of worlds between the one in the middle and a place in units.
  private static func worlds(at units: Int64) -> Int64 {
    if units.magnitude <= 1 << 30 { return 0 }
    return (units + 1 << 30) >> 31
  }
}

/// A plane's formula with precomputed constants.
struct WorldTransform {
  let isMercator: Bool
  let scaleX: Double
  let offsetX: Double
  let scaleY: Double
  let offsetY: Double
  let limitY: Double

  init(_ plane: MapPlane) {
    let width = WorldPoint.worldWidth
    isMercator = plane.projection == .webMercator
    if plane.isGeographic {
      scaleX = width / 360
      offsetX = 0
      scaleY = isMercator ? -width / (4 * .pi) : -width / 360
      offsetY = 0
      limitY = isMercator ? MapPlane.latitudeMax : 90
    } else {
      let middle = plane.reference.center
      scaleX = width / plane.side
      offsetX = middle.x
      scaleY = -width / plane.side
      offsetY = middle.y
      limitY = .infinity
    }
  }

  @inline(__always)
  func x(_ value: Double) -> Int32 {
    // One above the mark for "not finite".
    Int32(min(max((value - offsetX) * scaleX, -2_147_483_647), 2_147_483_647))
  }

  /// The same of longitudes of many turns.
  func wideX(_ value: Double) -> Int64 {
    Int64(min(max((value - offsetX) * scaleX, -1e15), 1e15))
  }

  @inline(__always)
  func y(_ value: Double) -> Int32 {
    var value = min(max(value, -limitY), limitY) - offsetY
    if isMercator {
      let sine = Mathematics.sine(value * (.pi / 180))
      value = Mathematics.logarithm((1 + sine) / (1 - sine))
    }
    return Int32(min(max(value * scaleY, -2_147_483_647), 2_147_483_647))
  }
}
