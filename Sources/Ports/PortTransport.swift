internal import PortolanCSockets
import Synchronization

/// The streams of a connection and the one thread that reads them.
///
/// Who sends writes at once as much as there is room for; the thread writes the rest. Nobody waits
/// for the other end to read.
final class PortTransport: Sendable {
  struct State {
    var outgoing: [[UInt8]] = []
    /// How much of the first is written.
    var written = 0
    var waitingBytes = 0
    /// The time of the last bytes that were written, or of the first that wait.
    var lastSent: Int64
    var hasReleases = false
    /// Since when the other end takes no bytes any more.
    var brokenAt: Int64?
    var endsAt: Int64?
    var isClosed = false
    weak var connection: PortConnection?
  }

  let streams: PortStreams
  let limits: PortLimits
  private let wake: Int32
  private let state: Mutex<State>

  /// - Throws: `PortError` of the code `system`.
  init(_ streams: PortStreams, limits: PortLimits) throws(PortError) {
    self.streams = streams
    self.limits = limits
    wake = portolan_wake_make()
    state = Mutex(State(lastSent: PortClock.now))
    if wake < 0 { throw PortError(system: wake, "a descriptor for a connection") }
  }

  // The thread closes the streams; without a thread nobody uses them any more.
  deinit { close() }

  /// Starts the thread.
  func start(for connection: PortConnection) throws(PortError) {
    state.withLock { $0.connection = connection }
    try PortThread.start { self.run() }
  }

  // MARK: Sending

  /// Sends bytes after all that were sent before; never waits.
  ///
  /// - Throws: `tooMany` when too much waits already, `closed` after the end.
  func send(_ bytes: [UInt8]) throws(PortError) {
    try send([bytes])
  }

  /// Sends a frame; a large one is not copied.
  func send(_ frame: PortFrame) throws(PortError) {
    try send(frame.payload.count < 64 << 10 ? [frame.bytes] : [frame.head, frame.payload])
  }

  private func send(_ parts: [[UInt8]]) throws(PortError) {
    let error: PortError? = state.withLock { state in
      guard state.endsAt == nil, !state.isClosed else {
        return PortError(.closed, "the connection has ended")
      }
      let count = parts.reduce(0) { $0 + $1.count }
      guard state.waitingBytes + count <= max(limits.waitingBytesMax, count) else {
        return PortError(
          .tooMany, "the other end does not read: \(state.waitingBytes) bytes wait to be sent")
      }
      for part in parts { append(part, &state) }
      return nil
    }
    if let error { throw error }
  }

  private func append(_ bytes: [UInt8], _ state: inout State) {
    let wasEmpty = state.outgoing.isEmpty
    if wasEmpty { state.lastSent = PortClock.now }
    let last = state.outgoing.count - 1
    if last >= 0, state.outgoing[last].count + bytes.count <= 64 << 10 {
      state.outgoing[last] += bytes
    } else {
      state.outgoing.append(bytes)
    }
    state.waitingBytes += bytes.count
    guard wasEmpty else { return }
    flush(&state)
    if !state.outgoing.isEmpty || state.brokenAt != nil { portolan_wake_raise(wake) }
  }

  /// Writes what there is room for; the thread ends what takes nothing any more.
  private func flush(_ state: inout State) {
    while let first = state.outgoing.first {
      let written = state.written
      let count = first.withUnsafeBytes { bytes in
        portolan_stream_write(
          streams.output, bytes.baseAddress.map { $0 + written }, bytes.count - written)
      }
      guard count > 0 else {
        if count != 0, !Self.isPassing(count) {
          (state.outgoing, state.brokenAt) = ([], state.brokenAt ?? PortClock.now)
        }
        break
      }
      state.lastSent = PortClock.now
      state.written += count
      state.waitingBytes -= count
      if state.written == first.count {
        state.outgoing.removeFirst()
        state.written = 0
      }
    }
    if state.outgoing.isEmpty { (state.written, state.waitingBytes) = (0, 0) }
  }

  private static func isPassing(_ result: Int) -> Bool {
    result == -11  // EAGAIN
  }

  /// References can be given back: the thread asks for them soon.
  func noteReleases() {
    state.withLock { state in
      guard !state.hasReleases, !state.isClosed else { return }
      state.hasReleases = true
      portolan_wake_raise(wake)
    }
  }

  /// Lets the thread look at its deadlines and at what it may read.
  func look() {
    state.withLock { if !$0.isClosed { portolan_wake_raise(wake) } }
  }

  /// Ends the streams soon: what waits is sent if the other end reads within a second.
  func end(_ reason: String) {
    state.withLock { state in
      guard state.endsAt == nil, !state.isClosed else { return }
      append(PortFrame.end(reason).bytes, &state)
      state.endsAt = PortClock.now + 1_000
      portolan_wake_raise(wake)
    }
  }

  // MARK: The thread

  /// What the thread knows alone.
  private struct Reading {
    var reader: PortFrameReader
    var lastHeard = PortClock.now
    /// When the frame began that is under way.
    var frameBegan = PortClock.now
    var hasInput = true
  }

  private func run() {
    var reading = Reading(reader: PortFrameReader(messageBytesMax: limits.messageBytesMax))
    let size = 256 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      sendReleases()
      guard let plan = plan(reading) else { break }
      let events = portolan_stream_wait(
        plan.reads ? streams.input : -1, plan.writes ? streams.output : -1, wake,
        plan.drains ? 0 : Int32(clamping: max(0, plan.until - PortClock.now)))
      if events & Int32(PORTOLAN_WOKEN) != 0 { portolan_wake_clear(wake) }
      if plan.writes { state.withLock { flush(&$0) } }
      if plan.drains || events & Int32(PORTOLAN_READABLE) != 0 {
        read(&reading, buffer, drains: plan.drains)
      }
      tick(reading)
    }
    close()
  }

  private func sendReleases() {
    let connection = state.withLock { state in
      defer { state.hasReleases = false }
      return state.hasReleases ? state.connection : nil
    }
    connection?.sendReleases()
  }

  private struct Plan {
    var reads: Bool
    var writes: Bool
    var until: Int64
    /// Whether the connection ends once the bytes that have arrived are read.
    var drains = false
  }

  /// What the thread waits for; `nil` when all is over.
  private func plan(_ reading: Reading) -> Plan? {
    let (connection, endsAt, writes, lastSent, brokenAt) = state.withLock {
      ($0.connection, $0.endsAt, !$0.outgoing.isEmpty, $0.lastSent, $0.brokenAt)
    }
    if let endsAt {
      guard writes, PortClock.now < endsAt else { return nil }
      return Plan(reads: reading.hasInput, writes: true, until: endsAt)
    }
    guard let connection else {
      end("the connection is no longer used")
      return Plan(reads: false, writes: false, until: 0)
    }
    var plan = Plan(reads: connection.wantsInput, writes: writes, until: connection.nextDeadline)
    plan.drains = brokenAt != nil && plan.reads
    if let brokenAt { plan.until = min(plan.until, brokenAt + limits.stallLimit.milliseconds) }
    if let keepAlive = limits.keepAlive {
      plan.until = min(plan.until, lastSent + keepAlive.milliseconds)
    }
    if writes { plan.until = min(plan.until, lastSent + limits.stallLimit.milliseconds) }
    if plan.reads { plan.until = min(plan.until, inputDeadline(reading) ?? .max) }
    return plan
  }

  /// When something must have come from the other end.
  private func inputDeadline(_ reading: Reading) -> Int64? {
    guard let greeting = reading.reader.greeting else {
      return reading.frameBegan + limits.greetingLimit.milliseconds
    }
    let silence =
      greeting.keepAlive == 0 ? nil : reading.lastHeard + Int64(greeting.keepAlive) * 3
    guard let bytes = reading.reader.underWay else { return silence }
    // Whoever is slow but honest sends four bytes a millisecond.
    let stall = reading.lastHeard + limits.stallLimit.milliseconds
    let whole = reading.frameBegan + limits.stallLimit.milliseconds + Int64(bytes / 4)
    return min(silence ?? .max, min(stall, whole))
  }

  /// - Parameter drains: whether the other end takes nothing any more: with the last of what it has
  ///   sent until then, the connection ends.
  private func read(
    _ reading: inout Reading, _ buffer: UnsafeMutableRawBufferPointer, drains: Bool
  ) {
    let count = portolan_stream_read(streams.input, buffer.baseAddress, buffer.count)
    let (connection, isEnding) = state.withLock { ($0.connection, $0.endsAt != nil) }
    if Self.isPassing(count) {
      if drains { connection?.end(Self.takesNothing, "") }
      return
    }
    guard count > 0 else {
      reading.hasInput = false
      if isEnding { state.withLock { $0.outgoing = [] } }
      connection?.end(PortError(.peerGone, "the other program has ended the connection"), "")
      return
    }
    // What comes after the end is thrown away.
    guard let connection, !isEnding else { return }
    let now = PortClock.now
    reading.lastHeard = now
    if reading.reader.greeting != nil, reading.reader.underWay == nil { reading.frameBegan = now }
    do {
      try reading.reader.read(UnsafeRawBufferPointer(rebasing: buffer[..<count])) {
        part throws(PortError) in
        reading.frameBegan = now
        try connection.take(part)
      }
    } catch {
      connection.end(error, error.reason)
    }
  }

  private static let takesNothing = PortError(.peerGone, "the other program takes no more bytes")

  /// Sends signs of life, and ends what has taken too long.
  private func tick(_ reading: Reading) {
    let now = PortClock.now
    let (connection, lastSent, waits, isEnding, brokenAt) = state.withLock {
      ($0.connection, $0.lastSent, !$0.outgoing.isEmpty, $0.endsAt != nil, $0.brokenAt)
    }
    guard let connection, !isEnding else { return }
    connection.expireCalls(now)
    if let brokenAt, now >= brokenAt + limits.stallLimit.milliseconds {
      // It may still send, for ever.
      connection.end(Self.takesNothing, "")
    } else if waits, now >= lastSent + limits.stallLimit.milliseconds {
      let reason = "the other end has read nothing for \(limits.stallLimit)"
      connection.end(PortError(.peerSilent, reason), reason)
    } else if connection.wantsInput, let deadline = inputDeadline(reading), now >= deadline {
      let reason =
        reading.reader.greeting == nil
        ? "the other end has not greeted within \(limits.greetingLimit)"
        : "the other end has fallen silent"
      connection.end(PortError(.peerSilent, reason), reason)
    } else if !waits, let keepAlive = limits.keepAlive,
      now >= lastSent + keepAlive.milliseconds
    {
      try? send(PortFrame(kind: .alive))
    }
  }

  private func close() {
    let wasClosed = state.withLock { state in
      defer { (state.isClosed, state.outgoing, state.waitingBytes) = (true, [], 0) }
      return state.isClosed
    }
    if wasClosed { return }
    streams.close()
    portolan_descriptor_close(wake)
  }
}
