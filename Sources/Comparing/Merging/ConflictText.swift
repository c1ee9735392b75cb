import PortolanDocuments

/// The conflict of a feature until somebody decides: the member `portolan:conflict`.
///
///     "portolan:conflict":{"base":{…},"theirs":{…}}     both changed it; the feature is ours
///     "portolan:conflict":{"base":{…},"theirs":null}    theirs removed what ours changed
///     "portolan:conflict":{"base":{…},"ours":null}      ours removed it; the feature is theirs
///     "portolan:conflict":{"base":null,"theirs":{…}}    both added it
package struct ConflictText: Hashable, Sendable {
  package static let name = Conflict.member

  /// The feature before both edits, as JSON; `nil` if there was none.
  package var base: String?
  /// That of theirs; `nil` if theirs removed it, and where the feature itself is theirs.
  package var theirs: String?
  /// The side that removed the feature.
  package var removedBy: MergeSide?

  package init(base: String?, theirs: String?, removedBy: MergeSide? = nil) {
    (self.base, self.theirs, self.removedBy) = (base, theirs, removedBy)
  }

  /// Reads the value of the member; `nil` if it is none that a merge writes.
  package init?(json text: String) {
    let json = JSONSpans(Array(text.utf8))
    var place = 0
    guard let range = try? json.skipValue(&place), let members = try? json.members(of: range) else {
      return nil
    }
    func member(_ name: String) -> JSONSpans.Member? {
      members.last { $0.name.elementsEqual(name.utf8) }
    }
    func value(_ name: String) -> String? {
      guard let member = member(name), json.byte(member.value.lowerBound) == UInt8(ascii: "{")
      else {
        return nil
      }
      return String(decoding: json.bytes[member.value], as: UTF8.self)
    }
    (base, theirs) = (value("base"), value("theirs"))
    if member("ours") != nil {
      removedBy = .ours
    } else if theirs == nil {
      removedBy = .theirs
    }
    if base == nil, theirs == nil { return nil }
  }

  /// The value of the member.
  package var json: String {
    removedBy == .ours
      ? "{\"base\":\(base ?? "null"),\"ours\":null}"
      : "{\"base\":\(base ?? "null"),\"theirs\":\(theirs ?? "null")}"
  }

  /// A feature with the member as its last.
  static func marked(
    _ feature: [UInt8], base: [UInt8]?, theirs: [UInt8]?, removedBy: MergeSide?
  )
    -> [UInt8]
  {
    let conflict = ConflictText(
      base: base.map { String(decoding: $0, as: UTF8.self) },
      theirs: theirs.map { String(decoding: $0, as: UTF8.self) }, removedBy: removedBy)
    let end = feature.lastIndex(of: UInt8(ascii: "}")) ?? feature.endIndex
    let last = feature[..<end].last { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
    let comma = last == UInt8(ascii: "{") ? "" : ","
    let start = feature[..<end].lastIndex { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }.map { $0 + 1 }
    var result = Array(feature[..<(start ?? end)])
    result += "\(comma)\"\(name)\":\(conflict.json)".utf8
    return result + feature[(start ?? end)...]
  }
}

/// The decision of a conflict.
package enum ConflictDecision: String, Hashable, Sendable, CaseIterable {
  case ours, theirs, both
}

extension ConflictText {
  /// A decided conflict: the texts of the features that stand in the place of the one with it.
  ///
  /// - Parameters:
  ///   - feature: the feature as it is now, as JSON; without the member.
  ///   - decision: ours keeps the feature; theirs takes what theirs changed where both disagree;
  ///     both keeps two features, the second one without an `id` that the first has.
  package func decided(
    _ feature: String, _ decision: ConflictDecision
  ) throws -> [String] {
    switch removedBy {
    case .ours: return decision == .ours ? [] : [feature]
    case .theirs: return decision == .theirs ? [] : [feature]
    case nil: break
    }
    guard decision != .ours, let theirs else { return [feature] }
    let own = try Self.feature(feature)
    let merge = FeatureMerge(
      base: try base.map { try Self.feature($0) }, ours: own, theirs: try Self.feature(theirs),
      preferred: .theirs)
    let taken = String(decoding: try merge.merged().text, as: UTF8.self)
    if decision == .theirs { return [taken] }
    return [feature, try Self.withoutRepeatedID(taken, of: own)]
  }

  /// What both sides changed differently, by the names of attributes and parts.
  package func disagreements(_ feature: String) throws -> [String] {
    guard let theirs else { return [] }
    return try FeatureMerge(
      base: base.map { try Self.feature($0) }, ours: Self.feature(feature),
      theirs: Self.feature(theirs)
    ).merged().conflicts
  }

  /// The members of a collection as theirs has them.
  package func theirMembers() throws -> [(name: String, json: String)] {
    guard let theirs else { return [] }
    let json = JSONSpans(Array(theirs.utf8))
    var place = 0
    return try (json.members(of: json.skipValue(&place)) ?? []).map { member in
      (
        String(decoding: member.name, as: UTF8.self),
        String(decoding: json.bytes[member.value], as: UTF8.self)
      )
    }
  }

  private static func feature(_ text: String) throws -> FeatureText {
    let json = JSONSpans(Array(text.utf8))
    var place = 0
    return try FeatureText(json, json.skipValue(&place))
  }

  private static func withoutRepeatedID(_ text: String, of own: FeatureText) throws -> String {
    let copy = try feature(text)
    guard let id = copy["id"], let ownID = own["id"],
      JSONSpans.areEqual(copy.json, id, own.json, ownID)
    else { return text }
    let kept = copy.members.indices.filter { !copy.members[$0].name.elementsEqual("id".utf8) }
    let list = EditedList(copy.json, copy.range, elements: copy.members.map(\.range))
    return String(decoding: list.text(kept.map { .own($0, nil) }), as: UTF8.self)
  }
}
