/// Merges a geometry that both sides changed, by its parts and rings.
struct GeometryMerge {
  typealias Value = ValueMerge.Value

  let rule: MergeOptions.GeometryRule
  /// The side that holds for a part that both changed; `nil` for ours, with a conflict.
  let preferred: MergeSide?

  /// The nesting of the coordinates of a geometry.
  private enum Shape {
    case position
    case line
    case list(of: String)
    case polygon
    case polygons

    init?(type: [UInt8]) {
      switch String(decoding: type, as: UTF8.self) {
      case "Point": self = .position
      case "LineString": self = .line
      case "MultiPoint": self = .list(of: "point")
      case "MultiLineString": self = .list(of: "line")
      case "Polygon": self = .polygon
      case "MultiPolygon": self = .polygons
      default: return nil
      }
    }
  }

  /// The merged geometry; `nil` if it cannot be merged by parts.
  func merged(_ values: ValueMerge) throws -> MergedText? {
    guard let base = values.base, let ours = values.ours, let theirs = values.theirs else {
      return nil
    }
    if preferred == nil {
      if rule == .ours { return MergedText(text: ours.bytes) }
      if rule == .theirs { return MergedText(text: theirs.bytes) }
    }
    guard let type = try Self.type(of: ours), try Self.type(of: base) == type,
      try Self.type(of: theirs) == type, let shape = Shape(type: type)
    else { return nil }
    let object = ObjectMerge(
      base: base, ours: ours, theirs: theirs, preferred: preferred,
      special: { name, values in
        name == "coordinates" ? try coordinates(values, shape) : nil
      })
    guard var merged = try object.merged() else { return nil }
    merged.conflicts = merged.conflicts.map { $0 == "coordinates" ? "geometry" : "geometry, \($0)" }
    return merged
  }

  private static func type(of value: Value) throws -> [UInt8]? {
    guard let member = try value.members()?.last(where: { $0.name.elementsEqual("type".utf8) }),
      value.json.byte(member.value.lowerBound) == UInt8(ascii: "\"")
    else { return nil }
    return value.json.text(member.value)
  }

  private func coordinates(_ values: ValueMerge, _ shape: Shape) throws -> MergedText? {
    switch shape {
    case .position: nil
    case .line: try vertices(values, isRing: false)
    case .list(let part): try list(values, part) { try line($0, part) }
    case .polygon: try polygon(values)
    case .polygons: try list(values, "part") { try polygon($0) }
    }
  }

  private func line(_ values: ValueMerge, _ part: String) throws -> MergedText? {
    part == "line" ? try vertices(values, isRing: false) : nil
  }

  private func polygon(_ values: ValueMerge) throws -> MergedText? {
    func rings(_ merge: (ValueMerge) throws -> MergedText?) throws -> MergedText? {
      try list(values, "ring", keepsFirst: true, merge)
    }
    var isMerged = false
    let merged = try rings { values in
      let ring = try vertices(values, isRing: true)
      if ring != nil { isMerged = true }
      return ring
    }
    guard let merged, isMerged else { return merged }
    return PolygonCheck.isValid(merged.text) ? merged : try rings { _ in nil }
  }

  /// Merges lists by their elements.
  ///
  /// - Parameters:
  ///   - part: what an element is called.
  ///   - keepsFirst: whether the first elements must be versions of each other: a hole never
  ///     becomes an outer ring.
  private func list(
    _ values: ValueMerge, _ part: String, keepsFirst: Bool = false,
    _ merge: (ValueMerge) throws -> MergedText?
  ) throws -> MergedText? {
    guard let base = try values.base?.elements(), let ours = try values.ours?.elements(),
      let theirs = try values.theirs?.elements(), let whole = values.ours
    else { return nil }
    let hashes = { (list: [Value]) in
      MatchedValues(
        hashes: list.map { ByteHash.of($0.json.canonical($0.range)[...]) },
        isFirstKnown: keepsFirst)
    }
    let (former, own, other) = (hashes(base), hashes(ours), hashes(theirs))
    let (toOurs, toTheirs) = (FeatureMatching(former, own), FeatureMatching(former, other))
    if keepsFirst, toOurs.second.first != 0 || toTheirs.second.first != 0 { return nil }
    var conflicts: [String] = []
    func disagree(_ index: Int) {
      if preferred == nil { conflicts.append("\(part) \(index + 1)") }
    }
    let three = ThreeWayList<[UInt8]>(
      ours: toOurs, theirs: toTheirs,
      additions: FeatureMatching.equalAdditions(own, other, toOurs, toTheirs))
    let pieces = try three.pieces { index, own, other in
      let values = ValueMerge(
        base: base[index], ours: own.map { ours[$0] }, theirs: other.map { theirs[$0] })
      func taken() -> ThreeWayList<[UInt8]>.Outcome {
        values.theirs.map { .theirs($0.bytes) } ?? .gone
      }
      switch values.choice {
      case .ours: return own == nil ? .gone : .ours
      case .theirs: return taken()
      case .conflict: break
      }
      if own != nil, other != nil, let merged = try merge(values) {
        conflicts += merged.conflicts.map { "\(part) \(index + 1), \($0)" }
        return .changed(merged.text)
      }
      disagree(index)
      // A part removed by one side and changed by the other is kept.
      if preferred == .theirs || own == nil && preferred == nil { return taken() }
      return own == nil ? .gone : .ours
    } both: { _, _ in
      .ours
    } added: { index in
      theirs[index].bytes
    }
    let edited = EditedList(whole.json, whole.range, elements: ours.map(\.range))
    return MergedText(text: edited.text(pieces), conflicts: conflicts)
  }

  /// Merges the vertices of a line or a ring where each side changed another run of them.
  private func vertices(_ values: ValueMerge, isRing: Bool) throws -> MergedText? {
    guard rule == .auto, preferred == nil, let whole = values.ours,
      let base = try values.base?.elements(), let ours = try values.ours?.elements(),
      let theirs = try values.theirs?.elements()
    else { return nil }
    return try VertexMerge(base: base, ours: ours, theirs: theirs, isRing: isRing).text(of: whole)
  }
}

extension FeatureMatching {
  /// The additions of theirs that equal one of ours.
  static func equalAdditions(
    _ own: some MatchedFeatures, _ other: some MatchedFeatures, _ toOurs: FeatureMatching,
    _ toTheirs: FeatureMatching
  ) -> [Int: Int] {
    var waiting: [Int: [Int]] = [:]
    for index in toOurs.first.indices.reversed() where toOurs.first[index] == nil {
      waiting[own.whole(index), default: []].append(index)
    }
    var found: [Int: Int] = [:]
    for index in toTheirs.first.indices where toTheirs.first[index] == nil {
      if let own = waiting[other.whole(index)]?.popLast() { found[index] = own }
    }
    return found
  }
}
