import Dispatch
import PortolanGraphics
import Synchronization

/// The caches of drawing between frames: projected blocks, levels of detail, label positions.
///
/// All of it can be computed again from the blocks, so an empty memory gives the same map; only
/// labels may keep an earlier place while the map is moved. The cache key is the identity of a
/// block: after an edit only the new block is projected. Blocks held by nobody else are dropped.
/// Above the limit the least recently used entries are evicted, except those of the last few
/// pictures.
package final class RenderMemory {
  /// The limit of the caches' total size, in bytes; beyond it the least used are evicted.
  package var byteLimit: Int

  /// Parts of pictures that are drawn again only when their key has changed.
  package var keptPictures: [String: KeptPicture] = [:]

  var blocks: [ObjectIdentifier: BlockCache] = [:]
  /// The pictures used by the round under way; `nil` between rounds.
  private var roundPictures: Set<String>?
  /// The places of labels in the pictures of each name.
  private(set) var labels: [String: LabelMemory] = [:]
  /// The number of times that names were placed and are not settled.
  package private(set) var unsettledPlacements = 0
  /// The points of layers in the pictures of each name, by the priority of the layer's labels.
  package internal(set) var signCounts: [String: [Int: SignCount]] = [:]
  private(set) var byteCount = 0
  private var frame = 0
  /// Memory for the choice of signs: to take it anew for each frame costs as much as the choice.
  private var symbolRoom: [SymbolChoice.Entry] = []
  /// Those of the levels that were made last, by shift.
  private var squareRows: [Int32: SquareRows] = [:]

  package init(byteLimit: Int = 320 << 20) { self.byteLimit = byteLimit }

  /// The approximate size of the caches, in bytes.
  package var weight: Int { byteCount }

  /// The projected block, made now if it is not cached.
  func projected(_ block: GeometryBlock, on plane: MapPlane) -> ProjectedBlock {
    let cache = cache(of: block, on: plane)
    if let base = cache.base { return base }
    let base = ProjectedBlock(block, on: plane)
    cache.base = base
    byteCount += base.byteCount
    return base
  }

  /// The paths of a block at full detail, made now if they are not kept.
  func fullPaths(of block: GeometryBlock, on plane: MapPlane) -> PathLevel {
    let base = projected(block, on: plane)
    if let paths = base.keptPaths { return paths }
    let paths = base.paths(of: block, on: plane)
    byteCount += paths.byteCount
    return paths
  }

  /// The paths of a block at a level of detail; `nil` is full detail.
  func paths(of block: GeometryBlock, on plane: MapPlane, level: Int?) -> PathLevel {
    guard let level else { return fullPaths(of: block, on: plane) }
    let cache = cache(of: block, on: plane)
    if let paths = cache.levels[level] { return paths }
    prepare([(block, level)], on: plane)
    return cache.levels[level] ?? fullPaths(of: block, on: plane)
  }

  /// Makes the missing entries of a frame, on all cores; the result does not depend on their
  /// number.
  func prepare(_ wanted: [(block: GeometryBlock, level: Int?)], on plane: MapPlane) {
    var tasks: [(cache: PlaneCache, before: Int, block: GeometryBlock, level: Int?)] = []
    for (block, level) in wanted {
      let cache = cache(of: block, on: plane)
      let isReady = level.map { cache.levels[$0] != nil } ?? (cache.base?.keptPaths != nil)
      if !isReady && !cache.isWanted {
        cache.isWanted = true
        // Workers fill and empty what the cache has.
        tasks.append((cache, cache.byteCount, block, level))
      }
    }
    guard !tasks.isEmpty else { return }
    tasks.sort { $0.block.vertexCount > $1.block.vertexCount }
    let count = tasks.reduce(0) { $0 + $1.block.vertexCount }
    let rows = count < 1 << 16 ? [:] : squareRows(for: Set(tasks.compactMap(\.level)), on: plane)
    let inputs = tasks.map { task in
      LevelMaker(
        block: task.block, plane: plane, base: task.cache.base, level: task.level,
        finer: task.level.flatMap { task.cache.finer(than: $0) }, rows: rows)
    }
    let results = Mutex<[PreparedLevels?]>(
      [PreparedLevels?](repeating: nil, count: inputs.count))
    // What is made at once counts beside what is kept.
    let room = Atomic(byteLimit - byteCount)
    let work: @Sendable (Int) -> Void = { index in
      let prepared = inputs[index].prepared()
      // Paths at full detail that would not be kept go at once.
      if prepared.isDroppable {
        let size = prepared.base.byteCount
        let left = room.subtract(size, ordering: .relaxed).newValue
        if left < 0 {
          prepared.base.forgetPaths()
          room.add(size - prepared.base.byteCount, ordering: .relaxed)
        }
      }
      results.withLock { $0[index] = prepared }
    }
    if tasks.count == 1 {
      work(0)
    } else {
      DispatchQueue.concurrentPerform(iterations: tasks.count, execute: work)
    }
    let prepared = results.withLock { $0 }
    for (task, result) in zip(tasks, prepared) {
      task.cache.isWanted = false
      if let result { keep(result, task.level, in: task.cache, before: task.before) }
    }
  }

  /// - Parameter before: what the cache had counted before the level was made.
  private func keep(_ made: PreparedLevels, _ level: Int?, in cache: PlaneCache, before: Int) {
    cache.base = made.base
    if let level, let paths = made.paths {
      if let finer = made.finer { cache.levels[level + LevelMaker.ahead] = finer }
      cache.levels[level] = paths
    }
    byteCount += cache.byteCount - before
  }

  /// The rows of squares of the levels that may be made straight from coordinates.
  private func squareRows(for levels: Set<Int>, on plane: MapPlane) -> [Int32: SquareRows] {
    guard plane.projection == .webMercator else { return [:] }
    let shifts = levels.flatMap { [$0, $0 + LevelMaker.ahead] }.filter(PathLevel.isDirect)
      .map(PathLevel.shift)
    var used: [Int32: SquareRows] = [:]
    for shift in shifts { used[shift] = squareRows[shift] ?? SquareRows(shift: shift) }
    if !used.isEmpty { squareRows = used }
    return used
  }

  func cache(of block: GeometryBlock, on plane: MapPlane) -> PlaneCache {
    let key = ObjectIdentifier(block)
    let entry: BlockCache
    if let known = blocks[key] {
      entry = known
    } else {
      entry = BlockCache(block)
      blocks[key] = entry
    }
    entry.lastUsed = frame
    let cache: PlaneCache
    if let known = entry.planes.first(where: { $0.plane == plane }) {
      cache = known
    } else {
      if !plane.isGeographic { dropFormerPlanes(of: entry) }
      cache = PlaneCache(block, plane)
      entry.planes.append(cache)
    }
    cache.lastUsed = frame
    return cache
  }

  /// Drops projections to former planar planes: each edit of a map's extent makes another plane.
  private func dropFormerPlanes(of entry: BlockCache) {
    entry.planes.removeAll { former in
      guard !former.plane.isGeographic, former.lastUsed < frame - 1 else { return false }
      byteCount -= former.byteCount
      return true
    }
  }

  // MARK: Signs

  func takeSymbolRoom() -> [SymbolChoice.Entry] {
    defer { symbolRoom = [] }
    return symbolRoom
  }

  /// Takes the memory of a choice back.
  func keepSymbolRoom(of entries: inout [SymbolChoice.Entry]) {
    guard entries.capacity <= Self.symbolRoomMax else { return }
    entries.removeAll(keepingCapacity: true)
    swap(&entries, &symbolRoom)
  }

  /// The most points whose memory is kept: 5 MB.
  private static let symbolRoomMax = 1 << 17

  // MARK: Names

  /// Whether names stand where they stood before the map was moved; a fresh drawing may put them
  /// elsewhere.
  package var hasUnsettledNames: Bool { labels.values.contains { !$0.isSettled } }

  /// Forgets the places that names have kept, and the pictures that show them: for a map at rest.
  package func settleNames() {
    for name in labels.filter({ !$0.value.isSettled }).keys {
      labels[name] = nil
      keptPictures[name] = nil
    }
  }

  /// Keeps the places of the names of a picture.
  func keep(_ places: LabelMemory, of name: String) {
    labels[name] = places
    if !places.isSettled { unsettledPlacements += 1 }
  }

  /// The middle of an area, found now if it is not cached.
  func anchor(ofArea row: Int, _ block: GeometryBlock, on plane: MapPlane) -> AreaAnchor? {
    let cache = cache(of: block, on: plane)
    if let known = cache.anchors[row] { return known }
    let paths = fullPaths(of: block, on: plane)
    guard let made = LabelAnchors.pole(of: row, in: paths, within: nil) else { return nil }
    cache.keep(made, ofArea: row)
    byteCount += made.byteCount
    return made
  }

  /// The length of each line of a block, in world units; 0 for other features.
  func lineLengths(of block: GeometryBlock, on plane: MapPlane) -> [Float] {
    let cache = cache(of: block, on: plane)
    if let known = cache.lineLengths { return known }
    let paths = fullPaths(of: block, on: plane)
    let made = block.kinds.indices.map { row in
      block.kinds[row].dimension == 1 ? Float(paths.length(ofFeature: row, within: nil)) : 0
    }
    cache.lineLengths = made
    byteCount += made.count * MemoryLayout<Float>.size
    return made
  }

  // MARK: Frames

  /// Starts drawing several pictures shown together: they count as one frame.
  package func beginRound() {
    beginFrame()
    roundPictures = []
  }

  /// Ends the round; pictures that it did not use are dropped.
  package func endRound() {
    guard let names = roundPictures else { return }
    keptPictures = keptPictures.filter { names.contains($0.key) }
    labels = labels.filter { names.contains($0.key) }
    signCounts = signCounts.filter { names.contains($0.key) }
    roundPictures = nil
  }

  func noteUse(ofPicture name: String) { roundPictures?.insert(name) }

  /// Starts a frame: drops blocks held only by this memory, and the least used above the limit.
  func beginFrame() {
    if roundPictures != nil { return }
    frame += 1
    for (key, entry) in blocks where isKnownUniquelyReferenced(&entry.block) {
      byteCount -= entry.byteCount
      blocks[key] = nil
    }
    guard byteCount > byteLimit else { return }
    let oldest = blocks.sorted {
      ($0.value.lastUsed, $0.value.byteCount) < ($1.value.lastUsed, $1.value.byteCount)
    }
    for (key, entry) in oldest where entry.lastUsed < frame - 8 {
      byteCount -= entry.byteCount
      blocks[key] = nil
      if byteCount <= byteLimit { return }
    }
  }
}

/// What a worker made of a block.
private struct PreparedLevels: Sendable {
  let base: ProjectedBlock
  /// The finer level that the requested one is made of, if it is new.
  var finer: PathLevel?
  /// The requested level; `nil` is full detail.
  var paths: PathLevel?

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
private struct LevelMaker: Sendable {
  static let ahead = 4

  let block: GeometryBlock
  let plane: MapPlane
  let base: ProjectedBlock?
  let level: Int?
  let finer: PathLevel?
  let rows: [Int32: SquareRows]

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

/// The cache of one block; it keeps the block alive so that its identity stays unique.
final class BlockCache {
  var block: GeometryBlock
  var planes: [PlaneCache] = []
  var lastUsed = 0

  init(_ block: GeometryBlock) { self.block = block }

  var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }
}

/// The cache of one block on one plane.
final class PlaneCache {
  let plane: MapPlane
  var lastUsed = 0
  var base: ProjectedBlock?
  var levels: [Int: PathLevel] = [:]
  /// An outline that surely contains the block.
  let outline: WorldBox
  /// The label positions of areas, by row.
  private(set) var anchors: [Int: AreaAnchor] = [:]
  private var anchorByteCount = 0
  /// The length of each line, by row.
  var lineLengths: [Float]?
  /// Whether it is on the list of the preparation under way.
  var isWanted = false

  init(_ block: GeometryBlock, _ plane: MapPlane) {
    self.plane = plane
    outline = plane.worldBox(block.box)
  }

  func keep(_ anchor: AreaAnchor, ofArea row: Int) {
    anchorByteCount += anchor.byteCount
    anchors[row] = anchor
  }

  /// The next finer cached level.
  func finer(than level: Int) -> PathLevel? {
    levels.filter { $0.key > level }.min { $0.key < $1.key }?.value
  }

  /// Levels may be the same as a finer one; each is counted once.
  var byteCount: Int {
    var counted = Set<ObjectIdentifier>()
    var sum = anchorByteCount + (lineLengths?.count ?? 0) * MemoryLayout<Float>.size
    if let base {
      if let full = base.keptPaths { counted.insert(ObjectIdentifier(full)) }
      sum += base.byteCount
    }
    for paths in levels.values where counted.insert(ObjectIdentifier(paths)).inserted {
      sum += paths.byteCount
    }
    return sum
  }
}
