import Dispatch
import PortolanGraphics
import PortolanTerminals
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
  private let squareRows = SquareRowsCache()
  /// Makes levels for the next zooms between frames; `nil` where no other frame follows.
  private let ahead: LevelsAhead?
  /// The pictures of the frame under way.
  private var views: [PictureView] = []
  /// The pictures of the last request for levels: most frames look at the same blocks.
  private var lastViews: [PictureView.Key] = []

  /// - Parameter makesAhead: whether levels for the next zooms are made between frames.
  package init(byteLimit: Int = 320 << 20, makesAhead: Bool = false) {
    self.byteLimit = byteLimit
    ahead = makesAhead ? LevelsAhead(squareRows) : nil
  }

  deinit { ahead?.stop() }

  /// The approximate size of the caches, in bytes.
  package var weight: Int { byteCount }

  /// The projected block, made now if it is not cached.
  func projected(_ block: GeometryBlock, on plane: MapPlane) -> ProjectedBlock {
    let cache = cache(of: block, on: plane)
    if let base = cache.base { return base }
    let base = ProjectedBlock(block, on: plane)
    cache.base = base
    count(base.byteCount, in: cache)
    return base
  }

  /// The paths of a block at full detail, made now if they are not kept.
  func fullPaths(of block: GeometryBlock, on plane: MapPlane) -> PathLevel {
    let base = projected(block, on: plane)
    if let paths = base.keptPaths { return paths }
    let paths = base.paths(of: block, on: plane)
    count(paths.byteCount, in: cache(of: block, on: plane))
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
    keepMadeAhead()
    var tasks: [(cache: PlaneCache, block: GeometryBlock, level: Int?)] = []
    for (block, level) in wanted {
      let cache = cache(of: block, on: plane)
      if !cache.has(level) && !cache.isWanted {
        cache.isWanted = true
        tasks.append((cache, block, level))
      }
    }
    guard !tasks.isEmpty else { return }
    ahead?.stop()
    lastViews = []
    tasks.sort { $0.block.vertexCount > $1.block.vertexCount }
    let vertices = tasks.reduce(0) { $0 + $1.block.vertexCount }
    let makers = tasks.map { task in
      var maker = task.cache.maker(of: task.level, task.block)
      maker.takeRows(of: squareRows, for: vertices)
      return maker
    }
    let results = Mutex<[PreparedLevels?]>(
      [PreparedLevels?](repeating: nil, count: makers.count))
    // What is made at once counts beside what is kept.
    let room = Atomic(byteLimit - byteCount)
    let work: @Sendable (Int) -> Void = { index in
      let prepared = makers[index].prepared()
      // Paths at full detail that would not be kept go at once.
      if prepared.isDroppable {
        let size = prepared.base.byteCount
        let left = room.subtract(size, ordering: .relaxed).newValue
        if left < 0 {
          prepared.base.forgetPaths()
          room.add(size - prepared.base.byteCount, ordering: .relaxed)
        }
      }
      prepared.makeGroups()
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
      if let result { keep(result, task.level, in: task.cache) }
    }
  }

  private func keep(_ made: PreparedLevels, _ level: Int?, in cache: PlaneCache) {
    if cache.base?.keptPaths == nil { cache.base = made.base }
    if let level, let paths = made.paths {
      if let finer = made.finer { cache.levels[level + LevelMaker.ahead] = finer }
      cache.levels[level] = paths
    }
    // Workers fill and empty what the cache has.
    count(cache.byteCount - cache.countedBytes, in: cache)
  }

  /// Counts bytes that a cache has beyond those counted.
  private func count(_ bytes: Int, in cache: PlaneCache) {
    cache.countedBytes += bytes
    byteCount += bytes
  }

  // MARK: Ahead

  /// Notes what a picture of the frame shows.
  func note(_ view: PictureView) {
    if ahead != nil { views.append(view) }
  }

  /// Starts making the levels for the next zooms; call it when a frame is shown. The next frame
  /// pauses the work. Requests of former frames are forgotten.
  package func makeAhead() {
    guard let ahead else { return }
    let keys = views.map(\.key)
    if !keys.isEmpty && keys != lastViews {
      lastViews = keys
      keepMadeAhead()
      ahead.make(views.flatMap(wantedNext), room: byteLimit - byteCount)
    }
    ahead.resume()
  }

  /// The levels missing for one or two zooms from a picture: first those of blocks in their
  /// windows, then the others, to which the pointer may zoom.
  private func wantedNext(_ view: PictureView) -> [LevelMaker] {
    let camera = view.camera
    let next = [1, 2].map { camera.zoomed(to: camera.zoom + $0) }.map { ($0, ViewWindow($0)) }
    var (near, far): ([LevelMaker], [LevelMaker]) = ([], [])
    var known = Set<LevelMaker.Key>()
    for block in view.blocks where !block.isOutline {
      let cache = cache(of: block, on: camera.plane)
      for (camera, window) in next {
        let level = PathLevel.level(for: camera, outline: cache.outline)
        let key = LevelMaker.Key(block: ObjectIdentifier(block), level: level)
        guard !cache.has(level), known.insert(key).inserted else { continue }
        let maker = cache.maker(of: level, block)
        if window.sees(cache.outline) { near.append(maker) } else { far.append(maker) }
      }
    }
    return near + far
  }

  /// Makes all levels for the next zooms before it returns.
  func finishAhead() {
    makeAhead()
    ahead?.finish()
    keepMadeAhead()
  }

  /// Takes the worker's finished levels; those of dropped blocks are let go.
  private func keepMadeAhead() {
    for (maker, made) in ahead?.takeMade() ?? [] {
      let planes = blocks[ObjectIdentifier(maker.block)]?.planes ?? []
      guard let cache = planes.first(where: { $0.plane == maker.plane }) else { continue }
      keep(made, maker.level, in: cache)
    }
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
      byteCount -= former.countedBytes
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
    count(made.byteCount, in: cache)
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
    count(made.count * MemoryLayout<Float>.size, in: cache)
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
    ahead?.pause()
    views = []
    frame += 1
    keepMadeAhead()
    for (key, entry) in blocks where isKnownUniquelyReferenced(&entry.block) {
      byteCount -= entry.countedBytes
      blocks[key] = nil
    }
    guard byteCount > byteLimit else { return }
    let oldest = blocks.sorted {
      ($0.value.lastUsed, $0.value.countedBytes) < ($1.value.lastUsed, $1.value.countedBytes)
    }
    for (key, entry) in oldest where entry.lastUsed < frame - 8 {
      byteCount -= entry.countedBytes
      blocks[key] = nil
      if byteCount <= byteLimit { return }
    }
  }
}

/// The camera and the blocks of a picture, on which alone the levels for its next zooms depend.
struct PictureView {
  /// Identifies a view without keeping its blocks alive.
  struct Key: Equatable {
    let plane: MapPlane
    let zoom: Double
    let size: CellSize
    let blocks: [ObjectIdentifier]
    /// The number of blocks whose coordinates were not read yet: they have no levels ahead.
    let outlines: Int
  }

  let camera: Camera
  let blocks: [GeometryBlock]

  var key: Key {
    Key(
      plane: camera.plane, zoom: camera.zoom, size: camera.size,
      blocks: blocks.map { ObjectIdentifier($0) }, outlines: blocks.count(where: \.isOutline))
  }
}

/// The cache of one block; it keeps the block alive so that its identity stays unique.
final class BlockCache {
  var block: GeometryBlock
  var planes: [PlaneCache] = []
  var lastUsed = 0

  init(_ block: GeometryBlock) { self.block = block }

  var countedBytes: Int { planes.reduce(0) { $0 + $1.countedBytes } }
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
  /// The part of `byteCount` that the memory has counted: workers fill what the cache has.
  var countedBytes = 0

  init(_ block: GeometryBlock, _ plane: MapPlane) {
    self.plane = plane
    outline = plane.worldBox(block.box)
  }

  func keep(_ anchor: AreaAnchor, ofArea row: Int) {
    anchorByteCount += anchor.byteCount
    anchors[row] = anchor
  }

  /// Whether a level is there; `nil` is full detail.
  func has(_ level: Int?) -> Bool {
    if let level { levels[level] != nil } else { base?.keptPaths != nil }
  }

  /// What makes a level of the block.
  func maker(of level: Int?, _ block: GeometryBlock) -> LevelMaker {
    LevelMaker(
      block: block, plane: plane, base: base, level: level,
      finer: level.flatMap { finer(than: $0) })
  }

  /// The next finer cached level.
  func finer(than level: Int) -> PathLevel? {
    var next: (level: Int, paths: PathLevel)?
    for (known, paths) in levels where known > level && known < next?.level ?? .max {
      next = (known, paths)
    }
    return next?.paths
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
