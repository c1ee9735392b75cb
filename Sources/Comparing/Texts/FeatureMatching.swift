/// The features of one version of a map, as far as matching asks for them.
protocol MatchedFeatures {
  var count: Int { get }
  /// The identity of a feature, as a hash; `nil` without one.
  func identity(_ index: Int) -> Int?
  /// The hash of all of it.
  func whole(_ index: Int) -> Int
  /// The hash of geometry and attributes.
  func content(_ index: Int) -> Int
  /// The hash of its geometry; `nil` without one.
  func geometry(_ index: Int) -> Int?
  /// Whether its geometry has a position.
  func hasPlace(_ index: Int) -> Bool
  /// The hash of its attributes; `nil` without any.
  func attributes(_ index: Int) -> Int?
  /// A number that both versions share if one came of the other; `nil` without one.
  func number(_ index: Int) -> Int?
}

extension MatchedFeatures {
  func number(_ index: Int) -> Int? { nil }
  func hasPlace(_ index: Int) -> Bool { true }
}

/// Which feature of one version is which of another.
///
/// By turns: an id that is unique on both sides, equal features, equal geometry and attributes,
/// the same number, equal geometry, equal attributes that no other has, and at last the order
/// between two matched neighbours, if there are as many on both sides. Features of different ids
/// are the same only if nothing but the id differs.
///
/// - Complexity: O(features), and what the hashes cost: those of geometry and attributes alone are
///   asked for only where nothing else matched.
struct FeatureMatching {
  /// The index in the second version of each feature of the first; `nil` for none.
  private(set) var second: [Int?]
  /// The index in the first version of each feature of the second.
  private(set) var first: [Int?]

  /// - Parameter isInOrder: whether one version came of the other. Where both are additions,
  ///   neither equal attributes nor the order tell anything, and an equal geometry does if only one
  ///   feature on each side has it.
  init(_ old: some MatchedFeatures, _ new: some MatchedFeatures, isInOrder: Bool = true) {
    second = Array(repeating: nil, count: old.count)
    first = Array(repeating: nil, count: new.count)
    let oldIDs = Self.unique((0..<old.count).map { old.identity($0) })
    let newIDs = Self.unique((0..<new.count).map { new.identity($0) })
    for (id, index) in newIDs {
      if let other = oldIDs[id] { pair(other, index) }
    }
    var hasOldID = Array(repeating: false, count: old.count)
    var hasNewID = Array(repeating: false, count: new.count)
    for index in oldIDs.values { hasOldID[index] = true }
    for index in newIDs.values { hasNewID[index] = true }
    match({ old.whole($0) }, { new.whole($0) })
    func open(_ has: [Bool], _ value: @escaping (Int) -> Int?) -> (Int) -> Int? {
      { has[$0] ? nil : value($0) }
    }
    guard isInOrder else {
      match(open(hasOldID) { old.content($0) }, open(hasNewID) { new.content($0) })
      match(
        open(hasOldID) { old.hasPlace($0) ? old.geometry($0) : nil },
        open(hasNewID) { new.hasPlace($0) ? new.geometry($0) : nil }, isUnique: true)
      return
    }
    match({ old.content($0) }, { new.content($0) })
    // From here on, an id stands against a match.
    match(open(hasOldID) { old.number($0) }, open(hasNewID) { new.number($0) })
    match(open(hasOldID) { old.geometry($0) }, open(hasNewID) { new.geometry($0) })
    match(
      open(hasOldID) { old.attributes($0) }, open(hasNewID) { new.attributes($0) },
      isUnique: true)
    matchByOrder(hasOldID, hasNewID)
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    guard second[old] == nil, first[new] == nil else { return }
    second[old] = new
    first[new] = old
  }

  /// The indices of the values that only one has.
  private static func unique(_ values: [Int?]) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for (index, value) in values.enumerated() {
      guard let value else { continue }
      found[value] = found[value] == nil ? index : -1
    }
    return found.filter { $0.value >= 0 }
  }

  /// Pairs the unmatched by a hash: the first of a value with the first, and so on.
  private mutating func match(
    _ old: (Int) -> Int?, _ new: (Int) -> Int?, isUnique: Bool = false
  ) {
    let olds = second.indices.filter { second[$0] == nil }
    let news = first.indices.filter { first[$0] == nil }
    if olds.isEmpty || news.isEmpty { return }
    var waiting: [Int: [Int]] = [:]
    for index in olds.reversed() {
      if let value = old(index) { waiting[value, default: []].append(index) }
    }
    let values = news.map { ($0, new($0)) }
    var counts: [Int: Int] = [:]
    if isUnique { for case (_, let value?) in values { counts[value, default: 0] += 1 } }
    for case (let index, let value?) in values {
      guard let last = waiting[value]?.last else { continue }
      if isUnique, counts[value] != 1 || waiting[value]?.count != 1 { continue }
      waiting[value]?.removeLast()
      pair(last, index)
    }
  }

  /// Pairs runs of as many features behind the same neighbour.
  private mutating func matchByOrder(_ hasOldID: [Bool], _ hasNewID: [Bool]) {
    var index = 0
    while index < second.count {
      guard second[index] == nil else {
        index += 1
        continue
      }
      var end = index
      while end < second.count, second[end] == nil { end += 1 }
      let start = index == 0 ? 0 : (second[index - 1] ?? -1) + 1
      var newEnd = start
      while newEnd < first.count, first[newEnd] == nil { newEnd += 1 }
      if newEnd - start == end - index {
        for (old, new) in zip(index..<end, start..<newEnd) where !(hasOldID[old] || hasNewID[new]) {
          pair(old, new)
        }
      }
      index = end
    }
  }
}

/// Values by their hashes alone, such as the rings of a geometry.
struct MatchedValues: MatchedFeatures {
  let hashes: [Int]
  /// Whether the first value is the first of the other version, whatever it is.
  var isFirstKnown = false

  var count: Int { hashes.count }
  func identity(_ index: Int) -> Int? { isFirstKnown && index == 0 ? 0 : nil }
  func whole(_ index: Int) -> Int { hashes[index] }
  func content(_ index: Int) -> Int { hashes[index] }
  func geometry(_ index: Int) -> Int? { nil }
  func attributes(_ index: Int) -> Int? { nil }
}

/// The features of a file of GeoJSON.
struct MatchedTexts: MatchedFeatures {
  let map: MapText
  private let identities: [Int?]

  init(_ map: MapText, key: String?) throws {
    self.map = map
    identities = try map.features.indices.map { index in
      try FeatureText(map, index).identity(key: key).map { ByteHash.of($0[...]) }
    }
  }

  var count: Int { map.features.count }
  func identity(_ index: Int) -> Int? { identities[index] }
  func whole(_ index: Int) -> Int { ByteHash.of(map.json.bytes[map.features[index]]) }
  func content(_ index: Int) -> Int { hash(index, ["properties", "geometry"]) ?? 0 }

  func geometry(_ index: Int) -> Int? {
    guard let feature = try? FeatureText(map, index), let value = feature["geometry"],
      !map.json.isNull(value)
    else { return nil }
    return hash(index, ["geometry"])
  }

  func hasPlace(_ index: Int) -> Bool {
    guard let feature = try? FeatureText(map, index), let value = feature["geometry"],
      let members = try? map.json.members(of: value)
    else { return false }
    return members.contains { member in
      ["coordinates", "geometries"].contains(String(decoding: member.name, as: UTF8.self))
        && map.json.bytes[member.value].contains { $0 &- 0x30 <= 9 }
    }
  }

  func attributes(_ index: Int) -> Int? {
    guard let feature = try? FeatureText(map, index),
      let attributes = try? feature.attributes(), !attributes.isEmpty
    else { return nil }
    return hash(index, ["properties"])
  }

  private func hash(_ index: Int, _ names: Set<String>) -> Int? {
    (try? FeatureText(map, index).canonical(names)).map { ByteHash.of($0[...]) }
  }
}

/// Hashes of bytes: those of one run of the program, which nobody can foresee.
enum ByteHash {
  static func of(_ bytes: ArraySlice<UInt8>) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}
