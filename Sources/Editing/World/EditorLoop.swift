import PortolanDocuments
package import PortolanInterchange
package import PortolanTerminals

/// Runs the editor on a screen: events in, effects out, a new picture after changes.
///
/// All waiting keys are handled before the next picture, so a burst never lags behind. Files are
/// read and written on a queue of their own; their replies wake the screen. While nothing happens
/// nothing is drawn and nothing is sent.
package struct EditorLoop<S: Screen> {
  private var host: Host
  private var seat: Seat<S>
  private var exitCode: Int32?
  /// Whether the terminal is gone or the process was asked to end: journals are kept then.
  private var isHangUp = false

  /// The number of events to handle before a picture is due anyway.
  private static var burstMax: Int { 256 }

  package var workspace: Workspace { host.workspace }
  package var screen: S { seat.display }

  /// The desk at the focused pane.
  package var desk: Desk { workspace.desk() }

  package init(desk: Desk, screen: S, world: World) {
    var desk = desk
    desk.session.capabilities = screen.capabilities
    desk.session.base.builtIn = world.options.base
    desk.session.base.mayHaveFiner = !world.options.finerBasePaths.isEmpty
    desk.resize(to: screen.size)
    seat = Seat(of: .local, at: screen)
    let waker = screen.waker
    host = Host(desk: desk, world: world) { waker.wake() }
  }

  /// Runs until the desk ends; returns the exit code.
  ///
  /// - Parameters:
  ///   - files: The files to open first: a document or data, then data for more layers.
  ///   - reading: How to read tables among them.
  ///   - patienceSeconds: How long the first picture waits for them.
  package mutating func run(
    files: [String] = [], reading: (any FormatOptions)? = nil,
    patienceSeconds: Double = 0.12
  ) throws -> Int32 {
    host.begin(files: files, reading: reading)
    // A screen that fails ends the loop as a hang-up does.
    defer { host.close() }
    try learn()
    host.wait(atMost: files.isEmpty && !host.keepsEdits ? 0 : patienceSeconds)
    takeMail()
    try learn()
    while true {
      if let exitCode { return exitCode }
      try seat.present(host.workspace)
      host.seekFinerBase(for: seat.person)
      if let event = try seat.display.nextEvent(timeoutSeconds: seat.restSeconds) {
        take(event)
        try takeWaiting()
      } else {
        _ = seat.rest(host.workspace, reportingTo: host.mailbox)
      }
      takeMail()
    }
  }

  /// Uses what the terminal has already told, before the first picture.
  private mutating func learn() throws {
    try seat.display.listen()
    let capabilities = seat.display.capabilities
    carryOut(host.change(of: seat.person) { $0.learn(capabilities) })
  }

  /// Handles the waiting events, so that one picture shows them all.
  private mutating func takeWaiting() throws {
    var count = 0
    while exitCode == nil, count < Self.burstMax,
      let event = try seat.display.nextEvent(timeoutSeconds: 0)
    {
      take(event)
      count += 1
    }
  }

  private mutating func take(_ event: TerminalEvent) {
    if case .hangUp = event { isHangUp = true }
    carryOut(host.take(SeatEvent(.terminal(event), for: seat.person)))
  }

  private mutating func takeMail() {
    for mail in host.mailbox.take() { carryOut(host.take(mail)) }
  }

  private mutating func carryOut(_ effects: [SeatEffect]) {
    for item in effects {
      if case .quit(let code) = item.effect {
        exitCode = code
        host.finish(isHangUp: isHangUp)
        continue
      }
      seat.carryOut(item.effect)
      guard case .suspend = item.effect else { continue }
      let size = seat.display.size
      _ = host.change(of: seat.person) { $0.resize(to: size) }
    }
  }
}
