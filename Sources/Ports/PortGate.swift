internal import PortolanCSockets

/// A place where one thread waits until another has changed something.
///
/// What is waited for is kept in a `Mutex` of its own; it is changed first, then `open` is called.
final class PortGate: Sendable {
  private let address: UInt

  init() { address = UInt(bitPattern: portolan_gate_make()) }

  deinit { portolan_gate_free(OpaquePointer(bitPattern: address)) }

  /// Lets those who wait look again.
  func open() {
    let gate = OpaquePointer(bitPattern: address)
    portolan_gate_lock(gate)
    portolan_gate_signal(gate)
    portolan_gate_unlock(gate)
  }

  /// Waits until `look` gives something, which is asked at once and after each `open`; `nil` when
  /// the time is over, a time of `PortClock`, or negative for never.
  func wait<Found>(until deadline: Int64 = -1, _ look: () -> Found?) -> Found? {
    let gate = OpaquePointer(bitPattern: address)
    portolan_gate_lock(gate)
    defer { portolan_gate_unlock(gate) }
    while true {
      if let found = look() { return found }
      if portolan_gate_wait(gate, deadline) == 0 { return look() }
    }
  }
}

/// Milliseconds of a clock that never goes back.
enum PortClock {
  static var now: Int64 { portolan_milliseconds() }

  static func after(_ duration: Duration) -> Int64 { now + duration.milliseconds }
}

/// Threads that end by themselves.
enum PortThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// The number of the calling thread; never 0.
  static var current: UInt { UInt(portolan_thread_number()) }

  /// Starts a thread.
  ///
  /// - Throws: `PortError` of the code `system`.
  static func start(_ body: @escaping @Sendable () -> Void) throws(PortError) {
    let work = Unmanaged.passRetained(Work(body))
    let result = portolan_thread_start(
      { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw PortError(system: result, "a thread for a connection")
    }
  }
}
