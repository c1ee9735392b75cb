import Synchronization

/// The stand-in for an object of another program.
///
/// There is one for each object, as long as anybody holds it; two references to one object are one
/// instance. Sent back, it is the original object again.
public final class DistantObject: Sendable {
  /// The number that the other program has given the object.
  public let number: UInt64

  /// Where the object lives, if that is a third program; `nil` for the other end of the connection.
  public let address: String?

  private let releases: PortReleases

  init(number: UInt64, address: String?, releases: PortReleases) {
    self.number = number
    self.address = address
    self.releases = releases
  }

  deinit { releases.note(number, address) }
}

/// The references that were received and are no longer held, to be given back to their owner.
///
/// A proxy may go away on any thread, so that this is the one part of a connection's tables that
/// is shared between threads.
final class PortReleases: Sendable {
  private struct State {
    /// How many references were received for each number and not given back.
    var received: [UInt64: Int] = [:]
    var released: [UInt64: Int] = [:]
  }

  private let state = Mutex(State())

  func noteReceived(_ number: UInt64) {
    state.withLock { $0.received[number, default: 0] += 1 }
  }

  func note(_ number: UInt64, _ address: String?) {
    guard address == nil else { return }
    state.withLock { state in
      guard let count = state.received.removeValue(forKey: number) else { return }
      state.released[number, default: 0] += count
    }
  }

  func take() -> [PortRelease] {
    state.withLock { state in
      defer { state.released = [:] }
      return state.released.sorted { $0.key < $1.key }.map {
        PortRelease(number: $0.key, count: $0.value)
      }
    }
  }
}

/// References to an object that its receiver does not hold any more.
public struct PortRelease: Hashable, Sendable {
  /// The number that the owner has given the object.
  public var number: UInt64
  /// How many references are given back: as many as were received.
  public var count: Int

  /// Gives references back.
  public init(number: UInt64, count: Int) {
    self.number = number
    self.count = count
  }
}
