import PortolanGraphics

/// Levels of detail straight from the coordinates of a block, whose vertices are not projected one
/// by one and need no memory.
extension PathLevel {
  /// A level made of a block's coordinates: the same as of its paths at full detail.
  struct Direct {
    let base: ProjectedBlock
    /// `nil` if the level saves little.
    let paths: PathLevel?
  }

  /// Whether levels of this kind are made straight from coordinates.
  static func isDirect(_ level: Int) -> Bool { SquareRows.shifts.contains(shift(ofLevel: level)) }

  /// Makes a level; `nil` of blocks with points, and with shapes that may be cut or continued at
  /// the end of the world, and on Equal Earth: those are projected first.
  ///
  /// - Precondition: `isDirect(level)`.
  /// - Complexity: O(vertices), about 3 ns each.
  static func direct(
    _ level: Int, of block: GeometryBlock, on plane: MapPlane, rows: SquareRows?
  ) -> Direct? {
    guard !plane.isCurved else { return nil }
    let shift = shift(ofLevel: level)
    var walk = SquareWalk(plane, shift: shift, rows: rows)
    guard let boxes = plainBoxes(of: block, on: plane, walk) else { return nil }
    var builder = DirectBuilder(block, shift)
    defer { builder.scratch.deallocate() }
    builder.run(&walk)
    let base = ProjectedBlock(block, featureBoxes: boxes, size: builder.size)
    return Direct(base: base, paths: builder.paths())
  }

  /// The boxes of the features, if each is where its coordinates are and has no cut.
  private static func plainBoxes(
    of block: GeometryBlock, on plane: MapPlane, _ walk: SquareWalk
  ) -> [WorldBox]? {
    guard !block.kinds.contains(where: { $0.dimension == 0 || $0 == .geometryCollection }) else {
      return nil
    }
    let finder = CutFinder(plane)
    var boxes: [WorldBox] = []
    boxes.reserveCapacity(block.featureCount)
    for bounds in block.boxes {
      if bounds.isEmpty {
        boxes.append(.empty)
        continue
      }
      let (start, end) = (
        walk.point(bounds.minX, bounds.maxY), walk.point(bounds.maxX, bounds.minY)
      )
      let box = WorldBox(minX: start.x, minY: start.y, maxX: end.x, maxY: end.y)
      if plane.isGeographic, bounds.width >= Longitude.leastJump || bounds.leavesWorld {
        return nil
      }
      if let finder, finder.mayCut(box) { return nil }
      boxes.append(box)
    }
    return boxes
  }
}

/// Builds one level of a block.
private struct DirectBuilder {
  let block: GeometryBlock
  let shift: Int32
  let scratch: UnsafeMutableBufferPointer<Int32>
  private(set) var size = PathLevel.Size()
  private var used = 0
  private var chunks = PathChunks()
  private var featureEnds: [UInt32] = []
  private var single = DotSet()
  private var small = DotSet()

  init(_ block: GeometryBlock, _ shift: Int32) {
    self.block = block
    self.shift = shift
    scratch = .allocate(capacity: max(2, block.coordinates.count))
  }

  mutating func run(_ walk: inout SquareWalk) {
    featureEnds.reserveCapacity(block.featureCount)
    let block = block
    block.coordinates.withUnsafeBufferPointer { coordinates in
      for row in 0..<block.featureCount {
        for path in block.paths(ofFeature: row) {
          let vertices = block.vertices(ofPath: path)
          add(vertices, of: coordinates, isRing: block.pathRoles[path].isRing, row, &walk)
        }
        featureEnds.append(UInt32(truncatingIfNeeded: chunks.count))
      }
    }
  }

  private mutating func add(
    _ vertices: Range<Int>, of coordinates: UnsafeBufferPointer<Double>, isRing: Bool, _ row: Int,
    _ walk: inout SquareWalk
  ) {
    let room = UnsafeMutableBufferPointer(rebasing: scratch[(2 * used)...])
    let found = walk.squares(of: vertices, coordinates, to: room)
    guard found.finite > 0 else { return }
    if found.finite > 1 {
      size.numbers += 2 * found.finite
      if !isRing { size.hasLines = true }
    }
    var box = WorldBox.empty
    let half = Int32(1) << (shift - 1)
    for place in stride(from: 0, to: 2 * found.squares, by: 2) {
      box.formUnion(x: room[place], y: room[place + 1])
      room[place] = (room[place] << shift) &+ half
      room[place + 1] = (room[place + 1] << shift) &+ half
    }
    if found.finite == 1 {
      single.append(x: room[0], y: room[1], row: row)
    } else if found.squares < 2 || isRing && box.width + box.height <= 1 {
      small.append(x: room[0], y: room[1], row: row)
    } else {
      chunks.add(used..<used + found.squares, of: scratch, isRing: isRing, feature: row)
      used += found.squares
    }
  }

  /// The level; `nil` if it saves little.
  func paths() -> PathLevel? {
    guard size.isReduced(to: used) else { return nil }
    // Those of one vertex come first, as they do among the paths at full detail.
    var dots = single
    dots.coordinates += small.coordinates
    dots.rows += small.rows
    return PathLevel(
      coordinates: Array(UnsafeBufferPointer(rebasing: scratch[0..<(2 * used)])), chunks: chunks,
      cuts: .none, featureEnds: featureEnds, points: DotSet(), dots: dots.snapped(shift: shift))
  }
}
