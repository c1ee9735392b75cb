import PortolanExpressions
import PortolanPrinting

/// The number of different values, in memory that is bounded: exact up to 262,144, an estimate
/// beyond.
///
/// The hashes of the values are kept; when they are too many, only those whose last bit is zero,
/// then those of two zeros, and so on, which stand for a half, a quarter of all (Wegman's adaptive
/// sampling; Flajolet, Computing 43, 1990). The error is then about 0.3 %.
struct DistinctCount: Sendable {
  /// The most hashes.
  static let most = 1 << 18

  /// A table with free places where there is 0.
  private var slots = [UInt64](repeating: 0, count: 64)
  private var used = 0
  private var depth: UInt64 = 0
  private let key = HashKey()
  /// Hashes that are not in the table yet: put in one after the other, they do not wait for the
  /// memory of each other.
  private var waiting: [UInt64] = []
  private static let waitingMax = 1_024

  /// Whether there were too many values to count them all.
  var isEstimate: Bool { settled.depth > 0 }

  var value: Int {
    let settled = settled
    return settled.used << Int(settled.depth)
  }

  private var settled: DistinctCount {
    if waiting.isEmpty { return self }
    var settled = self
    settled.settle()
    return settled
  }

  /// `about 1,234` for an estimate.
  var words: String { (isEstimate ? "about " : "") + Figures.grouped(value) }

  /// Counts a text of a kind of values, or any other bytes.
  @inline(__always)
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, kind: UInt8) {
    add(hash: key.hash(bytes, kind: kind))
  }

  /// Counts a number; equal ones are one, whole or not.
  @inline(__always)
  mutating func add(_ number: Number) {
    switch number.canonical {
    case .whole(let whole):
      let high = UInt64(truncatingIfNeeded: whole >> 64)
      add(hash: key.hash(UInt64(truncatingIfNeeded: whole), high, kind: 0))
    case .real(let real): add(hash: key.hash(real.bitPattern, 0, kind: 1))
    }
  }

  @inline(__always)
  private mutating func add(hash: UInt64) {
    guard hash & ((1 << depth) - 1) == 0 else { return }
    waiting.append(max(1, hash))
    if waiting.count == Self.waitingMax { settle() }
  }

  /// Puts the added values into the table.
  mutating func settle() {
    for hash in waiting where hash & ((1 << depth) - 1) == 0 { insert(hash) }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func insert(_ hash: UInt64) {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[place] != 0 {
      if slots[place] == hash { return }
      place = (place + 1) & mask
    }
    slots[place] = hash
    used += 1
    if used > Self.most {
      depth += 1
      rebuild(slots.count)
    } else if used * 2 > slots.count {
      rebuild(slots.count * 2)
    }
  }

  /// Puts the hashes that still count into a new table.
  private mutating func rebuild(_ count: Int) {
    let former = slots
    slots = [UInt64](repeating: 0, count: count)
    used = 0
    for hash in former where hash != 0 && hash & ((1 << depth) - 1) == 0 { insert(hash) }
  }
}

/// A key of hashes of 64 bits, of which every bit depends on every bit of the value and of the key.
///
/// Each 16 bytes are multiplied, mixed with the key, as numbers of 64 bits, and the halves of the
/// product added without carry (Wang Yi's wyhash). The key is random, so that no file can be made
/// whose values have one hash.
private struct HashKey: Sendable {
  private let first = UInt64.random(in: .min ... .max)
  private let second = UInt64.random(in: .min ... .max)

  @inline(__always)
  func hash(_ bytes: UnsafeBufferPointer<UInt8>, kind: UInt8) -> UInt64 {
    var state = first
    var rest = UnsafeRawBufferPointer(bytes)
    while rest.count > 16 {
      state = mixed(state ^ word(rest, 0), second ^ word(rest, 8))
      rest = UnsafeRawBufferPointer(rebasing: rest[16...])
    }
    let (low, high): (UInt64, UInt64) =
      switch rest.count {
      case 8...: (word(rest, 0), word(rest, rest.count - 8))
      case 4..<8: (half(rest, 0), half(rest, rest.count - 4))
      default: (rest.reduce(0) { $0 << 8 | UInt64($1) }, 0)
      }
    let form = UInt64(truncatingIfNeeded: bytes.count) << 8 | UInt64(kind)
    return mixed(mixed(state ^ low, second ^ high) ^ form, second)
  }

  /// The hash of a number of 128 bits.
  @inline(__always)
  func hash(_ low: UInt64, _ high: UInt64, kind: UInt64) -> UInt64 {
    mixed(mixed(first ^ low, second ^ high) ^ kind, second)
  }

  @inline(__always)
  private func mixed(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  @inline(__always)
  private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
  }

  @inline(__always)
  private func half(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
    UInt64(bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }
}
