import Testing

@testable import ArchiveInspection

/// Lists are aligned by a longest common part, whatever their length.
@Suite struct ListAlignmentTests {
  /// Checks that both lists are whole and in order, and counts the equal pairs.
  private func equalPairs(_ first: [UInt64], _ second: [UInt64]) -> Int {
    let pairs = ListAlignment.pairs(first, second)
    #expect(pairs.compactMap(\.first) == Array(first.indices))
    #expect(pairs.compactMap(\.second) == Array(second.indices))
    return pairs.count { pair in
      guard let one = pair.first, let two = pair.second else { return false }
      return first[one] == second[two]
    }
  }

  /// The length of a longest common part, by the table of all comparisons.
  private func longest(_ first: [UInt64], _ second: [UInt64]) -> Int {
    var row = [Int](repeating: 0, count: second.count + 1)
    for one in first {
      var corner = 0
      for (place, two) in second.enumerated() {
        let above = row[place + 1]
        row[place + 1] = one == two ? corner + 1 : max(above, row[place])
        corner = above
      }
    }
    return row[second.count]
  }

  @Test(arguments: 1...200)
  func `no common part is longer`(_ seed: UInt64) {
    var state = seed &* 6_364_136_223_846_793_005
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let kinds = next(6) + 1
    let first = (0..<next(24)).map { _ in next(kinds) }
    let second = (0..<next(24)).map { _ in next(kinds) }
    #expect(equalPairs(first, second) >= longest(first, second), "\(first) \(second)")
  }

  @Test func `a few changes in a long list are found`() {
    let first = (0..<50_000).map { UInt64($0) }
    var second = first
    for place in stride(from: 0, to: 50_000, by: 2_500) { second.insert(99_999, at: place) }
    second.remove(at: 33_333)
    #expect(equalPairs(first, second) == 49_999)
  }

  @Test func `lists with nothing in common are paired in their order`() {
    let first = (0..<5_000).map { UInt64($0) }
    let second = (0..<4_000).map { UInt64($0 + 10_000) }
    #expect(equalPairs(first, second) == 0)
    #expect(ListAlignment.pairs(first, second).count == 5_000)
    #expect(ListAlignment.pairs([], []).isEmpty)
    #expect(ListAlignment.pairs([], [1]).count == 1)
  }
}
