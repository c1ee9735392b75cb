import PortolanDocuments
import PortolanFiles
package import PortolanTerminals

/// The people of a workspace: who an event is for, who joins, who leaves.
extension Workspace {
  /// The sessions, in the order of joining.
  package var people: [SessionID] { sessions.keys.sorted { $0.rawValue < $1.rawValue } }

  /// Handles an event; returns the effects that it has for all sessions.
  package mutating func handle(_ mail: SeatEvent) -> [SeatEffect] {
    var effects: [SeatEffect] = []
    for person in recipients(of: mail) {
      effects += handle(mail.event, of: person).map { SeatEffect($0, of: person) }
    }
    return effects + takeAllEffects()
  }

  /// The effects that wait in any session.
  package mutating func takeAllEffects() -> [SeatEffect] {
    var effects: [SeatEffect] = []
    for person in people where sessions[person]?.effects.isEmpty == false {
      effects += takeEffects(of: person).map { SeatEffect($0, of: person) }
    }
    return effects
  }

  /// The sessions that handle an event: one for a document, so that nothing is done twice.
  private func recipients(of mail: SeatEvent) -> [SessionID] {
    let first = people.first ?? .local
    switch mail.event {
    case .progress(let job, _), .replied(let job, _):
      return [owner(of: job) ?? mail.person ?? first]
    case .terminal, .drawn: return [mail.person ?? first]
    case .changedOnDisk(let path, _), .freed(let path):
      return Array(people { $0.isFile(path) }.prefix(1))
    case .wanted(let path, let holder):
      // The locks are looked at now and then: whoever asked may have joined meanwhile.
      if hasJoined(holder) { return [] }
      return people { $0.isFile(path) }
    case .autosave(let id, _): return Array(people { $0.id == id }.prefix(1))
    case .remark: return mail.person.map { [$0] } ?? people
    case .foundBase: return people
    }
  }

  /// Whether the process of a lock holder has taken up a session.
  private func hasJoined(_ holder: LockHolder) -> Bool {
    guard sharing.machine.isEmpty || sharing.machine == holder.host else { return false }
    return sessions.values.contains { $0.process == holder.process }
  }

  /// The sessions that show one of the documents: those at a terminal first, watchers last.
  private func people(showing isMeant: (OpenDocument) -> Bool) -> [SessionID] {
    let ids = documents.values.filter(isMeant).map(\.id)
    let shown = people.filter { person in
      ids.contains { sessions[person]?.firstPane(of: $0) != nil }
    }
    let editing = shown.filter { sessions[$0]?.isWatching == false }
    return editing.filter { sessions[$0]?.isPresent == true }
      + editing.filter { sessions[$0]?.isPresent != true }
      + shown.filter { sessions[$0]?.isWatching == true }
  }

  /// The session that a job belongs to.
  package func owner(of job: JobID) -> SessionID? {
    people.first { person in sessions[person]?.jobs.contains { $0.id == job } == true }
  }

  /// The other people, as the desks of a session see them.
  func company(of person: SessionID) -> [Companion] {
    if sessions.count < 2 { return [] }
    let owner = sessions[person]?.actsFor
    return sessions.compactMap { other, session in
      other == person || other == owner ? nil : Companion(session)
    }.sorted { $0.id.rawValue < $1.id.rawValue }
  }

  /// What another person than that of a session has copied last.
  func copies(offeredTo person: SessionID) -> OfferedCopies? {
    if sessions.count < 2 { return nil }
    let owner = sessions[person]?.actsFor
    let others = sessions.values.filter {
      $0.id != person && $0.id != owner && $0.register.turn > 0
    }
    return others.max { $0.register.turn < $1.register.turn }.map { other in
      OfferedCopies(person: other.name, register: other.register)
    }
  }

  /// Adds another person's session, with a desk on an open document.
  package mutating func join(_ desk: Desk, as person: SessionID, on document: OpenDocument.ID) {
    guard sessions[person] == nil, let file = documents[document] else { return }
    var desk = desk
    desk.session.id = person
    desk.sharing = sharing
    desk.file = file
    desk.pane.document = document
    put(back: desk, person)
  }

  /// Adds a session that begins on the document, and at the view, of another one.
  ///
  /// - Parameters:
  ///   - former: whose focused pane is taken over.
  ///   - name: the person's name.
  ///   - isWatching: whether they change nothing.
  /// - Returns: the number of the session; `nil` if there is no such other one.
  package mutating func join(
    beside former: SessionID, name: String, capabilities: ScreenCapabilities, size: CellSize,
    isWatching: Bool = false
  ) -> SessionID? {
    guard let session = sessions[former] else { return nil }
    let host = desk(of: former)
    let person = SessionID(nextSession)
    nextSession += 1
    var fresh = Session(screenSize: size, kinds: session.kinds)
    fresh.id = person
    fresh.name = name
    fresh.begin(with: session.settings)
    // That of their own terminal is not known.
    fresh.begunTheme = nil
    fresh.isWatching = isWatching
    fresh.capabilities = capabilities
    fresh.keepsVersions = session.keepsVersions
    fresh.base = session.base
    fresh.recentFiles = session.recentFiles
    fresh.promptHistory = session.promptHistory
    let map = host.pane.state.map == nil ? host.mapPane.flatMap { session.panes[$0] } : host.pane
    var pane = Pane(id: fresh.arrangement.focus, document: host.file.id)
    if let map { pane = map.copy(fresh.arrangement.focus) }
    pane.links = []
    var desk = Desk(
      session: fresh, pane: pane, file: host.file, work: Work(on: host.file.history.value))
    desk.sharing = sharing
    desk.learn(capabilities)
    desk.say(
      isWatching
        ? "watching \(host.title): look around, nothing you do changes it; :q leaves"
        : "joined: \(host.title) is shared with \(session.name); :detach leaves, your panes stay")
    put(back: desk, person)
    return person
  }

  /// Adds a session for commands of another program.
  ///
  /// - Parameter document: the one that they are for; `nil` for the one that is shown.
  mutating func joinRemote(on document: OpenDocument.ID?) throws(Failure) -> SessionID {
    let shown = people.filter { sessions[$0]?.isHeadless == false }
    let former = shown.first { sessions[$0]?.isPresent == true } ?? shown.first ?? .local
    guard let session = sessions[former] else {
      throw Failure(.usage, what: "the workspace has ended")
    }
    var host = desk(of: former)
    if let document {
      for person in shown.reversed() {
        if let place = sessions[person]?.firstPane(of: document) {
          host = desk(at: place, of: person) ?? host
        }
      }
    }
    let person = SessionID(nextSession)
    nextSession += 1
    var fresh = Session(
      screenSize: session.screenSize, kinds: session.kinds)
    fresh.id = person
    fresh.name = "commands"
    fresh.isHeadless = true
    fresh.isPresent = false
    fresh.settings = session.settings
    fresh.keepsVersions = session.keepsVersions
    fresh.base = session.base
    var pane = host.pane.copy(fresh.arrangement.focus)
    pane.document = host.file.id
    if host.pane.state.map == nil { pane.state = MapPane() }
    pane.links = []
    var work = Work(on: host.file.history.value)
    work.activeLayer = host.work.activeLayer
    var desk = Desk(session: fresh, pane: pane, file: host.file, work: work)
    desk.sharing = sharing
    put(back: desk, person)
    return person
  }

  /// Removes a session; its jobs go on with another one that shows the same document.
  ///
  /// - Returns: the effects of closing the documents that it alone had open.
  package mutating func leave(_ person: SessionID) -> [SeatEffect] {
    guard sessions.count > 1, let session = sessions[person] else { return [] }
    let others = sessions.filter { $0.key != person }.values
    let kept = Set(others.flatMap { $0.panes.values.map(\.document) })
    var effects: [SeatEffect] = []
    for id in Set(session.panes.values.map(\.document)) where !kept.contains(id) {
      guard let path = documents[id]?.path else { continue }
      effects.append(SeatEffect(.perform(ReleaseRequest(path: path), nil), of: person))
    }
    sessions[person] = nil
    stopFollowing(person)
    for job in session.jobs where kept.contains(job.document) && !job.isOfPane {
      guard let heir = people(showing: { $0.id == job.document }).first else { continue }
      sessions[heir]?.jobs.append(job)
      for id in documents.keys {
        documents[id]?.waitingReplies.mutateEach { reply in
          if reply.job == job.id { reply.person = heir }
        }
      }
    }
    closeUnseenDocuments()
    return effects
  }

  /// Gives a session the name of the person who has taken it up.
  package mutating func rename(_ person: SessionID, _ name: String) {
    sessions[person]?.name = name
  }

  /// Notes the process that has taken up a session.
  package mutating func note(_ person: SessionID, process: Int32?) {
    sessions[person]?.process = process
  }

  /// Notes whether a terminal shows a session.
  ///
  /// - Parameter hasDetached: whether its person left on purpose, to come back.
  package mutating func note(
    _ person: SessionID, isPresent: Bool, hasDetached: Bool = false
  ) {
    sessions[person]?.isPresent = isPresent
    sessions[person]?.hasDetached = hasDetached
  }
}

extension Array {
  fileprivate mutating func mutateEach(_ change: (inout Element) -> Void) {
    for index in indices { change(&self[index]) }
  }
}
