/// Merges the vertices of one line or ring: the run that ours changed and the run that theirs
/// changed, if an unchanged vertex stands between them.
struct VertexMerge {
  typealias Value = ValueMerge.Value

  let base: [Value]
  let ours: [Value]
  let theirs: [Value]
  /// Whether the last vertex repeats the first.
  let isRing: Bool

  /// The merged list in the text of ours; `nil` if both changed the same run.
  func text(of whole: Value) throws -> MergedText? {
    let end = isRing ? 1 : 0
    guard min(base.count, ours.count, theirs.count) > end + 1 else { return nil }
    let keys = [base, ours, theirs].map { list in
      list.dropLast(end).map { $0.json.canonical($0.range) }
    }
    if isRing, [base, ours, theirs].contains(where: { !Self.isClosed($0) }) { return nil }
    let own = Self.change(keys[0], keys[1])
    let other = Self.change(keys[0], keys[2])
    guard own.upperBound < other.lowerBound || other.upperBound < own.lowerBound else { return nil }
    let shift = other.lowerBound > own.lowerBound ? keys[1].count - keys[0].count : 0
    let added = other.lowerBound..<(other.upperBound + keys[2].count - keys[0].count)
    let replaced = (other.lowerBound + shift)..<(other.upperBound + shift)
    var pieces: [EditedList.Piece] = (0..<replaced.lowerBound).map { .own($0, nil) }
    pieces += added.map { .added(theirs[$0].bytes) }
    pieces += (replaced.upperBound..<keys[1].count).map { .own($0, nil) }
    guard pieces.count > 1 else { return nil }
    if isRing {
      switch pieces[0] {
      case .own(0, nil): pieces.append(.own(ours.count - 1, nil))
      case .own(let index, _): pieces.append(.added(ours[index].bytes))
      case .added(let bytes): pieces.append(.added(bytes))
      }
    }
    let list = EditedList(whole.json, whole.range, elements: ours.map(\.range))
    return MergedText(text: list.text(pieces))
  }

  private static func isClosed(_ list: [Value]) -> Bool {
    guard let first = list.first, let last = list.last else { return false }
    return first.equals(last)
  }

  /// The run of the base that another version has otherwise.
  private static func change(_ base: [[UInt8]], _ other: [[UInt8]]) -> Range<Int> {
    let most = min(base.count, other.count)
    var start = 0
    while start < most, base[start] == other[start] { start += 1 }
    var end = 0
    while end < most - start, base[base.count - 1 - end] == other[other.count - 1 - end] {
      end += 1
    }
    return start..<(base.count - end)
  }
}

/// Whether the rings of a polygon neither cross themselves nor each other, and the holes lie within
/// the first.
enum PolygonCheck {
  /// The most vertices that are looked at: each side is compared with each other.
  static let verticesMax = 4_000

  /// - Parameter text: the coordinates of a polygon as JSON.
  static func isValid(_ text: [UInt8]) -> Bool {
    guard let rings = rings(text), rings.reduce(0, { $0 + $1.count }) <= verticesMax,
      rings.allSatisfy({ $0.count > 3 && $0.first == $0.last }), let outer = rings.first
    else { return false }
    let sides = rings.enumerated().flatMap { number, ring in
      zip(ring, ring.dropFirst()).enumerated().map { place, ends in
        Side(ring: number, place: place, count: ring.count - 1, start: ends.0, end: ends.1)
      }
    }
    if sides.contains(where: { $0.start == $0.end }) { return false }
    for (index, side) in sides.enumerated() {
      for other in sides[(index + 1)...] where side.crosses(other) { return false }
    }
    return rings.dropFirst().allSatisfy { contains(outer, $0[0]) }
  }

  private static func rings(_ text: [UInt8]) -> [[SIMD2<Double>]]? {
    let json = JSONSpans(text)
    guard let rings = try? json.elements(of: 0..<text.count) else { return nil }
    var result: [[SIMD2<Double>]] = []
    for ring in rings {
      guard let positions = try? json.elements(of: ring) else { return nil }
      var vertices: [SIMD2<Double>] = []
      for position in positions {
        guard let numbers = try? json.elements(of: position), numbers.count > 1,
          let x = Double(String(decoding: text[numbers[0]], as: UTF8.self)),
          let y = Double(String(decoding: text[numbers[1]], as: UTF8.self))
        else { return nil }
        vertices.append(SIMD2(x, y))
      }
      result.append(vertices)
    }
    return result
  }

  private struct Side {
    var ring: Int
    var place: Int
    /// The sides of its ring.
    var count: Int
    var start: SIMD2<Double>
    var end: SIMD2<Double>

    /// Whether two sides meet elsewhere than at the vertex that neighbours share.
    func crosses(_ other: Side) -> Bool {
      if max(start.x, end.x) < min(other.start.x, other.end.x)
        || max(other.start.x, other.end.x) < min(start.x, end.x)
        || max(start.y, end.y) < min(other.start.y, other.end.y)
        || max(other.start.y, other.end.y) < min(start.y, end.y)
      {
        return false
      }
      if ring == other.ring {
        let step = other.place - place
        if step == 1 { return overlaps(start, end, other.end) }
        if step == count - 1 { return overlaps(end, start, other.start) }
      }
      let sides = [
        Self.turn(start, end, other.start), Self.turn(start, end, other.end),
        Self.turn(other.start, other.end, start), Self.turn(other.start, other.end, end),
      ]
      return sides[0] * sides[1] <= 0 && sides[2] * sides[3] <= 0
    }

    /// Whether the way goes back on itself at the middle one of three vertices.
    private func overlaps(
      _ first: SIMD2<Double>, _ middle: SIMD2<Double>, _ last: SIMD2<Double>
    ) -> Bool {
      guard Self.turn(first, middle, last) == 0 else { return false }
      return ((first - middle) * (last - middle)).sum() > 0
    }

    private static func turn(
      _ first: SIMD2<Double>, _ second: SIMD2<Double>, _ third: SIMD2<Double>
    ) -> Double {
      let value =
        (second.x - first.x) * (third.y - first.y) - (second.y - first.y) * (third.x - first.x)
      return value > 0 ? 1 : value < 0 ? -1 : 0
    }
  }

  private static func contains(_ ring: [SIMD2<Double>], _ point: SIMD2<Double>) -> Bool {
    var isInside = false
    for (start, end) in zip(ring, ring.dropFirst()) where (start.y > point.y) != (end.y > point.y) {
      let x = start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x)
      if point.x < x { isInside.toggle() }
    }
    return isInside
  }
}
