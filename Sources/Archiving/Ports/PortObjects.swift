import PropertyLists
import Synchronization

/// The objects that one connection knows by number: those of this program that were sent as
/// references, and those of the other program that stand here as distant objects.
///
/// Both coders of a connection share it. Several threads may use it at a time.
public final class PortObjects: Sendable {
  /// The number of the connection's first object, which the other end asks for by this number.
  public static let rootNumber: UInt64 = 0

  /// The most objects that may be vended at once.
  public var vendedMax: Int {
    get { state.withLock { $0.vendedMax } }
    set { state.withLock { $0.vendedMax = newValue } }
  }

  private struct Vended {
    var object: HandedOver<AnyObject>
    /// How many references were sent and not given back; the root is never given back.
    var references: Int
  }

  private struct State {
    var vendedMax = 1_000_000
    var vended: [UInt64: Vended] = [:]
    var numbers: [ObjectIdentifier: UInt64] = [:]
    var distant: [DistantKey: WeakDistant] = [:]
    var sweepAt = 64
    weak var owner: (any AnyObject & Sendable)?
  }

  private let state: Mutex<State>
  private let releases = PortReleases()

  private struct DistantKey: Hashable {
    var number: UInt64
    var address: String?
  }

  private struct WeakDistant: Sendable {
    weak var object: DistantObject?
  }

  /// The tables of a new connection; `root` is the first object that the other end finds.
  public init(root: AnyObject? = nil) {
    var state = State()
    if let root {
      state.vended[Self.rootNumber] = Vended(object: HandedOver(root), references: 0)
      state.numbers[ObjectIdentifier(root)] = Self.rootNumber
    }
    self.state = Mutex(state)
  }

  /// How many objects of this program the other end may still refer to.
  public var vendedCount: Int { state.withLock { $0.vended.count } }

  /// How many objects of the other program stand here.
  package var distantCount: Int {
    let held = state.withLock { $0.distant.values.map(\.object) }
    return held.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
  }

  /// The object of this program that has a number; `nil` if there is none, or not any more.
  public func object(_ number: UInt64) -> AnyObject? {
    state.withLock { $0.vended[number]?.object }?.value
  }

  /// Says who sends messages to the other end, and what to call when references can be given back.
  package func setOwner(
    _ owner: any AnyObject & Sendable, notify: @escaping @Sendable () -> Void
  ) {
    state.withLock { $0.owner = owner }
    releases.setNotify(notify)
  }

  /// Makes an object the first one that the other end finds.
  package func setRoot(_ root: AnyObject) {
    let kept = HandedOver(root)
    state.withLock { state in
      state.vended[Self.rootNumber] = Vended(object: kept, references: 0)
      state.numbers[ObjectIdentifier(kept.value)] = Self.rootNumber
    }
  }

  /// Lets all objects of this program go: the connection has ended.
  package func removeAll() {
    releases.setNotify(nil)
    // The objects go outside of the lock: they may be anything.
    let vended = state.withLock { state in
      defer { (state.vended, state.numbers) = ([:], [:]) }
      return state.vended
    }
    withExtendedLifetime(vended) {}
  }

  /// Stands for an object of the other program; the same instance as long as one is held.
  public func distantObject(_ number: UInt64, address: String? = nil) -> DistantObject {
    let key = DistantKey(number: number, address: address)
    // What is looked at may be let go by others meanwhile: its end must come outside of the lock.
    var looked: [DistantObject] = []
    let object = state.withLock { state in
      if let known = state.distant[key]?.object { return known }
      if state.distant.count >= state.sweepAt {
        looked = state.distant.values.compactMap(\.object)
        state.distant = state.distant.filter { $0.value.object != nil }
        state.sweepAt = max(64, state.distant.count * 2)
      }
      let object = DistantObject(
        number: number, address: address, owner: address == nil ? state.owner : nil,
        releases: releases)
      state.distant[key] = WeakDistant(object: object)
      return object
    }
    object.noteReceived()
    return withExtendedLifetime(looked) { object }
  }

  /// Whether a distant object is one of this connection's other end.
  func isOfOtherEnd(_ object: DistantObject) -> Bool {
    guard object.address == nil else { return false }
    let key = DistantKey(number: object.number, address: nil)
    return state.withLock { $0.distant[key]?.object } === object
  }

  /// The number of an object of this program, which is kept until all references are given back.
  ///
  /// Numbers are drawn at random, so that nobody can guess one that was not given to him.
  func vend(_ object: AnyObject) throws -> UInt64 {
    let identity = ObjectIdentifier(object)
    let kept = HandedOver(object)
    return try state.withLock { state in
      if let number = state.numbers[identity] {
        state.vended[number]?.references += 1
        return number
      }
      guard state.vended.count < state.vendedMax else {
        throw ArchiveError(
          .tooLarge, "\(state.vended.count) objects are vended and not given back")
      }
      var number = UInt64.random(in: 1...UInt64(Int64.max))
      while state.vended[number] != nil { number = UInt64.random(in: 1...UInt64(Int64.max)) }
      state.vended[number] = Vended(object: kept, references: 1)
      state.numbers[identity] = number
      return number
    }
  }

  /// The other end gave references back; the object is let go with the last.
  ///
  /// - Throws: `.invalidValue` when there are fewer, as somebody else's would be taken then.
  public func release(_ release: PortRelease) throws {
    // The object goes outside of the lock: it may send messages then.
    withExtendedLifetime(try takeBack(release)) {}
  }

  /// The same; the object, if that was the last reference to it.
  package func takeBack(_ release: PortRelease) throws -> HandedOver<AnyObject>? {
    try state.withLock { state in
      guard let entry = state.vended[release.number], release.number != Self.rootNumber,
        release.count > 0, release.count <= entry.references
      else {
        throw ArchiveError(
          .invalidValue,
          "object \(release.number) has fewer than \(counted(release.count, "reference"))")
      }
      guard entry.references == release.count else {
        state.vended[release.number]?.references -= release.count
        return nil
      }
      state.vended[release.number] = nil
      state.numbers[ObjectIdentifier(entry.object.value)] = nil
      return entry.object
    }
  }

  /// The references that are to be given back to the other end since this was asked last.
  public func takeReleases() -> [PortRelease] { releases.take() }
}
