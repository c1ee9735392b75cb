import Archiving
import Synchronization

/// A call that waits for its reply: a thread, or a task.
struct PendingCall: Sendable {
  enum Caller: Sendable {
    case thread(PortWaiter)
    case task(CheckedContinuation<HandedOver<PortUnarchiver>, any Error>)
  }

  var caller: Caller
  var deadline: Int64
  /// How many calls are around it.
  var depth: Int

  func answer(_ reply: PortWaiter.Reply) {
    switch caller {
    case .thread(let waiter): waiter.answer(reply)
    case .task(let continuation): continuation.resume(with: reply)
    }
  }
}

/// A call before it is sent.
struct OutgoingCall {
  var target: UInt64
  var method: String
  var isOneway = false
  var timeLimit: Duration?
  var encode: (PortArchiver) throws -> Void
}

extension PortConnection {
  /// Sends a message that nobody replies to.
  func send(_ call: OutgoingCall) throws {
    var call = call
    call.isOneway = true
    let sequence = try state.withLock { try nextSequence(&$0) }
    try send(message(call, sequence))
  }

  /// Makes a call, and waits for its reply.
  func request(_ call: OutgoingCall) throws -> PortUnarchiver {
    let waiter = PortWaiter()
    let deadline = PortClock.after(call.timeLimit ?? limits.timeLimit)
    let sequence = try begin(call, deadline, .thread(waiter))
    defer { for job in waiter.close() { queue.add(job) } }
    if let reply = waiter.wait(until: deadline) { return try reply.get().value }
    // It may come at the last moment.
    guard abandon(sequence) else {
      return try waiter.wait(until: PortClock.now + 1_000)?.get().value ?? { throw late(call) }()
    }
    throw late(call)
  }

  /// Makes a call, and suspends until its reply comes.
  func reply(to call: OutgoingCall) async throws -> HandedOver<PortUnarchiver> {
    let deadline = PortClock.after(call.timeLimit ?? limits.timeLimit)
    let sequence = try state.withLock { try nextSequence(&$0) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard !Task.isCancelled else {
          return continuation.resume(throwing: PortError(.cancelled, "the call was cancelled"))
        }
        do {
          try begin(sequence, deadline, .task(continuation))
        } catch {
          return continuation.resume(throwing: error)
        }
        do {
          try send(message(call, sequence))
        } catch {
          take(sequence)?.answer(.failure(error))
        }
        // A cancellation before the call began has found nothing to end.
        if Task.isCancelled { cancel(sequence) }
      }
    } onCancel: {
      cancel(sequence)
    }
  }

  /// Ends the call of a task that was cancelled, if it is under way.
  private func cancel(_ sequence: Int) {
    take(sequence, isAbandoned: true)?.answer(
      .failure(PortError(.cancelled, "the call was cancelled")))
  }

  // MARK: Steps

  private func begin(
    _ call: OutgoingCall, _ deadline: Int64, _ caller: PendingCall.Caller
  ) throws -> Int {
    let sequence = try state.withLock { try nextSequence(&$0) }
    try begin(sequence, deadline, caller)
    do {
      try send(message(call, sequence))
    } catch {
      // Whoever removes it answers it: here nobody does, for the error is thrown.
      guard take(sequence) != nil else { return sequence }
      throw error
    }
    return sequence
  }

  private func nextSequence(_ state: inout State) throws -> Int {
    if let end = state.end { throw end }
    state.lastSequence += 1
    return state.lastSequence
  }

  private func begin(
    _ sequence: Int, _ deadline: Int64, _ caller: PendingCall.Caller
  ) throws {
    let depth = around.map { $0.depth + 1 } ?? 0
    let looks = try state.withLock { state in
      if let end = state.end { throw end }
      guard state.calls.count + state.abandoned.count < limits.callsMax else {
        throw PortError(
          .tooMany, "\(state.calls.count + state.abandoned.count) calls wait for replies")
      }
      state.calls[sequence] = PendingCall(caller: caller, deadline: deadline, depth: depth)
      guard case .task = caller, deadline < state.nextDeadline else { return false }
      state.nextDeadline = deadline
      return true
    }
    if looks { transport.look() }
  }

  /// The request of the other end within which the calling thread or task works.
  private var around: PortAnswer? {
    var answer = PortAnswer.current.get()
    while let present = answer, present.connection !== self { answer = present.outer }
    return answer
  }

  private func message(_ call: OutgoingCall, _ sequence: Int) throws -> PortFrame {
    let header = PortHeader.request(
      call.method, of: call.target, sequence: sequence, isOneway: call.isOneway)
    guard !call.method.isEmpty, call.method.utf8.count <= PortHeader.methodMax else {
      throw PortError(.misuse, "a method's name has 1 to \(PortHeader.methodMax) bytes")
    }
    let archiver = try PortArchiver(header, objects: objects, limits: limits.archive)
    try call.encode(archiver)
    return try framed(archiver, within: around)
  }

  /// The frame of a finished message.
  func framed(_ archiver: PortArchiver, within answer: PortAnswer? = nil) throws -> PortFrame {
    let payload = try archiver.finish()
    let most = min(
      limits.messageBytesMax, state.withLock { $0.greeting }.map { Int($0.messageBytesMax) } ?? .max
    )
    guard payload.count <= most else {
      archiver.withdraw()
      throw PortError(
        .tooLarge, "a message of \(payload.count) bytes; the two programs take \(most)")
    }
    let number = answer.map { UInt64(clamping: $0.sequence) &+ 1 } ?? 0
    return PortFrame(kind: .message, number: number, payload: payload)
  }

  /// Sends a frame; whoever does not read them is cut off.
  func send(_ frame: PortFrame) throws {
    do {
      try transport.send(frame)
    } catch {
      if error.code == .tooMany { end(error, "too many bytes wait to be read") }
      throw end ?? error
    }
  }

  private func take(_ sequence: Int, isAbandoned: Bool = false) -> PendingCall? {
    let call = state.withLock { state in
      let call = state.calls.removeValue(forKey: sequence)
      if call != nil, isAbandoned { state.abandoned.insert(sequence) }
      return call
    }
    if call != nil, isAbandoned {
      try? send(PortFrame(kind: .cancel, number: UInt64(clamping: sequence)))
    }
    return call
  }

  /// Gives a call up whose time is over; `false` when the reply has come.
  private func abandon(_ sequence: Int) -> Bool { take(sequence, isAbandoned: true) != nil }

  private func late(_ call: OutgoingCall) -> PortError {
    PortError(
      .timeLimit, "no reply to \(call.method) within \(call.timeLimit ?? limits.timeLimit)")
  }

  // MARK: Deadlines of tasks

  /// When a task's call ends for which no reply comes.
  var nextDeadline: Int64 { state.withLock { $0.nextDeadline } }

  /// Ends the calls of tasks whose time is over.
  func expireCalls(_ now: Int64) {
    let late = state.withLock { state -> [Int] in
      guard now >= state.nextDeadline else { return [] }
      var late: [Int] = []
      state.nextDeadline = .max
      for (sequence, call) in state.calls {
        guard case .task = call.caller else { continue }
        if call.deadline <= now {
          late.append(sequence)
        } else {
          state.nextDeadline = min(state.nextDeadline, call.deadline)
        }
      }
      return late
    }
    for sequence in late {
      take(sequence, isAbandoned: true)?.answer(
        .failure(PortError(.timeLimit, "no reply within the time limit")))
    }
  }
}
