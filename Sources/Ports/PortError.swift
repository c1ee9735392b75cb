internal import PortolanCSockets

/// Why a connection could not be made, has ended, or could not carry a call.
///
/// What went wrong in the other program's method is a `PortFailure` instead.
public struct PortError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// Nobody listens there.
    case notFound
    /// Somebody listens there already.
    case inUse
    /// The other end, or a folder of the socket, belongs to another user, or others may enter it.
    case notAllowed
    /// The other program speaks another version, or something else.
    case otherVersion
    /// The connection was ended here.
    case closed
    /// The other end has closed the connection, or its program has ended.
    case peerGone
    /// The other end took or sent nothing for too long.
    case peerSilent
    /// The other end broke the rules of the connection.
    case violation
    /// There was no reply in time.
    case timeLimit
    /// The call was cancelled.
    case cancelled
    /// A message is larger than this program or the other one takes.
    case tooLarge
    /// Too many calls are under way, or too many bytes wait to be sent.
    case tooMany
    /// A call was made in a way that cannot work.
    case misuse
    /// The system refused something.
    case system
  }

  /// The kind of error, for programs.
  public var code: Code
  /// The error in words: one line without a full stop.
  public var reason: String

  /// Makes an error.
  public init(_ code: Code, _ reason: String) {
    (self.code, self.reason) = (code, reason)
  }

  public var description: String { reason }

  /// An error of the system by its negative number.
  init(system number: Int32, _ what: String) {
    self.init(.system, "\(what): \(String(cString: portolan_socket_error_text(-number)))")
  }
}
