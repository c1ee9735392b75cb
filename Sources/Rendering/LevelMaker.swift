import PortolanGraphics

/// What a worker made of a block.
struct PreparedLevels: Sendable {
  let base: ProjectedBlock
  /// The finer level that the requested one is made of, if it is new.
  var finer: PathLevel?
  /// The requested level; `nil` is full detail.
  var paths: PathLevel?

  /// At most the size, in bytes: paths that are two of these count twice.
  var byteCount: Int { base.byteCount + (finer?.byteCount ?? 0) + (paths?.byteCount ?? 0) }

  /// Makes the groups of boxes that the first drawing would make.
  func makeGroups() {
    base.makeGroups()
    for paths in [base.keptPaths, finer, paths] { paths?.makeGroups() }
  }

  /// Whether the paths at full detail have served.
  var isDroppable: Bool {
    guard let paths, let full = base.keptPaths else { return false }
    return paths !== full && finer !== full
  }
}

/// Makes a level of a block and the finer one that it is made of.
///
/// If there is none yet, one for two steps nearer is made; that costs little more than making the
/// level from full detail, and the level between, needed first by zooming in, is soon made of it.
struct LevelMaker: Sendable {
  static let ahead = 4
  /// Fewer vertices than these are not worth making rows of squares.
  private static let rowsMin = 1 << 16

  let block: GeometryBlock
  let plane: MapPlane
  let base: ProjectedBlock?
  let level: Int?
  let finer: PathLevel?
  /// The rows of squares of levels made straight from coordinates, by shift; others find their rows
  /// one by one.
  var rows: [Int32: SquareRows] = [:]

  /// Identifies a level of a block on one plane.
  struct Key: Hashable, Sendable {
    let block: ObjectIdentifier
    let level: Int?
  }

  var key: Key { Key(block: ObjectIdentifier(block), level: level) }

  /// Takes the rows of squares of its levels, if so many vertices are worth making them.
  mutating func takeRows(of cache: SquareRowsCache, for vertices: Int) {
    if vertices >= Self.rowsMin { rows = cache.rows(of: directShifts) }
  }

  /// The shifts of the levels that may be made straight from coordinates.
  private var directShifts: [Int32] {
    guard let level, finer == nil, plane.projection == .webMercator else { return [] }
    return [level, level + Self.ahead].filter(PathLevel.isDirect).map(PathLevel.shift)
  }

  func prepared() -> PreparedLevels {
    guard finer == nil, block.isOutline else { return prepared(block) }
    let drawable = block.drawable
    // An outline is drawn once: no other level will be asked for.
    if let level, base == nil, let made = direct(level, of: drawable), let paths = made.paths {
      return PreparedLevels(base: made.base, paths: paths)
    }
    return prepared(drawable)
  }

  private func prepared(_ block: GeometryBlock) -> PreparedLevels {
    guard let level else { return PreparedLevels(base: full(block)) }
    if let finer, let base {
      return PreparedLevels(base: base, paths: simplified(finer, level, base))
    }
    if base?.keptPaths == nil {
      let ahead = level + Self.ahead
      if let made = direct(ahead, of: block) {
        if let finer = made.paths {
          let paths = simplified(finer, level, made.base)
          return PreparedLevels(base: made.base, finer: finer, paths: paths)
        }
      } else if let made = direct(level, of: block), let paths = made.paths {
        return PreparedLevels(base: made.base, paths: paths)
      }
    }
    let base = full(block)
    let all = base.paths(of: block, on: plane)
    let finer = all.simplified(toLevel: level + Self.ahead, of: all)
    return PreparedLevels(base: base, finer: finer, paths: simplified(finer, level, base))
  }

  private func direct(_ level: Int, of block: GeometryBlock) -> PathLevel.Direct? {
    guard PathLevel.isDirect(level) else { return nil }
    return PathLevel.direct(
      level, of: block, on: plane, rows: rows[PathLevel.shift(ofLevel: level)])
  }

  private func simplified(_ finer: PathLevel, _ level: Int, _ base: ProjectedBlock) -> PathLevel {
    finer.simplified(toLevel: level, below: base.size) ?? base.paths(of: block, on: plane)
  }

  /// The block with its paths at full detail.
  private func full(_ block: GeometryBlock) -> ProjectedBlock {
    guard let base else { return ProjectedBlock(block, on: plane) }
    _ = base.paths(of: block, on: plane)
    return base
  }
}
