public import Archiving

// Calls of the objects of another program.
//
// Arguments travel in order: values as copies, instances of classes as references, `Bycopy` and
// `Byref` as they ask. `nil` is an argument too.
extension DistantObject {
  /// The connection through which the object is called; `nil` for one of a third program.
  public var connection: PortConnection? { owner as? PortConnection }

  /// Whether it can be called: its connection has not ended.
  public var isValid: Bool { connection.map { $0.end == nil } ?? false }

  // MARK: Waiting for the reply

  /// Calls a method, and waits until it has ended.
  ///
  /// - Parameter timeLimit: how long to wait; `nil` for the connection's limit.
  /// - Throws: `PortFailure` when the method failed, else `PortError` or `ArchiveError`.
  public func call(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) throws {
    _ = try line().request(outgoing(method, arguments, timeLimit))
  }

  /// Calls a method, and waits for its result.
  ///
  ///     let title: String = try map.call("title")
  ///     let layer: DistantObject = try map.call("layer", 3)
  public func call<Result: Coding>(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) throws -> Result {
    try line().request(outgoing(method, arguments, timeLimit)).decodeObject(Result.self)
  }

  /// Calls a method, and waits for its result, which may be none.
  public func call<Result: Coding>(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) throws -> Result? {
    try line().request(outgoing(method, arguments, timeLimit))
      .decodeObjectIfPresent(Result.self)
  }

  /// Calls a method with what a function encodes, and waits for its reply to be decoded.
  ///
  ///     let reply = try map.request("bounds") { try $0.encodeInt(3, forKey: "layer") }
  ///     let width = try reply.decodeDouble(forKey: "width")
  public func request(
    _ method: String, timeLimit: Duration? = nil,
    encode: @escaping (PortArchiver) throws -> Void = { _ in }
  ) throws -> PortUnarchiver {
    try line().request(
      OutgoingCall(target: number, method: method, timeLimit: timeLimit, encode: encode))
  }

  // MARK: In tasks

  /// Calls a method, and suspends until it has ended; cancelling the task gives the call up.
  public func call(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) async throws {
    _ = try await line().reply(to: outgoing(method, arguments, timeLimit))
  }

  /// Calls a method, and suspends until its result comes; cancelling the task gives the call up.
  public func call<Result: Coding>(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) async throws -> Result {
    try await line().reply(to: outgoing(method, arguments, timeLimit)).value
      .decodeObject(Result.self)
  }

  /// Calls a method, and suspends until its result comes, which may be none.
  public func call<Result: Coding>(
    _ method: String, _ arguments: (any Coding)?..., timeLimit: Duration? = nil
  ) async throws -> Result? {
    try await line().reply(to: outgoing(method, arguments, timeLimit)).value
      .decodeObjectIfPresent(Result.self)
  }

  // MARK: One way

  /// Sends a message that nobody replies to; messages arrive in the order in which they were sent.
  ///
  /// - Throws: `PortError` when the connection has ended; what goes wrong there is not told.
  public func send(_ method: String, _ arguments: (any Coding)?...) throws {
    try line().send(outgoing(method, arguments, nil))
  }

  private func line() throws -> PortConnection {
    if let connection { return connection }
    throw PortError(.misuse, "the object lives in a third program, to which there is no connection")
  }

  private func outgoing(
    _ method: String, _ arguments: [(any Coding)?], _ timeLimit: Duration?
  ) -> OutgoingCall {
    OutgoingCall(target: number, method: method, timeLimit: timeLimit) { archiver in
      for argument in arguments { try archiver.encodeArgument(argument) }
    }
  }
}
