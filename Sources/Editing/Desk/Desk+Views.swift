import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering

/// The document's map views by their names: centre, magnification and projection of a map.
///
/// A pane is saved as the view that it was opened from; other views change by these commands only.
extension Desk {
  private var mapViews: [any MapShowing] { document.views.compactMap { $0 as? any MapShowing } }

  private func mapView(named name: String) throws -> any MapShowing {
    if let found = mapViews.first(where: { $0.name.hasSameBytes(as: name) }) { return found }
    let names = mapViews.map(\.name)
    let near = Spelling.question(Spelling.nearest(to: name, among: names))
    throw EditingError(
      .notFound, "no view “\(name)”: \(near)the views are \(names.joined(separator: ", "))")
  }

  /// The pane that is saved as a view: the oldest of those opened from it.
  private func paneSaved(as view: ViewID) -> Pane? {
    let panes = session.arrangement.panes.compactMap { $0 == pane.id ? pane : session.panes[$0] }
    return panes.filter { $0.document == file.id && $0.view == view }
      .min { $0.id.rawValue < $1.id.rawValue }
  }

  /// The number that the heading of a pane shows.
  private func number(of pane: PaneID) -> Int {
    let panes = session.arrangement.tabs.first { $0.tree.panes.contains(pane) }?.tree.panes
    return (panes?.firstIndex(of: pane) ?? 0) + 1
  }

  private func requireViews() throws {
    if file.isData {
      throw EditingError(
        .refused,
        "map data keeps no views: save it as a document first, or set a bookmark (B)")
    }
  }

  // MARK: Saving and going

  /// Saves what the map shows as a view, in the place of the one of that name.
  mutating func saveView(_ name: String) throws {
    try requireViews()
    let former = mapViews.first { $0.name.hasSameBytes(as: name) }
    if let former, let owner = paneSaved(as: former.id), !isHeadless {
      guard owner.id != (mapPane ?? pane.id) else {
        return say("view \(name) is that of this pane: it is saved with the document")
      }
      throw EditingError(
        .refused,
        "view “\(name)” is that of pane \(number(of: owner.id)), and is saved as that pane stands: "
          + "choose another name")
    }
    let camera = self.camera
    let projection = plane.projection
    let magnification = keptMagnification(camera.magnification, projection)
    try edit("save view \(name)") { document in
      let standard = ViewKinds.standard(mapName: document.metadata.title).lazy
      let model = document.mapView ?? standard.compactMap { $0 as? any MapShowing }.first
      guard
        var view = former ?? model?.copy(as: ViewID(document.makeID()), name: name)
      else { return }
      view.center = camera.center
      view.magnification = magnification
      view.projection = projection
      if let index = document.views.firstIndex(where: { $0.id == view.id }) {
        document.views[index] = view
      } else {
        document.views.append(view)
      }
    }
    say("view \(name)\(former == nil ? "" : " changed"): :view show \(CommandWord.quoted(name))")
  }

  /// Shows what a view shows; the pane stays the pane of its own view.
  mutating func showView(_ name: String) throws {
    let view = try mapView(named: name)
    // A pane may have moved since its view was saved.
    let moved = paneSaved(as: view.id)?.state.map.map { viewpoint(of: $0) }
    rememberJump()
    var shown = moved ?? viewpoint(of: view)
    if !isGeographic { shown.projection = .planar }
    viewpoint = shown
    settleCursor(at: viewpoint.center)
    say("view \(name)")
  }

  // MARK: Names

  /// Renames a view, or that of this pane.
  mutating func renameView(_ name: String?, to new: String) throws {
    try requireViews()
    if mapViews.contains(where: { $0.name.hasSameBytes(as: new) }) {
      throw EditingError(.refused, "there is a view “\(new)” already: choose another name")
    }
    let chosen = try name.map { try mapView(named: $0).id }
    if chosen == nil, pane.state.map == nil { try requireMap() }
    let own = pane.view.flatMap { paneSaved(as: $0)?.id == pane.id ? $0 : nil }
    if let id = chosen ?? own, document.view(id) != nil {
      try edit("rename view") { document in
        for index in document.views.indices where document.views[index].id == id {
          document.views[index].name = new
        }
      }
    } else {
      // The pane has no view of its own before it is saved.
      try saveView(new)
      pane.view = mapViews.first { $0.name.hasSameBytes(as: new) }?.id
    }
    say("view \(new)")
  }

  mutating func deleteView(_ name: String) throws {
    try requireViews()
    let view = try mapView(named: name)
    if let owner = paneSaved(as: view.id), !isHeadless {
      throw EditingError(
        .refused,
        owner.id == pane.id
          ? "view “\(name)” is that of this pane: close the pane first"
          : "view “\(name)” is that of pane \(number(of: owner.id)): close the pane first")
    }
    guard mapViews.count > 1 else {
      throw EditingError(.refused, "a document keeps one view: “\(name)” is its last")
    }
    try edit("delete view \(name)") { document in
      document.views.removeAll { $0.id == view.id }
      document.arrange(document.layout?.without(view.id) ?? document.standardLayout)
    }
    say("view \(name) deleted")
  }

  // MARK: The list

  /// Lists the views, to go to one.
  mutating func listViews() throws {
    let views = mapViews
    if isHeadless { return send(.print(views.map { words(for: $0) })) }
    if views.isEmpty { throw EditingError(.notFound, "no view yet: view save NAME saves one") }
    ask(
      Question(
        title: "Views", text: "Enter shows the chosen one.",
        choices: views.map { view in
          Question.Choice(
            nil, words(for: view), line: "view show \(CommandWord.quoted(view.name))")
        }))
  }

  private func words(for view: any MapShowing) -> String {
    let owner = isHeadless ? nil : paneSaved(as: view.id)
    let shown = owner?.state.map.map { viewpoint(of: $0) } ?? viewpoint(of: view)
    let tab = owner.flatMap { owner in
      session.arrangement.tabs.firstIndex { $0.tree.panes.contains(owner.id) }
    }
    let place = tab.map { "  tab \($0 + 1), pane \(number(of: owner?.id ?? pane.id))" } ?? ""
    return view.name + "  " + Positions.text(shown.center, isGeographic: isGeographic)
      + "  z \(Figures.fixed(shown.zoom, decimals: 1))" + place
  }
}
