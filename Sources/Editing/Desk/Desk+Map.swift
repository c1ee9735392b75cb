import PortolanTerminals

/// The map that is meant, also where the pane with the keys shows none.
extension Desk {
  /// Whether the pane shows a map; without a screen the document itself is meant.
  var isMapPane: Bool { isHeadless || pane.state.map != nil }

  /// Whether a command has something to act on in the pane: a map, or the features that it lists.
  func acts(_ command: any Command.Type) -> Bool {
    isMapPane || !(command is any MapCommand.Type)
      || pane.kind.listsFeatures && command is any FeatureCommand.Type
  }

  /// The pane of the map that is meant: this one, else the focused one, a linked one, or the first
  /// of the tab; `nil` if the tab shows no map of this document.
  var mapPane: PaneID? {
    if pane.state.map != nil { return pane.id }
    let ids = [session.arrangement.focus] + session.arrangement.tab.tree.panes
    let maps = ids.compactMap { session.panes[$0] }.filter {
      $0.id != pane.id && $0.document == file.id && $0.state.map != nil
    }
    let focused = maps.first { $0.id == session.arrangement.focus }
    return (focused ?? maps.first { !$0.links.isEmpty } ?? maps.first)?.id
  }

  /// The map that is meant; where no pane shows one, that of scripts.
  package internal(set) var map: MapState {
    get {
      if let map = pane.state.map { return map }
      return mapPane.flatMap { session.panes[$0]?.state.map } ?? work.unseenMap
    }
    set {
      if pane.state.map != nil {
        pane.state.map = newValue
      } else if let id = mapPane {
        session.panes[id]?.state.map = newValue
      } else {
        work.unseenMap = newValue
      }
    }
  }

  /// - Parameters:
  ///   - isCamera: whether another pane's map is meant too.
  ///   - remedy: another way than to go to a map.
  /// - Throws: where nobody would see what a command of maps acts on.
  func requireMap(isCamera: Bool = false, or remedy: String = "") throws {
    if isMapPane || isCamera && mapPane != nil { return }
    let way =
      mapPane == nil ? ":split right opens a map" : "go to the map's pane first (Ctrl-w w)"
    let words = remedy.isEmpty ? way : "\(remedy) \(way)"
    throw EditingError(.refused, "this pane shows no map: \(words)")
  }
}
