import Synchronization

/// The stand-in for an object of another program.
///
/// There is one for each object, as long as anybody holds it; two references to one object are one
/// instance. Sent back, it is the original object again. It is coded in messages only: as an
/// argument, as a result, and inside objects that travel by copy.
public final class DistantObject: PortCoding, RestrictedCoding, Sendable {
  /// The number that the other program has given the object.
  public let number: UInt64

  /// Where the object lives, if that is a third program; `nil` for the other end of the connection.
  public let address: String?

  /// The connection through which the object can be called; `nil` when there is none.
  package let owner: (any AnyObject & Sendable)?

  private let releases: PortReleases
  /// How many references were received.
  private let received = Atomic<Int>(0)

  init(
    number: UInt64, address: String?, owner: (any AnyObject & Sendable)?, releases: PortReleases
  ) {
    self.number = number
    self.address = address
    self.owner = owner
    self.releases = releases
  }

  deinit {
    guard address == nil, number != PortObjects.rootNumber else { return }
    releases.note(number, received.load(ordering: .acquiring))
  }

  /// A message that refers to the object has come.
  func noteReceived() { received.add(1, ordering: .acquiringAndReleasing) }

  // MARK: In messages

  public static var archivedClass: ArchivedClass { "DistantObject" }

  /// Only messages have references.
  public static var supportedCoders: CoderKinds { .port }

  /// A reference to the object, never a copy.
  public func replacementObject(for coder: PortArchiver) -> PortReplacement { .reference(self) }

  /// Only its replacement is encoded.
  public func encode(with coder: any EncodingCoder) throws {
    throw ArchiveError(.misuse, "a distant object cannot be copied")
  }

  /// References are found by the message, which has the one instance; this always throws.
  public init(coder: any DecodingCoder) throws {
    throw ArchiveError(.classNotAllowed, "expected a reference, found a copy of an object")
  }
}

extension DistantObject: Hashable {
  /// Two are equal when they are one.
  public static func == (first: DistantObject, second: DistantObject) -> Bool { first === second }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The references that were received and are no longer held, to be given back to their owner.
///
/// A proxy may go away on any thread.
final class PortReleases: Sendable {
  private struct State {
    var released: [UInt64: Int] = [:]
    var notify: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// `notify` is called when there is something to give back; it must be short.
  func setNotify(_ notify: (@Sendable () -> Void)?) {
    state.withLock { $0.notify = notify }
  }

  func note(_ number: UInt64, _ count: Int) {
    guard count > 0 else { return }
    let notify = state.withLock { state in
      state.released[number, default: 0] += count
      return state.notify
    }
    notify?()
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
