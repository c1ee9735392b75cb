import PortolanDocuments
import PortolanGraphics

extension GeoJSONReader {
  /// The mark of a path before an outer ring, until roles are assigned.
  private static let outerRing: UInt8 = 16

  /// Reads the value of a `coordinates` member into paths; the kind may not be known yet.
  mutating func readCoordinates(_ frame: inout GeometryFrame) throws(ScanFault) {
    guard scanner.current == UInt8(ascii: "[") else {
      throw scanner.wrongType("coordinates must be an array")
    }
    frame.depth = try nesting()
    let isMember = !frames.isEmpty
    switch frame.depth {
    case .unread: break
    case .none:
      scanner.position += 1
      let container = GeoJSONLayout.Container.coordinates(depth: 1, level: 0, isMember: isMember)
      _ = learner.stepIn(&scanner, container, close: UInt8(ascii: "]"))
      scanner.position += 1
      if isMember { frame.keepsText = true }
    case .hollow:
      try scanner.skipValue()
      frame.keepsText = true
      notes.add(.emptyParts, at: frame.start, feature: featureNumber)
    case .positions(let depth):
      let container = GeoJSONLayout.Container.coordinates(
        depth: depth, level: 0, isMember: isMember)
      if depth == 1 {
        try readPosition(container, &frame)
        endPath(isOuter: false)
      } else {
        try readPaths(container, depth, &frame)
      }
    }
  }

  /// Looks ahead for the depth of the first number.
  private func nesting() throws(ScanFault) -> GeometryFrame.Depth {
    var at = scanner.position
    var depth = 0
    var deepest = 0
    while true {
      switch scanner.byte(at: at) {
      case UInt8(ascii: "["):
        depth += 1
        deepest = max(deepest, depth)
        if depth > 4 {
          throw ScanFault(.badCoordinates, at: at, "more than 4 brackets")
        }
      case UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return deepest == 1 ? .none : .hollow }
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","): break
      case 0 where at >= scanner.count: throw ScanFault(.cut, at: scanner.count)
      default: return .positions(depth)
      }
      at += 1
    }
  }

  /// Reads nested arrays of positions; the position is at the outermost bracket.
  private mutating func readPaths(
    _ container: GeoJSONLayout.Container, _ depth: Int, _ frame: inout GeometryFrame
  ) throws(ScanFault) {
    let close = UInt8(ascii: "]")
    var level = 0
    var isOuter = false
    while true {
      // The position is at the bracket of an array of this level, above that of positions.
      guard scanner.current == UInt8(ascii: "[") else { throw badNesting() }
      scanner.position += 1
      if depth == 4, level == 1 { isOuter = true }
      if learner.stepIn(&scanner, container.inner(level), close: close) {
        scanner.position += 1
        if !frame.keepsText {
          notes.add(.emptyParts, at: frame.start, feature: featureNumber)
        }
        frame.keepsText = true
      } else if level < depth - 2 {
        level += 1
        continue
      } else {
        var isPlain = arePlain(container.inner(depth - 1), in: container.inner(level))
        repeat {
          if isPlain { isPlain = readPlainPositions() }
          try readPosition(container.inner(depth - 1), &frame)
        } while try learner.stepOn(
          &scanner, container.inner(level), close: close)
        endPath(isOuter: isOuter)
        isOuter = false
      }
      // An array of this level is closed; continue with its sibling, or with the enclosing array.
      while true {
        if level == 0 { return }
        if try learner.stepOn(&scanner, container.inner(level - 1), close: close) { break }
        level -= 1
      }
    }
  }

  private func badNesting() -> ScanFault {
    if scanner.isAtEnd { return ScanFault(.cut, at: scanner.count) }
    switch scanner.current {
    case UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return ScanFault(.badCoordinates, at: scanner.position, "uneven brackets")
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "\""),
      UInt8(ascii: "{"):
      return ScanFault(.wrongType, at: scanner.position, "coordinates are numbers")
    default: return scanner.unexpected("a position expected")
    }
  }

  /// Reads `[x, y]`, `[x, y, z]` or a longer one; the position is at its bracket.
  @inline(__always)
  private mutating func readPosition(
    _ container: GeoJSONLayout.Container, _ frame: inout GeometryFrame
  ) throws(ScanFault) {
    let close = UInt8(ascii: "]")
    guard scanner.current == UInt8(ascii: "[") else { throw badNesting() }
    scanner.position += 1
    learner.step(&scanner, container, .afterOpen)
    if !isNumberHere { throw notANumber() }
    let x = try scanner.scanNumber(&item.traits)
    guard try learner.stepOn(&scanner, container, close: close) else {
      throw ScanFault(.shortPosition, at: scanner.position - 1)
    }
    if !isNumberHere { throw notANumber() }
    let y = try scanner.scanNumber(&item.traits)
    builder.geometry.appendVertex(x, y)
    if try learner.stepOn(&scanner, container, close: close) {
      try readElevation(container, &frame)
    }
  }

  @inline(__always)
  private var isNumberHere: Bool {
    let byte = scanner.current
    return byte &- 0x30 <= 9 || byte == UInt8(ascii: "-")
  }

  private func notANumber() -> ScanFault {
    if scanner.current == UInt8(ascii: "]") {
      return ScanFault(.shortPosition, at: scanner.position)
    }
    if scanner.current == UInt8(ascii: "-") { return scanner.unexpected() }
    if scanner.current == UInt8(ascii: "+") || scanner.current == UInt8(ascii: ".") {
      return ScanFault(.badNumber, at: scanner.position)
    }
    return badNesting()
  }

  @inline(never)
  private mutating func readElevation(
    _ container: GeoJSONLayout.Container, _ frame: inout GeometryFrame
  ) throws(ScanFault) {
    if !isNumberHere { throw notANumber() }
    builder.geometry.setElevation(try scanner.scanNumber(&item.traits))
    while try learner.stepOn(&scanner, container, close: UInt8(ascii: "]")) {
      if !isNumberHere { throw notANumber() }
      _ = try scanner.scanNumber(&item.traits)
      if !item.hasExtraOrdinates {
        item.hasExtraOrdinates = true
        notes.add(.extraOrdinates, at: frame.start, feature: featureNumber)
      }
      frame.keepsText = true
    }
  }

  private mutating func endPath(isOuter: Bool) {
    builder.geometry.pathEnds.append(UInt32(truncatingIfNeeded: builder.geometry.vertexCount))
    builder.geometry.pathRoles.append(PathRole(rawValue: isOuter ? Self.outerRing : 0))
  }

  // MARK: The end of a geometry

  /// Checks a geometry after its last member and assigns roles to its paths.
  mutating func finish(_ frame: inout GeometryFrame) throws(ScanFault) {
    guard let kind = frame.kind else { throw ScanFault(.missingType, at: frame.start) }
    if kind == .geometryCollection {
      guard frame.hasGeometries else {
        throw ScanFault(.wrongType, at: frame.start, "geometries are missing")
      }
      if frame.depth != .unread { frame.keepsText = true }
      return
    }
    if frame.hasGeometries || !frames.isEmpty && frame.isOddOrder { frame.keepsText = true }
    switch frame.depth {
    case .unread: throw ScanFault(.wrongType, at: frame.start, "coordinates are missing")
    case .none, .hollow: return
    case .positions(let depth):
      guard depth == Self.depth(of: kind) else {
        throw ScanFault(
          .badCoordinates, at: frame.start,
          "\(kind.name ?? "") with positions \(depth) deep")
      }
    }
    let paths = frame.firstPath..<builder.geometry.pathEnds.count
    for path in paths {
      let isOuter =
        kind == .polygon
        ? path == paths.lowerBound : builder.geometry.pathRoles[path].rawValue & Self.outerRing != 0
      builder.geometry.pathRoles[path] = PathRole(
        kind: kind, beginsMember: path == paths.lowerBound, beginsPolygon: isOuter)
    }
    if kind.dimension == 2 { try closeRings(paths, &frame) }
  }

  private static func depth(of kind: GeometryKind) -> Int {
    switch kind {
    case .none, .point, .geometryCollection: 1
    case .multiPoint, .lineString: 2
    case .multiLineString, .polygon: 3
    case .multiPolygon: 4
    }
  }

  /// Closes open rings, for use: the geometry's text is kept.
  private mutating func closeRings(
    _ paths: Range<Int>, _ frame: inout GeometryFrame
  ) throws(ScanFault) {
    var open = 0
    var short = 0
    for path in paths {
      let range = builder.geometry.vertexRange(path)
      guard let last = range.last else { continue }
      if !builder.geometry.isSamePosition(range.lowerBound, last) {
        open += 1
        if range.count < 3 { short += 1 }
      } else if range.count < 4 {
        short += 1
      }
    }
    let feature = featureNumber
    if short > 0 { notes.add(.shortRings, count: short, at: frame.start, feature: feature) }
    guard open > 0 else { return }
    notes.add(.closedRings, count: open, at: frame.start, feature: feature)
    frame.keepsText = true
    builder.geometry.closePaths(paths)
  }

  /// Notes rings wound against RFC 7946 and impossible latitudes.
  mutating func inspect(_ firstPath: Int, _ feature: Int) {
    guard isGeographic else { return }
    let paths = firstPath..<max(firstPath, builder.geometry.pathEnds.count)
    var clockwise = 0
    var whole = Box.empty
    for path in paths {
      let (area, box) = builder.geometry.signedAreaAndBox(builder.geometry.vertexRange(path))
      whole = whole.union(box)
      if builder.geometry.pathRoles[path].isWoundWrong(area) { clockwise += 1 }
    }
    if whole.mayJump {
      clockwise = paths.count { path in
        let area = builder.geometry.signedAreaOfJumping(builder.geometry.vertexRange(path))
        return builder.geometry.pathRoles[path].isWoundWrong(area)
      }
    }
    if clockwise > 0 {
      notes.add(.clockwiseRings, count: clockwise, at: item.start, feature: feature)
    }
    if whole.minY < -90 || whole.maxY > 90 {
      notes.add(.latitudes, at: item.start, feature: feature)
    }
  }
}

extension PathRole {
  /// Whether a ring of a signed area goes against RFC 7946: an outer one clockwise, or a hole not.
  fileprivate func isWoundWrong(_ area: Double) -> Bool {
    isRing && (isHole ? area > 0 : area < 0)
  }
}

extension GeometryBlockBuilder {
  @inline(__always)
  fileprivate mutating func appendVertex(_ x: Double, _ y: Double) {
    coordinates.append(x)
    coordinates.append(y)
    if !elevations.isEmpty { elevations.append(.nan) }
  }

  /// Gives the last vertex a third ordinate.
  fileprivate mutating func setElevation(_ z: Double) {
    if elevations.isEmpty { elevations = [Double](repeating: .nan, count: vertexCount) }
    elevations[elevations.count - 1] = z
  }

  /// The vertices of a path of the row in progress.
  func vertexRange(_ path: Int) -> Range<Int> {
    let start = path == 0 ? 0 : Int(pathEnds[path - 1])
    return start..<max(start, Int(pathEnds[path]))
  }

  func isSamePosition(_ first: Int, _ second: Int) -> Bool {
    coordinates[2 * first] == coordinates[2 * second]
      && coordinates[2 * first + 1] == coordinates[2 * second + 1]
  }

  /// Repeats the first position of each open path at its end; the paths are the last ones.
  mutating func closePaths(_ paths: Range<Int>) {
    guard let first = paths.first else { return }
    let start = vertexRange(first).lowerBound
    let old = Array(coordinates[(2 * start)...])
    let oldElevations = elevations.isEmpty ? [] : Array(elevations[start...])
    let ranges = paths.map { vertexRange($0) }
    coordinates.removeLast(old.count)
    elevations.removeLast(oldElevations.count)
    for (path, range) in zip(paths, ranges) {
      let local = (range.lowerBound - start)..<(range.upperBound - start)
      coordinates.append(contentsOf: old[(2 * local.lowerBound)..<(2 * local.upperBound)])
      if !oldElevations.isEmpty { elevations.append(contentsOf: oldElevations[local]) }
      if let last = local.last,
        old[2 * local.lowerBound] != old[2 * last]
          || old[2 * local.lowerBound + 1] != old[2 * last + 1]
      {
        coordinates.append(old[2 * local.lowerBound])
        coordinates.append(old[2 * local.lowerBound + 1])
        if !oldElevations.isEmpty { elevations.append(oldElevations[local.lowerBound]) }
      }
      pathEnds[path] = UInt32(truncatingIfNeeded: vertexCount)
    }
  }

  /// Twice the signed area of a ring, counter-clockwise positive, and its box.
  func signedAreaAndBox(_ range: Range<Int>) -> (area: Double, box: Box) {
    coordinates.withUnsafeBufferPointer { numbers in
      guard let first = range.first else { return (0, .empty) }
      let originX = numbers[2 * first]
      let originY = numbers[2 * first + 1]
      var (x, y, area) = (0.0, 0.0, 0.0)
      var (west, east, south, north) = (originX, originX, originY, originY)
      for vertex in range.dropFirst() {
        let (nextX, nextY) = (numbers[2 * vertex], numbers[2 * vertex + 1])
        area += x * (nextY - originY) - (nextX - originX) * y
        (x, y) = (nextX - originX, nextY - originY)
        if nextX < west { west = nextX }
        if nextX > east { east = nextX }
        if nextY < south { south = nextY }
        if nextY > north { north = nextY }
      }
      return (area, Box(minX: west, minY: south, maxX: east, maxY: north))
    }
  }

  /// The same area of a shape that may jump across the antimeridian.
  func signedAreaOfJumping(_ range: Range<Int>) -> Double {
    Ring.signedArea(
      Geometry.unwrapped(
        range.map { Coordinate(x: coordinates[2 * $0], y: coordinates[2 * $0 + 1]) }
      ).vertices)
  }
}
