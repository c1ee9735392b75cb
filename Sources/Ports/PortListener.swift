import Archiving
internal import PortolanCSockets
import Synchronization

/// A socket file at which other programs of the same user connect.
///
///     let listener = try PortListener(at: "/run/user/1000/maps/editor") { client in
///       Map(for: client)          // the root object of this client
///     }
///
/// The folder is made with the mode 0700 and the socket with 0600; a folder that others may enter
/// is refused, and so are clients of other users, whom the kernel names. A lock file beside it,
/// `NAME.lock`, says that its owner lives: a socket left by a killed program is replaced, that of a
/// living one is not.
public final class PortListener: Sendable {
  private struct State {
    var connections: Set<PortConnection> = []
    var isClosed = false
  }

  /// The path of the socket.
  public let path: String
  private let lock: Int32
  private let listener: Int32
  private let wake: Int32
  private let options: PortOptions
  private let connectionsMax: Int
  private let root: @Sendable (PortConnection) -> (any Vended)?
  private let state = Mutex(State())

  /// Listens at a path from now on.
  ///
  /// - Parameters:
  ///   - path: where the socket is made; its last name has at most 80 bytes.
  ///   - options: of all connections; without a queue, they share one of the listener's.
  ///   - connectionsMax: the most clients at a time; others are told and left.
  ///   - root: called on the queue for each client; the object that it finds first,
  ///     or `nil` to turn it away.
  /// - Throws: `PortError` of the code `inUse` when somebody listens there, `notAllowed` for a
  ///   folder that others may enter, else `system`.
  public init(
    at path: String, options: PortOptions = PortOptions(), connectionsMax: Int = 64,
    root: @escaping @Sendable (PortConnection) -> (any Vended)?
  ) throws {
    self.path = path
    self.root = root
    self.connectionsMax = connectionsMax
    var options = options
    options.queue = options.queue ?? PortQueue()
    self.options = options
    try PortFolder.make(around: path)
    let lock = portolan_socket_lock(path + ".lock")
    if lock == PortFolder.busy {
      throw PortError(.inUse, "another program listens at \(path)")
    }
    guard lock >= 0 else { throw PortError(system: lock, "\(path).lock") }
    let listener = portolan_socket_listen(path)
    guard listener >= 0 else {
      portolan_socket_unlock(lock, path + ".lock")
      throw PortError(system: listener, path)
    }
    (self.lock, self.listener, wake) = (lock, listener, portolan_wake_make())
    let thread = Thread(listener: listener, wake: wake)
    thread.owner.withLock { $0.listener = self }
    do {
      guard wake >= 0 else { throw PortError(system: wake, "a descriptor for a listener") }
      try PortThread.start { thread.run() }
    } catch {
      // All is given back here, so that deinit finds nothing to close.
      state.withLock { $0.isClosed = true }
      portolan_descriptor_close(listener)
      portolan_descriptor_close(wake)
      portolan_socket_remove(path)
      portolan_socket_unlock(lock, path + ".lock")
      throw error
    }
  }

  deinit { close() }

  /// The clients that are connected now.
  public var connections: Set<PortConnection> { state.withLock { $0.connections } }

  /// Takes no more clients, and removes the socket; the connections stay, unless it tells why not.
  ///
  /// - Parameter reason: what the clients are told whose connections end; `nil` leaves them.
  public func close(_ reason: String? = nil) {
    let former = state.withLock { state -> State in
      defer { state.isClosed = true }
      return state
    }
    if let reason { for connection in former.connections { connection.close(reason) } }
    guard !former.isClosed else { return }
    portolan_socket_remove(path)
    portolan_socket_unlock(lock, path + ".lock")
    // The thread closes what it waits on.
    portolan_wake_raise(wake)
  }

  // MARK: Clients

  /// The thread that waits for clients; it does not hold its listener.
  private final class Thread: Sendable {
    struct Owner {
      weak var listener: PortListener?
    }

    let listener: Int32
    let wake: Int32
    let owner = Mutex(Owner())

    init(listener: Int32, wake: Int32) { (self.listener, self.wake) = (listener, wake) }

    func run() {
      while true {
        let events = portolan_stream_wait(listener, -1, wake, -1)
        guard let owner = owner.withLock({ $0.listener }), !owner.isClosed,
          events & Int32(PORTOLAN_WOKEN) == 0
        else { break }
        let client = portolan_socket_accept(listener)
        if client >= 0 {
          owner.take(PortStreams(socket: client))
        } else if client != PortFolder.again {
          // No descriptor is free: not at once again.
          _ = portolan_stream_wait(-1, -1, wake, 100)
        }
      }
      portolan_descriptor_close(listener)
      portolan_descriptor_close(wake)
    }
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func take(_ client: PortStreams) {
    guard let peer = client.peer, peer.isOwnUser else { return client.close() }
    // One that cannot be made has closed the streams.
    guard let connection = try? PortConnection(unstarted: client, options) else { return }
    let isTaken = state.withLock { state in
      guard state.connections.count < connectionsMax else { return false }
      state.connections.insert(connection)
      return true
    }
    guard isTaken else { return connection.close("\(connectionsMax) programs are connected") }
    connection.onEnd { [weak self] _ in
      _ = self?.state.withLock { $0.connections.remove(connection) }
    }
    let root = root
    connection.queue.add {
      guard let object = root(connection) else { return connection.close("refused") }
      do {
        try connection.start(root: object)
      } catch {
        connection.close("\(error)")
      }
    }
  }
}

/// The folders of sockets.
enum PortFolder {
  /// The errors of the system that mean something here.
  static let (busy, again) = (Int32(-16), Int32(-11))
  private static let (notFound, refused) = (Int32(-2), Int32(-111))
  private static let (permission, notPermitted) = (Int32(-13), Int32(-1))

  /// Makes the folder of a socket, for this user alone.
  static func make(around path: String) throws(PortError) {
    guard !path.utf8.contains(0), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      throw PortError(.misuse, "a socket needs a path with a folder, not \(path)")
    }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    switch portolan_private_folder(folder) {
    case 0: return
    case notPermitted:
      throw PortError(.notAllowed, "others may enter \(folder): make it private (chmod 700)")
    case permission:
      throw PortError(.notAllowed, "\(folder) belongs to another user, or cannot be made")
    case let number: throw PortError(system: number, folder)
    }
  }

  /// Connects to a socket of this user.
  static func connect(to path: String, limit: Duration) throws(PortError) -> PortStreams {
    guard !path.utf8.contains(0) else { throw PortError(.notFound, "no path") }
    let result = portolan_socket_connect(path, Int32(clamping: limit.milliseconds))
    switch result {
    case notFound, refused: throw PortError(.notFound, "nobody listens at \(path)")
    case permission: throw PortError(.notAllowed, "\(path) belongs to another user")
    case ..<0: throw PortError(system: result, path)
    default: break
    }
    let streams = PortStreams(socket: result)
    guard let peer = streams.peer, peer.isOwnUser else {
      streams.close()
      throw PortError(.notAllowed, "another user listens at \(path)")
    }
    return streams
  }
}

extension PortConnection {
  /// Connects to the socket at a path, and waits for the greeting.
  ///
  /// - Parameters:
  ///   - path: the socket of a program of this user.
  ///   - root: the object that the other end finds first, if there is one.
  ///   - options: how this end works.
  /// - Throws: `PortError`: `notFound` when nobody listens, `notAllowed` when another user does,
  ///   `otherVersion` with what to install, `peerSilent` when the program does not answer.
  public convenience init(
    to path: String, root: (any Vended)? = nil, options: PortOptions = PortOptions()
  ) throws {
    let streams = try PortFolder.connect(to: path, limit: options.limits.greetingLimit)
    try self.init(streams, root: root, options: options)
    do {
      try waitForGreeting()
    } catch {
      close()
      throw error
    }
  }
}
