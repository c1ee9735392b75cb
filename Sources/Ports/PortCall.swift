public import Archiving

/// A request of another program while a method carries it out.
public final class PortCall {
  /// The arguments, to be decoded in order or by key.
  public let arguments: PortUnarchiver
  let answer: PortAnswer
  private(set) var isDeferred = false

  init(_ arguments: PortUnarchiver, _ answer: PortAnswer) {
    (self.arguments, self.answer) = (arguments, answer)
  }

  /// The connection on which it came.
  public var connection: PortConnection { answer.connection }

  /// Whether nobody waits for a reply.
  public var isOneway: Bool { answer.isOneway }

  /// Whether the other end has given it up.
  public var isCancelled: Bool { answer.isCancelled }

  /// The next argument.
  ///
  /// - Throws: `ArchiveError` where it is missing or of another type.
  public func next<Argument: Coding>(_ type: Argument.Type = Argument.self) throws -> Argument {
    try arguments.decodeObject(type)
  }

  /// The next argument, which may be none.
  public func nextIfPresent<Argument: Coding>(
    _ type: Argument.Type = Argument.self
  ) throws -> Argument? {
    try arguments.decodeObjectIfPresent(type)
  }

  /// Throws when there are more arguments than the method takes.
  public func checkEnd() throws {
    guard try arguments.hasMoreValues() else { return }
    throw ArchiveError(.invalidValue, path: "$top", "more arguments than \(answer.method) takes")
  }

  /// Replies with a value: a copy, or a reference to an instance of a class; `nil` is none.
  public func reply(_ value: (any Coding)?) { answer.reply(value) }

  /// Replies with what a function encodes: several values, in order or by key.
  public func reply(encode: (PortArchiver) throws -> Void) { answer.reply(encode: encode) }

  /// The reply for later: the method returns without one.
  public func later() -> PortAnswer {
    isDeferred = true
    return answer
  }
}
