import Archiving

// The views that a layout holds.
extension Document {
  /// The layout for the archive, without leaves whose views do not exist.
  var archivedLayout: ArchivedPane? {
    layout?.filter { view($0.view) != nil }.flatMap { ArchivedPane($0, view: view) }
  }

  /// A view by its number, also the legend of another one.
  package func view(_ id: ViewID) -> (any View)? {
    views.first { $0.id == id }
      ?? views.lazy.compactMap { ($0 as? MapView)?.legend }
      .first { $0.id == id }
  }

  /// Reserves these numbers, so that none of them is given again.
  package mutating func keepNumbers(_ ids: [ViewID]) {
    let used = (ids + views.map(\.id)).map(\.rawValue) + numbersOfLegends
    nextID = used.filter { $0 < Self.firstSessionID }.reduce(nextID) { max($0, $1 &+ 1) }
  }

  /// The place of a leaf's view.
  private enum LeafPlace {
    case view(Int)
    case legend(ViewID)
  }

  /// Takes an archived layout over: views held only by its leaves are added to the document's.
  ///
  /// - Parameter number: numbers the views; those of the leaves are not known before.
  mutating func take(
    _ archived: ArchivedPane?, _ coder: any DecodingCoder,
    thenNumber number: (inout Document) throws -> Void
  ) throws {
    // An overview among the views of the document belongs to no pane.
    views.removeAll { $0.isHeldByPanes }
    let places = try archived?.views.map { try place(ofLeaf: $0, coder) } ?? []
    try number(&self)
    var ids = places.map { place in
      switch place {
      case .view(let index): views[index].id
      case .legend(let id): id
      }
    }[...]
    layout = archived?.layout(&ids)
  }

  private mutating func place(
    ofLeaf view: any View, _ coder: any DecodingCoder
  ) throws -> LeafPlace {
    if var unknown = view as? UnknownView {
      let known = views.firstIndex { ($0 as? UnknownView)?.kept == unknown.kept }
      if let known { return .view(known) }
      unknown.isHeldByPanes = true
      views.append(unknown)
    } else if let index = views.firstIndex(where: { !($0 is UnknownView) && $0.id == view.id }) {
      guard type(of: views[index]) == type(of: view) else {
        throw coder.invalidValue("two views have the number \(view.id.rawValue)", forKey: "layout")
      }
      return .view(index)
    } else if numbersOfLegends.contains(view.id.rawValue), view is LegendView {
      return .legend(view.id)
    } else {
      views.append(view)
    }
    return .view(views.count - 1)
  }
}
