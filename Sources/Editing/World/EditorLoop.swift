import PortolanDocuments
import PortolanFiles
package import PortolanInterchange
package import PortolanTerminals

/// Runs the editor on a screen: events in, effects out, a new picture after changes.
///
/// All waiting keys are handled before the next picture, so a burst never lags behind. Files are
/// read and written on a queue of their own; their replies wake the screen. While nothing happens
/// nothing is drawn and nothing is sent.
///
/// Terminals of other programs may have seats, too: the guests. The screen of this process is what
/// the loop waits on as long as it is there; afterwards it waits for its mail.
package struct EditorLoop<S: Screen> {
  var host: Host
  /// The seat at this program's own terminal.
  var seat: Seat<S>
  /// Whether this program has a terminal.
  var isHere: Bool
  var guests: [SessionID: Seat<GuestDisplay>] = [:]
  /// The sessions of the lines to guests.
  var lines: [LineID: SessionID] = [:]
  /// When each guest's next picture is due.
  var paces: [SessionID: FramePace] = [:]
  /// Since when no terminal shows the workspace; `nil` while one does.
  var aloneSince: ContinuousClock.Instant?
  /// When people were last told of a program that was cut off.
  var strangerTold: ContinuousClock.Instant?
  /// What arrives from other programs.
  package let box: GuestBox
  let bell: Bell
  var exitCode: Int32?
  /// Whether the terminal is gone or the process was asked to end: journals are kept then.
  var isHangUp = false
  /// The socket of the host to which the terminal shall be attached.
  package var nextHost: String?
  /// Gives the terminal back when the loop goes on without it; the flag says whether the terminal
  /// itself has gone.
  package var leaveTerminal: (S, _ isGone: Bool, _ text: String) -> Void = { _, _, _ in }

  /// The number of events to handle before a picture is due anyway.
  static var burstMax: Int { 256 }

  /// Whether it goes on without the terminal that it began at.
  package private(set) var hasLeftTerminal = false

  package var workspace: Workspace { host.workspace }
  package var screen: S { seat.display }

  /// The desk at the focused pane.
  package var desk: Desk { workspace.desk() }

  /// - Parameter isHere: whether the screen shows the first session; else it waits for a guest.
  package init(desk: Desk, screen: S, world: World, isHere: Bool = true) {
    var desk = desk
    desk.session.capabilities = screen.capabilities
    desk.session.base.builtIn = world.options.base
    desk.session.base.mayHaveFiner = !world.options.finerBasePaths.isEmpty
    desk.session.isPresent = isHere
    desk.sharing.process = world.options.process
    let holder = world.options.holder ?? LockHolder.current(in: world.files)
    desk.sharing.machine = holder.host
    desk.resize(to: screen.size)
    self.isHere = isHere
    seat = Seat(of: .local, at: screen)
    let (waker, bell) = (screen.waker, Bell())
    self.bell = bell
    let wake: @Sendable () -> Void = {
      bell.ring()
      waker.wake()
    }
    box = GuestBox(wake: wake)
    host = Host(desk: desk, world: world, wake: wake)
  }

  /// Runs until the desk ends; returns the exit code.
  ///
  /// - Parameters:
  ///   - files: The files to open first: a document or data, then data for more layers.
  ///   - reading: How to read tables among them.
  ///   - patienceSeconds: How long the first picture waits for them.
  ///   - opened: called when the first picture is shown, or the files are read.
  package mutating func run(
    files: [String] = [], reading: (any FormatOptions)? = nil,
    patienceSeconds: Double = 0.12, opened: (inout Self) -> Void = { _ in }
  ) throws -> Int32 {
    host.begin(files: files, reading: reading)
    // A screen that fails ends the loop as a hang-up does.
    defer {
      endGuests()
      host.close()
    }
    try learn()
    host.wait(atMost: files.isEmpty && !host.keepsEdits ? 0 : patienceSeconds)
    takeMail()
    try learn()
    try present()
    opened(&self)
    while true {
      if let exitCode { return exitCode }
      try present()
      try wait()
      takeMail()
      takeGuests()
    }
  }

  /// Shows the pictures that have changed: of this terminal, and of two guests.
  private mutating func present() throws {
    presentNextGuest()
    if isHere, seat.display.isReady {
      try seat.present(host.workspace)
      host.seekFinerBase(for: seat.person)
    }
    presentNextGuest()
    host.startHeldWork()
  }

  /// Waits for the next event, or until something is due.
  private mutating func wait() throws {
    let stay = stayRestSeconds()
    if stay == 0 { return endFromOutside() }
    let rests =
      [isHere ? seat.restSeconds : nil, stay, guestRestSeconds] + guests.values.map(\.restSeconds)
    let timeout = box.hasEvents ? 0 : rests.compactMap { $0 }.min()
    guard isHere else {
      bell.wait(timeoutSeconds: timeout)
      return restGuests()
    }
    if let event = try seat.display.nextEvent(timeoutSeconds: timeout) {
      take(event)
      try takeWaiting()
    } else {
      _ = seat.rest(host.workspace, reportingTo: host.mailbox)
      restGuests()
    }
  }

  /// Uses what the terminal has already told, before the first picture.
  private mutating func learn() throws {
    if isHere { try seat.display.listen() }
    let capabilities = seat.display.capabilities
    carryOut(host.change(of: seat.person) { $0.learn(capabilities) })
  }

  /// Handles the waiting events, so that one picture shows them all.
  private mutating func takeWaiting() throws {
    var count = 0
    while exitCode == nil, isHere, count < Self.burstMax,
      let event = try seat.display.nextEvent(timeoutSeconds: 0)
    {
      take(event)
      count += 1
    }
  }

  private mutating func take(_ event: TerminalEvent) {
    if case .hangUp = event {
      if !seat.display.isToEnd, goesOn(without: seat.person, isQuit: false) {
        return leave(isGone: true, "")
      }
      isHangUp = true
    }
    noteChange(by: seat.person)
    carryOut(host.take(SeatEvent(.terminal(event), for: seat.person)))
  }

  private mutating func takeMail() {
    for mail in host.mailbox.take() {
      noteChange()
      carryOut(host.take(mail))
    }
  }

  /// Notes that all pictures may have changed.
  ///
  /// - Parameter person: who acted; `nil` for what comes from elsewhere.
  mutating func noteChange(by person: SessionID? = nil) {
    for guest in guests.keys {
      paces[guest, default: FramePace()].note(isOwn: person == nil || person == guest)
    }
  }

  // MARK: Effects

  mutating func carryOut(_ effects: [SeatEffect]) {
    for item in effects {
      switch item.effect {
      case .quit(let code): quit(item.person, code)
      case .attach(let socket):
        guard item.person == seat.person, isHere else {
          carryOut(
            host.change(of: item.person) { $0.fail("portolan attach in another terminal joins it") }
          )
          continue
        }
        nextHost = socket
        quit(item.person, 0)
      case .detach: detach(item.person)
      case .suspend where item.person == seat.person && isHere && isJoined: detach(item.person)
      case let effect:
        guard item.person == seat.person, isHere else {
          guests[item.person]?.carryOut(effect)
          continue
        }
        seat.carryOut(effect)
        guard case .suspend = effect else { continue }
        let size = seat.display.size
        _ = host.change(of: seat.person) { $0.resize(to: size) }
      }
    }
  }

  /// Whether another terminal shows the workspace.
  private var isJoined: Bool { !guests.isEmpty }

  /// Whether the workspace goes on when a session ends, or loses its terminal.
  private func goesOn(without person: SessionID, isQuit: Bool) -> Bool {
    if !isQuit, host.workspace.sharing.stays { return true }
    let desk = host.workspace.desk(of: person)
    return desk.company.contains { desk.goesOn(with: $0) }
  }

  /// Ends a session, and with the last one the workspace.
  private mutating func quit(_ person: SessionID, _ code: Int32) {
    let isRemote = host.workspace.sessions[person].map(\.isHeadless) ?? true
    if isRemote, !host.isToEnd { return }
    if host.isToEnd || isHangUp || !goesOn(without: person, isQuit: true) {
      host.finish(isHangUp: isHangUp)
      exitCode = host.hasLeftWriting ? ExitCode.output.rawValue : code
      return
    }
    host.leave(person)
    noteChange()
    if person == seat.person, isHere {
      leaveScreen(isGone: false, "others are here: the documents stay open for them")
    } else {
      end(person, code: code, text: "")
    }
  }

  /// Lets the terminal of a session go.
  private mutating func detach(_ person: SessionID) {
    let number = host.workspace.sharing.process
    let text = "detached: portolan attach \(number) comes back"
    if person == seat.person, isHere { return leave(isGone: false, text) }
    host.arrange { $0.note(person, isPresent: false, hasDetached: true) }
    if host.workspace.sessions[person]?.isWatching == true { host.leave(person) }
    noteChange()
    end(person, code: 0, text: text)
  }

  /// Goes on without this program's terminal; its session stays.
  private mutating func leave(isGone: Bool, _ text: String) {
    host.arrange { $0.note(.local, isPresent: false, hasDetached: !isGone) }
    noteChange()
    leaveScreen(isGone: isGone, text)
  }

  private mutating func leaveScreen(isGone: Bool, _ text: String) {
    isHere = false
    hasLeftTerminal = true
    leaveTerminal(seat.display, isGone, text)
  }

  /// The message about a write that the end interrupted; empty if there was none.
  package var remark: String {
    host.hasLeftWriting ? "a write without progress was given up: the former file is kept" : ""
  }

  /// Ends the workspace, as for a process that is asked to end; the journals are kept.
  package mutating func endFromOutside() {
    isHangUp = true
    exitCode = exitCode ?? 0
    host.finish(isHangUp: true)
  }
}
