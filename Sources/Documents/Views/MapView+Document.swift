// The legends and overviews of a document's views.
extension Document {
  /// Gives different legends different numbers, unique among all views: objects with the same
  /// number are one object in an archive.
  mutating func numberLegends() {
    let used = layers.map(\.id.rawValue) + views.map(\.id.rawValue) + legends.map(\.id.rawValue)
    nextID = used.filter { $0 < Self.firstSessionID }.reduce(nextID) { max($0, $1 &+ 1) }
    var known: [ViewID: LegendView] = [:]
    for case let legend as LegendView in views { known[legend.id] = legend }
    for index in views.indices {
      guard var map = views[index] as? MapView, let legend = map.legend else { continue }
      let isTaken = views.contains { $0.id == legend.id && !($0 is LegendView) }
      if !isTaken && (known[legend.id] ?? legend).isSame(as: legend) {
        known[legend.id] = legend
      } else {
        map.legend = legend.numbered(ViewID(makeID()))
        views[index] = map
      }
    }
  }

  /// The numbers of the maps' legends.
  var numbersOfLegends: [UInt64] { legends.map(\.id.rawValue) }

  private var legends: [LegendView] { views.compactMap { ($0 as? MapView)?.legend } }

  /// Drops overviews of unknown kinds whose panes were closed: the coder cannot know that.
  mutating func dropClosedAuxiliaryViews() {
    let shown = Set(layout?.leaves.map(\.view) ?? [])
    let closed = views.compactMap { $0 as? UnknownView }.filter {
      $0.isHeldByPanes && !shown.contains($0.id)
    }
    if closed.isEmpty { return }
    for index in views.indices {
      guard var map = views[index] as? MapView, let kept = map.keptAuxiliaryView,
        closed.contains(where: { $0.kept == kept.kept })
      else { continue }
      map.auxiliaryView = nil
      views[index] = map
    }
  }

  /// Clears references to overviews that the document does not hold.
  mutating func dropForeignAuxiliaryViews() {
    let known = Set(views.map(\.id) + legends.map(\.id))
    for index in views.indices {
      guard var map = views[index] as? MapView, let auxiliary = map.auxiliaryView,
        !known.contains(auxiliary)
      else { continue }
      map.auxiliaryView = nil
      views[index] = map
    }
  }
}
