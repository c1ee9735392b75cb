import PortolanDocuments
import PortolanFiles
package import PortolanKeeping
import PortolanPrinting
package import PortolanRendering
package import PortolanTerminals

/// The number of a person's session.
package struct SessionID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  /// The session at this program's own terminal.
  package static let local = SessionID(1)
}

/// The open documents, and the sessions of the people who view them.
///
/// For each event it lays out a desk, lets the desk handle the event, and puts its parts back.
package struct Workspace: Sendable {
  package internal(set) var documents: [OpenDocument.ID: OpenDocument]
  package internal(set) var sessions: [SessionID: Session]
  /// The number of the next document to be opened.
  private var nextDocument = 1
  /// The number of the next job of any session.
  private var nextJob = JobID(1)
  /// The number of the next session.
  var nextSession = 2
  /// How other terminals reach the workspace.
  var sharing = Sharing()

  /// A workspace with one session, on the document of a desk.
  package init(_ desk: Desk = Desk()) {
    documents = [desk.file.id: desk.file]
    sessions = [:]
    sharing = desk.sharing
    put(back: desk, .local)
  }

  /// The desk of a session at the focused pane.
  package func desk(of person: SessionID = .local) -> Desk {
    let place = sessions[person]?.arrangement.focus
    if let place, let found = desk(at: place, of: person) { return found }
    var empty = Desk()
    empty.sharing = sharing
    return empty
  }

  /// The desk of a session at a pane; `nil` if there is no such pane.
  package func desk(at place: PaneID, of person: SessionID = .local) -> Desk? {
    guard let session = sessions[person], let pane = session.panes[place],
      let file = documents[pane.document]
    else { return nil }
    var desk = Desk(
      session: session, pane: pane, file: file,
      work: session.works[pane.document] ?? Work(on: file.history.value))
    desk.others = documents.values.filter { $0.id != file.id }.map { OtherDocument($0) }
      .sorted { $0.id.rawValue < $1.id.rawValue }
    desk.freshDocument = OpenDocument.ID(nextDocument)
    desk.freshJob = nextJob
    desk.company = company(of: person)
    desk.offered = copies(offeredTo: person)
    desk.sharing = sharing
    return desk
  }

  /// The picture of a session.
  package func frame(
    size: CellSize, memory: inout RenderMemory, of person: SessionID = .local
  ) -> Frame {
    desk(of: person).frame(size: size, memory: &memory) { desk(at: $0, of: person) }
  }

  /// The keys of the maps of a session that could be shown at rest, and are not.
  func waitingStills(of person: SessionID = .local) -> [PaneID: MapKey] {
    var keys: [PaneID: MapKey] = [:]
    for desk in shownDesks(of: person) {
      if let key = desk.stillKey, desk.session.stills[desk.pane.id]?.key != key {
        keys[desk.pane.id] = key
      }
    }
    return keys
  }

  /// The drawings of the maps of a session at rest.
  func stillDrawings(
    _ memory: RenderMemory, of person: SessionID = .local
  ) -> [StillDrawing] {
    shownDesks(of: person).compactMap { StillDrawing($0, memory: memory) }
  }

  private func shownDesks(of person: SessionID) -> [Desk] {
    guard let session = sessions[person], session.capabilities.pictureCellSize != nil else {
      return []
    }
    return session.arrangement.tab.tree.panes.compactMap { desk(at: $0, of: person) }
  }

  /// The document of a job.
  func document(of job: JobID, _ person: SessionID = .local) -> OpenDocument.ID? {
    sessions[person]?.jobs.first { $0.id == job }?.document
  }

  // MARK: Events

  /// Handles an event; returns the requested effects.
  package mutating func handle(_ event: Event, of person: SessionID = .local) -> [Effect] {
    var effects: [Effect] = []
    let places = places(of: event, person)
    for place in places {
      effects += at(place, of: person, isOwn: !event.isFromOutside) { $0.handle(event) }
    }
    if case .replied(let job, let reply) = event, places.isEmpty {
      // Its pane or its document is closed, or the job was cancelled.
      sessions[person]?.jobs.removeAll { $0.id == job }
      effects += reply.abandoned().map { .perform($0, nil) }
    }
    effects += settle(person)
    return effects
  }

  /// Lets a closure change the desk at the focused pane.
  package mutating func change<Result>(
    of person: SessionID = .local, _ body: (inout Desk) throws -> Result
  ) rethrows -> Result {
    var desk = desk(of: person)
    defer { if sessions[person] != nil { put(back: desk, person) } }
    return try body(&desk)
  }

  /// The effects of commands run outside of an event.
  package mutating func takeEffects(of person: SessionID = .local) -> [Effect] {
    change(of: person) { $0.takeEffects() } + settle(person)
  }

  /// Continues a script whose last line went to another pane or document, and shows the pane of an
  /// open question.
  private mutating func settle(_ person: SessionID) -> [Effect] {
    var effects = saveOthers(person)
    // A long edit may have been cancelled from a pane of another document, or by its owner.
    for (id, document) in documents
    where !document.waitingReplies.isEmpty && document.pendingEdit == nil {
      for other in Set(document.waitingReplies.map(\.person)) {
        guard let place = sessions[other]?.firstPane(of: id) else { continue }
        effects += at(place, of: other) { desk in
          desk.takeWaitingReplies()
          // Those of another person stay in their session.
          return other == person ? desk.takeEffects() : []
        }
      }
    }
    var former: (place: PaneID, count: Int)?
    while let session = sessions[person], let place = session.script.place, !session.hasQuit {
      if let former, former == (place, session.script.entries.count) { break }
      former = (place, session.script.entries.count)
      guard session.panes[place] != nil else {
        change(of: person) { desk in
          desk.endScript()
          desk.fail("the script was ended: its pane is closed")
        }
        break
      }
      effects += at(place, of: person) { desk in
        desk.continueScript()
        return desk.takeEffects()
      }
    }
    // A line that is being typed stays with its pane.
    if let session = sessions[person], session.prompt == nil,
      let asking = session.questions.first?.place, session.panes[asking] != nil
    {
      sessions[person]?.arrangement.show(asking)
    }
    return effects
  }

  /// Saves the documents beside the one where that was asked for.
  private mutating func saveOthers(_ person: SessionID) -> [Effect] {
    guard let saves = sessions[person]?.savesAll else { return [] }
    sessions[person]?.savesAll = nil
    var effects: [Effect] = []
    for (id, document) in documents.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where id != saves.besides && document.history.isEdited {
      guard let place = sessions[person]?.firstPane(of: id) else { continue }
      effects += at(place, of: person) { desk in
        desk.saveBeside(saves)
        return desk.takeEffects()
      }
    }
    return effects
  }

  /// The panes whose desks handle an event.
  private mutating func places(of event: Event, _ person: SessionID) -> [PaneID] {
    guard let session = sessions[person] else { return [] }
    let focus = session.arrangement.focus
    switch event {
    case .terminal(.mouse(let event)):
      guard let pane = session.pane(under: event) else { return [focus] }
      if event.action == .wheelUp || event.action == .wheelDown { return [pane] }
      if session.panes[pane]?.kind.takesKeys == false { return [pane] }
      if event.action == .press || event.action == .doubleClick {
        sessions[person]?.arrangement.show(pane)
        return [pane]
      }
      return [focus]
    case .terminal, .remark, .drawn, .foundBase: return [focus]
    case .progress(let id, _), .replied(let id, _):
      guard let job = session.jobs.first(where: { $0.id == id }) else { return [] }
      let pane = session.panes[job.place]
      if job.isOfPane { return pane == nil ? [] : [job.place] }
      if pane?.document == job.document { return [job.place] }
      return session.firstPane(of: job.document).map { [$0] } ?? []
    case .changedOnDisk(let path, _), .wanted(let path, _), .freed(let path):
      return documents.values.filter { $0.isFile(path) }.compactMap { session.firstPane(of: $0.id) }
    case .autosave(let id, _): return session.firstPane(of: id).map { [$0] } ?? []
    }
  }

  // MARK: Desks

  private mutating func at(
    _ place: PaneID, of person: SessionID, isOwn: Bool = true, _ body: (inout Desk) -> [Effect]
  ) -> [Effect] {
    guard var desk = desk(at: place, of: person) else { return [] }
    let focus = desk.session.arrangement.focus
    let whole = desk.session.arrangement.tab.whole
    // Commands arrange the tab of their pane; the keys go back afterwards.
    desk.session.arrangement.show(place)
    let effects = body(&desk)
    if focus != place {
      desk.session.arrangement.show(focus)
      if whole == focus { desk.session.arrangement.tab.whole = whole }
    }
    put(back: desk, person, isOwn: isOwn)
    return effects
  }

  /// Puts the parts of a desk back; documents without a pane are closed.
  ///
  /// - Parameter isOwn: whether the person caused the changes; others come from outside.
  mutating func put(back desk: Desk, _ person: SessionID, isOwn: Bool = true) {
    var session = desk.session
    let formerView = FollowedView(sessions[person])
    let former = documents[desk.file.id]?.history.present
    var work = desk.work
    // Who watches changes no document.
    if !session.isWatching || !isOwn || documents[desk.file.id] == nil {
      documents[desk.file.id] = desk.file
    } else if documents[desk.file.id]?.history.present.serial != desk.file.history.present.serial {
      session.message = Message(Desk.onlyWatches, .error)
      work = sessions[person]?.works[desk.file.id] ?? work
    }
    (sharing.stays, sharing.staySeconds) = (desk.sharing.stays, desk.sharing.staySeconds)
    nextDocument = max(nextDocument, desk.file.id.rawValue + 1)
    nextJob = JobID(max(nextJob.rawValue, desk.freshJob.rawValue))
    nextSession = max(nextSession, person.rawValue + 1)
    endCancelledEdits(besides: session)
    var pane = desk.pane
    pane.document = desk.file.id
    session.works[desk.file.id] = work
    if let id = desk.shown, documents[id] != nil {
      pane = session.pane(pane.id, showing: id)
      session.works[id] = session.works[id] ?? documents[id].map { Work(on: $0.history.value) }
    }
    if session.arrangement.panes.contains(pane.id) { session.panes[pane.id] = pane }
    let ids = Set(session.arrangement.panes)
    session.panes = session.panes.filter { ids.contains($0.key) }
    sessions[person] = session
    closeUnseenDocuments()
    if let former, former.serial != documents[desk.file.id]?.history.present.serial {
      reconcile(desk.file.id, since: former.value, beside: person)
      for other in sessions.keys where sessions[other]?.overlay is CellEditor {
        var desk = self.desk(of: other)
        desk.settleCell()
        sessions[other] = desk.session
      }
    }
    if let map = pane.state.map == nil ? desk.mapPane.flatMap({ session.panes[$0] }) : pane,
      !map.links.isEmpty
    {
      link(map, person)
    }
    deliver(from: person)
    follow(person, since: formerView, isOwn: isOwn)
    takeDocumentSettings()
  }

  /// Gives everybody the settings of the document that they have come to, or that has others now.
  private mutating func takeDocumentSettings() {
    for (person, session) in sessions {
      guard let document = session.panes[session.arrangement.focus]?.document,
        let settings = documents[document]?.history.value.metadata.settings,
        settings != session.settings.document
      else { continue }
      change(of: person) { $0.takeDocumentSettings() }
    }
  }

  /// Closes the documents without a pane.
  mutating func closeUnseenDocuments() {
    // A single one is shown by everybody.
    if documents.count == 1 { return }
    let open = Set(sessions.values.flatMap { $0.panes.values.map(\.document) })
    documents = documents.filter { open.contains($0.key) }
    for (id, session) in sessions where session.works.count > open.count {
      sessions[id]?.works = session.works.filter { open.contains($0.key) }
    }
  }

  /// Lets documents be edited whose long edit was cancelled.
  private mutating func endCancelledEdits(besides session: Session) {
    for (id, document) in documents {
      guard let job = document.pendingEdit else { continue }
      let others = sessions.values.filter { $0.id != session.id }
      let isRunning = ([session] + others).contains { session in
        session.jobs.contains { $0.id == job && $0.document == id }
      }
      if !isRunning { documents[id]?.pendingEdit = nil }
    }
  }

  /// Reconciles the works of other people with a changed document.
  private mutating func reconcile(
    _ id: OpenDocument.ID, since former: Document, beside person: SessionID
  ) {
    guard let document = documents[id]?.history.value else { return }
    let isOfOneKind = former.metadata.isGeographic == document.metadata.isGeographic
    for other in sessions.keys where other != person {
      if isOfOneKind, let work = sessions[other]?.works[id], !work.refersToParts(of: document) {
        continue
      }
      guard let place = sessions[other]?.firstPane(of: id), var desk = desk(at: place, of: other)
      else { continue }
      desk.goOn(since: former, beside: sessions[person]?.name ?? "")
      sessions[other] = desk.session
      sessions[other]?.panes[place] = desk.pane
      sessions[other]?.works[id] = desk.work
    }
  }

  /// Gives the panes linked with one its centre, its magnification, or both.
  private mutating func link(_ pane: Pane, _ person: SessionID) {
    guard let session = sessions[person], let map = pane.state.map else { return }
    for id in session.arrangement.tab.tree.panes where id != pane.id {
      guard let other = session.panes[id], other.document == pane.document,
        other.state.map != nil, var desk = desk(at: id, of: person)
      else { continue }
      let links = pane.links.intersection(other.links)
      let (own, shown) = (desk.viewpoint, desk.viewpoint(of: map))
      let zooms = links.contains(.magnification) && own.zoom != shown.zoom
      let moves = links.contains(.center) && own.center != shown.center
      guard zooms || moves else { continue }
      if zooms { desk.viewpoint.zoom = shown.zoom }
      if moves { desk.viewpoint.center = desk.camera.centered(on: shown.center).center }
      desk.settleCursor(at: links.contains(.center) ? map.cursor : desk.cursor)
      sessions[person]?.panes[id] = desk.pane
    }
  }
}

/// The parts of another open document that a desk can see.
package struct OtherDocument: Sendable {
  package var id: OpenDocument.ID
  package var path: String?
  package var title: String
  /// Whether closing it would lose edits or a draft.
  package var hasUnsavedWork: Bool
  /// Whether it has edits that are not saved.
  package var isEdited: Bool
  /// Left work on it that is not yet decided on.
  package var leftWork: [LeftJournal]

  init(_ document: OpenDocument) {
    id = document.id
    path = document.path
    title = document.title
    hasUnsavedWork = document.hasUnsavedWork
    isEdited = document.history.isEdited
    leftWork = document.leftWork.map(\.journal)
  }
}
