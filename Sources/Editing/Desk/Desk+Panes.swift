import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanRendering
import PortolanTerminals

/// Panes and tabs.
extension Desk {
  /// Splits the pane; the new one shows the same view and gets the focus.
  ///
  /// - Parameter share: the part of the room for the new one, from 0 to 1.
  mutating func split(_ axis: PaneTree.Axis, share: Double = 0.5) throws {
    let area = paneArea
    let least = Arrangement.least
    let isRoomy =
      axis == .columns
      ? area.columns > 2 * least.columns : area.rows > 2 * (least.rows + 1)
    guard isRoomy || isScripted else {
      throw EditingError(
        .refused, "the pane is too small to be divided: pane close, or panel all off makes room")
    }
    let new = session.arrangement.makeID()
    session.panes[new] = mapCopy(new)
    session.panes[pane.id] = pane
    session.arrangement.tab.tree = session.arrangement.tab.tree.splitting(
      pane.id, axis, with: new, share: share)
    session.arrangement.show(new)
  }

  /// A map for a new pane: a copy of the one that is meant; without one, a map of the whole
  /// document.
  private func mapCopy(_ id: PaneID) -> Pane {
    let shown = mapPane.flatMap { $0 == pane.id ? pane : session.panes[$0] }
    if let shown { return shown.copy(id) }
    var made = pane.copy(id)
    let camera = Camera.fitting(
      document.extent.forFitting(on: plane), plane: plane, size: paneArea.size)
    let viewpoint = Viewpoint(
      center: camera.center, zoom: camera.zoom, projection: plane.projection)
    made.state.map = MapState(
      viewpoint.counted(from: planarSide(plane.projection), formerly: nil), cursor: camera.center)
    return made
  }

  /// Opens a file in the new pane; the document's own file is there already.
  mutating func openBeside(_ path: String) {
    let new = session.arrangement.focus
    if file.isFile(path) { return }
    if let other = others.first(where: { FilePath.isSame($0.path, path) }) {
      session.panes[new] = session.pane(new, showing: other.id)
      return
    }
    request(OpenRequest(paths: [path], isBeside: true), for: new)
  }

  /// Another focusable pane of the tab, in the order of the panes.
  func pane(by steps: Int) throws -> PaneID {
    let ids = session.arrangement.tab.tree.panes.filter {
      $0 == pane.id || session.panes[$0]?.kind.takesKeys == true
    }
    guard ids.count > 1, let index = ids.firstIndex(of: pane.id) else {
      throw EditingError(.refused, "there is one pane: split divides it")
    }
    return ids[(index + steps % ids.count + ids.count) % ids.count]
  }

  /// The nearest focusable pane on a side.
  func paneBeside(dx: Int, dy: Int) throws -> PaneID {
    let places = session.arrangement.tab.tree.places(in: layout.map).panes
    guard let own = places.first(where: { $0.id == pane.id })?.rect else { return pane.id }
    let found = places.filter { place in
      guard session.panes[place.id]?.kind.takesKeys == true else { return false }
      let rect = place.rect
      if dx < 0 { return rect.column < own.column && rect.overlapsRows(of: own) }
      if dx > 0 { return rect.column > own.column && rect.overlapsRows(of: own) }
      if dy < 0 { return rect.row < own.row && rect.overlapsColumns(of: own) }
      return rect.row > own.row && rect.overlapsColumns(of: own)
    }
    let nearest = found.min { left, right in
      func distance(_ rect: CellRect) -> Int {
        abs(rect.column - own.column) + abs(rect.row - own.row)
      }
      return distance(left.rect) < distance(right.rect)
    }
    guard let nearest else { throw EditingError(.refused, "there is no pane on that side") }
    return nearest.id
  }

  /// Closes the pane, and the document if no other pane shows it.
  ///
  /// - Parameter command: the command that discards unsaved work, for the advice.
  mutating func closePane(force: Bool, as command: String = ":pane close --force") throws {
    guard session.arrangement.panes.contains(where: { $0 != pane.id && takesKeys($0) }) else {
      throw EditingError(.refused, "this is the only pane: :q leaves the editor")
    }
    try requireLeaving(force: force, as: command)
    leaveDocument()
    remove([pane.id])
  }

  /// Closes all panes of the tab but this.
  mutating func closeOtherPanes(force: Bool) throws {
    let ids = session.arrangement.tab.tree.panes.filter { $0 != pane.id }
    try close(ids, force: force, as: ":pane only --force")
  }

  /// Closes the panes of the tab.
  mutating func closeTab(force: Bool) throws {
    guard session.arrangement.tabs.count > 1 else {
      throw EditingError(.refused, "this is the only tab: :q leaves the editor")
    }
    let ids = session.arrangement.tab.tree.panes
    try close(ids.filter { $0 != pane.id }, force: force, as: ":tab close --force")
    try closePane(force: force, as: ":tab close --force")
  }

  /// Closes other panes, and the documents that no remaining focusable pane shows.
  private mutating func close(_ ids: [PaneID], force: Bool, as command: String) throws {
    let going = Set(ids.compactMap { session.panes[$0]?.document })
    let staying = Set(
      session.arrangement.panes.filter { !ids.contains($0) && takesKeys($0) }.compactMap {
        $0 == pane.id ? file.id : session.panes[$0]?.document
      })
    let left = others.filter { going.contains($0.id) && !staying.contains($0.id) }
    if !force, let other = left.first(where: { $0.hasUnsavedWork && !isInHands($0.id) }) {
      throw EditingError(
        .refused, "\(other.title) has unsaved work: save it, or \(command) gives it up")
    }
    for other in left where !isShared(other.id) {
      if let path = other.path { request(ReleaseRequest(path: path)) }
      if !other.leftWork.isEmpty { request(LeaveWorkRequest(journals: other.leftWork)) }
      closeKeyless(of: other.id)
    }
    remove(ids)
  }

  /// Closes the unfocusable panes of a document.
  private mutating func closeKeyless(of document: OpenDocument.ID) {
    remove(
      session.panes.values.filter {
        $0.id != pane.id && $0.document == document && !$0.kind.takesKeys
      }.map(\.id))
  }

  /// Removes panes from the screen.
  private mutating func remove(_ ids: [PaneID]) {
    for id in ids {
      session.arrangement.remove(id)
      session.panes[id] = nil
    }
    tidyPanes()
  }

  /// Whether a pane can have the focus.
  func takesKeys(_ id: PaneID) -> Bool {
    id == pane.id || session.panes[id]?.kind.takesKeys == true
  }

  /// Closes tabs without a focusable pane, and focuses such a pane in the others.
  mutating func tidyPanes() {
    for tab in session.arrangement.tabs {
      if let id = tab.tree.panes.first(where: takesKeys) {
        guard !takesKeys(tab.focus) else { continue }
        let shown = session.arrangement.index
        session.arrangement.show(id)
        session.arrangement.index = shown
      } else {
        for id in tab.tree.panes {
          session.arrangement.remove(id)
          session.panes[id] = nil
        }
      }
    }
  }

  /// Shows the overview in a pane below the map, or closes it.
  mutating func toggleOverviewPane(_ state: Switch) throws {
    let shown = session.arrangement.tab.tree.panes.filter {
      session.panes[$0]?.kind == OverviewPane.self && session.panes[$0]?.document == file.id
    }
    if state.applied(to: !shown.isEmpty) == !shown.isEmpty { return }
    if !shown.isEmpty {
      try close(shown, force: true, as: "")
      return
    }
    try split(.rows, share: 0.35)
    let new = session.arrangement.focus
    session.panes[new]?.state = OverviewPane()
    session.panes[new]?.view = nil
    session.arrangement.show(pane.id)
  }

  // MARK: Tabs

  /// Adds a tab with a view of the document.
  mutating func addTab() {
    let new = session.arrangement.makeID()
    session.panes[pane.id] = pane
    session.panes[new] = pane.copy(new)
    session.arrangement.addTab(new)
  }

  mutating func showTab(by steps: Int) throws {
    let count = session.arrangement.tabs.count
    guard count > 1 else { throw EditingError(.refused, "there is one tab: tab new opens another") }
    session.arrangement.index =
      (session.arrangement.index + steps % count + count) % count
  }

  // MARK: Leaving

  /// Throws rather than lose the edits and the draft of a document that only this pane shows.
  ///
  /// - Parameter command: the command that discards them, for the advice.
  func requireLeaving(force: Bool, as command: String) throws {
    guard !force, !isKeptSafely, file.hasUnsavedWork else { return }
    if isEditPending { throw EditingError(.refused, "\(Self.pendingEdit), \(command) gives it up") }
    if !isEdited, let draft = describedDraft {
      throw EditingError(
        .refused, "\(draft) is being drawn: i goes on with it, \(command) gives it up")
    }
    throw EditingError(.refused, "unsaved edits: :w saves them, \(command) gives them up")
  }

  static let pendingEdit = "an edit is under way: wait for it, Ctrl-C stops it"

  /// The draft in a few words: `a line of 3 vertices`; `nil` if there is none.
  var describedDraft: String? {
    guard let draft, !draft.isEmpty else { return nil }
    return "a \(draft.kind.rawValue) of \(CountText.vertices(draft.vertexCount))"
  }

  /// Closes the document if no other pane with keys shows it: others can have it then.
  mutating func leaveDocument() {
    if isShownElsewhere { return }
    closeKeyless(of: file.id)
    let id = file.id
    questions.removeAll { $0.document == id }
    if isShared(id) { return }
    if let job = file.restJob, jobs.contains(where: { $0.id == job }) {
      send(.cancel(job))
      jobs.removeAll { $0.id == job }
    }
    forgetLeftWork()
    if let path = file.path { request(ReleaseRequest(path: path)) }
  }
}

extension CellRect {
  fileprivate func overlapsRows(of other: CellRect) -> Bool {
    row < other.row + other.rows && other.row < row + rows
  }

  fileprivate func overlapsColumns(of other: CellRect) -> Bool {
    column < other.column + other.columns && other.column < column + columns
  }
}
