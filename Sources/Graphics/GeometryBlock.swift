import Synchronization

/// The kind of a feature's geometry, in the terms of RFC 7946 section 1.4.
package enum GeometryKind: UInt8, Hashable, Sendable, CaseIterable {
  /// No geometry: an unlocated feature (`"geometry": null`).
  case none = 0
  case point = 1
  case multiPoint = 2
  case lineString = 3
  case multiLineString = 4
  case polygon = 5
  case multiPolygon = 6
  case geometryCollection = 7

  /// The name in GeoJSON; `nil` for an unlocated feature.
  package var name: String? {
    switch self {
    case .none: nil
    case .point: "Point"
    case .multiPoint: "MultiPoint"
    case .lineString: "LineString"
    case .multiLineString: "MultiLineString"
    case .polygon: "Polygon"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }

  /// 0 for points, 1 for lines, 2 for areas; `nil` for none and for collections.
  package var dimension: Int? {
    switch self {
    case .point, .multiPoint: 0
    case .lineString, .multiLineString: 1
    case .polygon, .multiPolygon: 2
    case .none, .geometryCollection: nil
    }
  }
}

/// The role of one path of a feature: the kind of its geometry, and the beginnings of parts.
///
/// One byte, in memory as in the archive:
///
///     bits 0-2  the `GeometryKind` of the member geometry (1 to 6)
///     bit 3     first path of a member geometry (set once in a plain feature; one per member of
///               a collection)
///     bit 4     first ring of a polygon (an outer ring); a polygon's path without it is a hole
package struct PathRole: RawRepresentable, Hashable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(kind: GeometryKind, beginsMember: Bool, beginsPolygon: Bool) {
    rawValue = kind.rawValue | (beginsMember ? 8 : 0) | (beginsPolygon ? 16 : 0)
  }

  package var kind: GeometryKind { GeometryKind(rawValue: rawValue & 7) ?? .none }
  package var beginsMember: Bool { rawValue & 8 != 0 }
  package var beginsPolygon: Bool { rawValue & 16 != 0 }
  package var isRing: Bool { kind == .polygon || kind == .multiPolygon }
  package var isHole: Bool { isRing && !beginsPolygon }
}

/// The geometry of a run of features: flat, immutable, and its own identity for caches.
///
/// A path is a run of vertices: a point (one vertex), the points of a multi-point, a line, or a
/// ring (closed: the last vertex equals the first). A feature is a run of paths. About 1,000
/// features or 16,384 vertices make a block; a single larger feature makes a block of its own.
///
///     coordinates   x0 y0 x1 y1 …          two doubles a vertex
///     pathEnds      end vertex of path i   (its start is the end of path i-1)
///     featureEnds   end path of feature i  (its start is the end of feature i-1)
package final class GeometryBlock: Sendable {
  /// The coordinates of a block that is no outline.
  let held: [Double]
  package let vertexCount: Int
  /// Empty, or one double a vertex; NaN where the vertex has no third ordinate.
  package let elevations: [Double]
  /// The vertex after the last of each path; never falls.
  package let pathEnds: [UInt32]
  /// One role a path.
  package let pathRoles: [PathRole]
  /// The path after the last of each feature; never falls.
  package let featureEnds: [UInt32]
  /// One kind a feature.
  package let kinds: [GeometryKind]
  /// One box a feature; empty for features without vertices.
  package let boxes: [Box]
  /// The union of `boxes`.
  package let box: Box
  /// The range of each feature to the south and north, rounded outwards: a quarter of the size of
  /// `boxes`, for skipping the many features that are far away.
  package let spansY: [SIMD2<Float>]
  /// The boxes of the parts of features of many vertices; none of an outline.
  let heldParts: [Int: FeatureParts]
  /// The coordinates of an outline that may be read; `nil` of others.
  let later: LaterShape?
  private let madeTree = Mutex<BoxTree?>(nil)

  /// Makes a block of arrays that fit together; `nil` if they do not.
  ///
  /// - Complexity: O(vertices), for the boxes and the checks.
  package init?(
    coordinates: [Double], elevations: [Double], pathEnds: [UInt32], pathRoles: [PathRole],
    featureEnds: [UInt32], kinds: [GeometryKind]
  ) {
    let vertexCount = coordinates.count / 2
    guard coordinates.count % 2 == 0, elevations.isEmpty || elevations.count == vertexCount,
      pathRoles.count == pathEnds.count, kinds.count == featureEnds.count,
      Self.isRising(pathEnds, to: vertexCount), Self.isRising(featureEnds, to: pathEnds.count)
    else { return nil }
    held = coordinates
    self.vertexCount = vertexCount
    self.elevations = elevations
    self.pathEnds = pathEnds
    self.pathRoles = pathRoles
    self.featureEnds = featureEnds
    self.kinds = kinds
    (boxes, heldParts) = FeatureParts.measured(coordinates, pathEnds, featureEnds)
    box = boxes.reduce(.empty) { $0.union($1) }
    spansY = boxes.map(\.spanY)
    later = nil
  }

  /// Makes an outline with its coordinates; `nil` if they are not as many as it has vertices.
  ///
  /// - Parameter isDrawnOnce: whether it is only drawn, for which the boxes of parts are not made.
  /// - Complexity: O(vertices), for the boxes; what an outline has is not copied.
  package init?(
    _ outline: GeometryBlock, coordinates: [Double], elevations: [Double],
    isDrawnOnce: Bool = false
  ) {
    vertexCount = outline.vertexCount
    guard coordinates.count == 2 * vertexCount,
      elevations.isEmpty || elevations.count == vertexCount
    else { return nil }
    held = coordinates
    self.elevations = elevations
    pathEnds = outline.pathEnds
    pathRoles = outline.pathRoles
    featureEnds = outline.featureEnds
    kinds = outline.kinds
    if isDrawnOnce {
      (boxes, heldParts) = (FeatureParts.boxes(coordinates, pathEnds, featureEnds), [:])
    } else {
      (boxes, heldParts) = FeatureParts.measured(coordinates, pathEnds, featureEnds)
    }
    box = boxes.reduce(.empty) { $0.union($1) }
    spansY = boxes.map(\.spanY)
    later = nil
  }

  /// Makes a block of a builder's arrays, which are known to fit together, with the boxes that the
  /// builder computed on the way.
  package init(
    unchecked coordinates: [Double], elevations: [Double], pathEnds: [UInt32],
    pathRoles: [PathRole], featureEnds: [UInt32], kinds: [GeometryKind], boxes: [Box]
  ) {
    held = coordinates
    vertexCount = coordinates.count / 2
    self.elevations = elevations
    self.pathEnds = pathEnds
    self.pathRoles = pathRoles
    self.featureEnds = featureEnds
    self.kinds = kinds
    self.boxes = boxes
    self.box = boxes.reduce(.empty) { $0.union($1) }
    spansY = boxes.map(\.spanY)
    heldParts = FeatureParts.all(coordinates, pathEnds, featureEnds)
    later = nil
  }

  /// Makes an outline: a block whose coordinates were left in its file; `nil` if the arrays do not
  /// fit together.
  ///
  /// Only readers who say what they need get one (`DocumentNeeds`). It has no elevations.
  ///
  /// - Parameters:
  ///   - boxes: one a feature; none of an outline that is soon given its coordinates.
  ///   - stored: where its coordinates are; without it, it is for counts and boxes alone.
  package init?(
    outlineOf vertexCount: Int, pathEnds: [UInt32], pathRoles: [PathRole], featureEnds: [UInt32],
    kinds: [GeometryKind], boxes: [Box], stored: (any StoredCoordinates)? = nil
  ) {
    guard pathRoles.count == pathEnds.count, kinds.count == featureEnds.count,
      boxes.isEmpty || boxes.count == kinds.count, Self.isRising(pathEnds, to: vertexCount),
      Self.isRising(featureEnds, to: pathEnds.count)
    else { return nil }
    held = []
    self.vertexCount = vertexCount
    elevations = []
    self.pathEnds = pathEnds
    self.pathRoles = pathRoles
    self.featureEnds = featureEnds
    self.kinds = kinds
    self.boxes = boxes
    self.box = boxes.reduce(.empty) { $0.union($1) }
    spansY = boxes.map(\.spanY)
    heldParts = [:]
    later = stored.map { LaterShape($0) }
  }

  /// The tree of `boxes`, made when it is first asked for.
  package var boxTree: BoxTree {
    madeTree.withLock { tree in
      if let tree { return tree }
      let made = BoxTree(boxes)
      tree = made
      return made
    }
  }

  package var featureCount: Int { featureEnds.count }

  /// The paths of a feature.
  ///
  /// - Precondition: `feature` is below `featureCount`.
  package func paths(ofFeature feature: Int) -> Range<Int> {
    (feature == 0 ? 0 : Int(featureEnds[feature - 1]))..<Int(featureEnds[feature])
  }

  /// The vertices of a path.
  ///
  /// - Precondition: `path` is below `pathEnds.count`.
  package func vertices(ofPath path: Int) -> Range<Int> {
    (path == 0 ? 0 : Int(pathEnds[path - 1]))..<Int(pathEnds[path])
  }

  /// A vertex of the block.
  ///
  /// - Precondition: `vertex` is below `vertexCount`.
  package func coordinate(at vertex: Int) -> Coordinate {
    if later == nil { return Coordinate(x: held[2 * vertex], y: held[2 * vertex + 1]) }
    let numbers = coordinates
    return Coordinate(x: numbers[2 * vertex], y: numbers[2 * vertex + 1])
  }

  private static func isRising(_ ends: [UInt32], to last: Int) -> Bool {
    var previous: UInt32 = 0
    for end in ends {
      if end < previous { return false }
      previous = end
    }
    return Int(previous) == last
  }
}
