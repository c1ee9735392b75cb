public import Archiving
import Synchronization

/// The reply that a request waits for; it may be given later, on any thread, and once.
///
///     list.onCall("wait") { clock, call in
///       let answer = call.later()
///       clock.atNextHour { answer.reply("it strikes") }
///     }
///
/// One that is let go without a reply fails.
public final class PortAnswer: Sendable {
  private struct State {
    var isGiven = false
    var isCancelled = false
    var outer: PortAnswer?
    var cancelHandlers: [@Sendable () -> Void] = []
  }

  /// The connection on which the request came.
  public let connection: PortConnection
  let sequence: Int
  let method: String
  let isOneway: Bool
  /// How many calls are around the request.
  let depth: Int
  /// The request within which its thread worked before.
  var outer: PortAnswer? { state.withLock { $0.outer } }
  private let state: Mutex<State>

  /// The request that the thread or task carries out.
  static let current = TaskLocal<PortAnswer?>(wrappedValue: nil)

  init(_ connection: PortConnection, _ header: PortHeader, depth: Int) {
    self.connection = connection
    sequence = header.sequence
    method = header.method ?? ""
    isOneway = header.isOneway
    self.depth = depth
    state = Mutex(State(isGiven: header.isOneway))
  }

  deinit {
    guard !state.withLock({ $0.isGiven }) else { return }
    connection.answer(
      sequence, .failure(PortFailure(name: "NoReply", reason: "the method gave no reply")))
  }

  /// Whether the other end has given the request up, or the connection has ended.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Calls a function once when the other end gives the request up; on any thread.
  public func onCancel(_ handle: @escaping @Sendable () -> Void) {
    let isCancelled = state.withLock { state in
      if !state.isCancelled, !state.isGiven { state.cancelHandlers.append(handle) }
      return state.isCancelled
    }
    if isCancelled { handle() }
  }

  /// Replies without a value.
  public func reply() { give { _ in } }

  /// Replies with a value: a copy, or a reference to an instance of a class; `nil` is none.
  public func reply(_ value: (any Coding)?) {
    give { try $0.encodeArgument(value) }
  }

  /// Replies with what a function encodes.
  public func reply(encode: (PortArchiver) throws -> Void) { give(encode) }

  /// Replies with a failure.
  public func fail(_ error: any Error) {
    guard take() else { return }
    connection.answer(sequence, .failure(PortFailure(error)))
  }

  private func give(_ encode: (PortArchiver) throws -> Void) {
    guard take() else { return }
    withoutActuallyEscaping(encode) { connection.answer(sequence, .success($0)) }
  }

  private func take() -> Bool {
    state.withLock { state in
      defer { (state.isGiven, state.cancelHandlers) = (true, []) }
      return !state.isGiven
    }
  }

  func setOuter(_ outer: PortAnswer?) { state.withLock { $0.outer = outer } }

  func cancel() {
    let handlers = state.withLock { state in
      defer { (state.isCancelled, state.cancelHandlers) = (true, []) }
      return state.cancelHandlers
    }
    for handle in handlers { handle() }
  }
}

extension PortConnection {
  /// Sends a reply, or in its place the failure to make one.
  func answer(
    _ sequence: Int, _ result: Result<(PortArchiver) throws -> Void, PortFailure>
  ) {
    let isWanted = state.withLock { $0.requests.removeValue(forKey: sequence) != nil }
    guard isWanted else { return }
    do {
      switch result {
      case .success(let encode):
        do {
          return try sendReply(.reply, sequence, encode)
        } catch let error where end == nil {
          try sendReply(.failure, sequence) { try $0.encodeObject(PortFailure(error)) }
        }
      case .failure(let failure):
        try sendReply(.failure, sequence) { try $0.encodeObject(failure) }
      }
    } catch {
      end(PortError(.system, "a reply cannot be sent: \(error)"), "")
    }
  }

  private func sendReply(
    _ kind: PortHeader.Kind, _ sequence: Int, _ encode: (PortArchiver) throws -> Void
  ) throws {
    let archiver = try PortArchiver(
      PortHeader(kind, sequence: sequence), objects: objects, limits: limits.archive)
    try encode(archiver)
    try send(framed(archiver))
  }
}
