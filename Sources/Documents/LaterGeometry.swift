import Dispatch
import PortolanGraphics
import Synchronization

/// The geometries of a document whose coordinates are read when all else is made, on all cores.
///
/// Until then its blocks are outlines, without boxes.
final class LaterGeometry: Sendable {
  /// That of the opening under way.
  static let current = TaskLocal<LaterGeometry?>(wrappedValue: nil)

  private typealias Later = (outline: GeometryBlock, frame: GeometryBlock.Frame)
  private let found = Mutex<[ObjectIdentifier: Later]>([:])

  /// Notes what the coordinates of an outline are read for.
  func add(_ outline: GeometryBlock, _ frame: GeometryBlock.Frame) {
    found.withLock { $0[ObjectIdentifier(outline)] = (outline, frame) }
  }

  /// The document with all coordinates; `nil` if some cannot be read, or do not fit.
  func filled(_ document: Document) -> Document? {
    let found = found.withLock { $0 }
    // A block that several layers share stays one.
    var blocks: [ObjectIdentifier: FeatureBlock] = [:]
    for case let layer as any BlockHolding in document.layers {
      for block in layer.blocks where found[ObjectIdentifier(block.geometry)] != nil {
        blocks[ObjectIdentifier(block)] = block
      }
    }
    // An outline elsewhere would stay one.
    guard blocks.count == found.count else { return nil }
    let due = Array(blocks.values)
    let made = Mutex<[FeatureBlock?]>(Array(repeating: nil, count: due.count))
    let isWrong = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: due.count) { index in
      guard !isWrong.load(ordering: .relaxed) else { return }
      let block = due[index]
      let geometry = found[ObjectIdentifier(block.geometry)]?.frame.block()
      if geometry == nil { isWrong.store(true, ordering: .relaxed) }
      made.withLock { $0[index] = geometry.map(block.with) }
    }
    for (outline, block) in zip(due, made.withLock({ $0 })) {
      guard let block else { return nil }
      blocks[ObjectIdentifier(outline)] = block
    }
    var filled = document
    for index in filled.layers.indices {
      guard var layer = filled.layers[index] as? any BlockHolding else { continue }
      layer.blocks = layer.blocks.map { blocks[ObjectIdentifier($0)] ?? $0 }
      filled.layers[index] = layer
    }
    return filled
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
