internal import Glibc
internal import PortolanCSystem
package import PortolanTerminals

extension CursesScreen {
  package func nextEvent(timeoutSeconds: Double?) throws -> TerminalEvent? {
    if isEnding { return .hangUp }
    let deadline = timeoutSeconds.map { CursesScreen.now() + max(0, $0) }
    while true {
      if let event = decodedEvent() { return event }
      let now = CursesScreen.now()
      let patience = decoder.deadlineSeconds.map { max(0, $0 - now) }
      let rest = deadline.map { max(0, $0 - now) } ?? .infinity
      let silence = inquiry?.deadlineSeconds.map { max(0, $0 - now) } ?? .infinity
      switch wait(seconds: min(patience ?? .infinity, rest, silence)) {
      case .event(let event): return event
      case .woken: return nil
      case .input, .interrupted: continue
      case .timeout:
        if silence <= min(patience ?? .infinity, rest) {
          noteSilence()
        } else if let patience, patience <= rest {
          if let event = decoder.giveUp() { return event }
        } else {
          return nil
        }
      }
    }
  }

  /// The next event of the bytes that have arrived; replies among them are taken.
  private func decodedEvent() -> TerminalEvent? {
    if waitingEvents.isEmpty, let event = decoder.next() { waitingEvents.append(event) }
    takeReplies()
    return waitingEvents.isEmpty ? nil : waitingEvents.removeFirst()
  }

  package func listen() {
    while !isEnding, readInput(seconds: 0) {
      while let event = decoder.next() { waitingEvents.append(event) }
      takeReplies()
    }
  }

  /// Waits for input and reads it; returns false if there is none.
  func readInput(seconds: Double) -> Bool {
    var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, Int32(max(0, seconds * 1000).rounded(.up))) > 0 else { return false }
    if case .input = readInput() { return true }
    return false
  }

  private enum Outcome {
    case event(TerminalEvent)
    case woken, input, interrupted, timeout
  }

  /// Waits for keys, signals and wakers.
  private func wait(seconds: Double) -> Outcome {
    var waited = [
      pollfd(fd: portolan_guard_signals(), events: Int16(POLLIN), revents: 0),
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isReady ? -1 : output, events: Int16(POLLOUT), revents: 0),
    ]
    let milliseconds = seconds.isFinite ? Int32(min((seconds * 1000).rounded(.up), 1e9)) : -1
    let count = poll(&waited, 4, milliseconds)
    if count == 0 { return .timeout }
    guard count > 0 else { return .interrupted }
    if waited[0].revents != 0, let event = signalEvent() { return .event(event) }
    if waited[1].revents != 0 { return readInput() }
    if waited[2].revents != 0 {
      _ = WakePipe.drain(wakePipe.readEnd)
      return .woken
    }
    if waited[3].revents != 0 {
      sendRest()
      // The next frame can be shown.
      if isReady { return .woken }
    }
    return .interrupted
  }

  /// Reads the terminal's input; its end, or any error, is a hang-up.
  private func readInput() -> Outcome {
    let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 65_536) { buffer in
      let count = read(input, buffer.baseAddress, buffer.count)
      if count > 0 { decoder.feed(buffer.prefix(count), at: CursesScreen.now()) }
      return count
    }
    if count > 0 { return .input }
    if count == -1, errno == EAGAIN || errno == EINTR { return .interrupted }
    isEnding = true
    return .event(.hangUp)
  }

  /// The event of the received signals; the most final one wins.
  private func signalEvent() -> TerminalEvent? {
    let signals = Set(WakePipe.drain(portolan_guard_signals()).map { Int32($0) })
    if !signals.isDisjoint(with: [SIGTERM, SIGHUP, SIGINT]) {
      isEnding = true
      return .hangUp
    }
    if signals.contains(SIGTSTP) {
      stop(wholeGroup: false)
      return .resumed
    }
    if signals.contains(SIGCONT) {
      take()
      return .resumed
    }
    if signals.contains(SIGWINCH) {
      adoptSize()
      return .resize(size)
    }
    return nil
  }

  /// Seconds of a steady clock.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
