import PortolanDocuments
package import PortolanGraphics

/// Well-known text (OGC 06-103r4, clause 7): geometries in tables, in SQL and on the clipboard.
package enum WKT {
  /// Why a text is no geometry.
  package struct Fault: Error, Hashable, Sendable {
    /// Bytes before the fault.
    package var offset: Int
    package var reason: String
  }

  /// The deepest nesting of collections.
  static let collectionsMax = 512

  /// Reads a geometry; rings are closed, `SRID=…;` before it is skipped.
  ///
  /// Collections in collections are flattened, since no other format can hold them. Measures (M)
  /// and empty parts are left out.
  package static func geometry(_ text: String) throws(Fault) -> Geometry {
    var room = Arcs.Room(bytes: text.utf8.count)
    return try read(text, &room).geometry
  }

  /// Reads a geometry, whether its positions have measures (M), which are left out, and whether
  /// arcs became lines of short steps.
  ///
  /// - Parameter room: how many positions arcs may add; those of the text are taken from it.
  static func read(
    _ text: String, _ room: inout Arcs.Room
  ) throws(Fault) -> (geometry: Geometry, hasMeasures: Bool, hasArcs: Bool) {
    var reader = WKTReader(Array(text.utf8), room)
    defer { room = reader.room }
    return (try reader.geometry(), reader.hasMeasures, reader.hasArcs)
  }

  /// The names of geometries and the kinds that they become: arcs become lines, surfaces areas.
  static let kinds: [String: GeometryKind] = {
    var kinds: [String: GeometryKind] = [
      "CIRCULARSTRING": .lineString, "COMPOUNDCURVE": .lineString, "CURVEPOLYGON": .polygon,
      "MULTICURVE": .multiLineString, "MULTISURFACE": .multiPolygon, "TRIANGLE": .polygon,
      "TIN": .multiPolygon, "POLYHEDRALSURFACE": .multiPolygon,
    ]
    for kind in GeometryKind.allCases {
      if let name = kind.name { kinds[name.uppercased()] = kind }
    }
    return kinds
  }()

  /// The system of a `SRID=…;` before a geometry; 0 is none.
  static func systemCode(_ text: String) -> CoordinateSystem? {
    let head = text.prefix(32).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard head.count == 2 else { return nil }
    let parts = head[0].split(separator: "=").map { $0.filter { !$0.isWhitespace } }
    guard parts.count == 2, parts[0].uppercased() == "SRID", let code = UInt32(parts[1]), code > 0
    else { return nil }
    return CoordinateSystem(named: "EPSG:\(code)")
  }

  /// Writes a geometry; `nil` if there is none.
  package static func text(_ geometry: Geometry) -> String? {
    guard let word = word(geometry.kind) else { return nil }
    let hasElevations = geometry.paths.contains { $0.elevations.contains { $0 != nil } }
    let tag = hasElevations ? word + " Z" : word
    guard !geometry.paths.isEmpty else { return word + " EMPTY" }
    guard geometry.kind == .geometryCollection else {
      return tag + " " + content(geometry.paths, geometry.kind, hasElevations)
    }
    let members = geometry.paths.runs { $0.role.beginsMember }.map { paths in
      let kind = paths[0].role.kind
      let name = (Self.word(kind) ?? "") + (hasElevations ? " Z " : " ")
      return name + content(paths, kind, hasElevations)
    }
    return "\(tag) (\(members.joined(separator: ", ")))"
  }

  private static func word(_ kind: GeometryKind) -> String? { kind.name?.uppercased() }

  private static func content(
    _ paths: [Geometry.Path], _ kind: GeometryKind, _ hasElevations: Bool
  ) -> String {
    let texts = paths.map { path in
      let positions = path.vertices.indices.map { position(path, $0, hasElevations) }
      return "(" + positions.joined(separator: ", ") + ")"
    }
    switch kind {
    case .none, .point, .lineString, .geometryCollection: return texts.first ?? "EMPTY"
    case .multiPoint:
      let positions = paths.flatMap { path in
        path.vertices.indices.map { "(" + position(path, $0, hasElevations) + ")" }
      }
      return "(" + positions.joined(separator: ", ") + ")"
    case .multiLineString, .polygon: return "(" + texts.joined(separator: ", ") + ")"
    case .multiPolygon:
      let polygons = Array(zip(paths, texts)).runs { $0.0.role.beginsPolygon }
      let parts = polygons.map { "(" + $0.map(\.1).joined(separator: ", ") + ")" }
      return "(" + parts.joined(separator: ", ") + ")"
    }
  }

  private static func position(
    _ path: Geometry.Path, _ index: Int, _ hasElevations: Bool
  ) -> String {
    var numbers = [path.vertices[index].x, path.vertices[index].y]
    if hasElevations {
      numbers.append(path.elevations.indices.contains(index) ? path.elevations[index] ?? 0 : 0)
    }
    return numbers.map { number in
      String(decoding: NumberPrinter.shortest(number, isPointed: false), as: UTF8.self)
    }.joined(separator: " ")
  }
}

extension Array {
  /// The array in runs; each begins where `begins` says so, the first one in any case.
  func runs(_ begins: (Element) -> Bool) -> [[Element]] {
    var runs: [[Element]] = []
    for element in self {
      if runs.isEmpty || begins(element) {
        runs.append([element])
      } else {
        runs[runs.count - 1].append(element)
      }
    }
    return runs
  }
}

/// Parses one well-known text.
private struct WKTReader {
  private let bytes: [UInt8]
  private var position = 0
  private var paths: [Geometry.Path] = []
  /// What the third number of a position is, as the word for its dimension says.
  private var dimension = Dimension.open
  /// The same of the collection around it, for members that say nothing.
  private var dimensionOfMembers = Dimension.open
  private(set) var hasMeasures = false
  private(set) var hasArcs = false
  private(set) var room: Arcs.Room

  /// `open` positions have as many numbers as they have: x, y, height and measure.
  private enum Dimension: String {
    case open = ""
    case height = "Z"
    case measure = "M"
    case both = "ZM"
  }

  init(_ bytes: [UInt8], _ room: Arcs.Room) { (self.bytes, self.room) = (bytes, room) }

  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func geometry() throws(WKT.Fault) -> Geometry {
    skipReferenceSystem()
    let (kind, name) = try keyword()
    if kind == .geometryCollection {
      try collection()
    } else {
      try content(kind, name)
    }
    skipSpace()
    if position < bytes.count { throw fault("nothing may follow") }
    return Geometry(kind: kind, paths: paths)
  }

  /// The members of a collection, those of inner collections in their place.
  private mutating func collection() throws(WKT.Fault) {
    var depth = 0
    /// What the collections around say, but for the innermost.
    var outer: [Dimension] = []
    if try isEmptyOrOpens() { return }
    depth = 1
    while depth > 0 {
      let around = dimensionOfMembers
      let (kind, name) = try keyword()
      if kind == .geometryCollection {
        if depth >= WKT.collectionsMax { throw fault("too many collections in collections") }
        if try !isEmptyOrOpens() {
          depth += 1
          outer.append(around)
          continue
        }
      } else {
        try content(kind, name)
      }
      dimensionOfMembers = around
      while depth > 0, try !continues() {
        depth -= 1
        if let around = outer.popLast() { dimensionOfMembers = around }
      }
    }
  }

  /// The paths of a geometry that is no collection.
  private mutating func content(_ kind: GeometryKind, _ name: String) throws(WKT.Fault) {
    let first = paths.count
    if Self.curved.contains(name) { return try curves(kind, name, first) }
    if try isEmptyOrOpens() { return }
    switch kind {
    case .none, .geometryCollection: break
    case .point, .lineString: try positions(kind, first)
    case .multiPoint: try points(first)
    case .multiLineString, .polygon:
      repeat {
        if try isEmptyOrOpens() { continue }
        try positions(kind, first)
      } while try continues()
    case .multiPolygon:
      repeat {
        if try isEmptyOrOpens() { continue }
        let polygon = paths.count
        repeat {
          if try isEmptyOrOpens() { continue }
          try positions(kind, first, polygon)
        } while try continues()
      } while try continues()
    }
  }

  private static let curved: Set<String> = [
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE",
  ]

  /// The paths of a geometry that may have arcs: its parts have names of their own, but for lines
  /// and polygons.
  private mutating func curves(
    _ kind: GeometryKind, _ name: String, _ first: Int
  ) throws(WKT.Fault) {
    if name == "CIRCULARSTRING" || name == "COMPOUNDCURVE" {
      return try append(curve(named: name), kind, first, isOuter: false)
    }
    if try isEmptyOrOpens() { return }
    repeat {
      // A part says nothing about those that follow.
      let around = dimensionOfMembers
      defer { dimensionOfMembers = around }
      switch name {
      case "CURVEPOLYGON": try append(curve(), kind, first, isOuter: paths.count == first)
      case "MULTICURVE": try append(curve(), kind, first, isOuter: false)
      default:
        let polygon = paths.count
        let isNamed = partName() != nil
        if try isEmptyOrOpens() { continue }
        repeat {
          let ring = try isNamed ? curve() : curve(named: "")
          append(ring, kind, first, isOuter: paths.count == polygon)
        } while try continues()
      }
    } while try continues()
  }

  /// The name before a part; `nil` if it has none.
  private mutating func partName() -> String? {
    skipSpace()
    let mark = position
    guard let name = (try? keyword())?.name else {
      position = mark
      return nil
    }
    return name
  }

  /// The positions of a line, of arcs, or of a run of both.
  ///
  /// - Parameter known: the name before it, which is empty for a line; `nil` if it is to be read.
  private mutating func curve(named known: String? = nil) throws(WKT.Fault) -> Geometry.Path {
    let name = known ?? partName() ?? ""
    var path = Geometry.Path(
      role: PathRole(kind: .lineString, beginsMember: false, beginsPolygon: false), vertices: [])
    guard ["", "LINESTRING", "CIRCULARSTRING", "COMPOUNDCURVE"].contains(name) else {
      throw fault("a line or an arc expected")
    }
    if try isEmptyOrOpens() { return path }
    guard name == "COMPOUNDCURVE" else {
      repeat { try readPosition(into: &path) } while try continues()
      return name == "CIRCULARSTRING" ? arcs(path) : path
    }
    repeat {
      let part = try curve(named: Self.simple(partName()))
      // Each part begins where the former one ends.
      let isJoined = path.vertices.last != nil && path.vertices.last == part.vertices.first
      while !part.elevations.isEmpty, path.elevations.count < path.vertices.count {
        path.elevations.append(nil)
      }
      path.vertices += part.vertices.dropFirst(isJoined ? 1 : 0)
      path.elevations += part.elevations.dropFirst(isJoined ? 1 : 0)
    } while try continues()
    return path
  }

  /// A part of a run; a run in a run is none.
  private static func simple(_ name: String?) -> String {
    name == "COMPOUNDCURVE" ? "RUN" : name ?? ""
  }

  private mutating func arcs(_ path: Geometry.Path) -> Geometry.Path {
    hasArcs = true
    let heights = path.elevations.map { $0 ?? .nan }
    let (pairs, between) = Arcs.line(
      path.vertices.flatMap { [$0.x, $0.y] }, heights, &room)
    return Geometry.Path(
      role: path.role,
      vertices: stride(from: 0, to: pairs.count, by: 2).map {
        Coordinate(x: pairs[$0], y: pairs[$0 + 1])
      },
      elevations: heights.count == path.vertices.count
        ? between.map { $0.isNaN ? nil : $0 } : [])
  }

  /// Appends a path, a ring closed.
  private mutating func append(
    _ path: Geometry.Path, _ kind: GeometryKind, _ first: Int, isOuter: Bool
  ) {
    var path = path
    if path.vertices.isEmpty { return }
    path.role = PathRole(kind: kind, beginsMember: paths.count == first, beginsPolygon: isOuter)
    close(&path)
    paths.append(path)
  }

  private func close(_ path: inout Geometry.Path) {
    guard path.role.isRing, path.vertices.first != path.vertices.last else { return }
    path.vertices += path.vertices.prefix(1)
    path.elevations += path.elevations.prefix(1)
  }

  /// Positions up to the closing bracket, as one path.
  private mutating func positions(
    _ kind: GeometryKind, _ first: Int, _ polygon: Int? = nil
  ) throws(WKT.Fault) {
    let isOuter = kind == .polygon ? paths.count == first : polygon == paths.count
    var path = Geometry.Path(
      role: PathRole(kind: kind, beginsMember: paths.count == first, beginsPolygon: isOuter),
      vertices: [])
    repeat { try readPosition(into: &path) } while try continues()
    if kind == .point, path.vertices.count != 1 { throw fault("a point has one position") }
    close(&path)
    paths.append(path)
  }

  /// The points of a multi-point, each in brackets of its own or not.
  private mutating func points(_ first: Int) throws(WKT.Fault) {
    var path = Geometry.Path(
      role: PathRole(kind: .multiPoint, beginsMember: true, beginsPolygon: false), vertices: [])
    repeat {
      skipSpace()
      if current == UInt8(ascii: "(") {
        position += 1
        try readPosition(into: &path)
        if try continues() { throw fault("one position belongs in these brackets") }
      } else if current | 0x20 == UInt8(ascii: "e") {
        _ = try isEmptyOrOpens()
      } else {
        try readPosition(into: &path)
      }
    } while try continues()
    if !path.vertices.isEmpty { paths.append(path) }
  }

  private mutating func readPosition(into path: inout Geometry.Path) throws(WKT.Fault) {
    var numbers: [Double] = []
    skipSpace()
    while numbers.count < 5, current != UInt8(ascii: ","), current != UInt8(ascii: ")") {
      let start = position
      while position < bytes.count, bytes[position] > 0x20, current != UInt8(ascii: ","),
        current != UInt8(ascii: ")"), current != UInt8(ascii: "(")
      { position += 1 }
      let text = String(decoding: bytes[start..<position], as: UTF8.self)
      guard let number = Double(text), number.isFinite else {
        position = start
        throw fault("a number expected")
      }
      numbers.append(number)
      skipSpace()
    }
    guard (2...4).contains(numbers.count) else { throw fault("a position has 2 to 4 numbers") }
    if dimension == .measure, numbers.count != 3 {
      throw fault("a position with a measure (M) has 3 numbers")
    }
    if dimension == .measure || numbers.count == 4 {
      hasMeasures = true
      numbers.removeLast()
    }
    path.vertices.append(Coordinate(x: numbers[0], y: numbers[1]))
    if numbers.count > 2 {
      while path.elevations.count < path.vertices.count - 1 { path.elevations.append(nil) }
      path.elevations.append(numbers[2])
    } else if !path.elevations.isEmpty {
      path.elevations.append(nil)
    }
  }

  // MARK: Tokens

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
  }

  private mutating func skipReferenceSystem() {
    skipSpace()
    let head = bytes[position...].prefix(16)
    guard head.prefix(5).elementsEqual("SRID=".utf8) || head.prefix(5).elementsEqual("srid=".utf8),
      let end = head.firstIndex(of: UInt8(ascii: ";"))
    else { return }
    position = end + 1
  }

  private mutating func word() -> String {
    skipSpace()
    let start = position
    while position < bytes.count, bytes[position] | 0x20 >= 0x61, bytes[position] | 0x20 <= 0x7A {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self).uppercased()
  }

  /// The kind of a geometry, after the word for its dimension.
  private mutating func keyword() throws(WKT.Fault) -> (kind: GeometryKind, name: String) {
    skipSpace()
    let start = position
    var name = word()
    var stated = ["ZM", "Z", "M"].first { name.hasSuffix($0) }
    if let stated { name.removeLast(stated.count) }
    guard let kind = WKT.kinds[name] else {
      position = start
      throw fault("the name of a geometry expected")
    }
    let mark = position
    let next = word()
    if ["Z", "M", "ZM"].contains(next) {
      stated = next
    } else {
      position = mark
    }
    dimension = stated.flatMap(Dimension.init) ?? dimensionOfMembers
    if kind == .geometryCollection || Self.curved.contains(name) { dimensionOfMembers = dimension }
    return (kind, name)
  }

  /// Skips `EMPTY`, or an opening bracket.
  private mutating func isEmptyOrOpens() throws(WKT.Fault) -> Bool {
    skipSpace()
    let mark = position
    if word() == "EMPTY" { return true }
    position = mark
    try open()
    return false
  }

  private mutating func open() throws(WKT.Fault) {
    skipSpace()
    guard current == UInt8(ascii: "(") else { throw fault("( expected") }
    position += 1
  }

  /// Skips a comma, or a closing bracket, which ends the list.
  private mutating func continues() throws(WKT.Fault) -> Bool {
    skipSpace()
    guard current == UInt8(ascii: ",") || current == UInt8(ascii: ")") else {
      throw fault("comma or ) expected")
    }
    defer { position += 1 }
    return current == UInt8(ascii: ",")
  }

  private func fault(_ reason: String) -> WKT.Fault {
    WKT.Fault(offset: min(position, bytes.count), reason: reason)
  }
}
