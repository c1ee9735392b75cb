/// Required and forbidden members.
extension GeoJSONCheck {
  /// Judges an object after its closing brace.
  mutating func judge(_ facts: inout ObjectFacts) {
    if facts.type == nil, facts[.type] == nil {
      emit(.typeMissing, "the object has no type", at: facts.start)
      facts.type = guessedType(facts)
    }
    if facts.hasWaitingCoordinates, let type = facts.type, type.depth > 0 {
      path.append(.name("coordinates"))
      judgeCoordinates(type)
      path.removeLast()
    }
    judgeBox(facts)
    guard let type = facts.type else { return }
    judgePlace(type, facts)
    judgeMembers(type, facts)
    if type == .geometryCollection, facts.geometryCount == 1 {
      // Only a collection without members of its own can be replaced.
      let isBare =
        facts.memberCount == 2 && facts[.type] != nil && facts[.geometries] != nil
        && walker.byte(at: facts.lastGeometry.lowerBound) == UInt8(ascii: "{")
      let text = Array(walker.bytes(facts.lastGeometry))
      emit(
        .singleCollection, "the collection has one geometry", at: facts.start,
        edits: isBare ? [TextEdit(facts.start..<facts.end, text)] : [])
    }
  }

  private func guessedType(_ facts: ObjectFacts) -> ObjectType? {
    if facts.role == .feature || facts[.geometry] != nil { return .feature }
    if facts[.features] != nil { return .featureCollection }
    if facts[.geometries] != nil { return .geometryCollection }
    return nil
  }

  private mutating func judgePlace(_ type: ObjectType, _ facts: ObjectFacts) {
    let offset = facts[.type]?.value.lowerBound ?? facts.start
    switch facts.role {
    case .root: break
    case .feature:
      if type != .feature {
        emit(
          .unknownType, "a FeatureCollection holds Features, not \(type.rawValue)", at: offset)
      }
    case .geometry, .member:
      if !type.isGeometry {
        emit(.unknownType, "\(type.rawValue) is no geometry", at: offset)
      } else if facts.role == .member, type == .geometryCollection {
        emit(.nestedCollection, "a collection is in a collection", at: offset)
      }
    }
  }

  private mutating func judgeMembers(_ type: ObjectType, _ facts: ObjectFacts) {
    let required: [MemberName]
    let foreign: [MemberName]
    switch type {
    case .featureCollection:
      required = [.features]
      foreign = [.coordinates, .geometries, .geometry, .properties]
    case .feature:
      required = [.geometry, .properties]
      foreign = [.coordinates, .geometries, .features]
    case .geometryCollection:
      required = [.geometries]
      foreign = [.geometry, .properties, .features]
    default:
      required = [.coordinates]
      foreign = [.geometry, .properties, .features]
    }
    for name in required where facts[name] == nil {
      // A feature may say null; nobody knows the coordinates.
      var edits: [TextEdit] = []
      let isSure = facts[.type]?.kind == .string && foreign.allSatisfy { facts[$0] == nil }
      if type == .feature, isSure {
        edits = [
          TextEdit(
            facts.lastValueEnd..<facts.lastValueEnd, Array(", \"\(name.text)\": null".utf8))
        ]
      }
      emit(
        .memberMissing, "a \(type.rawValue) needs the member \(name.text)", at: facts.start,
        edits: edits)
    }
    for name in foreign {
      guard let member = facts[name] else { continue }
      emit(
        .changedMeaning, "\(name.text) has another meaning, and may not be in a \(type.rawValue)",
        at: member.keyStart)
    }
  }

  /// Checks the member `crs` of the former standard.
  mutating func checkSystem(_ kind: ValueKind) throws {
    let start = walker.position
    let keyEnd = start
    let value = try walker.skipValue()
    // `"crs": null` said that nothing is known.
    if path.count == 1, kind != .null { values.hasSystemMember = true }
    let text = walker.text(value.prefix(2_000)).lowercased()
    let isDegrees = ["crs84", "epsg::4326", "epsg:4326"].contains { text.contains($0) }
    if isDegrees { values.hasSystemMember = false }
    if kind == .null { values.hasSystemMember = true }
    var edits: [TextEdit] = []
    if isDegrees, let range = memberRange(before: keyEnd, value) { edits = [TextEdit(range, [])] }
    emit(
      .systemMember,
      isDegrees
        ? "crs names the system that GeoJSON has anyway"
        : "crs was removed from the standard; many readers take the numbers for degrees",
      at: start, edits: edits)
  }

  /// The bytes of a member with one of the commas around it.
  private func memberRange(before valueStart: Int, _ value: Range<Int>) -> Range<Int>? {
    var at = valueStart - 1
    while at > 0, walker.byte(at: at) != UInt8(ascii: "\"") { at -= 1 }
    at -= 1
    while at > 0, walker.byte(at: at) != UInt8(ascii: "\"") { at -= 1 }
    var before = at - 1
    while before > 0, walker.byte(at: before) <= 0x20 { before -= 1 }
    if walker.byte(at: before) == UInt8(ascii: ",") { return before..<value.upperBound }
    var after = value.upperBound
    while walker.byte(at: after) <= 0x20, after < walker.count { after += 1 }
    guard walker.byte(at: after) == UInt8(ascii: ",") else { return nil }
    after += 1
    while walker.byte(at: after) <= 0x20, after < walker.count { after += 1 }
    return at..<after
  }
}

/// How many letters differ between two words.
enum WordDistance {
  /// The distance of Levenshtein; words of more than 64 letters are far from all others.
  static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (
      Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars)
    )
    guard left.count <= 64, right.count <= 64 else { return 64 }
    var row = Array(0...right.count)
    for (line, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in right.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(
          min(above, row[column]) + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
