import PortolanTerminals

/// The map that is meant, also where the pane with the keys shows none.
extension Desk {
  /// Whether the pane shows a map; without a screen the document itself is meant.
  var isMapPane: Bool { isHeadless || pane.kind.showsMap }

  /// The desk at the map that is meant: this pane's, else that of the focused one, a linked one, or
  /// the first of the tab; `nil` if the tab shows no map of this document.
  var map: Desk? {
    if isMapPane { return self }
    let ids = [session.arrangement.focus] + session.arrangement.tab.tree.panes
    let maps = ids.compactMap { session.panes[$0] }.filter {
      $0.document == file.id && $0.kind.showsMap
    }
    let focused = maps.first { $0.id == session.arrangement.focus }
    guard let found = focused ?? maps.first(where: \.isLinked) ?? maps.first else { return nil }
    var map = self
    map.pane = found
    map.placeCursor()
    return map
  }

  /// - Parameter remedy: another way than to go to a map.
  /// - Throws: in a pane that shows no map: nobody would see what a command of maps acts on.
  func requireMap(or remedy: String = "") throws {
    if isMapPane { return }
    let way =
      map == nil ? ":split right opens a map" : "go to the map's pane first (Ctrl-w w)"
    let words = remedy.isEmpty ? way : "\(remedy) \(way)"
    throw EditingError(.refused, "this pane shows no map: \(words)")
  }
}
