import Dispatch
package import PortolanTerminals
import Synchronization

/// The way from a client to its host.
package protocol HostLine: Sendable {
  /// Sends events; throws when the line is broken.
  func send(_ events: [TerminalEvent]) throws
  /// Says that the last frame is shown.
  func noteShown() throws
  /// Whether the host still answers; may wait for some seconds.
  func close()
}

/// What a host has sent to a client, for the client's loop.
///
/// An honest host sends one frame at a time; what waits is bounded all the same.
package final class ClientBox: Sendable {
  /// What arrives from a host.
  package enum Mail: Sendable {
    case change([UInt8], EchoHint)
    case echo(EchoHint)
    case notice(GuestNotice)
    /// The line is broken; the text says how.
    case broken(String)

    var bytes: Int {
      switch self {
      case .change(let bytes, _): bytes.count
      case .notice(.clipboard(let text)): text.utf8.count
      case .echo, .notice, .broken: 0
      }
    }
  }

  private struct State {
    var mail: [Mail] = []
    var bytes = 0
    /// Whether more came than may wait: the rest is nothing to be shown.
    var isFlooded = false
  }

  /// The most mail that waits, and the most bytes of it.
  static let (mailMax, bytesMax) = (1_024, 64 << 20)

  private let state = Mutex(State())
  private let waker: ScreenWaker

  package init(waking waker: ScreenWaker) { self.waker = waker }

  /// Adds mail; `false` if too much waits: then the line counts as broken.
  @discardableResult
  package func post(_ mail: Mail) -> Bool {
    let isTaken = state.withLock { state in
      if state.isFlooded { return false }
      if state.mail.count >= Self.mailMax || state.bytes + mail.bytes > Self.bytesMax {
        state.isFlooded = true
        state.mail = [.broken("the host sends more than a terminal can show")]
        return false
      }
      state.mail.append(mail)
      state.bytes += mail.bytes
      return true
    }
    waker.wake()
    return isTaken
  }

  func take() -> [Mail] {
    state.withLock { state in
      defer { (state.mail, state.bytes) = ([], 0) }
      return state.mail
    }
  }
}

/// How a client's stay at a host has ended.
package struct AttachEnd: Hashable, Sendable {
  /// The exit code when the host stopped answering, and when it could not be reached.
  package static let (silent, unreachable): (Int32, Int32) = (254, 255)

  package var code: Int32
  /// A line for people; may be empty.
  package var text: String

  package init(code: Int32, text: String) { (self.code, self.text) = (code, text) }
}

/// The time that a client measures answers by.
package enum Uptime {
  /// The seconds since the machine began.
  package static func seconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}

/// Shows a session of another program on a screen: its frames here, the keys there.
///
/// Nothing that a host sends reaches the terminal but cells, which the frame makes safe.
package struct AttachLoop<S: Screen> {
  package private(set) var screen: S
  private let line: any HostLine
  private let box: ClientBox
  /// The host's last frame, and the one on the screen: with the keys that the host has not seen.
  private var frame: Frame?
  private var shown: Frame?
  /// Whether the host waits for the word that its last frame is shown.
  private var owesWord = false
  private var echo = LocalEcho()
  /// The time in seconds, from any moment on.
  private let clock: () -> Double
  private var end: AttachEnd?
  /// Whether the client was stopped since the host sent something: the host may have cut it off.
  package private(set) var wasStopped = false

  package init(
    screen: S, line: any HostLine, box: ClientBox, clock: @escaping () -> Double = Uptime.seconds
  ) {
    (self.screen, self.line, self.box, self.clock) = (screen, line, box, clock)
  }

  /// Runs until the session ends, the line breaks or the terminal goes.
  package mutating func run() throws -> AttachEnd {
    defer { line.close() }
    try tellWhatWasLearned()
    while true {
      try takeMail()
      if let end { return end }
      try present()
      let due = echo.dueSeconds(at: clock())
      guard let event = try screen.nextEvent(timeoutSeconds: due) else { continue }
      var events = [event]
      while events.count < 256, let next = try screen.nextEvent(timeoutSeconds: 0) {
        events.append(next)
      }
      if events.contains(.resumed) { wasStopped = true }
      let isGone = events.contains(.hangUp)
      events.removeAll { $0 == .hangUp }
      send(events)
      if isGone { return AttachEnd(code: 0, text: "") }
    }
  }

  /// Tells the host what the terminal has told since the arrival.
  private mutating func tellWhatWasLearned() throws {
    try screen.listen()
    send([.resize(screen.size), .learned(screen.capabilities)])
  }

  private mutating func send(_ events: [TerminalEvent]) {
    if events.isEmpty || end != nil { return }
    echo.note(events, at: clock())
    // Events that were sent into a broken line were seen by nobody: its end is told next.
    for message in PackedEvents.messages(of: events) { try? line.send(message) }
  }

  private mutating func takeMail() throws {
    for mail in box.take() where end == nil {
      switch mail {
      case .change(let bytes, let hint):
        wasStopped = false
        try show(bytes, hint)
      case .echo(let hint): echo.take(hint, at: clock())
      case .notice(let notice): try take(notice)
      case .broken(let text): end = AttachEnd(code: AttachEnd.silent, text: text)
      }
    }
  }

  private mutating func show(_ bytes: [UInt8], _ hint: EchoHint) throws {
    let next: Frame
    do {
      next = try FrameChange.frame(from: frame, bytes)
    } catch {
      end = AttachEnd(
        code: AttachEnd.silent, text: "the host sent no picture (\(error)); the session stays there"
      )
      return
    }
    frame = next
    echo.take(hint, at: clock())
    owesWord = true
    try present()
  }

  /// Shows the host's picture with what is known here already, once the terminal takes it.
  private mutating func present() throws {
    guard let frame, screen.isReady else { return }
    let picture = echo.picture(on: frame, at: clock())
    if picture != shown {
      try screen.present(picture)
      shown = picture
    }
    if owesWord { try? line.noteShown() }
    owesWord = false
  }

  private mutating func take(_ notice: GuestNotice) throws {
    switch notice {
    case .beep: screen.beep()
    case .redraw:
      screen.invalidate()
      shown = nil
    case .clipboard(let text): screen.copyToClipboard(text)
    case .suspend:
      try screen.suspend()
      shown = nil
      wasStopped = true
      send([.resize(screen.size), .resumed])
    case .end(let code, let text): end = AttachEnd(code: code, text: text)
    }
  }
}
