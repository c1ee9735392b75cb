package import PortolanTerminals

/// The number of a pane of a session.
package struct PaneID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// How panes share a rectangle of the screen: one pane, or parts side by side or one below another.
///
/// A split has at least two parts, and none of them is split along the same axis.
package indirect enum PaneTree: Hashable, Sendable {
  /// The direction in which the parts of a split follow each other.
  package enum Axis: String, Hashable, Sendable, CaseIterable {
    /// From left to right.
    case columns
    /// From top to bottom.
    case rows
  }

  /// A part of a split; `share` is its weight beside the other parts, above 0.
  package struct Part: Hashable, Sendable {
    package var share: Double
    package var tree: PaneTree

    package init(share: Double = 1, tree: PaneTree) {
      self.share = share.isFinite && share > 0 ? min(share, 1e6) : 1
      self.tree = tree
    }
  }

  case pane(PaneID)
  case split(Axis, [Part])

  /// A split in its plain form: without empty splits, and nested splits along the same axis merged.
  ///
  /// - Returns: `nil` if there is no pane in it.
  package static func joined(_ axis: Axis, _ parts: [Part]) -> PaneTree? {
    var flat: [Part] = []
    for part in parts {
      if case .split(axis, let inner) = part.tree {
        let sum = inner.reduce(0) { $0 + $1.share }
        flat += inner.map { Part(share: part.share * $0.share / max(sum, 1e-9), tree: $0.tree) }
      } else {
        flat.append(part)
      }
    }
    return flat.count > 1 ? .split(axis, flat) : flat.first?.tree
  }

  /// All panes, from the left and from the top.
  package var panes: [PaneID] {
    switch self {
    case .pane(let id): [id]
    case .split(_, let parts): parts.flatMap(\.tree.panes)
    }
  }

  /// Puts a new pane after another one, with half of its room.
  package func splitting(
    _ id: PaneID, _ axis: Axis, with new: PaneID, share: Double = 0.5
  )
    -> PaneTree
  {
    switch self {
    case .pane(id):
      return .split(
        axis, [Part(share: 1 - share, tree: self), Part(share: share, tree: .pane(new))])
    case .pane: return self
    case .split(let own, let parts):
      let split = parts.map {
        Part(
          share: $0.share, tree: $0.tree.splitting(id, axis, with: new, share: share))
      }
      return Self.joined(own, split) ?? self
    }
  }

  /// The tree with a pane's number replaced.
  package func replacing(_ id: PaneID, with other: PaneID) -> PaneTree {
    switch self {
    case .pane(id): .pane(other)
    case .pane: self
    case .split(let axis, let parts):
      .split(
        axis,
        parts.map { Part(share: $0.share, tree: $0.tree.replacing(id, with: other)) })
    }
  }

  /// The tree without a pane, whose room goes to its neighbours; `nil` if it was the only one.
  package func removing(_ id: PaneID) -> PaneTree? {
    switch self {
    case .pane(id): return nil
    case .pane: return self
    case .split(let axis, let parts):
      return Self.joined(
        axis,
        parts.compactMap { part in
          part.tree.removing(id).map { Part(share: part.share, tree: $0) }
        })
    }
  }

  /// The tree of the panes that pass, their shares kept; `nil` if none does.
  package func filter(_ isKept: (PaneID) -> Bool) -> PaneTree? {
    panes.filter { !isKept($0) }.reduce(self as PaneTree?) { $0?.removing($1) }
  }

  /// The tree with equal room for the parts of each split.
  package var equalized: PaneTree {
    guard case .split(let axis, let parts) = self else { return self }
    return .split(axis, parts.map { Part(tree: $0.tree.equalized) })
  }

  /// The rectangles of the panes, and the rules between panes side by side.
  package struct Places: Equatable, Sendable {
    package var panes: [(id: PaneID, rect: CellRect)] = []
    /// Lines of one column's width.
    package var rules: [CellRect] = []

    package static func == (left: Places, right: Places) -> Bool {
      left.rules == right.rules
        && left.panes.elementsEqual(right.panes) { $0.id == $1.id && $0.rect == $1.rect }
    }
  }

  /// Divides a rectangle; parts side by side have a rule between them.
  package func places(in rect: CellRect) -> Places {
    var places = Places()
    place(in: rect, into: &places)
    return places
  }

  private func place(in rect: CellRect, into places: inout Places) {
    switch self {
    case .pane(let id): places.panes.append((id, rect))
    case .split(let axis, let parts):
      for (index, (part, area)) in zip(parts, areas(in: rect)).enumerated() {
        part.tree.place(in: area, into: &places)
        let column = area.column + area.columns
        if axis == .columns, index < parts.count - 1, column < rect.column + rect.columns {
          places.rules.append(CellRect(column: column, row: rect.row, columns: 1, rows: rect.rows))
        }
      }
    }
  }

  /// The rectangles of the parts of a split; parts side by side have a column between them.
  func areas(in rect: CellRect) -> [CellRect] {
    guard case .split(let axis, let parts) = self else { return [rect] }
    let gap = axis == .columns ? 1 : 0
    let room = (axis == .columns ? rect.columns : rect.rows) - gap * (parts.count - 1)
    let end = axis == .columns ? rect.column + rect.columns : rect.row + rect.rows
    var start = axis == .columns ? rect.column : rect.row
    let least = parts.map { $0.tree.least(along: axis) }
    return Self.lengths(parts, least, of: max(0, room)).map { length in
      // A rectangle that is too narrow has no room for the last rules.
      defer { start = min(end, start + length + gap) }
      return axis == .columns
        ? CellRect(column: start, row: rect.row, columns: length, rows: rect.rows)
        : CellRect(column: rect.column, row: start, columns: rect.columns, rows: length)
    }
  }

  /// A length divided by shares, without remainder; no part gets less than its least length if
  /// there is room for all of them.
  private static func lengths(_ parts: [Part], _ least: [Int], of length: Int) -> [Int] {
    var lengths = lengths(parts, of: length)
    guard least.reduce(0, +) <= length else { return lengths }
    // What the small ones lack is taken from those with most to spare.
    while let small = lengths.indices.first(where: { lengths[$0] < least[$0] }) {
      let rich = lengths.indices.max { lengths[$0] - least[$0] < lengths[$1] - least[$1] }
      guard let rich, lengths[rich] > least[rich] else { break }
      let moved = min(least[small] - lengths[small], lengths[rich] - least[rich])
      lengths[small] += moved
      lengths[rich] -= moved
    }
    return lengths
  }

  private static func lengths(_ parts: [Part], of length: Int) -> [Int] {
    let sum = parts.reduce(0) { $0 + $1.share }
    var lengths: [Int] = []
    var before = 0.0
    var end = 0
    for part in parts {
      before += part.share
      let next = min(length, max(end, Int((Double(length) * before / sum).rounded())))
      lengths.append(next - end)
      end = next
    }
    return lengths
  }
}
