import Archiving

/// The layout of a document's views on the screen, shown when an editor opens it.
///
/// A tree: leaves show a view each, nodes divide their room, and a node of tabs may be at the top.
package indirect enum PaneLayout: Hashable, Sendable {
  /// The way in which the parts of a node share its room.
  package enum Axis: String, Hashable, Sendable, CaseIterable {
    /// From left to right.
    case columns
    /// From top to bottom.
    case rows
    /// One part is shown at a time; at the top only.
    case tabs
  }

  /// What panes of one document in one tab have in common while they are linked.
  package struct Links: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let center = Links(rawValue: 1)
    package static let magnification = Links(rawValue: 2)
  }

  /// A pane.
  package struct Leaf: Hashable, Sendable {
    package var view: ViewID
    package var links: Links
    /// Fields that a newer program wrote.
    var unread = UnreadFields()

    package init(view: ViewID, links: Links = []) {
      self.view = view
      self.links = links
    }
  }

  /// A part of a node; `share` is its weight beside the others, above 0.
  package struct Part: Hashable, Sendable {
    package var share: Double
    /// The name of a tab; empty for that of its view. Other parts have none.
    package var name: String
    package var layout: PaneLayout

    package init(share: Double = 1, name: String = "", layout: PaneLayout) {
      self.share = share
      self.name = name
      self.layout = layout
    }
  }

  /// Parts, at least one.
  package struct Node: Hashable, Sendable {
    package var axis: Axis
    package var parts: [Part]
    /// The index of the shown or focused part.
    package var selected: Int
    /// Fields that a newer program wrote.
    var unread = UnreadFields()

    package init(axis: Axis, parts: [Part], selected: Int = 0) {
      self.axis = axis
      self.parts = parts
      self.selected = selected
    }
  }

  case leaf(Leaf)
  case node(Node)

  /// The most leaves of a layout.
  package static let leavesMax = 64
  /// The most levels, including that of the leaves.
  package static let levelsMax = 16
  /// The largest share.
  static let shareMax = 1e6

  /// All leaves in order.
  package var leaves: [Leaf] {
    switch self {
    case .leaf(let leaf): [leaf]
    case .node(let node): node.parts.flatMap(\.layout.leaves)
    }
  }

  /// The parts of a node of tabs; anything else is one tab.
  package var tabs: [Part] {
    if case .node(let node) = self, node.axis == .tabs { return node.parts }
    return [Part(layout: self)]
  }

  /// The index of the shown tab.
  package var selectedTab: Int {
    if case .node(let node) = self, node.axis == .tabs { node.selected } else { 0 }
  }

  /// The layout without fields of newer programs.
  package var plain: PaneLayout {
    switch self {
    case .leaf(let leaf): return .leaf(Leaf(view: leaf.view, links: leaf.links))
    case .node(let node):
      let parts = node.parts.map { Part(share: $0.share, name: $0.name, layout: $0.layout.plain) }
      return .node(Node(axis: node.axis, parts: parts, selected: node.selected))
    }
  }

  /// The same layout with other views.
  package func renumbered(_ number: (ViewID) -> ViewID) -> PaneLayout {
    switch self {
    case .leaf(var leaf):
      leaf.view = number(leaf.view)
      return .leaf(leaf)
    case .node(var node):
      for index in node.parts.indices {
        node.parts[index].layout = node.parts[index].layout.renumbered(number)
      }
      return .node(node)
    }
  }

  /// The leaves that pass, within a document's limits; `nil` if none is left.
  func filter(_ isKept: (Leaf) -> Bool) -> PaneLayout? {
    var room = Self.leavesMax
    return filter(isKept, levels: Self.levelsMax, room: &room)
  }

  private func filter(
    _ isKept: (Leaf) -> Bool, levels: Int, room: inout Int
  ) -> PaneLayout? {
    switch self {
    case .leaf(let leaf):
      guard room > 0, isKept(leaf) else { return nil }
      room -= 1
      return self
    case .node(var node):
      if levels <= 1 {
        return leaves.first(where: isKept).flatMap {
          PaneLayout.leaf($0).filter(isKept, levels: 1, room: &room)
        }
      }
      var parts: [Part] = []
      var selected = 0
      for (index, part) in node.parts.enumerated() {
        guard let kept = part.layout.filter(isKept, levels: levels - 1, room: &room) else {
          continue
        }
        if index <= node.selected { selected = parts.count }
        parts.append(Part(share: part.share, name: part.name, layout: kept))
      }
      if parts.isEmpty { return nil }
      node.parts = parts
      node.selected = selected
      return .node(node)
    }
  }
}

extension PaneLayout {
  /// The layout without the leaves of a view; `nil` if none is left.
  package func without(_ view: ViewID) -> PaneLayout? { filter { $0.view != view } }
}

extension Document {
  /// The layout of the panes: the saved one, or one tab for each map view; `nil` without any.
  package var arrangement: PaneLayout? { layout ?? standardLayout }

  /// One tab for each map view; `nil` without any.
  package var standardLayout: PaneLayout? {
    let maps = views.filter { $0 is any MapShowing }
    if maps.isEmpty { return nil }
    return .node(
      PaneLayout.Node(
        axis: .tabs, parts: maps.map { .init(layout: .leaf(PaneLayout.Leaf(view: $0.id))) }))
  }

  /// Sets the layout; one equal to the saved or to the standard layout changes nothing.
  package mutating func arrange(_ layout: PaneLayout?) {
    if layout?.plain != arrangement?.plain {
      self.layout = layout == standardLayout ? nil : layout
    }
  }
}
