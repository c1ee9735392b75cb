internal import PortolanCSockets

/// The two ends of byte streams that a connection reads and writes: descriptors of the system.
///
/// The connection owns them from then on, and closes them at its end.
public struct PortStreams: Sendable {
  /// The descriptor to read from.
  public let input: Int32
  /// The descriptor to write to; it may be the same.
  public let output: Int32

  /// Two descriptors, such as 0 and 1, or the pipes of another program.
  public init(input: Int32, output: Int32) {
    (self.input, self.output) = (input, output)
  }

  /// One descriptor for both: a socket.
  public init(socket: Int32) { self.init(input: socket, output: socket) }

  /// Two streams that are connected with each other.
  ///
  /// - Throws: `PortError` of the code `system`.
  public static func pair() throws -> (PortStreams, PortStreams) {
    var ends: [Int32] = [-1, -1]
    let result = ends.withUnsafeMutableBufferPointer { portolan_socket_pair($0.baseAddress) }
    guard result == 0 else { throw PortError(system: result, "a pair of sockets") }
    return (PortStreams(socket: ends[0]), PortStreams(socket: ends[1]))
  }

  /// Closes the descriptors of streams that were given to no connection.
  public func close() {
    portolan_descriptor_close(input)
    if output != input { portolan_descriptor_close(output) }
  }

  /// The user and the process at the other end, by the word of the kernel; `nil` where it is no
  /// socket of this machine.
  public var peer: PortPeer? {
    var (user, process): (UInt32, Int32) = (0, 0)
    guard portolan_socket_peer(input, &user, &process) == 0 else { return nil }
    return PortPeer(user: user, process: process)
  }
}

/// Who is at the other end of a socket.
public struct PortPeer: Hashable, Sendable {
  /// The number of the user.
  public let user: UInt32
  /// The number of the process that connected, or listened.
  public let process: Int32

  /// Whether it is the user of this program.
  public var isOwnUser: Bool { user == portolan_own_user() }
}
