/// The objects that one connection knows by number: those of this program that were sent as
/// references, and those of the other program that stand here as distant objects.
///
/// Both coders of a connection share it. It is used on one thread, or by one actor.
public final class PortObjects {
  /// The number of the connection's first object, which the other end asks for by this number.
  public static let rootNumber: UInt64 = 0

  /// The most objects that may be vended at once.
  public var vendedMax = 1_000_000

  private struct Vended {
    var object: AnyObject
    /// How many references were sent and not given back; the root is never given back.
    var references: Int
  }

  private var vended: [UInt64: Vended] = [:]
  private var numbers: [ObjectIdentifier: UInt64] = [:]
  private var distant: [DistantKey: WeakDistant] = [:]
  private var sweepAt = 64
  private let releases = PortReleases()

  private struct DistantKey: Hashable {
    var number: UInt64
    var address: String?
  }

  private struct WeakDistant {
    weak var object: DistantObject?
  }

  /// The tables of a new connection; `root` is the first object that the other end finds.
  public init(root: AnyObject? = nil) {
    guard let root else { return }
    vended[Self.rootNumber] = Vended(object: root, references: 0)
    numbers[ObjectIdentifier(root)] = Self.rootNumber
  }

  /// How many objects of this program the other end may still refer to.
  public var vendedCount: Int { vended.count }

  /// The object of this program that has a number; `nil` if there is none, or not any more.
  public func object(_ number: UInt64) -> AnyObject? { vended[number]?.object }

  /// Stands for an object of the other program; the same instance as long as one is held.
  public func distantObject(_ number: UInt64, address: String? = nil) -> DistantObject {
    if address == nil { releases.noteReceived(number) }
    let key = DistantKey(number: number, address: address)
    if let known = distant[key]?.object { return known }
    if distant.count >= sweepAt {
      distant = distant.filter { $0.value.object != nil }
      sweepAt = max(64, distant.count * 2)
    }
    let object = DistantObject(number: number, address: address, releases: releases)
    distant[key] = WeakDistant(object: object)
    return object
  }

  /// Whether a distant object is one of this connection's other end.
  func isOfOtherEnd(_ object: DistantObject) -> Bool {
    object.address == nil
      && distant[DistantKey(number: object.number, address: nil)]?.object === object
  }

  /// The number of an object of this program, which is kept until all references are given back.
  ///
  /// Numbers are drawn at random, so that nobody can guess one that was not given to him.
  func vend(_ object: AnyObject) throws -> UInt64 {
    if let number = numbers[ObjectIdentifier(object)] {
      vended[number]?.references += 1
      return number
    }
    guard vended.count < vendedMax else {
      throw ArchiveError(.tooLarge, "\(vended.count) objects are vended and not given back")
    }
    var number = UInt64.random(in: 1...UInt64(Int64.max))
    while vended[number] != nil { number = UInt64.random(in: 1...UInt64(Int64.max)) }
    vended[number] = Vended(object: object, references: 1)
    numbers[ObjectIdentifier(object)] = number
    return number
  }

  /// The other end gave references back; the object is let go with the last.
  ///
  /// - Throws: `.invalidValue` when there are fewer, as somebody else's would be taken then.
  public func release(_ release: PortRelease) throws {
    guard let entry = vended[release.number], release.number != Self.rootNumber,
      release.count > 0, release.count <= entry.references
    else {
      throw ArchiveError(
        .invalidValue, "\(release.count) references to object \(release.number) are not out")
    }
    if entry.references == release.count {
      vended[release.number] = nil
      numbers[ObjectIdentifier(entry.object)] = nil
    } else {
      vended[release.number]?.references -= release.count
    }
  }

  /// The references that are to be given back to the other end since this was asked last.
  public func takeReleases() -> [PortRelease] { releases.take() }
}
