import PortolanDocuments
import PortolanFiles
import PortolanKeeping
import PortolanTerminals
import PortolanTexts

/// The seats of other programs' terminals.
extension EditorLoop {
  /// Notes the socket at which other programs reach the workspace, or why there is none.
  ///
  /// - Parameters:
  ///   - stays: whether it stays when no terminal shows it.
  ///   - outlivesLogin: whether the end of a login leaves the process alone.
  package mutating func share(
    at socket: String?, trouble: String = "", stays: Bool = false, outlivesLogin: Bool = false
  ) {
    host.arrange { workspace in
      workspace.sharing.socket = socket
      if !trouble.isEmpty { workspace.sharing.trouble = trouble }
      workspace.sharing.stays = workspace.sharing.stays || stays
      workspace.sharing.outlivesLogin = workspace.sharing.outlivesLogin || outlivesLogin
    }
  }

  /// Shows the picture of a guest that is due and waits longest, people who acted first.
  mutating func presentNextGuest(at now: ContinuousClock.Instant = .now) {
    var next: (person: SessionID, pace: FramePace)?
    for (person, pace) in paces where guests[person]?.display.isReady == true {
      guard let due = pace.due, due <= now else { continue }
      if next.map({ pace.precedes($0.pace) }) ?? true { next = (person, pace) }
    }
    guard let person = next?.person else { return }
    paces[person]?.noteDrawn(at: now)
    guests[person]?.display.echo.field = host.workspace.desk(of: person).echoField
    // A display of another program does not fail: its line ends.
    try? guests[person]?.present(host.workspace)
    guests[person]?.display.tellEcho()
    host.seekFinerBase(for: person)
  }

  /// The time until the picture of a guest is due; `nil` if none is.
  var guestRestSeconds: Double? {
    let dues = paces.filter { guests[$0.key]?.display.isReady == true }.compactMap(\.value.due)
    return dues.min().map { max(0, ContinuousClock.now.duration(to: $0) / .seconds(1)) }
  }

  /// Looks after the guests' maps at rest.
  mutating func restGuests() {
    for person in Array(guests.keys) {
      let hasChanged = guests[person]?.rest(host.workspace, reportingTo: host.mailbox)
      if hasChanged == true { paces[person, default: FramePace()].note(isOwn: true) }
    }
  }

  /// Handles what has arrived from other programs.
  mutating func takeGuests() {
    for (line, events) in box.takeEvents(atMost: Self.burstMax) { take(events, of: line) }
    for mail in box.takeMail() {
      switch mail {
      case .arrival(let line, let facts, let display, let answer):
        answer(arrive(line, facts, display))
      case .shown(let line):
        guard let person = lines[line] else { continue }
        guests[person]?.display.noteShown()
        guests[person]?.noteStills(host.workspace)
      case .gone(let line, let cutOff):
        // What was typed before counts.
        for (line, events) in box.takeEvents(atMost: .max) { take(events, of: line) }
        host.giveUpRuns(of: line)
        depart(line, cutOff)
      case .lines(let line, let lines, let answer):
        noteChange()
        carryOut(host.run(lines, of: line, answer))
      case .end: endFromOutside()
      case .state(let answer): answer(state)
      }
    }
  }

  /// The state of the host, for other programs.
  private var state: HostState {
    let workspace = host.workspace
    let documents = workspace.documents.values.sorted { $0.id.rawValue < $1.id.rawValue }
    return HostState(
      process: workspace.sharing.process, folder: host.world.files.knownPath(of: "."),
      documents: documents.map { document in
        let path = document.path ?? document.source ?? ""
        return HostState.Item(
          path: path.isEmpty ? "" : host.world.files.knownPath(of: path), title: document.title,
          isEdited: document.history.isEdited)
      },
      people: workspace.people.compactMap { workspace.sessions[$0] }.filter { !$0.isHeadless }.map {
        HostState.Person(number: $0.id.rawValue, name: $0.name, isPresent: $0.isPresent)
      }, mayEndAtLogout: workspace.sharing.stays && !workspace.sharing.outlivesLogin)
  }

  /// Gives a guest a session: of those that no terminal shows the one that the same terminal has
  /// left, else the first; or a new one.
  private mutating func arrive(
    _ line: LineID, _ facts: GuestFacts, _ guest: any GuestLine
  ) -> Result<SessionID, Failure> {
    if lines[line] != nil {
      return .failure(Failure(.usage, what: "this connection has a session already"))
    }
    let sessions = host.workspace.people.compactMap { host.workspace.sessions[$0] }
      .filter { !$0.isHeadless }
    let left = sessions.filter { !$0.isPresent && !$0.isWatching }
    let free = left.first { $0.name == facts.name } ?? left.first
    let person: SessionID
    if facts.wish == .anySession, let free {
      person = free.id
      let size = facts.size
      let capabilities = facts.capabilities
      host.arrange { workspace in
        workspace.note(person, isPresent: true)
        workspace.rename(person, facts.name)
        workspace.change(of: person) { desk in
          desk.learn(capabilities)
          desk.session.begunTheme = nil
          desk.resize(to: size)
        }
      }
    } else {
      let former = sessions.first(where: \.isPresent) ?? sessions.first
      let joined = former.flatMap { former in
        host.arrange { workspace in
          workspace.join(
            beside: former.id, name: facts.name, capabilities: facts.capabilities,
            size: facts.size, isWatching: facts.wish == .watching)
        }
      }
      guard let joined else { return .failure(Failure(.usage, what: "the workspace has ended")) }
      person = joined
    }
    lines[line] = person
    host.arrange { $0.note(person, process: guest.process) }
    guests[person] = Seat(
      of: person,
      at: GuestDisplay(guest, size: facts.size, capabilities: facts.capabilities))
    noteChange()
    return .success(person)
  }

  private mutating func take(_ events: [TerminalEvent], of line: LineID) {
    var rest = events[...]
    while let event = rest.first {
      guard exitCode == nil, let person = lines[line] else { return }
      let typed = host.type(rest, of: person)
      if typed.count > 0 {
        guests[person]?.display.echo.taken += typed.count
        noteChange(by: person)
        carryOut(typed.effects)
        rest = rest.dropFirst(typed.count)
        continue
      }
      rest.removeFirst()
      guests[person]?.display.echo.taken += 1
      switch event {
      case .hangUp:
        depart(line)
        continue
      case .resize(let size): guests[person]?.display.size = size
      case .learned(let capabilities): guests[person]?.display.capabilities = capabilities
      default: break
      }
      noteChange(by: person)
      carryOut(host.take(SeatEvent(.terminal(event), for: person)))
    }
  }

  /// Keeps the session of a guest whose terminal has gone; a watcher's session ends.
  private mutating func depart(_ line: LineID, _ cutOff: CutOff? = nil) {
    box.forget(line)
    guard let person = lines.removeValue(forKey: line) else {
      if let cutOff { tellOfStranger(cutOff) }
      return
    }
    guests.removeValue(forKey: person)?.display.line.close("")
    paces[person] = nil
    let name = host.workspace.sessions[person]?.name ?? ""
    tell(
      cutOff.map { "\(name): the terminal was cut off: \($0.reason)" }
        ?? "\(name): the terminal has gone", others: person, isKept: cutOff != nil)
    noteChange()
    host.arrange { $0.note(person, isPresent: false) }
    if host.workspace.sessions[person]?.isWatching == true { host.leave(person) }
  }

  /// Says that a program without a session was cut off; of many within a second the first.
  private mutating func tellOfStranger(_ cutOff: CutOff) {
    let now = ContinuousClock.now
    if let last = strangerTold, now < last + .seconds(1) { return }
    strangerTold = now
    let who = cutOff.process.map { "process \($0)" } ?? "a program"
    tell("\(who) was cut off: \(cutOff.reason)", isKept: true)
    noteChange()
  }

  /// Says something to the people at terminals, where no error is shown.
  ///
  /// - Parameter isKept: whether `:say` lists it, too.
  private mutating func tell(_ text: String, others person: SessionID? = nil, isKept: Bool) {
    let line = DisplayWidth.sanitised(text)
    host.arrange { workspace in
      for other in workspace.people
      where other != person && workspace.sessions[other]?.isPresent == true {
        if isKept { workspace.hear(line, other) }
        workspace.change(of: other) { desk in
          if desk.message?.severity != .error { desk.say(line) }
        }
      }
    }
  }

  /// Ends a guest's client.
  mutating func end(_ person: SessionID, code: Int32, text: String) {
    guard let seat = guests.removeValue(forKey: person) else { return }
    lines = lines.filter { $0.value != person }
    paces[person] = nil
    seat.display.line.tell(.end(code: code, text: text))
  }

  /// Ends the clients of all guests with the workspace.
  mutating func endGuests() {
    let text =
      isHangUp
      ? "the host was ended; unsaved edits are in its journal"
      : host.hasLeftWriting
        ? remark : host.isToEnd ? "the workspace was ended for everyone" : ""
    for person in Array(guests.keys) {
      let isWatching = host.workspace.sessions[person]?.isWatching == true
      let code = isWatching || !host.hasLeftWriting ? 0 : ExitCode.output.rawValue
      end(person, code: code, text: isWatching && text.isEmpty ? "the editor has ended" : text)
    }
    for mail in box.takeMail() {
      switch mail {
      case .arrival(_, _, _, let answer):
        answer(.failure(Failure(.usage, what: "the workspace has ended")))
      case .lines(_, _, let answer):
        answer(
          RemoteAnswer(code: ExitCode.usage.rawValue, remarks: ["the workspace has ended"]))
      case .state(let answer): answer(state)
      case .shown, .gone, .end: break
      }
    }
  }
}
