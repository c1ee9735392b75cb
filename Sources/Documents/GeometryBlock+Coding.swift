import Archiving
import PortolanGraphics
import PropertyLists

/// The geometry's part of an archived block; not an object of its own there.
extension GeometryBlock {
  func encode(with coder: any EncodingCoder) throws {
    guard readCoordinates() else {
      throw DocumentError(.corrupt, "coordinates that could not be read")
    }
    try coder.encodePacked(coordinates, forKey: "coordinates")
    try coder.encodePacked(elevations, forKey: "elevations")
    try coder.encodePacked(pathEnds, forKey: "pathEnds")
    try coder.encodePacked(pathRoles.map(\.rawValue), forKey: "pathRoles")
    try coder.encodePacked(featureEnds, forKey: "featureEnds")
    try coder.encodePacked(kinds.map(\.rawValue), forKey: "kinds")
    // Journals have no keys, and so no values that may be absent.
    if coder.allowsKeyedCoding, storesBoxes {
      try coder.encodePacked(StoredBoxes.numbers(boxes), forKey: "boxes")
    }
  }

  /// Whether the boxes are written: they spare a reader of a part the coordinates, and cost at most
  /// a quarter of them.
  private var storesBoxes: Bool { vertexCount >= 4_096 && vertexCount / 8 >= featureCount }

  /// The features of a block whose coordinates are needed, as far as its attributes decide that.
  enum AskedRows {
    case all
    /// Only these, in runs of rows that rise.
    case runs([Range<Int>])
    /// The attributes decide nothing.
    case byShape
  }

  static func decode(
    with coder: any DecodingCoder, for needs: DocumentNeeds, asked: AskedRows
  ) throws -> GeometryBlock {
    switch asked {
    case .runs(let runs) where !runs.isEmpty:
      if let part = try part(with: coder, of: runs) { return part }
    case .runs, .byShape:
      if !needs.haveShapes {
        if let outline = try outline(with: coder, unless: needs) { return outline }
      } else if let later = LaterGeometry.current.get(), let frame = try frame(with: coder) {
        // A whole reading does not use the stored boxes.
        let mayStay = needs != .all && frame.elevations == nil
        let boxes = mayStay ? try StoredBoxes.boxes(with: coder, count: frame.kinds.count) : nil
        if boxes == nil { _ = try coder.archivedDataIfPresent(forKey: "boxes") }
        let stored = boxes == nil ? nil : frame.stored
        if let outline = frame.outline(boxes: boxes ?? [], stored: stored) {
          later.add(outline, frame)
          return outline
        }
      }
    case .all: break
    }
    // A whole reading computes the boxes from the coordinates; stored ones are not used.
    if coder.allowsKeyedCoding { _ = try coder.archivedDataIfPresent(forKey: "boxes") }
    let coordinates = try coder.decodePacked(Double.self, forKey: "coordinates")
    guard coordinates.count % 2 == 0 else {
      throw coder.invalidValue("a vertex has two numbers", forKey: "coordinates")
    }
    let vertices = coordinates.count / 2
    let elevations = try coder.decodePackedIfPresent(Double.self, forKey: "elevations") ?? []
    guard elevations.isEmpty || elevations.count == vertices else {
      throw coder.invalidValue("one a vertex is needed, or none", forKey: "elevations")
    }
    let pathEnds = try ends("pathEnds", to: vertices, coder)
    let roles = try coder.decodePacked(UInt8.self, forKey: "pathRoles")
    guard roles.count == pathEnds.count else {
      throw coder.invalidValue("one a path is needed", forKey: "pathRoles")
    }
    let featureEnds = try ends("featureEnds", to: roles.count, coder)
    let kinds = try coder.decodePacked(UInt8.self, forKey: "kinds")
    guard kinds.count == featureEnds.count,
      kinds.allSatisfy({ $0 <= GeometryKind.geometryCollection.rawValue })
    else { throw coder.invalidValue("one a feature is needed, 0 to 7", forKey: "kinds") }
    guard belong(roles, featureEnds, kinds) else {
      throw coder.invalidValue("a role that does not belong to its feature", forKey: "pathRoles")
    }
    let block = GeometryBlock(
      coordinates: coordinates, elevations: elevations, pathEnds: pathEnds,
      pathRoles: roles.map { PathRole(rawValue: $0) }, featureEnds: featureEnds,
      kinds: kinds.map { GeometryKind(rawValue: $0) ?? .none })
    guard let block else {
      throw coder.invalidValue("arrays that do not fit together", forKey: "coordinates")
    }
    return block
  }

  /// What a block has besides its coordinates.
  struct Frame {
    var coordinates: ArchivedData
    var elevations: ArchivedData?
    var vertices: Int
    var pathEnds: [UInt32]
    var roles: [UInt8]
    var featureEnds: [UInt32]
    var kinds: [UInt8]

    /// The block without its coordinates; `nil` if the arrays do not fit together.
    func outline(boxes: [Box], stored: (any StoredCoordinates)? = nil) -> GeometryBlock? {
      GeometryBlock(
        outlineOf: vertices, pathEnds: pathEnds, pathRoles: roles.map { PathRole(rawValue: $0) },
        featureEnds: featureEnds, kinds: kinds.map { GeometryKind(rawValue: $0) ?? .none },
        boxes: boxes, stored: stored)
    }

    /// Where its coordinates are.
    var stored: StoredVertices { StoredVertices(coordinates: coordinates, elevations: elevations) }

    /// An outline of it with its coordinates, read now; `nil` if they cannot be read.
    func block(_ outline: GeometryBlock) -> GeometryBlock? {
      stored.read().flatMap { coordinates, elevations in
        GeometryBlock(outline, coordinates: coordinates, elevations: elevations)
      }
    }
  }

  /// The vertices of a block in its archive.
  struct StoredVertices: StoredCoordinates {
    let coordinates: ArchivedData
    let elevations: ArchivedData?

    func read() -> (coordinates: [Double], elevations: [Double])? {
      guard let coordinates = coordinates.elements(of: Double.self) else { return nil }
      let elevations = elevations.map { $0.elements(of: Double.self) } ?? []
      return elevations.map { (coordinates, $0) }
    }

    func check() throws { try coordinates.checkSource() }
  }

  /// The frame of a block; `nil` if a part is wrong, which the whole reading reports.
  private static func frame(with coder: any DecodingCoder) throws -> Frame? {
    let coordinates = try coder.archivedData(forKey: "coordinates")
    guard coordinates.count % 16 == 0 else { return nil }
    let vertices = coordinates.count / 16
    var elevations = try coder.archivedDataIfPresent(forKey: "elevations")
    if elevations?.count == 0 { elevations = nil }
    guard elevations == nil || elevations?.count == 8 * vertices else { return nil }
    let pathEnds = try ends("pathEnds", to: vertices, coder)
    let roles = try coder.decodePacked(UInt8.self, forKey: "pathRoles")
    let featureEnds = try ends("featureEnds", to: roles.count, coder)
    let kinds = try coder.decodePacked(UInt8.self, forKey: "kinds")
    guard roles.count == pathEnds.count, kinds.count == featureEnds.count,
      kinds.allSatisfy({ $0 <= GeometryKind.geometryCollection.rawValue }),
      belong(roles, featureEnds, kinds)
    else { return nil }
    return Frame(
      coordinates: coordinates, elevations: elevations, vertices: vertices, pathEnds: pathEnds,
      roles: roles, featureEnds: featureEnds, kinds: kinds)
  }

  /// The block without its coordinates; `nil` if these are needed, or if a part is wrong, which the
  /// whole reading reports.
  private static func outline(
    with coder: any DecodingCoder, unless needs: DocumentNeeds
  ) throws -> GeometryBlock? {
    guard let frame = try frame(with: coder) else { return nil }
    let stored = try StoredBoxes.boxes(with: coder, count: frame.kinds.count)
    let boxes =
      needs.includesBoxes
      ? stored ?? boxes(of: frame.coordinates, frame.pathEnds, frame.featureEnds)
      : Array(repeating: Box.empty, count: frame.kinds.count)
    guard let boxes else { return nil }
    guard let outline = frame.outline(boxes: boxes),
      !needs.includes(outline, hasElevations: frame.elevations != nil)
    else {
      return nil
    }
    return outline
  }

  /// The block with the shapes of some rows; the others have none. `nil` if a part is wrong, which
  /// the whole reading reports.
  private static func part(
    with coder: any DecodingCoder, of runs: [Range<Int>]
  ) throws -> GeometryBlock? {
    guard let frame = try frame(with: coder), let last = runs.last,
      last.upperBound <= frame.kinds.count
    else { return nil }
    if coder.allowsKeyedCoding { _ = try coder.archivedDataIfPresent(forKey: "boxes") }
    let kept = runs.map { between(between($0, frame.featureEnds), frame.pathEnds) }
    guard let coordinates = pieces(of: frame.coordinates, kept, numbers: 2),
      let elevations = frame.elevations.map({ pieces(of: $0, kept, numbers: 1) }) ?? []
    else { return nil }
    var pathEnds: [UInt32] = []
    var roles: [PathRole] = []
    var featureEnds: [UInt32] = []
    var kinds = [GeometryKind](repeating: .none, count: frame.kinds.count)
    featureEnds.reserveCapacity(kinds.count)
    var vertices: UInt32 = 0
    for (run, vertexRun) in zip(runs, kept) {
      while featureEnds.count < run.lowerBound { featureEnds.append(UInt32(pathEnds.count)) }
      let paths = between(run, frame.featureEnds)
      // Both shifts lead downwards: omitted values come before.
      let pathShift = UInt32(paths.lowerBound - pathEnds.count)
      let vertexShift = UInt32(vertexRun.lowerBound) - vertices
      for path in paths {
        pathEnds.append(frame.pathEnds[path] - vertexShift)
        roles.append(PathRole(rawValue: frame.roles[path]))
      }
      for row in run {
        featureEnds.append(frame.featureEnds[row] - pathShift)
        kinds[row] = GeometryKind(rawValue: frame.kinds[row]) ?? .none
      }
      vertices += UInt32(vertexRun.count)
    }
    while featureEnds.count < kinds.count { featureEnds.append(UInt32(pathEnds.count)) }
    return GeometryBlock(
      coordinates: coordinates, elevations: elevations, pathEnds: pathEnds, pathRoles: roles,
      featureEnds: featureEnds, kinds: kinds)
  }

  /// The items of a run: from the end of the one before it to its last end.
  private static func between(_ run: Range<Int>, _ ends: [UInt32]) -> Range<Int> {
    func start(_ index: Int) -> Int { index == 0 ? 0 : Int(ends[index - 1]) }
    return start(run.lowerBound)..<start(run.upperBound)
  }

  /// The numbers of some runs of vertices, which rise and lie within the data; `nil` if they cannot
  /// be read.
  ///
  /// All from the first run to the last is read at once: calls of the system cost more than memory.
  private static func pieces(
    of data: ArchivedData, _ runs: [Range<Int>], numbers: Int
  ) -> [Double]? {
    guard let first = runs.first, let last = runs.last else { return [] }
    let start = first.lowerBound
    var isRead = false
    let all = [Double](unsafeUninitializedCapacity: numbers * (last.upperBound - start)) {
      room, made in
      isRead = data.copyBytes(
        from: 8 * numbers * start, to: UnsafeMutableRawBufferPointer(room))
      guard isRead, let base = room.baseAddress else { return }
      for run in runs {
        let count = numbers * run.count
        (base + made).update(from: base + numbers * (run.lowerBound - start), count: count)
        made += count
      }
    }
    if !isRead { return nil }
    #if _endian(little)
      return all
    #else
      return all.map(\.littleEndianBytes)
    #endif
  }

  /// The boxes of the features, from coordinates that are read piece by piece into the same memory;
  /// `nil` if they cannot be read.
  private static func boxes(
    of coordinates: ArchivedData, _ pathEnds: [UInt32], _ featureEnds: [UInt32]
  ) -> [Box]? {
    var boxes = FeatureBoxes(pathEnds: pathEnds, featureEnds: featureEnds)
    let isRead = withUnsafeTemporaryAllocation(of: Double.self, capacity: pieceCount) { room in
      var offset = 0
      while offset < coordinates.count {
        let count = min(pieceCount, (coordinates.count - offset) / 8)
        let piece = UnsafeMutableBufferPointer(rebasing: room[..<count])
        guard coordinates.copyBytes(from: offset, to: UnsafeMutableRawBufferPointer(piece)) else {
          return false
        }
        for place in piece.indices { piece[place] = piece[place].littleEndianBytes }
        boxes.add(UnsafeBufferPointer(piece))
        offset += 8 * count
      }
      return true
    }
    return isRead ? boxes.boxes : nil
  }

  /// The numbers of a piece: even, and of a size that stays in the processor's cache.
  private static let pieceCount = 1 << 14

  private static func ends(
    _ key: String, to last: Int, _ coder: any DecodingCoder
  ) throws -> [UInt32] {
    let ends = try coder.decodePacked(UInt32.self, forKey: key)
    var previous: UInt32 = 0
    for end in ends {
      guard end >= previous else {
        throw coder.invalidValue("the ends must never fall", forKey: key)
      }
      previous = end
    }
    guard Int(previous) == last else {
      throw coder.invalidValue("the last end is \(previous), not \(last)", forKey: key)
    }
    return ends
  }

  /// Whether every path's role belongs to its feature's kind.
  static func belong(_ roles: [UInt8], _ featureEnds: [UInt32], _ kinds: [UInt8]) -> Bool {
    var path = 0
    for (kind, end) in zip(kinds, featureEnds) {
      while path < Int(end) {
        let role = roles[path]
        guard role < 32, role & 7 >= 1, role & 7 <= 6, kind == 7 || role & 7 == kind else {
          return false
        }
        path += 1
      }
    }
    return true
  }
}

/// The boxes of a block's features in the archive: four numbers each.
private enum StoredBoxes {
  /// The least and the greatest x and y of each box; negative zero is written as zero.
  static func numbers(_ boxes: [Box]) -> [Double] {
    boxes.flatMap { [$0.minX + 0, $0.minY + 0, $0.maxX + 0, $0.maxY + 0] }
  }

  /// The boxes of so many features; `nil` if there are none, or none that are boxes.
  static func boxes(with coder: any DecodingCoder, count: Int) throws -> [Box]? {
    guard let data = try coder.archivedDataIfPresent(forKey: "boxes"), data.count % 32 == 0,
      data.count / 32 == count
    else { return nil }
    var areBoxes = true
    let boxes = [Box](unsafeUninitializedCapacity: count) { room, made in
      // The four numbers of a box lie in its memory as they do in the archive.
      areBoxes = data.copyBytes(from: 0, to: UnsafeMutableRawBufferPointer(room))
      guard areBoxes else { return }
      for row in 0..<count {
        let box = Box(
          minX: room[row].minX.littleEndianBytes, minY: room[row].minY.littleEndianBytes,
          maxX: room[row].maxX.littleEndianBytes, maxY: room[row].maxY.littleEndianBytes)
        // Finite and in order, or empty.
        let (width, height) = (box.maxX - box.minX, box.maxY - box.minY)
        let isBox = width >= 0 && width.isFinite && height >= 0 && height.isFinite
        areBoxes = areBoxes && (isBox || box == .empty)
        room.initializeElement(at: row, to: box)
      }
      made = count
    }
    return areBoxes ? boxes : nil
  }
}
