import PortolanDocuments

/// A three-way merge of files of GeoJSON.
///
/// The result is the text of ours, in which the features that theirs changed stand with theirs'
/// bytes. Features that both changed are merged attribute by attribute and ring by ring. What
/// cannot be decided stays as ours has it, and the feature keeps the other versions in a member
/// until somebody decides.
///
/// - Complexity: O(bytes), and for features that both changed O(n log n) in their parts.
package struct MapMerge {
  private let base: MapText
  private let ours: MapText
  private let theirs: MapText
  private let options: MergeOptions
  private let isOfLines: Bool
  /// The conflicts.
  package private(set) var conflicts: [MergeConflict] = []
  /// How many features were taken from theirs: changed, added and removed ones.
  package private(set) var takenCount = 0
  /// How many features were merged of both.
  package private(set) var mergedCount = 0

  /// - Parameter isOfLines: whether the result has a feature a line where ours does not tell.
  package init(
    base: MapText, ours: MapText, theirs: MapText, options: MergeOptions = MergeOptions(),
    isOfLines: Bool = false
  ) {
    (self.base, self.ours, self.theirs, self.options) = (base, ours, theirs, options)
    self.isOfLines = isOfLines
  }

  /// A fault of one of the sides.
  package struct SideFault: Error, Hashable, Sendable {
    package var side: MergeSide
    package var fault: JSONSpans.Fault
  }

  /// Throws if a side has conflicts of an earlier merge.
  private func check(_ map: MapText, _ side: MergeSide) throws {
    let name = Array("\"\(ConflictText.name)\"".utf8)
    guard map.json.contains(name) else { return }
    let own = map.members.first { $0.name.elementsEqual(ConflictText.name.utf8) }?.value
    if let own { throw Self.undecided(own.lowerBound, side) }
    for index in map.features.indices {
      if let place = try FeatureText(map, index)[ConflictText.name] {
        throw Self.undecided(place.lowerBound, side)
      }
    }
  }

  private static func undecided(_ offset: Int, _ side: MergeSide) -> SideFault {
    SideFault(
      side: side,
      fault: JSONSpans.Fault(
        offset: offset,
        what: "a conflict of an earlier merge is not decided: portolan FILE, then ]c and :resolve"))
  }

  /// The bytes of the merged file.
  ///
  /// - Parameter progress: called with the part that is done, from 0 to 1.
  package mutating func merged(
    progress: (Double) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    try check(ours, .ours)
    try check(theirs, .theirs)
    if ours.json.bytes == theirs.json.bytes || base.json.bytes == theirs.json.bytes {
      return ours.json.bytes
    }
    if base.json.bytes == ours.json.bytes { return theirs.json.bytes }
    let keys = (
      try MatchedTexts(base, key: options.key), try MatchedTexts(ours, key: options.key),
      try MatchedTexts(theirs, key: options.key)
    )
    try progress(0.3)
    let toOurs = FeatureMatching(keys.0, keys.1)
    try progress(0.5)
    let toTheirs = FeatureMatching(keys.0, keys.2)
    try progress(0.7)
    let three = ThreeWayList<[UInt8]>(
      ours: toOurs, theirs: toTheirs, additions: Self.additions(keys.1, keys.2, toOurs, toTheirs))
    let pieces = try three.pieces { index, own, other in
      try known(index, own, other)
    } both: { own, other in
      try both(own, other)
    } added: { other in
      takenCount += 1
      return bytes(theirs, other)
    }
    try progress(0.9)
    return try MergedFile(ours: ours, theirs: theirs, base: base, isOfLines: isOfLines)
      .text(pieces, &conflicts)
  }

  /// The additions of theirs that are additions of ours, too: by id, else equal ones, else by
  /// geometry.
  private static func additions(
    _ own: MatchedTexts, _ other: MatchedTexts, _ toOurs: FeatureMatching,
    _ toTheirs: FeatureMatching
  ) -> [Int: Int] {
    let owns = toOurs.first.indices.filter { toOurs.first[$0] == nil }
    let others = toTheirs.first.indices.filter { toTheirs.first[$0] == nil }
    let matching = FeatureMatching(
      ChosenFeatures(own, owns), ChosenFeatures(other, others), isInOrder: false)
    var found: [Int: Int] = [:]
    for (index, match) in matching.first.enumerated() {
      if let match { found[others[index]] = owns[match] }
    }
    return found
  }

  // MARK: Features

  private mutating func known(
    _ index: Int, _ own: Int?, _ other: Int?
  ) throws -> ThreeWayList<[UInt8]>.Outcome {
    switch (own, other) {
    case (nil, nil): return .gone
    case (let own?, nil):
      if try isSame(base, index, ours, own) {
        takenCount += 1
        return .gone
      }
      conflicts.append(MergeConflict(subject: name(ours, own), parts: [], removedBy: .theirs))
      return .changed(
        marked(bytes(ours, own), base: base.bytes(of: index), theirs: nil, removedBy: .theirs))
    case (nil, let other?):
      if try isSame(base, index, theirs, other) { return .gone }
      conflicts.append(MergeConflict(subject: name(theirs, other), parts: [], removedBy: .ours))
      return .theirs(
        marked(bytes(theirs, other), base: base.bytes(of: index), theirs: nil, removedBy: .ours))
    case (let own?, let other?):
      if try isSame(base, index, theirs, other) || isSame(ours, own, theirs, other) {
        return .ours
      }
      if try isSame(base, index, ours, own) {
        takenCount += 1
        return .changed(bytes(theirs, other))
      }
      return try merge(index, own, other)
    }
  }

  private mutating func both(_ own: Int, _ other: Int) throws -> ThreeWayList<[UInt8]>.Outcome {
    if try isSame(ours, own, theirs, other) { return .ours }
    return try merge(nil, own, other)
  }

  private mutating func merge(
    _ index: Int?, _ own: Int, _ other: Int
  ) throws -> ThreeWayList<[UInt8]>.Outcome {
    let merged = try FeatureMerge(
      base: index.map { try FeatureText(base, $0) }, ours: FeatureText(ours, own),
      theirs: FeatureText(theirs, other), rule: options.geometry
    ).merged()
    let text =
      isCompact(theirs) ? JSONSpans(merged.text).compact(0..<merged.text.count) : merged.text
    if merged.conflicts.isEmpty {
      mergedCount += 1
      return .changed(text)
    }
    conflicts.append(MergeConflict(subject: name(ours, own), parts: merged.conflicts))
    return .changed(
      marked(
        text, base: index.map { base.bytes(of: $0) }, theirs: theirs.bytes(of: other),
        removedBy: nil))
  }

  private func isSame(
    _ first: MapText, _ index: Int, _ second: MapText, _ other: Int
  ) throws -> Bool {
    if first.json.bytes[first.features[index]]
      .elementsEqual(second.json.bytes[second.features[other]])
    {
      return true
    }
    return try FeatureText(first, index).canonical() == FeatureText(second, other).canonical()
  }

  // MARK: Texts

  /// Whether features of another map come without line breaks, since ours has a feature a line.
  private func isCompact(_ map: MapText) -> Bool {
    let root = ours.root == .empty ? theirs.root : ours.root
    return (root == .lines || isOfLines) && map.root != .lines
  }

  private func bytes(_ map: MapText, _ index: Int) -> [UInt8] {
    isCompact(map) ? map.json.compact(map.features[index]) : map.bytes(of: index)
  }

  private func marked(
    _ text: [UInt8], base: [UInt8]?, theirs: [UInt8]?, removedBy: MergeSide?
  ) -> [UInt8] {
    func onLine(_ text: [UInt8]) -> [UInt8] {
      ours.root == .lines || isOfLines ? JSONSpans(text).compact(0..<text.count) : text
    }
    return ConflictText.marked(
      text, base: base.map(onLine), theirs: theirs.map(onLine), removedBy: removedBy)
  }

  /// A feature in words: its number in its file, its name and its id.
  private func name(_ map: MapText, _ index: Int) -> String {
    let feature = try? FeatureText(map, index)
    let attributes = (try? feature?.attributes()) ?? []
    func text(_ value: Range<Int>) -> String {
      let isText = map.json.byte(value.lowerBound) == UInt8(ascii: "\"")
      let bytes = isText ? map.json.text(value)[...] : map.json.bytes[value]
      return map.json.isNull(value) ? "" : String(decoding: bytes, as: UTF8.self)
    }
    func attribute(_ name: String) -> Range<Int>? {
      attributes.last { $0.name.elementsEqual(name.utf8) }?.value
    }
    return ComparedRow.label(
      index + 1, (options.key.map(attribute) ?? feature?["id"]).map(text),
      key: options.key ?? "id"
    ) { attribute($0).map(text) ?? "" }
  }
}

/// Some of the features of a version.
private struct ChosenFeatures: MatchedFeatures {
  let all: MatchedTexts
  let chosen: [Int]

  init(_ all: MatchedTexts, _ chosen: [Int]) { (self.all, self.chosen) = (all, chosen) }

  var count: Int { chosen.count }
  func identity(_ index: Int) -> Int? { all.identity(chosen[index]) }
  func whole(_ index: Int) -> Int { all.whole(chosen[index]) }
  func content(_ index: Int) -> Int { all.content(chosen[index]) }
  func geometry(_ index: Int) -> Int? { all.geometry(chosen[index]) }
  func hasPlace(_ index: Int) -> Bool { all.hasPlace(chosen[index]) }
  func attributes(_ index: Int) -> Int? { all.attributes(chosen[index]) }
}
