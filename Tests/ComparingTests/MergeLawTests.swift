import PortolanTestSupport
import Testing

@testable import PortolanComparing

/// The laws of merging, over random edits: `PORTOLAN_LAWS=2000` tries as many.
@Suite struct MergeLawTests {
  struct Merged {
    var text: [UInt8]
    var conflicts: [MergeConflict]
  }

  private static func merge(
    _ base: RandomMap, _ ours: RandomMap, _ theirs: RandomMap
  ) throws -> Merged {
    var merge = MapMerge(
      base: try MapText(base.text), ours: try MapText(ours.text), theirs: try MapText(theirs.text))
    let text = try merge.merged()
    return Merged(text: text, conflicts: merge.conflicts)
  }

  /// The features of a text by their ids: canonical, without conflicts.
  private static func features(_ text: [UInt8]) throws -> [String: [UInt8]] {
    let map = try MapText(text)
    var found: [String: [UInt8]] = [:]
    for index in map.features.indices {
      let feature = try FeatureText(map, index)
      let id = String(decoding: feature.json.bytes[try #require(feature["id"])], as: UTF8.self)
      #expect(found[id] == nil, "\(id) is there twice")
      found[id] = try feature.canonical()
    }
    return found
  }

  /// The conflicts of a text by the ids of their features.
  private static func marks(_ text: [UInt8]) throws -> [String: ConflictText] {
    let map = try MapText(text)
    var found: [String: ConflictText] = [:]
    for index in map.features.indices {
      let feature = try FeatureText(map, index)
      guard let mark = feature[ConflictText.name] else { continue }
      let id = String(decoding: feature.json.bytes[try #require(feature["id"])], as: UTF8.self)
      let json = String(decoding: feature.json.bytes[mark], as: UTF8.self)
      let text: ConflictText = try #require(ConflictText(json: json))
      found[id] = text
    }
    return found
  }

  @Test(arguments: Seeds.some(40))
  func `what one side changed is there, and what both changed differently is a conflict`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let base = RandomMap(&random)
    let ours = base.edited(&random, from: 100)
    let theirs = base.edited(&random, from: 200)
    let merged = try Self.merge(base, ours, theirs)
    let result = try Self.features(merged.text)
    let marks = try Self.marks(merged.text)
    let expected = Self.expected(base, ours, theirs)
    #expect(Set(result.keys) == Set(expected.keys), "seed \(seed)")
    for (id, outcome) in expected {
      #expect((marks[id] != nil) == outcome.isConflict, "seed \(seed), feature \(id)")
      guard let feature = outcome.feature else { continue }
      let one = RandomMap(features: [feature]).text
      #expect(result[id] == (try Self.features(one)[id]), "seed \(seed), feature \(id)")
    }
    #expect(merged.conflicts.count == marks.count, "seed \(seed)")
  }

  struct Outcome {
    var isConflict = false
    /// The feature, where it is simple to foretell.
    var feature: RandomMap.Feature?
  }

  /// What a merge must give, found in another way: by plain dictionaries.
  private static func expected(
    _ base: RandomMap, _ ours: RandomMap, _ theirs: RandomMap
  ) -> [String: Outcome] {
    func table(_ map: RandomMap) -> [Int: RandomMap.Feature] {
      Dictionary(uniqueKeysWithValues: map.features.map { ($0.id, $0) })
    }
    let tables = (table(base), table(ours), table(theirs))
    var found: [String: Outcome] = [:]
    let ids = Set(tables.0.keys).union(tables.1.keys).union(tables.2.keys)
    for id in ids {
      let (former, own, other) = (tables.0[id], tables.1[id], tables.2[id])
      switch (own, other) {
      case (nil, nil): continue
      case (let one?, nil), (nil, let one?):
        if former == one { continue }
        found["\(id)"] = Outcome(isConflict: former != nil, feature: one)
      case (let own?, let other?):
        guard let former else { continue }
        found["\(id)"] = merged(former, own, other)
      }
    }
    return found
  }

  private static func merged(
    _ base: RandomMap.Feature, _ ours: RandomMap.Feature, _ theirs: RandomMap.Feature
  ) -> Outcome {
    var merged = ours
    var isConflict = false
    for name in ["a", "b", "c", "d"] {
      let values = (base.attributes[name], ours.attributes[name], theirs.attributes[name])
      if values.1 == values.2 || values.0 == values.2 { continue }
      if values.0 == values.1 { merged.attributes[name] = values.2 } else { isConflict = true }
    }
    for ring in base.rings.indices {
      let values = (base.rings[ring], ours.rings[ring], theirs.rings[ring])
      if values.1 == values.2 || values.0 == values.2 { continue }
      if values.0 == values.1 { merged.rings[ring] = values.2 } else { isConflict = true }
    }
    return Outcome(isConflict: isConflict, feature: merged)
  }

  @Test(arguments: Seeds.some(40))
  func `the sides can be swapped`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000_000)
    let base = RandomMap(&random)
    let (ours, theirs) = (
      base.edited(&random, from: 100), base.edited(&random, from: 200)
    )
    let (one, other) = (
      try Self.merge(base, ours, theirs), try Self.merge(base, theirs, ours)
    )
    let marks = (try Self.marks(one.text), try Self.marks(other.text))
    #expect(Set(marks.0.keys) == Set(marks.1.keys), "seed \(seed)")
    // Decided for the same side, the features are the same.
    #expect(
      try Self.features(Self.decided(one.text, .ours))
        == Self.features(Self.decided(other.text, .theirs)), "seed \(seed)")
    #expect(
      try Self.features(Self.decided(one.text, .theirs))
        == Self.features(Self.decided(other.text, .ours)), "seed \(seed)")
  }

  /// The text after all conflicts were decided in one way.
  private static func decided(_ text: [UInt8], _ decision: ConflictDecision) throws -> [UInt8] {
    let map = try MapText(text)
    var texts: [String] = []
    for index in map.features.indices {
      let feature = try FeatureText(map, index)
      let whole = String(decoding: feature.bytes, as: UTF8.self)
      guard let mark = feature[ConflictText.name] else {
        texts.append(whole)
        continue
      }
      let json = String(decoding: feature.json.bytes[mark], as: UTF8.self)
      let conflict: ConflictText = try #require(ConflictText(json: json))
      let bare = whole.replacing(",\"\(ConflictText.name)\":\(json)", with: "")
      texts += try conflict.decided(bare, decision)
    }
    return Array(
      "{\"type\":\"FeatureCollection\",\"features\":[\(texts.joined(separator: ","))]}".utf8)
  }

  @Test(arguments: Seeds.some(40))
  func `a side that changed nothing gives the other one, byte for byte`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 2_000_000)
    let base = RandomMap(&random)
    let other = base.edited(&random, from: 100)
    #expect(try Self.merge(base, other, base).text == other.text, "seed \(seed)")
    #expect(try Self.merge(base, base, other).text == other.text, "seed \(seed)")
    #expect(try Self.merge(base, other, other).text == other.text, "seed \(seed)")
    let empty = RandomMap(features: [])
    #expect(
      try Self.features(Self.merge(empty, other, empty).text) == Self.features(other.text))
  }
}

extension RandomMap {
  init(features: [Feature]) { self.features = features }
}
