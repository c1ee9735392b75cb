import Dispatch
import PortolanGraphics
import Synchronization

/// The geometries of a document whose coordinates are read beside all else, on all cores.
///
/// Until then its blocks are outlines, without boxes.
final class LaterGeometry: Sendable {
  /// That of the opening under way.
  static let current = TaskLocal<LaterGeometry?>(wrappedValue: nil)

  private struct Work {
    /// The outlines, their frames until a thread takes them, and the blocks made of both: three
    /// rows of one length, in the order of finding.
    var outlines: [GeometryBlock] = []
    var frames: [GeometryBlock.Frame?] = []
    var made: [GeometryBlock?] = []
    /// The number of frames that threads have taken.
    var begun = 0
    /// Whether a thread reads while others are still being found.
    var hasHelper = false
    /// Whether reading has failed or was ended.
    var isOver = false
    /// Outlines that may stay such: layers decide it when all are known.
    var drawn: [(outline: GeometryBlock, frame: GeometryBlock.Frame)] = []

    mutating func add(_ outline: GeometryBlock, _ frame: GeometryBlock.Frame) {
      outlines.append(outline)
      frames.append(frame)
      made.append(nil)
    }

    /// Takes the next outline and its frame; `nil` if there is none yet.
    mutating func next() -> (number: Int, outline: GeometryBlock, frame: GeometryBlock.Frame)? {
      guard !isOver, begun < frames.count, let frame = frames[begun] else { return nil }
      defer { begun += 1 }
      frames[begun] = nil
      return (begun, outlines[begun], frame)
    }
  }

  /// Whether all outlines that may stay such do, whatever their layers are.
  private let keepsOutlines: Bool
  private let work = Mutex(Work())
  private let helper = DispatchGroup()

  init(keepsOutlines: Bool) { self.keepsOutlines = keepsOutlines }

  /// Adds an outline whose coordinates are to be read. Another thread begins with it, unless they
  /// may stay in the file.
  func add(_ outline: GeometryBlock, _ frame: GeometryBlock.Frame) {
    let isAlone = work.withLock { work in
      if outline.stored != nil {
        work.drawn.append((outline, frame))
        return false
      }
      work.add(outline, frame)
      defer { work.hasHelper = true }
      return !work.hasHelper
    }
    guard isAlone else { return }
    DispatchQueue.global().async(group: helper) {
      self.read { $0.hasHelper = false }
    }
  }

  /// Reads one after the other.
  ///
  /// - Parameter end: called where there is none left.
  private func read(_ end: (inout Work) -> Void) {
    while let next = work.withLock({ work in
      let next = work.next()
      if next == nil { end(&work) }
      return next
    }) {
      let block = next.frame.block(next.outline)
      work.withLock { work in
        work.made[next.number] = block
        if block == nil { work.isOver = true }
      }
    }
  }

  /// Ends the reading, and waits for the thread under way.
  func end() {
    work.withLock { $0.isOver = true }
    helper.wait()
  }

  /// The document with all coordinates but those of outlines that may stay such; `nil` if some
  /// cannot be read, or do not fit.
  func filled(_ document: Document) -> Document? {
    addNeeded(of: document)
    // One for each core at most: each reads as long as there are some left.
    DispatchQueue.concurrentPerform(iterations: 64) { _ in read { _ in } }
    helper.wait()
    let work = work.withLock { $0 }
    var geometries: [ObjectIdentifier: GeometryBlock] = [:]
    for (outline, block) in zip(work.outlines, work.made) {
      guard let block else { return nil }
      geometries[ObjectIdentifier(outline)] = block
    }
    // A block that several layers share stays one.
    var blocks: [ObjectIdentifier: FeatureBlock] = [:]
    var filled = document
    for index in filled.layers.indices {
      guard var layer = filled.layers[index] as? any BlockHolding else { continue }
      layer.blocks = layer.blocks.map { block in
        guard let geometry = geometries[ObjectIdentifier(block.geometry)] else { return block }
        let known = blocks[ObjectIdentifier(block)] ?? block.with(geometry)
        blocks[ObjectIdentifier(block)] = known
        return known
      }
      filled.layers[index] = layer
    }
    // An outline elsewhere would stay one.
    return blocks.count == geometries.count ? filled : nil
  }
}

extension LaterGeometry {
  /// Adds the outlines of layers that are not drawn from their files.
  private func addNeeded(of document: Document) {
    work.withLock { work in
      if keepsOutlines { work.drawn = [] }
      if work.drawn.isEmpty { return }
      var kept = Set<ObjectIdentifier>()
      let layers = document.layers.compactMap { $0 as? any BlockHolding }
      for layer in layers where layer.isDrawnFromFile {
        kept.formUnion(layer.blocks.map { ObjectIdentifier($0.geometry) })
      }
      // A block may be of two layers.
      for layer in layers where !layer.isDrawnFromFile {
        kept.subtract(layer.blocks.map { ObjectIdentifier($0.geometry) })
      }
      for (outline, frame) in work.drawn where !kept.contains(ObjectIdentifier(outline)) {
        work.add(outline, frame)
      }
      work.drawn = []
    }
  }
}

extension FeatureBlock {
  /// The same features with a geometry of the same shapes.
  fileprivate func with(_ geometry: GeometryBlock) -> FeatureBlock {
    var parts = parts
    (parts.geometry, parts.unread) = (geometry, unread)
    return FeatureBlock(parts)
  }
}
