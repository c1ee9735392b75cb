import PortolanDocuments
import PortolanTerminals

/// The borders between panes, moved by keys and by the mouse; panes that change places.
extension PaneTree {
  /// A border between two parts of a split.
  struct Border: Hashable, Sendable {
    /// The way to the split: the index of a part on each level.
    var path: [Int]
    /// The index of the part before the border.
    var index: Int
    var axis: Axis
  }

  /// The least length of the tree along an axis in cells, headings and rules included.
  func least(along axis: Axis) -> Int {
    switch self {
    case .pane:
      return axis == .columns ? Arrangement.least.columns : Arrangement.least.rows + 1
    case .split(axis, let parts):
      let rules = axis == .columns ? parts.count - 1 : 0
      return parts.reduce(rules) { $0 + $1.tree.least(along: axis) }
    case .split(_, let parts): return parts.map { $0.tree.least(along: axis) }.max() ?? 0
    }
  }

  /// The borders in a rectangle, with the cells that show them: the rule between panes side by
  /// side, the headings of panes below another one.
  func borders(in rect: CellRect, at path: [Int] = []) -> [(border: Border, cells: CellRect)] {
    guard case .split(let axis, let parts) = self else { return [] }
    var found: [(border: Border, cells: CellRect)] = []
    for (index, area) in areas(in: rect).enumerated() {
      found += parts[index].tree.borders(in: area, at: path + [index])
      guard index > 0 else { continue }
      let cells =
        axis == .columns
        ? CellRect(column: area.column - 1, row: area.row, columns: 1, rows: area.rows)
        : CellRect(column: area.column, row: area.row, columns: area.columns, rows: 1)
      found.append((Border(path: path, index: index - 1, axis: axis), cells))
    }
    return found
  }

  /// Moves a border to a column or a row of the screen; the panes at it keep their least size, and
  /// all others theirs.
  func moving(_ border: Border, to position: Int, in rect: CellRect) -> PaneTree {
    guard case .split(let axis, var parts) = self else { return self }
    let areas = areas(in: rect)
    if let next = border.path.first {
      guard parts.indices.contains(next) else { return self }
      var rest = border
      rest.path.removeFirst()
      parts[next].tree = parts[next].tree.moving(rest, to: position, in: areas[next])
      return .split(axis, parts)
    }
    guard axis == border.axis, parts.indices.contains(border.index + 1) else { return self }
    let first = areas[border.index]
    let cells = axis == .columns ? position - first.column : position - first.row
    return growing(border.index, by: cells - first.length(along: axis), areas) ?? self
  }

  /// Gives the pane more of its neighbours' room, or less if `cells` is below zero: in the
  /// innermost split along the axis that has room for it, then in those around it.
  ///
  /// - Returns: `nil` if no neighbour can give or take any.
  func growing(_ id: PaneID, _ axis: Axis, by cells: Int, in rect: CellRect) -> PaneTree? {
    func length(in tree: PaneTree) -> Int? {
      tree.places(in: rect).panes.first { $0.id == id }?.rect.length(along: axis)
    }
    guard let former = length(in: self) else { return nil }
    var tree = self
    // Room that an outer split gives is shared by the panes within; an inner one hands it on.
    for _ in 0..<PaneLayout.levelsMax {
      let missing = former + cells - (length(in: tree) ?? former)
      guard missing.signum() == cells.signum(),
        let next = tree.growingOnce(id, axis, by: missing, in: rect)
      else { break }
      tree = next
    }
    return length(in: tree) == former ? nil : tree
  }

  private func growingOnce(
    _ id: PaneID, _ axis: Axis, by cells: Int, in rect: CellRect
  ) -> PaneTree? {
    guard case .split(let own, var parts) = self,
      let index = parts.firstIndex(where: { $0.tree.panes.contains(id) })
    else { return nil }
    let areas = areas(in: rect)
    if let inner = parts[index].tree.growingOnce(id, axis, by: cells, in: areas[index]) {
      parts[index].tree = inner
      return .split(own, parts)
    }
    guard own == axis else { return nil }
    let isLast = index == parts.count - 1
    return growing(isLast ? index - 1 : index, by: isLast ? -cells : cells, areas)
  }

  /// Gives a part cells of the next one; `nil` if that changes nothing.
  private func growing(_ index: Int, by cells: Int, _ areas: [CellRect]) -> PaneTree? {
    guard case .split(let axis, var parts) = self, parts.indices.contains(index + 1) else {
      return nil
    }
    let lengths = areas.map { $0.length(along: axis) }
    let most = max(0, lengths[index + 1] - parts[index + 1].tree.least(along: axis))
    let fewest = min(0, parts[index].tree.least(along: axis) - lengths[index])
    let moved = min(max(cells, fewest), most)
    if moved == 0 { return nil }
    for part in parts.indices { parts[part].share = Double(max(1, lengths[part])) }
    parts[index].share += Double(moved)
    parts[index + 1].share = max(1, parts[index + 1].share - Double(moved))
    return .split(axis, parts)
  }

  /// The tree with other panes in the same places.
  func renumbered(_ number: (PaneID) -> PaneID) -> PaneTree {
    switch self {
    case .pane(let id): .pane(number(id))
    case .split(let axis, let parts):
      .split(axis, parts.map { Part(share: $0.share, tree: $0.tree.renumbered(number)) })
    }
  }

  /// The tree with two panes in each other's places.
  func swapping(_ first: PaneID, _ second: PaneID) -> PaneTree {
    renumbered { $0 == first ? second : $0 == second ? first : $0 }
  }

  /// The tree with each pane in the place of the next one, the last in that of the first.
  var rotated: PaneTree {
    let ids = panes
    return renumbered { id in
      guard let index = ids.firstIndex(of: id) else { return id }
      return ids[(index + ids.count - 1) % ids.count]
    }
  }
}

extension CellRect {
  fileprivate func length(along axis: PaneTree.Axis) -> Int { axis == .columns ? columns : rows }
}
