/// Three versions of one value, each with its text.
struct ValueMerge {
  /// A value of a text; `nil` where a version has none.
  struct Value {
    var json: JSONSpans
    var range: Range<Int>

    func equals(_ other: Value) -> Bool { JSONSpans.areEqual(json, range, other.json, other.range) }
    var bytes: [UInt8] { Array(json.bytes[range]) }
    var isNull: Bool { json.isNull(range) }
    func members() throws -> [JSONSpans.Member]? { try json.members(of: range) }
    func elements() throws -> [Value]? {
      try json.elements(of: range)?.map { Value(json: json, range: $0) }
    }
  }

  enum Choice {
    case ours, theirs, conflict
  }

  var base: Value?
  var ours: Value?
  var theirs: Value?

  /// The side whose value holds: the one that changed it.
  var choice: Choice {
    if Self.areEqual(ours, theirs) || Self.areEqual(base, theirs) { return .ours }
    return Self.areEqual(base, ours) ? .theirs : .conflict
  }

  private static func areEqual(_ first: Value?, _ second: Value?) -> Bool {
    switch (first, second) {
    case (nil, nil): true
    case (let first?, let second?): first.equals(second)
    default: false
    }
  }
}

/// Merges the members of three objects one by one.
struct ObjectMerge {
  typealias Value = ValueMerge.Value
  typealias Member = JSONSpans.Member

  let base: Value?
  let ours: Value
  let theirs: Value
  /// The side that holds where both changed a member; `nil` for ours, with a conflict.
  let preferred: MergeSide?
  /// The names of members that are left as ours has them.
  var omitted: [String] = []
  /// Merges a member in its own way; `nil` for one that is merged as a whole.
  var special: (_ name: String, ValueMerge) throws -> MergedText? = { _, _ in nil }

  /// The merged object, and the names of the members that both changed; `nil` if one of the three
  /// is no object, or has a name twice.
  func merged() throws -> MergedText? {
    guard let own = try Self.table(ours), let other = try Self.table(theirs) else { return nil }
    var formers: [[UInt8]: Member] = [:]
    if let base {
      guard let table = try Self.table(base) else { return nil }
      for member in table { formers[member.name] = member }
    }
    let others = Dictionary(other.map { ($0.name, $0) }) { $1 }
    var conflicts: [String] = []
    var pieces: [EditedList.Piece] = []
    for (index, member) in own.enumerated() {
      guard !isOmitted(member) else {
        pieces.append(.own(index, nil))
        continue
      }
      let values = ValueMerge(
        base: value(base, formers[member.name]), ours: value(ours, member),
        theirs: value(theirs, others[member.name]))
      switch try decide(member, values, &conflicts) {
      case .ours: pieces.append(.own(index, nil))
      case .gone: break
      case .text(let text):
        let key = ours.json.bytes[member.key.lowerBound..<member.value.lowerBound]
        pieces.append(.own(index, key + text))
      }
    }
    add(other, own, formers, to: &pieces, &conflicts)
    let list = EditedList(ours.json, ours.range, elements: own.map(\.range))
    return MergedText(text: list.text(pieces), conflicts: conflicts)
  }

  private enum Decision {
    case ours, gone
    case text([UInt8])
  }

  private func decide(
    _ member: Member, _ values: ValueMerge, _ conflicts: inout [String]
  ) throws -> Decision {
    func taken() -> Decision { values.theirs.map { .text($0.bytes) } ?? .gone }
    switch values.choice {
    case .ours: return .ours
    case .theirs: return taken()
    case .conflict:
      let name = String(decoding: member.name, as: UTF8.self)
      if let special = try special(name, values) {
        conflicts += special.conflicts
        return .text(special.text)
      }
      if preferred == .theirs { return taken() }
      if preferred == nil { conflicts.append(name) }
      return .ours
    }
  }

  /// Adds the members that only theirs has, each behind the one that it follows there.
  private func add(
    _ other: [Member], _ own: [Member], _ formers: [[UInt8]: Member],
    to pieces: inout [EditedList.Piece], _ conflicts: inout [String]
  ) {
    let owns = Dictionary(own.enumerated().map { ($1.name, $0) }) { $1 }
    // The additions behind the member of ours with this number; -1 is before the first.
    var behind: [Int: [EditedList.Piece]] = [:]
    var place = -1
    for member in other {
      if let index = owns[member.name] {
        place = index
        continue
      }
      if isOmitted(member) { continue }
      let values = ValueMerge(
        base: value(base, formers[member.name]), ours: nil, theirs: value(theirs, member))
      switch values.choice {
      case .ours: continue
      case .theirs: break
      case .conflict:
        // Removed by ours and changed by theirs.
        if preferred == nil { conflicts.append(String(decoding: member.name, as: UTF8.self)) }
        if preferred != .theirs { continue }
      }
      behind[place, default: []].append(.added(Array(theirs.json.bytes[member.range])))
    }
    if behind.isEmpty { return }
    var kept = pieces[...]
    pieces = behind[-1] ?? []
    for index in own.indices {
      if kept.first?.own == index, let piece = kept.popFirst() { pieces.append(piece) }
      pieces += behind[index] ?? []
    }
  }

  private func isOmitted(_ member: Member) -> Bool {
    omitted.contains { member.name.elementsEqual($0.utf8) }
  }

  private func value(_ of: Value?, _ member: Member?) -> Value? {
    guard let of, let member else { return nil }
    return Value(json: of.json, range: member.value)
  }

  /// The members; `nil` for no object or a name that is given twice.
  private static func table(_ value: Value) throws -> [Member]? {
    guard let members = try value.members() else { return nil }
    var seen = Set<[UInt8]>()
    for member in members where !seen.insert(member.name).inserted { return nil }
    return members
  }
}

/// A merged value, and the names of the parts that both sides changed differently.
struct MergedText {
  var text: [UInt8]
  var conflicts: [String] = []
}
