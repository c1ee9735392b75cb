import PortolanDocuments
import PortolanGraphics

/// A geometry object in progress.
struct GeometryFrame {
  /// The nesting of the coordinates.
  enum Depth: Equatable {
    /// There are no coordinates yet.
    case unread
    /// `[]`.
    case none
    /// Brackets with nothing in them.
    case hollow
    /// 1 for a position to 4 for the polygons of a multi-polygon.
    case positions(Int)
  }

  var start: Int
  var firstPath: Int
  var kind: GeometryKind?
  var depth = Depth.unread
  var hasGeometries = false
  /// Whether the members are in another order than `type` and then the content.
  var isOddOrder = false
  /// Whether the geometry's own text must be kept.
  var keepsText = false
}

extension GeoJSONReader {
  /// The deepest that collections may nest.
  static let collectionsMax = 512

  /// Reads the value of a feature's `geometry` member.
  mutating func readGeometry() throws(ScanFault) {
    dropGeometry()
    if scanner.current == UInt8(ascii: "n") {
      try scanner.skipLiteral()
      return
    }
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.wrongType("geometry must be an object or null")
    }
    try readGeometryObject()
  }

  /// Discards the geometry of this row.
  mutating func dropGeometry() {
    builder.geometry.removePaths()
    builder.geometryMembers.clear(row: builder.row)
    key.geometryMembers.removeAll(keepingCapacity: true)
    item.kind = .none
    item.geometryText = nil
    item.traits = NumberTraits()
  }

  /// Reads a geometry; the position is at its brace. Collections are walked without recursion.
  mutating func readGeometryObject() throws(ScanFault) {
    let start = scanner.position
    let mismatches = learner.mismatches
    frames.removeAll(keepingCapacity: true)
    var frame = GeometryFrame(start: start, firstPath: builder.geometry.pathEnds.count)
    var isMore = try openObject()
    while true {
      while isMore {
        if try readMember(&frame) {
          // The position is at the brace of a collection's first geometry.
          frames.append(frame)
          frame = GeometryFrame(start: scanner.position, firstPath: builder.geometry.pathEnds.count)
          isMore = try openObject()
        } else {
          isMore = try learner.stepOn(&scanner, container, close: UInt8(ascii: "}"))
        }
      }
      try finish(&frame)
      guard var parent = frames.popLast() else { break }
      if frame.keepsText { parent.keepsText = true }
      if try learner.stepOn(&scanner, GeoJSONLayout.Container.members, close: UInt8(ascii: "]")) {
        frames.append(parent)
        frame = GeometryFrame(start: scanner.position, firstPath: builder.geometry.pathEnds.count)
        isMore = try openObject()
      } else {
        frame = parent
        isMore = try learner.stepOn(&scanner, container, close: UInt8(ascii: "}"))
      }
    }
    item.kind = frame.kind ?? .none
    decimals = max(decimals, item.traits.decimalsMax)
    // Differences inside the geometry are covered by its own text.
    let isOdd = learner.mismatches != mismatches
    learner.mismatches = mismatches
    if frame.keepsText || isOdd || numberStyle() == .source {
      item.geometryText = start..<scanner.position
    }
  }

  /// The container of the geometry in progress.
  private var container: GeoJSONLayout.Container {
    frames.isEmpty ? GeoJSONLayout.Container.geometry : GeoJSONLayout.Container.member
  }

  /// Enters an object; `false` if it is empty, with the position after it.
  private mutating func openObject() throws(ScanFault) -> Bool {
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.wrongType("a geometry must be an object")
    }
    scanner.position += 1
    guard learner.stepIn(&scanner, container, close: UInt8(ascii: "}")) else { return true }
    scanner.position += 1
    return false
  }

  /// Reads one member of a geometry.
  ///
  /// - Returns: whether the position is now at the first geometry within a collection.
  private mutating func readMember(_ frame: inout GeometryFrame) throws(ScanFault) -> Bool {
    let name = try readName(container)
    if isText(name, "type") {
      if frame.kind != nil { noteDuplicate(name) }
      if frame.depth != .unread || frame.hasGeometries { frame.isOddOrder = true }
      keepMember(ShapeKey.GeometryMember.type)
      try readGeometryType(&frame)
    } else if isText(name, "coordinates") {
      if frame.depth != .unread {
        noteDuplicate(name)
        let vertices =
          frame.firstPath == 0 ? 0 : Int(builder.geometry.pathEnds[frame.firstPath - 1])
        builder.geometry.truncate(paths: frame.firstPath, vertices: vertices)
      }
      keepMember(ShapeKey.GeometryMember.coordinates)
      try readCoordinates(&frame)
    } else if isText(name, "geometries") {
      return try readGeometries(&frame, name)
    } else {
      try readForeignOfGeometry(&frame, name)
    }
    return false
  }

  private mutating func keepMember(_ member: UInt16) {
    guard frames.isEmpty else { return }
    // With many members, a duplicate stays in the list: the writer skips it.
    if key.geometryMembers.count > 64 || !key.geometryMembers.contains(member) {
      key.geometryMembers.append(member)
    }
  }

  private mutating func readGeometries(
    _ frame: inout GeometryFrame, _ name: JSONScanner.Token
  ) throws(ScanFault) -> Bool {
    if frame.hasGeometries { noteDuplicate(name) }
    frame.hasGeometries = true
    keepMember(ShapeKey.GeometryMember.geometries)
    guard scanner.current == UInt8(ascii: "[") else {
      throw scanner.wrongType("geometries must be an array")
    }
    guard frames.count < Self.collectionsMax else {
      throw ScanFault(.tooDeep, at: scanner.position, "more than \(Self.collectionsMax) levels")
    }
    if !frames.isEmpty {
      frame.keepsText = true
      notes.add(.nestedCollections, at: frame.start, feature: featureNumber)
    }
    scanner.position += 1
    guard learner.stepIn(&scanner, GeoJSONLayout.Container.members, close: UInt8(ascii: "]")) else {
      return true
    }
    scanner.position += 1
    return false
  }

  private mutating func readForeignOfGeometry(
    _ frame: inout GeometryFrame, _ name: JSONScanner.Token
  ) throws(ScanFault) {
    guard frames.isEmpty else {
      frame.keepsText = true
      try scanner.skipValue()
      return
    }
    if name.hasEscapes || escapes.isOdd(name, scanner) { frame.keepsText = true }
    let value = nameValue(name)
    let column = builder.geometryMembers.place(
      ofName: value, key: scanner.bytes(name.start..<name.end))
    keepMember(ShapeKey.Member.foreign + UInt16(truncatingIfNeeded: column))
    if key.geometryMembers.count > Self.membersMax {
      throw ScanFault(.tooManyMembers, at: name.start, "more than \(Self.membersMax)")
    }
    let range = try scanner.skipValue()
    if value == Self.systemName { noteItemSystem(range) }
    if !builder.geometryMembers.set(column, row: builder.row, .json, utf8: scanner.bytes(range)) {
      noteDuplicate(name)
    }
  }

  private mutating func readGeometryType(_ frame: inout GeometryFrame) throws(ScanFault) {
    guard scanner.current == UInt8(ascii: "\"") else {
      throw scanner.wrongType("type must be a string")
    }
    let value = try scanner.scanString()
    guard let kind = geometryKind(value) else {
      throw ScanFault(.unknownType, at: value.start, ScanFault.excerpt(string(value)))
    }
    if value.hasEscapes { frame.keepsText = true }
    frame.kind = kind
  }

  /// The kind named by a string.
  func geometryKind(_ token: JSONScanner.Token) -> GeometryKind? {
    if token.hasEscapes {
      let name = string(token)
      return GeometryKind.allCases.first { $0.name == name }
    }
    switch token.count {
    case 5: return isText(token, "Point") ? .point : nil
    case 7: return isText(token, "Polygon") ? .polygon : nil
    case 10:
      if isText(token, "LineString") { return .lineString }
      return isText(token, "MultiPoint") ? .multiPoint : nil
    case 12: return isText(token, "MultiPolygon") ? .multiPolygon : nil
    case 15: return isText(token, "MultiLineString") ? .multiLineString : nil
    case 18: return isText(token, "GeometryCollection") ? .geometryCollection : nil
    default: return nil
    }
  }

  /// The number style of the row.
  func numberStyle() -> FeatureShape.NumberStyle {
    let flags = item.traits.flags
    if flags & NumberTraits.notShortest == 0 { return .shortest }
    if flags & NumberTraits.notPointed == 0 { return .shortestWithPoint }
    if flags & NumberTraits.notFixed == 0, item.traits.decimalsMin == item.traits.decimalsMax {
      return .decimals(item.traits.decimalsMax)
    }
    return .source
  }
}
