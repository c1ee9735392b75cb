/// The types of GeoJSON.
enum ObjectType: String, CaseIterable {
  case point = "Point"
  case multiPoint = "MultiPoint"
  case lineString = "LineString"
  case multiLineString = "MultiLineString"
  case polygon = "Polygon"
  case multiPolygon = "MultiPolygon"
  case geometryCollection = "GeometryCollection"
  case feature = "Feature"
  case featureCollection = "FeatureCollection"

  var isGeometry: Bool { self != .feature && self != .featureCollection }

  /// How many brackets stand around a number of the coordinates; 0 for types without them.
  var depth: Int {
    switch self {
    case .point: 1
    case .multiPoint, .lineString: 2
    case .multiLineString, .polygon: 3
    case .multiPolygon: 4
    default: 0
    }
  }
}

/// The place of an object.
enum ObjectRole {
  case root
  /// In `features`.
  case feature
  /// The value of `geometry`.
  case geometry
  /// In `geometries`.
  case member
}

/// The members that GeoJSON gives a meaning.
enum MemberName: Int, CaseIterable {
  case type, features, geometry, geometries, coordinates, properties, id, bbox, crs, conflict

  var text: StaticString {
    switch self {
    case .type: "type"
    case .features: "features"
    case .geometry: "geometry"
    case .geometries: "geometries"
    case .coordinates: "coordinates"
    case .properties: "properties"
    case .id: "id"
    case .bbox: "bbox"
    case .crs: "crs"
    case .conflict: "portolan:conflict"
    }
  }

  /// The member of a name; `nil` for foreign ones.
  @inline(__always)
  init?(_ key: UnsafeBufferPointer<UInt8>) {
    let found: MemberName? =
      switch key.count {
      case 2: .id
      case 3: .crs
      case 4: key.first == UInt8(ascii: "t") ? .type : .bbox
      case 8: key.last == UInt8(ascii: "s") ? .features : .geometry
      case 10: key.first == UInt8(ascii: "g") ? .geometries : .properties
      case 11: .coordinates
      case 17: .conflict
      default: nil
      }
    guard let found, found.matches(key) else { return nil }
    self = found
  }

  @inline(__always)
  private func matches(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = text
    guard key.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<key.count where key[index] != text.utf8Start[index] { return false }
    return true
  }
}

/// A member of an object.
struct MemberFacts {
  var kind: ValueKind
  /// Its value.
  var value: Range<Int>
  /// The quote before its name.
  var keyStart: Int
}

/// An object as far as it was read.
struct ObjectFacts {
  var role: ObjectRole
  var start: Int
  /// After its closing brace.
  var end = 0
  var type: ObjectType?
  var members: [MemberFacts?] = Array(repeating: nil, count: MemberName.allCases.count)
  /// The end of the last value.
  var lastValueEnd = 0
  var memberCount = 0
  var box: BoxMember?
  /// How many geometries are in `geometries`, and the bytes of the last one.
  var geometryCount = 0
  var lastGeometry = 0..<0
  /// Whether the coordinates wait in the buffer until the type is known.
  var hasWaitingCoordinates = false

  subscript(_ name: MemberName) -> MemberFacts? {
    get { members[name.rawValue] }
    set { members[name.rawValue] = newValue }
  }
}

/// Objects and their members.
extension GeoJSONCheck {
  /// Checks the object here.
  ///
  /// - Returns: its bytes.
  mutating func checkObject(
    _ role: ObjectRole, depth: Int, _ progress: (Double) throws -> Void
  ) throws -> Range<Int> {
    let start = walker.position
    guard depth < Self.depthMax else {
      emit(.tooDeep, "more than \(Self.depthMax) objects in each other", at: start)
      return try walker.skipValue()
    }
    var facts = ObjectFacts(role: role, start: start)
    let outerContent = content
    content = ContentBox()
    var members = walker.beginObject()
    let isFeature = role == .feature
    let firstFinding = list.findings.count
    walker.position += 1
    while try walker.separate(close: UInt8(ascii: "}"), isFirst: members.count == 0) == .next {
      let keyStart = walker.position
      let key = try walker.skipKey()
      let name = walker.withName(key) { MemberName($0) }
      guard let kind = walker.kindHere else { throw walker.unexpected("a value") }
      walker.beginMember(key, &members)
      if let name {
        // Findings of the other object must not change the waiting coordinates.
        path.append(.name(name.text))
        try checkMember(name, kind, &facts, depth, progress)
        path.removeLast()
        facts[name] = MemberFacts(
          kind: kind, value: members.valueStart..<walker.position, keyStart: keyStart)
      } else {
        try skipForeign(key)
      }
      if !walker.faults.isEmpty { takeTextFaults() }
      tellDuplicate(walker.endMember(&members), "member")
    }
    walker.endObject(members)
    facts.memberCount = members.count
    facts.lastValueEnd = members.lastValueEnd
    facts.end = walker.position
    judge(&facts)
    content.formUnion(outerContent)
    if isFeature || role == .root && facts.type == .feature {
      list.featureCount += 1
      if isFeature { isCollection = true }
      if options.keepsFeatures { features.append(start..<facts.end) }
    }
    // A geometry that is a root of its own stands for a feature.
    if isFeature || role == .root && facts.type != .featureCollection {
      for index in firstFinding..<max(firstFinding, list.findings.count)
      where list.findings[index].extent == nil {
        list.findings[index].extent = start..<facts.end
      }
    }
    return start..<facts.end
  }

  private mutating func checkMember(
    _ name: MemberName, _ kind: ValueKind, _ facts: inout ObjectFacts, _ depth: Int,
    _ progress: (Double) throws -> Void
  ) throws {
    switch name {
    case .type: try checkType(kind, &facts)
    case .features: try checkFeatures(kind, depth, &facts, progress)
    case .geometry:
      guard kind == .object else {
        if kind != .null { emitWrongType(kind, "an object or null") }
        try walker.skipValue()
        return
      }
      try withWaitingCoordinates(facts) { check in
        _ = try check.checkObject(.geometry, depth: depth + 1, progress)
      }
    case .geometries: try checkGeometries(kind, depth, &facts, progress)
    case .coordinates:
      guard kind == .array else {
        // In objects of other types the name itself is the fault.
        if facts.type?.isGeometry ?? true { emitWrongType(kind, "an array") }
        try walker.skipValue()
        return
      }
      buffer.clear()
      try scanCoordinates()
      if let type = facts.type, type.depth > 0 {
        judgeCoordinates(type)
      } else {
        facts.hasWaitingCoordinates = true
      }
    case .properties: try checkProperties(kind)
    case .id: try checkIdentifier(kind, facts.role)
    case .bbox: facts.box = try scanBox(kind)
    case .crs: try checkSystem(kind)
    case .conflict:
      emit(.openConflict, "a conflict of a merge is not decided", at: walker.position)
      try walker.skipValue()
    }
  }

  /// Lets `body` use the buffer, and puts waiting coordinates back into it.
  private mutating func withWaitingCoordinates(
    _ facts: ObjectFacts, _ body: (inout GeoJSONCheck) throws -> Void
  ) rethrows {
    guard facts.hasWaitingCoordinates else { return try body(&self) }
    let waiting = buffer
    buffer = CoordinateBuffer()
    try body(&self)
    buffer = waiting
  }

  mutating func emitWrongType(_ kind: ValueKind, _ wanted: String) {
    emit(.memberType, "\(kind.words) where \(wanted) should be", at: walker.position)
  }

  private mutating func checkType(_ kind: ValueKind, _ facts: inout ObjectFacts) throws {
    let start = walker.position
    guard kind == .string else {
      emitWrongType(kind, "a string")
      try walker.skipValue()
      return
    }
    let range = try walker.scanString()
    let bytes = walker.bytes(range)
    if let type = Self.type(bytes, near: facts.role) {
      facts.type = type
      return
    }
    let text = String(walker.text(range).prefix(60))
    if let type = ObjectType.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() }
    ) {
      facts.type = type
      emit(
        .typeCase, "“\(text)” is written \(type.rawValue)", at: start,
        edits: [TextEdit(range, Array(type.rawValue.utf8))])
      return
    }
    let near = ObjectType.allCases.min {
      WordDistance.between(text, $0.rawValue) < WordDistance.between(text, $1.rawValue)
    }
    let advice =
      near.flatMap { WordDistance.between(text, $0.rawValue) <= 2 ? "; \($0.rawValue)?" : nil }
    emit(.unknownType, "“\(text)” is no type of GeoJSON\(advice ?? "")", at: start)
  }

  /// The type of a name; the usual ones of a place are compared first.
  @inline(__always)
  private static func type(
    _ bytes: UnsafeBufferPointer<UInt8>, near role: ObjectRole
  ) -> ObjectType? {
    if role == .feature, isEqual(bytes, "Feature") { return .feature }
    switch bytes.count {
    case 5: return isEqual(bytes, "Point") ? .point : nil
    case 7: return isEqual(bytes, "Polygon") ? .polygon : isEqual(bytes, "Feature") ? .feature : nil
    case 10:
      return isEqual(bytes, "LineString")
        ? .lineString : isEqual(bytes, "MultiPoint") ? .multiPoint : nil
    case 12: return isEqual(bytes, "MultiPolygon") ? .multiPolygon : nil
    case 15: return isEqual(bytes, "MultiLineString") ? .multiLineString : nil
    case 17: return isEqual(bytes, "FeatureCollection") ? .featureCollection : nil
    case 18: return isEqual(bytes, "GeometryCollection") ? .geometryCollection : nil
    default: return nil
    }
  }

  @inline(__always)
  private static func isEqual(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
  }

  private mutating func checkFeatures(
    _ kind: ValueKind, _ depth: Int, _ facts: inout ObjectFacts,
    _ progress: (Double) throws -> Void
  ) throws {
    // In objects of other types the name itself is the fault.
    let isMeant = facts.type == nil || facts.type == .featureCollection
    guard kind == .array, isMeant else {
      if isMeant { emitWrongType(kind, "an array") }
      try walker.skipValue()
      return
    }
    let waiting = facts
    try withWaitingCoordinates(waiting) { check in
      try check.checkElements(.feature, depth, progress) { _ in }
    }
  }

  private mutating func checkGeometries(
    _ kind: ValueKind, _ depth: Int, _ facts: inout ObjectFacts,
    _ progress: (Double) throws -> Void
  ) throws {
    let isMeant = facts.type == nil || facts.type == .geometryCollection
    guard kind == .array, isMeant else {
      if isMeant { emitWrongType(kind, "an array") }
      try walker.skipValue()
      return
    }
    var count = 0
    var last = 0..<0
    try withWaitingCoordinates(facts) { check in
      try check.checkElements(.member, depth, progress) { range in
        count += 1
        last = range
      }
    }
    (facts.geometryCount, facts.lastGeometry) = (count, last)
  }

  /// Checks the objects of an array.
  private mutating func checkElements(
    _ role: ObjectRole, _ depth: Int, _ progress: (Double) throws -> Void,
    _ body: (Range<Int>) -> Void
  ) throws {
    walker.position += 1
    var index = 0
    var next = walker.position + 1 << 20
    while try walker.separate(close: UInt8(ascii: "]"), isFirst: index == 0) == .next {
      if walker.position > next {
        try progress(Double(walker.position) / Double(walker.count))
        next = walker.position + 1 << 20
      }
      path.append(.index(index))
      if let kind = walker.kindHere, kind != .object {
        let wanted = role == .feature ? "a Feature" : "a geometry"
        emit(.notAnObject, "\(kind.words) where \(wanted) should be", at: walker.position)
        body(try walker.skipValue())
      } else {
        guard walker.kindHere != nil else { throw walker.unexpected("an object") }
        body(try checkObject(role, depth: depth + 1, progress))
      }
      path.removeLast()
      index += 1
    }
  }
}
