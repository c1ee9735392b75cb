import Archiving
import Synchronization

// What comes from the other end, on the connection's thread, in order.
extension PortConnection {
  /// Whether more of the other end's bytes are read: not while too many requests wait, unless a
  /// call of this end waits for its reply behind them.
  var wantsInput: Bool {
    state.withLock { state in
      let isFull =
        state.waitingRequests >= limits.requestsMax
        || state.waitingBytes >= limits.waitingBytesMax
      return !isFull || !state.calls.isEmpty
    }
  }

  /// - Throws: `PortError` when the rules are broken.
  func take(_ part: PortFrameReader.Part) throws(PortError) {
    switch part {
    case .greeting(let greeting):
      try greeting.check(against: PortGreeting(limits: limits, program: program))
      state.withLock { $0.greeting = greeting }
      gate.open()
    case .frame(let frame):
      switch frame.kind {
      // What comes after the end is thrown away.
      case .message: if end == nil { try take(frame) }
      case .alive: break
      case .cancel:
        let number = Int(clamping: frame.number)
        state.withLock { $0.requests[number]?.answer }?.cancel()
      case .end: takeEnd(frame)
      }
    }
  }

  private func takeEnd(_ frame: PortFrame) {
    let text = String(decoding: frame.payload, as: UTF8.self)
    let reason = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { !PortGreeting.isControl($0) }))
    end(
      PortError(
        .peerGone,
        reason.isEmpty
          ? "the other program has ended the connection"
          : "the other program has ended the connection: \(reason)"), "")
  }

  private func take(_ frame: PortFrame) throws(PortError) {
    let message: PortUnarchiver
    do {
      message = try PortUnarchiver(
        frame.payload, objects: objects, classes: classes.value,
        sizeMax: limits.messageBytesMax, limits: limits.archive)
      guard message.heldCount <= limits.messageReferencesMax else {
        throw PortError(.violation, "a message refers to \(message.heldCount) objects")
      }
      switch message.header.kind {
      case .request: try takeRequest(message, within: frame.number, size: frame.payload.count)
      case .reply, .failure: try takeReply(message)
      case .release:
        try takeReleases(message)
      }
    } catch let error as PortError {
      throw error
    } catch {
      throw PortError(.violation, "a message that cannot be read: \(error)")
    }
  }

  private func takeReleases(_ message: PortUnarchiver) throws {
    let gone = try message.releases().compactMap { try objects.takeBack($0) }
    // The objects belong to the queue, and so do their ends.
    if !gone.isEmpty { queue.add { withExtendedLifetime(gone) {} } }
  }

  private func takeReply(_ message: PortUnarchiver) throws {
    let sequence = message.header.sequence
    let (call, wasAbandoned) = state.withLock { state in
      (state.calls.removeValue(forKey: sequence), state.abandoned.remove(sequence) != nil)
    }
    guard let call else {
      if wasAbandoned || end != nil { return }
      throw PortError(.violation, "a reply to request \(sequence), which was not made")
    }
    guard message.header.kind == .failure else {
      return call.answer(.success(HandedOver(message)))
    }
    do {
      let failure = try message.decodeObject(PortFailure.self)
      call.answer(.failure(failure))
    } catch {
      call.answer(.failure(error))
    }
  }

  private func takeRequest(_ message: PortUnarchiver, within number: UInt64, size: Int) throws {
    let header = message.header
    let outer = number == 0 ? nil : Int(exactly: number - 1)
    if !header.isOneway, isUnderWay(header.sequence) {
      throw PortError(.violation, "two requests under way have the number \(header.sequence)")
    }
    let (call, fault): (PendingCall?, PortError?) = state.withLock { state in
      // What one reading brings comes on top of the limit: some thousand messages.
      if state.waitingRequests >= limits.requestsMax + 4_096
        || state.waitingBytes >= 2 * limits.waitingBytesMax
      {
        return (nil, PortError(.violation, "\(state.waitingRequests) requests wait"))
      }
      state.waitingRequests += 1
      state.waitingBytes += size
      return (outer.flatMap { state.calls[$0] }, nil)
    }
    if let fault { throw fault }
    let answer = PortAnswer(self, header, depth: call.map { $0.depth + 1 } ?? 0)
    if !header.isOneway {
      state.withLock { $0.requests[header.sequence] = WeakAnswer(answer: answer) }
    }
    let handed = HandedOver(message)
    let job: @Sendable () -> Void = { [self] in
      noteTaken(size)
      perform(handed.value, answer)
    }
    if case .thread(let waiter)? = call?.caller, waiter.belongs(to: queue), waiter.add(job) {
      return
    }
    queue.add(job)
  }

  /// Whether a request of the other end is under way.
  private func isUnderWay(_ sequence: Int) -> Bool {
    // Handed out of the lock: an answer that is let go here takes the lock itself.
    let answer = state.withLock { $0.requests[sequence]?.answer }
    return answer != nil
  }

  /// A request no longer waits.
  private func noteTaken(_ size: Int) {
    let wasFull = state.withLock { state in
      let isFull = { (state: State) in
        state.waitingRequests >= self.limits.requestsMax
          || state.waitingBytes >= self.limits.waitingBytesMax
      }
      let wasFull = isFull(state)
      state.waitingRequests -= 1
      state.waitingBytes -= size
      return wasFull && !isFull(state)
    }
    if wasFull { transport.look() }
  }

  // MARK: Carrying out

  private func perform(_ message: PortUnarchiver, _ answer: PortAnswer) {
    // What the other end sent before its end still counts.
    if let end, end.code != .peerGone { return }
    if answer.isCancelled {
      return answer.fail(PortError(.cancelled, "cancelled before it began"))
    }
    guard answer.depth < limits.depthMax else {
      return answer.fail(PortError(.tooMany, "\(answer.depth) calls are within each other"))
    }
    answer.setOuter(PortAnswer.current.get())
    do {
      let target = try message.target()
      guard let vended = target as? any Vended else {
        throw PortFailure.noMethod(answer.method, of: type(of: target))
      }
      guard let handler = methods(of: type(of: vended)).handlers[answer.method] else {
        throw PortFailure.noMethod(answer.method, of: type(of: target))
      }
      let call = PortCall(message, answer)
      try PortAnswer.current.withValue(answer) {
        try handler(target, call)
      }
      if !call.isDeferred { answer.reply() }
    } catch {
      answer.fail(error)
    }
  }

  private func methods(of type: any Vended.Type) -> PortMethods {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.methods[key] }) { return known }
    let methods = type.portMethods
    state.withLock { $0.methods[key] = methods }
    return methods
  }

  // MARK: Giving back

  /// Gives back what is no longer held here.
  func sendReleases() {
    let releases = objects.takeReleases()
    guard !releases.isEmpty, end == nil else { return }
    do {
      let sequence = state.withLock { state in
        state.lastSequence += 1
        return state.lastSequence
      }
      let message = try PortArchiver.release(releases, sequence: sequence, objects: objects)
      try send(framed(message))
    } catch {
      end(PortError(.system, "references cannot be given back: \(error)"), "")
    }
  }
}
