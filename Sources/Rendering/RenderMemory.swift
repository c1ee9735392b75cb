import Dispatch
import Graphics
import Synchronization

/// What drawing remembers between frames: projected blocks, levels of detail, label positions.
///
/// Everything in it can be made again from the blocks, so an empty memory gives the same map; only
/// labels may keep a place that they had while the map is moved. It is found by the identity of a
/// block: after an edit only the new block is projected. Blocks that nobody else holds any more are
/// dropped, and what was not used for the longest time goes when the memory grows above its limit.
package final class RenderMemory {
  /// What the caches may weigh together before the least used go, in bytes.
  package var byteLimit: Int

  /// Parts of pictures that are drawn again only when what they show has changed.
  package var keptPictures: [String: KeptPicture] = [:]

  var blocks: [ObjectIdentifier: BlockCache] = [:]
  var labels = LabelMemory()
  private(set) var byteCount = 0
  private var frame = 0

  package init(byteLimit: Int = 320 << 20) { self.byteLimit = byteLimit }

  /// What the caches weigh now, in bytes; about.
  package var weight: Int { byteCount }

  /// The projected block, made now if need be.
  func projected(_ block: GeometryBlock, on plane: MapPlane) -> ProjectedBlock {
    let cache = cache(of: block, on: plane)
    if let base = cache.base { return base }
    let base = ProjectedBlock(block, on: plane)
    cache.base = base
    byteCount += base.byteCount
    return base
  }

  /// The paths of a block at a level of detail; `nil` is full detail.
  func paths(of block: GeometryBlock, on plane: MapPlane, level: Int?) -> PathLevel {
    guard let level else { return projected(block, on: plane).paths }
    let cache = cache(of: block, on: plane)
    if let paths = cache.levels[level] { return paths }
    let base = projected(block, on: plane)
    let paths = base.paths.simplified(toLevel: level)
    keep(paths, level, base, in: cache)
    return paths
  }

  /// Makes what is missing for a frame, on all cores; the outcome does not depend on their number.
  func prepare(_ wanted: [GeometryBlock], on plane: MapPlane, level: Int?) {
    struct Task {
      let cache: PlaneCache
      let block: GeometryBlock
    }
    var tasks: [Task] = []
    for block in wanted {
      let cache = cache(of: block, on: plane)
      let isReady = level.map { cache.levels[$0] != nil } ?? (cache.base != nil)
      if !isReady && !cache.isWanted {
        cache.isWanted = true
        tasks.append(Task(cache: cache, block: block))
      }
    }
    guard !tasks.isEmpty else { return }
    tasks.sort { $0.block.vertexCount > $1.block.vertexCount }
    let inputs = tasks.map { (block: $0.block, base: $0.cache.base) }
    let results = Mutex<[Prepared?]>([Prepared?](repeating: nil, count: inputs.count))
    let work: @Sendable (Int) -> Void = { index in
      let base = inputs[index].base ?? ProjectedBlock(inputs[index].block, on: plane)
      let prepared = Prepared(
        base: base, paths: level.map { base.paths.simplified(toLevel: $0) })
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
      guard let result else { continue }
      if task.cache.base == nil {
        task.cache.base = result.base
        byteCount += result.base.byteCount
      }
      if let level, let paths = result.paths { keep(paths, level, result.base, in: task.cache) }
    }
  }

  private func keep(
    _ paths: PathLevel, _ level: Int, _ base: ProjectedBlock, in cache: PlaneCache
  ) {
    cache.levels[level] = paths
    if paths !== base.paths { byteCount += paths.byteCount }
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
    if let known = entry.planes.first(where: { $0.plane == plane }) { return known }
    let made = PlaneCache(plane)
    entry.planes.append(made)
    return made
  }

  /// Starts a frame: drops blocks that only this memory holds, and the least used above the limit.
  func beginFrame() {
    frame += 1
    for (key, entry) in blocks where isKnownUniquelyReferenced(&entry.block) {
      byteCount -= entry.byteCount
      blocks[key] = nil
    }
    guard byteCount > byteLimit else { return }
    let oldest = blocks.sorted {
      ($0.value.lastUsed, $0.value.byteCount) < ($1.value.lastUsed, $1.value.byteCount)
    }
    for (key, entry) in oldest where entry.lastUsed < frame - 1 {
      byteCount -= entry.byteCount
      blocks[key] = nil
      if byteCount <= byteLimit { return }
    }
  }
}

/// What a worker hands back.
private struct Prepared: Sendable {
  let base: ProjectedBlock
  let paths: PathLevel?
}

/// What is remembered of one block; it keeps the block alive so that its identity stays its own.
final class BlockCache {
  var block: GeometryBlock
  var planes: [PlaneCache] = []
  var lastUsed = 0

  init(_ block: GeometryBlock) { self.block = block }

  var byteCount: Int { planes.reduce(0) { $0 + $1.byteCount } }
}

/// What is remembered of one block on one plane.
final class PlaneCache {
  let plane: MapPlane
  var base: ProjectedBlock?
  var levels: [Int: PathLevel] = [:]
  /// Where a polygon's label stands, by row.
  var anchors: [Int: WorldPoint] = [:]
  /// Already on the list of the preparation that is under way.
  var isWanted = false

  init(_ plane: MapPlane) { self.plane = plane }

  var byteCount: Int {
    let own = base?.byteCount ?? 0
    return levels.values.reduce(own) { sum, paths in
      paths === base?.paths ? sum : sum + paths.byteCount
    }
  }
}
