public import Archiving
import Synchronization

/// A connection with another program, through which each calls the objects of the other.
///
///     let connection = try PortConnection(to: "/run/user/1000/maps/editor")
///     let title: String = try connection.root.call("title")
///
/// Each end may vend a root object; further objects are sent as arguments and results, values and
/// `Bycopy` as copies, instances of classes as references. The other end holds a `DistantObject`
/// for each of them, calls it, and gives it back when it lets it go.
///
/// A connection lives as long as somebody holds it or a distant object of its other end. It may be
/// used on any thread. `Docs/formats/port-connection.md` has its bytes.
public final class PortConnection: Sendable {
  struct State {
    var calls: [Int: PendingCall] = [:]
    /// Calls that were given up, whose replies may still come.
    var abandoned: Set<Int> = []
    /// Requests of the other end that are under way.
    var requests: [Int: WeakAnswer] = [:]
    var lastSequence = 0
    /// Requests that wait for the queue, and their bytes.
    var waitingRequests = 0
    var waitingBytes = 0
    var end: PortError?
    var endHandlers: [@Sendable (PortError) -> Void] = []
    var greeting: PortGreeting?
    var nextDeadline = Int64.max
    var methods: [ObjectIdentifier: PortMethods] = [:]
  }

  struct WeakAnswer: Sendable {
    weak var answer: PortAnswer?
  }

  /// The limits of this end.
  public let limits: PortLimits
  /// Where the methods of vended objects run.
  public let queue: PortQueue
  /// Who is at the other end; `nil` where the kernel does not know.
  public let peer: PortPeer?

  let objects = PortObjects()
  let transport: PortTransport
  let state = Mutex(State())
  let gate = PortGate()
  let program: String
  let classes: HandedOver<[any Coding.Type]>

  /// Connects two streams, greets the other end, and vends a root object to it, if there is one.
  ///
  /// Calls may be made at once; `waitForGreeting` tells when the other end is there. The connection
  /// owns the streams.
  ///
  /// - Throws: `PortError` of the code `system`.
  public convenience init(
    _ streams: PortStreams, root: (any Vended)? = nil, options: PortOptions = PortOptions()
  ) throws {
    try self.init(unstarted: streams, options)
    try start(root: root)
  }

  /// A connection that does nothing before `start`.
  init(unstarted streams: PortStreams, _ options: PortOptions) throws {
    limits = options.limits
    queue = options.queue ?? PortQueue()
    classes = HandedOver(options.classes)
    peer = streams.peer
    program = options.program
    transport = try PortTransport(streams, limits: options.limits)
    objects.vendedMax = options.limits.referencesMax
    try transport.send(PortGreeting(limits: limits, program: options.program).bytes)
    objects.setOwner(self) { [weak transport] in transport?.noteReleases() }
  }

  func start(root: (any Vended)?) throws {
    if let root { objects.setRoot(root) }
    try transport.start(for: self)
  }

  deinit { transport.end("") }

  // MARK: The other end

  /// The object that the other end vends first; calls of it throw where there is none.
  public var root: DistantObject { objects.distantObject(PortObjects.rootNumber) }

  /// The program at the other end, as it calls itself, without controls; `nil` before its greeting.
  public var peerProgram: String? { state.withLock { $0.greeting?.program } }

  /// The time after which the other end gives a sign of life; `nil` if it gives none, or has not
  /// greeted yet.
  package var peerKeepAlive: Duration? {
    let milliseconds = state.withLock { $0.greeting?.keepAlive } ?? 0
    return milliseconds == 0 ? nil : .milliseconds(Int64(milliseconds))
  }

  /// Waits until the other end has greeted.
  ///
  /// - Throws: `PortError`: of the code `otherVersion` with what to install, and what ended the
  ///   connection.
  public func waitForGreeting() throws {
    let deadline = PortClock.after(limits.greetingLimit)
    let end = gate.wait(until: deadline) { () -> PortError?? in
      state.withLock { state in
        if let end = state.end { return .some(end) }
        return state.greeting == nil ? nil : .some(nil)
      }
    }
    switch end {
    case nil: throw PortError(.peerSilent, "the other end has not greeted in time")
    case .some(let error?): throw error
    case .some(nil): return
    }
  }

  /// How many objects of this program the other end refers to, its root included.
  public var vendedCount: Int { objects.vendedCount }

  /// How many objects of the other end are held here.
  public var distantCount: Int { objects.distantCount }

  /// How many calls wait for replies, and how many requests of the other end are under way.
  public var underWay: (calls: Int, requests: Int) {
    state.withLock { ($0.calls.count, $0.requests.count) }
  }

  // MARK: The end

  /// Why the connection has ended; `nil` while it lives.
  public var end: PortError? { state.withLock { $0.end } }

  /// Calls a function on the queue when the connection ends, behind the requests that came before;
  /// soon when it has ended already.
  public func onEnd(_ handle: @escaping @Sendable (PortError) -> Void) {
    let end = state.withLock { state in
      if state.end == nil { state.endHandlers.append(handle) }
      return state.end
    }
    if let end { queue.add { handle(end) } }
  }

  /// Ends the connection: what was sent before still goes out, pending calls throw, vended objects
  /// are let go, distant objects throw from now on.
  ///
  /// - Parameter reason: what the other end is told, in a line.
  public func close(_ reason: String = "") {
    end(PortError(.closed, "the connection was ended here"), reason)
  }

  /// Ends the connection once.
  func end(_ error: PortError, _ reason: String) {
    let former: State? = state.withLock { state in
      guard state.end == nil else { return nil }
      state.end = error
      let former = state
      (state.calls, state.abandoned, state.requests, state.endHandlers) = ([:], [], [:], [])
      state.nextDeadline = .max
      return former
    }
    transport.end(reason)
    guard let former else { return }
    gate.open()
    for call in former.calls.values { call.answer(.failure(error)) }
    for request in former.requests.values { request.answer?.cancel() }
    // The objects belong to the queue, and so do their ends.
    queue.add { [objects] in objects.removeAll() }
    for handle in former.endHandlers { queue.add { handle(error) } }
  }
}

extension PortConnection: Hashable {
  /// Two are equal when they are one.
  public static func == (first: PortConnection, second: PortConnection) -> Bool { first === second }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
