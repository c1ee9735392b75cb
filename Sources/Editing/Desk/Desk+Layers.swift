package import PortolanDocuments
import PortolanGraphics

/// Layers by name, and changes to them.
extension Desk {
  /// The layer for drawing, and of commands without a name.
  package var active: (any Layer)? { activeLayer.flatMap { document[layer: $0] } }

  /// The active layer; where the pane lists features, their layer.
  ///
  /// - Throws: if there is none, or none to be seen: in a pane without a map a command names it.
  func requireActiveLayer() throws -> any Layer {
    let listed = pane.state.listedLayer(self).flatMap { document[layer: $0] }
    if let listed, !session.isLayersPanelFocused { return listed }
    if !session.isLayersPanelFocused { try requireMap(or: "name the layer, or") }
    guard let active else {
      throw EditingError(.notFound, "there is no layer: :open a file, or :new-layer NAME")
    }
    return active
  }

  /// A layer by its name, by the title that it was given, by its number from the top, or by the
  /// start of its name if only one begins so.
  func layer(named name: String) throws -> any Layer {
    let layers = document.layers
    if let exact = layers.last(where: { $0.name == name }) { return exact }
    let titled = layers.filter { !name.isEmpty && $0.title == name }
    if titled.count == 1 { return titled[0] }
    if let number = Int(name), number >= 1, number <= layers.count {
      return layers[layers.count - number]
    }
    let similar = layers.filter { $0.name.lowercased().hasPrefix(name.lowercased()) }
    if similar.count == 1, !name.isEmpty { return similar[0] }
    let existing = LayerNames.existing(layers.reversed().map(\.name))
    throw EditingError(.notFound, "no layer “\(name)”: \(existing)")
  }

  /// A layer by its name, or else the active one.
  func layer(orActive name: String?) throws -> any Layer {
    try name.map { try layer(named: $0) } ?? requireActiveLayer()
  }

  /// A layer with a look of its own, by its name, or else the active one.
  func drawnLayer(orActive name: String?) throws -> any Layer {
    let layer = try layer(orActive: name)
    guard !layer.isGroup else {
      throw EditingError(
        .refused, "group \(layer.name) has no look of its own: name one of its layers")
    }
    return layer
  }

  /// Changes layers in one undoable step.
  mutating func editLayers(
    _ title: String, _ ids: [LayerID], _ change: (inout any Layer) -> Void
  ) throws {
    try edit(title) { document in
      for index in document.layers.indices where ids.contains(document.layers[index].id) {
        change(&document.layers[index])
      }
    }
  }

  mutating func setVisible(_ names: [String], _ state: Switch) throws {
    let layers =
      try names.isEmpty ? [requireActiveLayer()] : names.map { try layer(named: $0) }
    let changed = layers.filter { state.applied(to: $0.isVisible) != $0.isVisible }
    if changed.isEmpty { return }
    let verb = state == .on ? "show" : state == .off ? "hide" : "show/hide"
    try editLayers("\(verb) \(Self.names(of: changed))", changed.map(\.id)) {
      $0.isVisible = state.applied(to: $0.isVisible)
    }
    let shown = Set(document.shownLayers.map(\.id))
    selection.filter { shown.contains($0.layer) }
  }

  mutating func setLocked(_ names: [String], _ state: Switch) throws {
    let layers =
      try names.isEmpty ? [requireActiveLayer()] : names.map { try layer(named: $0) }
    let changed = layers.filter { state.applied(to: $0.isLocked) != $0.isLocked }
    if changed.isEmpty { return }
    let verb = state == .on ? "lock" : state == .off ? "unlock" : "lock/unlock"
    try editLayers("\(verb) \(Self.names(of: changed))", changed.map(\.id)) {
      $0.isLocked = state.applied(to: $0.isLocked)
    }
    let free = Set(document.layers.filter { !document.isProtected($0) }.map(\.id))
    selection.filter { free.contains($0.layer) }
    say(
      "\(state.applied(to: changed[0].isLocked) ? "locked" : "unlocked"): "
        + Self.names(of: changed))
  }

  private static func names(of layers: [any Layer]) -> String {
    layers.map(\.name).joined(separator: ", ")
  }

  /// Adds an empty layer on top and makes it the active one.
  mutating func addLayer(named name: String, kind: Draft.Kind? = nil) throws {
    if name.isEmpty { throw EditingError(.usage, "a layer needs a name") }
    if document.layers.contains(where: { $0.name == name }) {
      throw EditingError(.refused, "there is a layer “\(name)” already")
    }
    var id: LayerID?
    try edit("new layer \(name)") { document in
      var layer = LayerKinds.features(LayerID(document.makeID()), name: name)
      layer.takeStandardLook(above: document.layers, dimension: kind?.dimension)
      document.layers.append(layer)
      id = layer.id
    }
    activeLayer = id
  }

  mutating func setPanels(_ panels: Panels, _ state: Switch) {
    if state.applied(to: self.panels.isSuperset(of: panels)) {
      self.panels.formUnion(panels)
    } else {
      self.panels.subtract(panels)
    }
    if !self.panels.contains(.layers) { session.isLayersPanelFocused = false }
    settleCursor(at: cursor)
  }
}

extension Draft.Kind {
  var dimension: Int {
    switch self {
    case .point: 0
    case .line: 1
    case .polygon: 2
    }
  }
}
