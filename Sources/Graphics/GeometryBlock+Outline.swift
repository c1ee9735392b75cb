import Synchronization

/// The coordinates of an outline in its file.
package protocol StoredCoordinates: Sendable {
  /// Reads them; `nil` where that fails.
  func read() -> (coordinates: [Double], elevations: [Double])?
  /// Throws if any of the file could not be read, or may have changed since it was opened.
  func check() throws
}

/// Blocks whose coordinates were left in their file.
extension GeometryBlock {
  /// Two doubles a vertex, x then y.
  ///
  /// An outline reads them from its file when they are first asked for, and keeps them; it has none
  /// if it is for counts and boxes alone.
  package var coordinates: [Double] { later.map { shape($0).coordinates } ?? held }

  /// For features of many vertices: the boxes of their parts.
  package var parts: [Int: FeatureParts] { later.map { shape($0).parts } ?? heldParts }

  /// Whether its coordinates are in its file and were not read yet.
  package var isOutline: Bool { vertexCount > 0 && (later.map { !$0.isRead } ?? held.isEmpty) }

  /// Whether it is an outline for counts and boxes alone, which never has coordinates.
  package var hasNoCoordinates: Bool { vertexCount > 0 && later == nil && held.isEmpty }

  /// Whether its coordinates were read, and are not those of its features.
  package var hasLostCoordinates: Bool { later?.isLost ?? false }

  /// Where the coordinates of an outline are; `nil` when they were read, and where they are not to
  /// be read.
  package var stored: (any StoredCoordinates)? { later?.source }

  /// Reads the coordinates if they are still in the file.
  ///
  /// - Returns: whether they are those of the features; else they are not finite: the file could
  ///   not be read, was changed, or has boxes that do not fit them.
  package func readCoordinates() -> Bool { later.map { shape($0).isSound } ?? true }

  private func shape(_ later: LaterShape) -> LaterShape.Shape {
    later.shape { stored in
      if let stored, let (coordinates, elevations) = stored.read(), elevations.isEmpty,
        coordinates.count == 2 * vertexCount
      {
        let (boxes, parts) = FeatureParts.measured(coordinates, pathEnds, featureEnds)
        if boxes == self.boxes, (try? stored.check()) != nil {
          return LaterShape.Shape(coordinates, parts)
        }
      }
      return LaterShape.Shape(lostOf: vertexCount)
    }
  }

  /// The block with its coordinates, read now and kept nowhere else; itself if it has them, or they
  /// are not to be drawn.
  ///
  /// Those that cannot be read are not finite, so that nothing is drawn: whoever shows the result
  /// asks `stored` first whether all was read.
  package var drawable: GeometryBlock {
    guard isOutline, let stored else { return self }
    if let (coordinates, elevations) = stored.read(),
      let block = GeometryBlock(
        self, coordinates: coordinates, elevations: elevations, isDrawnOnce: true)
    {
      return block
    }
    let none = [Double](repeating: .nan, count: 2 * vertexCount)
    return GeometryBlock(self, coordinates: none, elevations: []) ?? self
  }

  /// The outline of some features of an outline; `nil` if the runs do not rise within it.
  package func outline(of runs: [Range<Int>]) -> GeometryBlock? {
    var (pathEnds, roles, featureEnds): ([UInt32], [PathRole], [UInt32]) = ([], [], [])
    var (kinds, boxes): ([GeometryKind], [Box]) = ([], [])
    var vertices = 0
    var former = 0
    for run in runs {
      guard run.lowerBound >= former, run.upperBound <= featureCount else { return nil }
      former = run.upperBound
      for feature in run {
        for path in paths(ofFeature: feature) {
          vertices += self.vertices(ofPath: path).count
          pathEnds.append(UInt32(truncatingIfNeeded: vertices))
          roles.append(pathRoles[path])
        }
        featureEnds.append(UInt32(truncatingIfNeeded: pathEnds.count))
      }
      kinds += self.kinds[run]
      boxes += self.boxes[run]
    }
    return GeometryBlock(
      outlineOf: vertices, pathEnds: pathEnds, pathRoles: roles, featureEnds: featureEnds,
      kinds: kinds, boxes: boxes)
  }
}

/// The coordinates of an outline, read from its file at most once.
final class LaterShape: Sendable {
  /// What was read.
  final class Shape: Sendable {
    let coordinates: [Double]
    let parts: [Int: FeatureParts]
    /// Whether these are the coordinates of the features.
    let isSound: Bool

    init(_ coordinates: [Double], _ parts: [Int: FeatureParts]) {
      (self.coordinates, self.parts, isSound) = (coordinates, parts, true)
    }

    /// The shape of so many vertices whose coordinates cannot be read.
    init(lostOf vertexCount: Int) {
      coordinates = Array(repeating: .nan, count: 2 * vertexCount)
      (parts, isSound) = ([:], false)
    }
  }

  private let made = AtomicLazyReference<Shape>()
  /// Let go when it was read: it keeps the file open.
  private let unread: Mutex<(any StoredCoordinates)?>

  init(_ stored: any StoredCoordinates) { unread = Mutex(stored) }

  var isRead: Bool { made.load() != nil }
  var isLost: Bool { made.load().map { !$0.isSound } ?? false }
  var source: (any StoredCoordinates)? { unread.withLock { $0 } }

  /// The coordinates; threads that ask meanwhile wait for the one that reads them.
  func shape(_ read: ((any StoredCoordinates)?) -> Shape) -> Shape {
    if let shape = made.load() { return shape }
    return unread.withLock { unread in
      if let shape = made.load() { return shape }
      let shape = made.storeIfNil(read(unread))
      unread = nil
      return shape
    }
  }
}
