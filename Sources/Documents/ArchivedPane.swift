import Archiving

/// A part of a layout as it is archived: a leaf holds its view itself.
struct ArchivedPane: Coding, Sendable {
  static var archivedClass: ArchivedClass { "PortolanPane" }

  enum Content: Sendable {
    case leaf(any View, PaneLayout.Links)
    case node(PaneLayout.Axis, [Part], selected: Int)
  }

  /// A part of a node.
  struct Part: Sendable {
    var share = 1.0
    /// The name of a tab.
    var name = ""
    var pane: ArchivedPane
  }

  private(set) var content: Content
  /// How many leaves it has, and how many levels.
  private var leafCount = 1
  private var levelCount = 1
  private var unread = UnreadFields()

  /// The views of its leaves, in order.
  var views: [any View] {
    switch content {
    case .leaf(let view, _): [view]
    case .node(_, let parts, _): parts.flatMap(\.pane.views)
    }
  }

  // MARK: Layouts

  /// A layout with its views; `nil` if one of them is not found.
  init?(_ layout: PaneLayout, view: (ViewID) -> (any View)?) {
    switch layout {
    case .leaf(let leaf):
      guard let view = view(leaf.view) else { return nil }
      content = .leaf(view, leaf.links)
      unread = leaf.unread
    case .node(let node):
      let parts = node.parts.compactMap { part in
        ArchivedPane(part.layout, view: view).map {
          Part(share: part.share, name: part.name, pane: $0)
        }
      }
      guard parts.count == node.parts.count else { return nil }
      content = .node(node.axis, parts, selected: node.selected)
      unread = node.unread
    }
  }

  /// The layout, with the numbers of its views in order.
  func layout(_ ids: inout ArraySlice<ViewID>) -> PaneLayout? {
    switch content {
    case .leaf(_, let links):
      guard let id = ids.popFirst() else { return nil }
      var leaf = PaneLayout.Leaf(view: id, links: links)
      leaf.unread = unread
      return .leaf(leaf)
    case .node(let axis, let panes, let selected):
      let parts = panes.compactMap { part in
        part.pane.layout(&ids).map {
          PaneLayout.Part(share: part.share, name: part.name, layout: $0)
        }
      }
      var node = PaneLayout.Node(axis: axis, parts: parts, selected: selected)
      node.unread = unread
      return .node(node)
    }
  }

  // MARK: Coding

  func encode(with coder: any EncodingCoder) throws {
    switch content {
    case .leaf(let view, let links):
      try coder.encodeObject(view, forKey: "view")
      try coder.encodeBool(links.contains(.center), forKey: "linked")
      if links.contains(.magnification) {
        try coder.encodeBool(true, forKey: "linkedMagnification")
      }
    case .node(let axis, let parts, let selected):
      try coder.encodeString(axis.rawValue, forKey: "axis")
      try coder.encodeDoubles(axis == .tabs ? [] : parts.map(\.share), forKey: "shares")
      try coder.encodeObjects(parts.map(\.pane), forKey: "panes")
      try coder.encodeInt(selected, forKey: "selected")
      if axis == .tabs, parts.contains(where: { !$0.name.isEmpty }) {
        try coder.encodeStrings(parts.map(\.name), forKey: "names")
      }
    }
    try coder.encodeUnreadFields(unread)
  }

  /// - Throws: where a rule of the format is broken, and for too many leaves or levels, before so
  ///   many objects are made.
  init(coder: any DecodingCoder) throws {
    if let word = try coder.decodeStringIfPresent(forKey: "axis") {
      guard let axis = PaneLayout.Axis(rawValue: word) else {
        throw coder.invalidValue("\(word) is no axis of panes", forKey: "axis")
      }
      let parts = try Self.parts(coder, axis)
      let selected = try coder.decodeIntIfPresent(forKey: "selected") ?? 0
      guard parts.indices.contains(selected) else {
        throw coder.invalidValue("there is no pane \(selected)", forKey: "selected")
      }
      content = .node(axis, parts, selected: selected)
      leafCount = parts.reduce(0) { $0 + $1.pane.leafCount }
      levelCount = 1 + (parts.map(\.pane.levelCount).max() ?? 0)
      if leafCount > PaneLayout.leavesMax {
        throw coder.invalidValue("more than \(PaneLayout.leavesMax) panes", forKey: "panes")
      }
      if levelCount > PaneLayout.levelsMax {
        throw coder.invalidValue("more than \(PaneLayout.levelsMax) levels", forKey: "panes")
      }
    } else {
      var links: PaneLayout.Links = []
      if try coder.decodeBoolIfPresent(forKey: "linked") ?? false { links.insert(.center) }
      if try coder.decodeBoolIfPresent(forKey: "linkedMagnification") ?? false {
        links.insert(.magnification)
      }
      content = .leaf(try coder.decodeObject(in: ViewKinds.classes, forKey: "view"), links)
    }
    unread = try coder.unreadFields()
  }

  private static func parts(
    _ coder: any DecodingCoder, _ axis: PaneLayout.Axis
  ) throws -> [Part] {
    let panes = try coder.decodeObjects(ArchivedPane.self, forKey: "panes")
    if panes.isEmpty { throw coder.invalidValue("a node without panes", forKey: "panes") }
    for case .node(.tabs, _, _) in panes.map(\.content) {
      throw coder.invalidValue("tabs stand at the top only", forKey: "panes")
    }
    let shares = try coder.decodeDoublesIfPresent(forKey: "shares") ?? []
    guard shares.isEmpty || shares.count == panes.count else {
      throw coder.invalidValue(
        "\(shares.count) shares for \(panes.count) panes", forKey: "shares")
    }
    guard shares.allSatisfy({ $0 > 0 && $0 <= PaneLayout.shareMax }) else {
      throw coder.invalidValue("a share is above 0, up to a million", forKey: "shares")
    }
    let weights = shares.isEmpty || axis == .tabs ? panes.map { _ in 1 } : shares
    let names = axis == .tabs ? try coder.decodeStringsIfPresent(forKey: "names") ?? [] : []
    guard names.isEmpty || names.count == panes.count else {
      throw coder.invalidValue("\(names.count) names for \(panes.count) tabs", forKey: "names")
    }
    return panes.indices.map {
      Part(share: weights[$0], name: names.isEmpty ? "" : names[$0], pane: panes[$0])
    }
  }
}
