import PortolanDocuments
import PortolanGraphics

/// Well-known binary (OGC 06-103r4, clause 8) and PostGIS' own form of it with flags.
///
///     00  1   01 least significant byte first, 00 most significant first
///     01  4   kind: 1 point … 7 collection, 8 to 12 with arcs; 1000 more with z, 2000 with m,
///             3000 with both; or flags 80000000 z, 40000000 m, 20000000 a system follows
///     05 (4)  the code of the system
///             a point: x, y, z, m; a line: a count and positions; a polygon: a count of rings; a
///             multi-geometry or collection: a count of geometries, each with its own head
enum WKB {
  /// Why bytes are no geometry.
  struct Fault: Error, Hashable {
    var offset: Int
    var reason: String
  }

  /// The deepest nesting of collections.
  static let collectionsMax = 64

  /// What a geometry has beyond the paths that are read.
  struct Findings {
    /// The code of the system that stands in it.
    var system: UInt32?
    var hasMeasures = false
    var nestedCount = 0
    /// Whether arcs became lines of short steps.
    var hasArcs = false
  }

  /// Whether the bytes begin as a geometry does.
  static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    let head = Array(bytes.prefix(5))
    guard head.count == 5, head[0] < 2 else { return false }
    let word = head[0] == 1 ? head[1...] : ArraySlice(head[1...].reversed())
    let code = word.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return (1...12).contains((code & 0x0FFF_FFFF) % 1000) && code & 0x0FFF_FFFF < 4000
  }
}

/// Reads geometries into the arrays of a block.
struct WKBReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private(set) var findings = WKB.Findings()
  /// How many positions arcs may still add; that of all geometries of a file.
  var room: Arcs.Room

  init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0, room: Arcs.Room? = nil) {
    (self.bytes, self.position) = (bytes, position)
    self.room = room ?? Arcs.Room(bytes: bytes.count)
  }

  private struct Head {
    var kind: GeometryKind
    /// The number of the kind.
    var number: UInt32
    var isLittle: Bool
    var hasHeights: Bool
    var hasMeasures: Bool

    var numbers: Int { 2 + (hasHeights ? 1 : 0) + (hasMeasures ? 1 : 0) }
  }

  /// Appends the paths of a geometry; returns its kind.
  mutating func read(into builder: inout GeometryBlockBuilder) throws(WKB.Fault) -> GeometryKind {
    let head = try head()
    switch head.kind {
    case .none, .point, .lineString, .polygon:
      try simple(head, head.kind, isFirst: true, into: &builder)
    case .multiPoint: try points(head, isFirst: true, into: &builder)
    case .multiLineString, .multiPolygon:
      try parts(head, head.kind, isFirst: true, into: &builder)
    case .geometryCollection: try collection(head, into: &builder)
    }
    return head.kind
  }

  // MARK: Kinds

  /// The members of a collection; those of inner collections in their place.
  private mutating func collection(
    _ head: Head, into builder: inout GeometryBlockBuilder
  ) throws(WKB.Fault) {
    var left = [try count(head, least: 5)]
    while let members = left.last {
      if members == 0 {
        left.removeLast()
        continue
      }
      left[left.count - 1] -= 1
      let member = try self.head()
      switch member.kind {
      case .none, .point, .lineString, .polygon:
        try simple(member, member.kind, isFirst: true, into: &builder)
      case .multiPoint: try points(member, isFirst: true, into: &builder)
      case .multiLineString, .multiPolygon:
        try parts(member, member.kind, isFirst: true, into: &builder)
      case .geometryCollection:
        if left.count >= WKB.collectionsMax { throw fault("too many collections in collections") }
        findings.nestedCount += 1
        left.append(try count(member, least: 5))
      }
    }
  }

  /// Lines or polygons, each with a head of its own.
  private mutating func parts(
    _ head: Head, _ kind: GeometryKind, isFirst: Bool, into builder: inout GeometryBlockBuilder
  ) throws(WKB.Fault) {
    let wanted: GeometryKind = kind == .multiPolygon ? .polygon : .lineString
    let first = builder.pathEnds.count
    for _ in 0..<(try count(head, least: 9)) {
      let part = try self.head()
      guard part.kind == wanted else { throw fault("a part of another kind") }
      try simple(part, kind, isFirst: builder.pathEnds.count == first, into: &builder)
    }
  }

  /// A multi-point: all of its points are one path.
  private mutating func points(
    _ head: Head, isFirst: Bool, into builder: inout GeometryBlockBuilder
  ) throws(WKB.Fault) {
    var (pairs, heights): ([Double], [Double]) = ([], [])
    for _ in 0..<(try count(head, least: 21)) {
      let part = try self.head()
      guard part.kind == .point else { throw fault("a part that is no point") }
      let position = try numbers(part)
      if position[0].isNaN, position[1].isNaN { continue }
      pairs += position[..<2]
      if part.hasHeights { heights.append(position[2]) }
    }
    try append(
      pairs, heights.count * 2 == pairs.count ? heights : [],
      PathRole(kind: .multiPoint, beginsMember: true, beginsPolygon: false), into: &builder)
  }

  /// A point, a line, or the rings of a polygon.
  private mutating func simple(
    _ head: Head, _ kind: GeometryKind, isFirst: Bool, into builder: inout GeometryBlockBuilder
  ) throws(WKB.Fault) {
    switch head.kind {
    case .point:
      let position = try numbers(head)
      // An empty point.
      if position[0].isNaN, position[1].isNaN { return }
      try append(
        Array(position[..<2]), head.hasHeights ? [position[2]] : [],
        PathRole(kind: .point, beginsMember: true, beginsPolygon: false), into: &builder)
    case .lineString:
      let (pairs, heights) = try curve(head)
      try append(
        pairs, heights, PathRole(kind: kind, beginsMember: isFirst, beginsPolygon: false),
        into: &builder)
    default:
      var isOuter = true
      for _ in 0..<(try count(head, least: 4)) {
        var (pairs, heights) = try head.number == 10 ? curve(self.head()) : run(head)
        if pairs.isEmpty { continue }
        let last = pairs.count - 2
        if pairs[0] != pairs[last] || pairs[1] != pairs[last + 1] {
          pairs += pairs[..<2]
          heights += heights.prefix(1)
        }
        try append(
          pairs, heights,
          PathRole(kind: kind, beginsMember: isFirst && isOuter, beginsPolygon: isOuter),
          into: &builder)
        isOuter = false
      }
    }
  }

  /// The positions of a line, of arcs (8), or of a run of both (9), whose parts have heads of their
  /// own.
  private mutating func curve(_ head: Head) throws(WKB.Fault) -> ([Double], [Double]) {
    guard head.number == 9 else {
      guard head.kind == .lineString else { throw fault("a part of another kind") }
      let (pairs, heights) = try run(head)
      guard head.number == 8 else { return (pairs, heights) }
      findings.hasArcs = true
      return Arcs.line(pairs, heights, &room)
    }
    var (pairs, heights): ([Double], [Double]) = ([], [])
    for _ in 0..<(try count(head, least: 9)) {
      let part = try self.head()
      guard part.number != 9 else { throw fault("a part of another kind") }
      let (more, moreHeights) = try curve(part)
      // Each part begins where the former one ends.
      let isJoined = pairs.suffix(2).elementsEqual(more.prefix(2))
      pairs += more.dropFirst(isJoined ? 2 : 0)
      heights += moreHeights.dropFirst(isJoined ? 1 : 0)
    }
    return (pairs, heights.count * 2 == pairs.count ? heights : [])
  }

  private func append(
    _ pairs: [Double], _ heights: [Double], _ role: PathRole,
    into builder: inout GeometryBlockBuilder
  ) throws(WKB.Fault) {
    if pairs.isEmpty { return }
    guard pairs.allSatisfy(\.isFinite) else { throw fault("a coordinate that is not finite") }
    builder.appendPath(role, pairs: pairs, heights: heights.map { $0.isFinite ? $0 : .nan })
  }

  // MARK: Numbers

  private mutating func head() throws(WKB.Fault) -> Head {
    guard position <= bytes.count - 5, bytes[position] < 2 else {
      throw fault("no head of a geometry")
    }
    let isLittle = bytes[position] == 1
    position += 1
    let code = word(isLittle)
    var base = code & 0x0FFF_FFFF
    var (hasHeights, hasMeasures) = (code & 0x8000_0000 != 0, code & 0x4000_0000 != 0)
    if code & 0x2000_0000 != 0 {
      guard position <= bytes.count - 4 else { throw fault("it ends too early") }
      let system = word(isLittle)
      if findings.system == nil, system != 0 { findings.system = system }
    }
    if base >= 1000, base < 4000 {
      hasHeights = hasHeights || base / 1000 != 2
      hasMeasures = hasMeasures || base / 1000 >= 2
      base %= 1000
    }
    guard let kind = Self.kinds[base] else {
      throw fault("an unknown kind, \(base)")
    }
    if hasMeasures { findings.hasMeasures = true }
    return Head(
      kind: kind, number: base, isLittle: isLittle, hasHeights: hasHeights, hasMeasures: hasMeasures
    )
  }

  /// By their numbers; those behind are made of lines and polygons as well.
  private static let kinds: [UInt32: GeometryKind] = [
    1: .point, 2: .lineString, 3: .polygon, 4: .multiPoint, 5: .multiLineString, 6: .multiPolygon,
    7: .geometryCollection, 8: .lineString, 9: .lineString, 10: .polygon, 11: .multiLineString,
    12: .multiPolygon, 15: .multiPolygon, 16: .multiPolygon, 17: .polygon,
  ]

  /// The next 32 bits, which are there.
  private mutating func word(_ isLittle: Bool) -> UInt32 {
    let value = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    position += 4
    return isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value)
  }

  /// A count of items of at least so many bytes, which are there.
  private mutating func count(_ head: Head, least: Int) throws(WKB.Fault) -> Int {
    guard position <= bytes.count - 4 else { throw fault("it ends too early") }
    let count = Int(word(head.isLittle))
    guard count <= (bytes.count - position) / least else { throw fault("it ends too early") }
    return count
  }

  /// The numbers of one position.
  private mutating func numbers(_ head: Head) throws(WKB.Fault) -> [Double] {
    guard position <= bytes.count - 8 * head.numbers else { throw fault("it ends too early") }
    return (0..<head.numbers).map { _ in number(head.isLittle) }
  }

  private mutating func number(_ isLittle: Bool) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    position += 8
    return Double(bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
  }

  /// The positions of a line or of a ring.
  private mutating func run(_ head: Head) throws(WKB.Fault) -> ([Double], [Double]) {
    let count = try count(head, least: 8 * head.numbers)
    if head.numbers == 2, head.isLittle {
      let start = position
      position += 16 * count
      let pairs = [Double](unsafeUninitializedCapacity: 2 * count) { room, filled in
        if count > 0, let source = bytes.baseAddress, let target = room.baseAddress {
          UnsafeMutableRawPointer(target).copyMemory(from: source + start, byteCount: 16 * count)
        }
        filled = 2 * count
      }
      return (pairs, [])
    }
    var (pairs, heights): ([Double], [Double]) = ([], [])
    pairs.reserveCapacity(2 * count)
    for _ in 0..<count {
      pairs.append(number(head.isLittle))
      pairs.append(number(head.isLittle))
      if head.hasHeights { heights.append(number(head.isLittle)) }
      if head.hasMeasures { position += 8 }
    }
    return (pairs, heights)
  }

  private func fault(_ reason: String) -> WKB.Fault {
    WKB.Fault(offset: min(position, bytes.count), reason: reason)
  }
}

// MARK: Writing

extension GeometryBlock {
  /// Whether a vertex of a feature has a height.
  func hasHeights(ofFeature row: Int) -> Bool {
    if elevations.isEmpty { return false }
    return paths(ofFeature: row).contains { path in
      vertices(ofPath: path).contains { !elevations[$0].isNaN }
    }
  }
}

extension WKB {
  /// A feature of a block as a geometry, with a head of GeoPackage's before it or not.
  ///
  /// - Returns: the bytes, and whether no vertex is in them; `nil` for a feature without geometry.
  static func bytes(
    of block: GeometryBlock, row: Int, after head: [UInt8] = []
  ) -> [UInt8]? {
    let kind = block.kinds[row]
    guard kind != .none else { return nil }
    var writer = Writer(block: block, bytes: head)
    let paths = block.paths(ofFeature: row)
    writer.hasHeights = block.hasHeights(ofFeature: row)
    if kind == .geometryCollection {
      let members = writer.runs(of: paths) { $0.beginsMember }
      writer.head(kind)
      writer.count(members.count)
      for member in members { writer.geometry(block.pathRoles[member.lowerBound].kind, member) }
    } else {
      writer.geometry(kind, paths)
    }
    return writer.bytes
  }

  private struct Writer {
    let block: GeometryBlock
    var bytes: [UInt8]
    var hasHeights = false

    init(block: GeometryBlock, bytes: [UInt8]) { (self.block, self.bytes) = (block, bytes) }

    mutating func geometry(_ kind: GeometryKind, _ paths: Range<Int>) {
      head(kind)
      switch kind {
      case .none, .geometryCollection: break
      case .point:
        if let path = paths.first, let vertex = block.vertices(ofPath: path).first {
          position(vertex)
        } else {
          for _ in 0..<(hasHeights ? 3 : 2) { number(.nan) }
        }
      case .lineString:
        if let path = paths.first { line(path) } else { count(0) }
      case .multiPoint:
        let vertices = paths.flatMap { block.vertices(ofPath: $0) }
        count(vertices.count)
        for vertex in vertices {
          head(.point)
          position(vertex)
        }
      case .multiLineString:
        count(paths.count)
        for path in paths {
          head(.lineString)
          line(path)
        }
      case .polygon: rings(paths)
      case .multiPolygon:
        let polygons = runs(of: paths) { $0.beginsPolygon }
        count(polygons.count)
        for polygon in polygons {
          head(.polygon)
          rings(polygon)
        }
      }
    }

    /// The paths in runs; each begins where `begins` says so.
    func runs(of paths: Range<Int>, _ begins: (PathRole) -> Bool) -> [Range<Int>] {
      var starts = paths.filter { begins(block.pathRoles[$0]) }
      if starts.first != paths.first, let first = paths.first { starts.insert(first, at: 0) }
      return zip(starts, starts.dropFirst() + [paths.upperBound]).map { $0..<$1 }
    }

    private mutating func rings(_ paths: Range<Int>) {
      count(paths.count)
      for path in paths { line(path) }
    }

    private mutating func line(_ path: Int) {
      let vertices = block.vertices(ofPath: path)
      count(vertices.count)
      if hasHeights {
        for vertex in vertices { position(vertex) }
      } else {
        block.coordinates.withUnsafeBytes { coordinates in
          bytes.append(
            contentsOf: coordinates[16 * vertices.lowerBound..<16 * vertices.upperBound])
        }
      }
    }

    mutating func head(_ kind: GeometryKind) {
      let code: UInt32 =
        switch kind {
        case .none, .point: 1
        case .lineString: 2
        case .polygon: 3
        case .multiPoint: 4
        case .multiLineString: 5
        case .multiPolygon: 6
        case .geometryCollection: 7
        }
      bytes.append(1)
      word(hasHeights ? code + 1000 : code)
    }

    mutating func count(_ count: Int) { word(UInt32(clamping: count)) }

    private mutating func word(_ value: UInt32) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func number(_ value: Double) {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func position(_ vertex: Int) {
      number(block.coordinates[2 * vertex])
      number(block.coordinates[2 * vertex + 1])
      if hasHeights {
        let height = block.elevations.indices.contains(vertex) ? block.elevations[vertex] : .nan
        number(height.isNaN ? 0 : height)
      }
    }
  }
}
