/// Puts the merged features into the text of ours, and merges the members around them.
struct MergedFile {
  let ours: MapText
  let theirs: MapText
  let base: MapText
  let isOfLines: Bool
  /// The members of each collection by their names.
  private let ourMembers: [[UInt8]: JSONSpans.Member]
  private let theirMembers: [[UInt8]: JSONSpans.Member]
  private let baseMembers: [[UInt8]: JSONSpans.Member]

  init(ours: MapText, theirs: MapText, base: MapText, isOfLines: Bool) {
    (self.ours, self.theirs, self.base, self.isOfLines) = (ours, theirs, base, isOfLines)
    func table(_ map: MapText) -> [[UInt8]: JSONSpans.Member] {
      Dictionary(map.members.map { ($0.name, $0) }) { $1 }
    }
    (ourMembers, theirMembers, baseMembers) = (table(ours), table(theirs), table(base))
  }

  func text(
    _ pieces: [EditedList.Piece], _ conflicts: inout [MergeConflict]
  ) throws -> [UInt8] {
    switch ours.root {
    case .empty: return theirsFrame(pieces)
    case .collection: return try collection(pieces, &conflicts)
    case .lines: return list(gap: "\n").text(pieces)
    case .feature:
      if pieces.count == 1, case .own = pieces[0] { return list(gap: "\n").text(pieces) }
      if isOfLines || base.root == .lines || theirs.root == .lines {
        return list(gap: "\n").text(pieces)
      }
      return newCollection(pieces)
    }
  }

  private func list(gap: String) -> EditedList {
    EditedList(
      bytes: ours.json.bytes, range: 0..<ours.json.bytes.count, elements: ours.features, start: 0,
      gap: Array(gap.utf8))
  }

  /// Ours is empty: features and frame are theirs.
  private func theirsFrame(_ pieces: [EditedList.Piece]) -> [UInt8] {
    if pieces.isEmpty { return ours.json.bytes }
    guard theirs.root != .feature || pieces.count == 1 else { return newCollection(pieces) }
    let frame = EditedList(
      bytes: theirs.json.bytes, range: 0..<theirs.json.bytes.count, elements: theirs.features,
      start: 0, gap: Array((theirs.root == .collection ? ",\n" : "\n").utf8))
    return frame.text(pieces)
  }

  private func newCollection(_ pieces: [EditedList.Piece]) -> [UInt8] {
    let texts = pieces.map { piece -> [UInt8] in
      switch piece {
      case .own(let index, let other): other ?? ours.bytes(of: index)
      case .added(let text): text
      }
    }
    return Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
      + texts.joined(separator: ",\n".utf8) + Array("\n]}\n".utf8)
  }

  // MARK: Collections

  private func collection(
    _ pieces: [EditedList.Piece], _ conflicts: inout [MergeConflict]
  ) throws -> [UInt8] {
    let bytes = ours.json.bytes
    let features = EditedList(
      bytes: bytes, range: ours.list, elements: ours.features, start: ours.list.lowerBound + 1,
      gap: theirsGap
    ).text(pieces)
    var members = try ours.members.enumerated().compactMap { index, own -> EditedList.Piece? in
      if own.value == ours.list {
        return .own(index, bytes[own.key.lowerBound..<own.value.lowerBound] + features)
      }
      return try piece(index, own, features, &conflicts)
    }
    if theirs.root == .collection {
      for name in theirs.members.map(\.name) where ourMembers[name] == nil {
        switch merge(name).choice {
        case .ours: continue
        case .theirs:
          guard let theirMember = theirMembers[name] else { continue }
          members.append(.added(Array(theirs.json.bytes[theirMember.range])))
        case .conflict:
          let word = String(decoding: name, as: UTF8.self)
          conflicts.append(MergeConflict(subject: MergeConflict.collection, parts: [word]))
        }
      }
    }
    if let marker = marker(conflicts) { members.append(.added(marker)) }
    return EditedList(
      bytes: bytes, range: 0..<bytes.count, elements: ours.members.map(\.range), start: 0,
      gap: [UInt8(ascii: ",")]
    ).text(members)
  }

  /// The gap between theirs' features, for a collection of ours with fewer than two.
  private var theirsGap: [UInt8] {
    guard theirs.root == .collection, theirs.features.count > 1 else { return Array(",\n".utf8) }
    return Array(
      theirs.json.bytes[theirs.features[0].upperBound..<theirs.features[1].lowerBound])
  }

  private func merge(_ name: [UInt8]) -> ValueMerge {
    ValueMerge(
      base: baseMembers[name].map { ValueMerge.Value(json: base.json, range: $0.value) },
      ours: ourMembers[name].map { ValueMerge.Value(json: ours.json, range: $0.value) },
      theirs: theirMembers[name].map { ValueMerge.Value(json: theirs.json, range: $0.value) })
  }

  /// A member beside the features: theirs' value if only theirs changed it.
  private func piece(
    _ index: Int, _ own: JSONSpans.Member, _ features: [UInt8], _ conflicts: inout [MergeConflict]
  ) throws -> EditedList.Piece? {
    let name = String(decoding: own.name, as: UTF8.self)
    if theirs.root != .collection || name == "type" { return .own(index, nil) }
    func with(_ value: [UInt8]) -> EditedList.Piece {
      .own(index, ours.json.bytes[own.key.lowerBound..<own.value.lowerBound] + value)
    }
    let values = merge(own.name)
    switch values.choice {
    case .ours: return .own(index, nil)
    case .theirs: return values.theirs.map { with($0.bytes) }
    case .conflict:
      if name == "bbox", let box = try box(of: features, like: own.value) { return with(box) }
      conflicts.append(MergeConflict(subject: MergeConflict.collection, parts: [name]))
      return .own(index, nil)
    }
  }

  /// The member with the conflicts of the collection itself.
  private func marker(_ conflicts: [MergeConflict]) -> [UInt8]? {
    let names = conflicts.filter { $0.subject == MergeConflict.collection }.flatMap(\.parts)
    if names.isEmpty { return nil }
    func object(_ map: MapText, _ members: [[UInt8]: JSONSpans.Member]) -> String {
      let texts = names.compactMap { members[Array($0.utf8)] }.map {
        String(decoding: map.json.bytes[$0.range], as: UTF8.self)
      }
      return "{" + texts.joined(separator: ",") + "}"
    }
    let conflict = ConflictText(
      base: object(base, baseMembers), theirs: object(theirs, theirMembers))
    return Array("\"\(ConflictText.name)\":\(conflict.json)".utf8)
  }

  /// The box of all merged features, as `bbox` of ours is written.
  private func box(of features: [UInt8], like box: Range<Int>) throws -> [UInt8]? {
    let json = JSONSpans(features)
    guard let list = try json.elements(of: 0..<features.count) else { return nil }
    // The coordinates of all features as one list, which is all that a box asks for.
    var text = Array("{\"coordinates\":[".utf8)
    for range in list {
      let feature = try FeatureText(json, range)
      guard let geometry = feature["geometry"] else { continue }
      for member in try json.members(of: geometry) ?? [] {
        guard member.name.elementsEqual("coordinates".utf8) else {
          if member.name.elementsEqual("geometries".utf8) { return nil }
          continue
        }
        text += json.bytes[member.value] + [UInt8(ascii: ",")]
      }
    }
    if text.last == UInt8(ascii: ",") { text.removeLast() }
    text += "]}".utf8
    let place = text.count
    text += ours.json.bytes[box]
    return try BoxText.text(of: 0..<place, in: JSONSpans(text), like: place..<text.count)
  }
}
