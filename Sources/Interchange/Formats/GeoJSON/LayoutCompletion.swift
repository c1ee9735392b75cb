extension GeoJSONLayout {
  /// The layout with white space for coordinates of depths that the file does not have.
  ///
  /// A file of indented points has no white space for polygons; a new one should still look like
  /// the rest. Such depths follow the nearest one in the file: each level after the same level,
  /// positions after positions, indented by as much as the levels are deeper.
  var completed: GeoJSONLayout {
    var layout = self
    for isMember in [false, true] {
      let known = (1...4).filter { !isBare(depth: $0, isMember: isMember) }
      for depth in 1...4 where !known.contains(depth) {
        guard let model = known.min(by: { ($0 - depth).magnitude < ($1 - depth).magnitude }) else {
          continue
        }
        layout.fill(depth: depth, from: model, isMember: isMember, unit: unit)
      }
    }
    return layout
  }

  private func isBare(depth: Int, isMember: Bool) -> Bool {
    (0..<depth).allSatisfy { level in
      let container = Container.coordinates(depth: depth, level: level, isMember: isMember)
      return (0..<Gap.count).allSatisfy { gap(container, Gap(index: $0)).isEmpty }
    }
  }

  /// The additional indentation of a level.
  private var unit: [UInt8] {
    let outer = gap(.feature, .afterOpen)
    let inner = gap(.geometry, .afterOpen)
    guard outer.contains(0x0A), inner.count > outer.count else { return [] }
    return Array(inner.suffix(inner.count - outer.count))
  }

  private mutating func fill(depth: Int, from model: Int, isMember: Bool, unit: [UInt8]) {
    for level in 0..<depth {
      let isPosition = level == depth - 1
      let source = isPosition || model == 1 ? model - 1 : min(level, model - 2)
      let from = Container.coordinates(depth: model, level: source, isMember: isMember)
      let to = Container.coordinates(depth: depth, level: level, isMember: isMember)
      for index in 0..<Gap.count {
        let gap = Gap(index: index)
        gaps[Self.place(to, gap)] = Self.indented(self.gap(from, gap), by: level - source, unit)
      }
    }
  }

  /// White space with more or fewer units of indentation, if it breaks the line.
  private static func indented(_ gap: [UInt8], by levels: Int, _ unit: [UInt8]) -> [UInt8] {
    guard gap.contains(0x0A), !unit.isEmpty else { return gap }
    if levels >= 0 { return gap + (0..<levels).flatMap { _ in unit } }
    let excess = unit.count * -levels
    return gap.count > excess ? Array(gap.dropLast(excess)) : gap
  }
}
