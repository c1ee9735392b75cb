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

  /// Whether there were too many values to count them all.
  var isEstimate: Bool { depth > 0 }

  var value: Int { used << Int(depth) }

  /// `about 1,234` for an estimate.
  var words: String { (isEstimate ? "about " : "") + Figures.grouped(value) }

  /// Counts a value by its hash, of which every bit must be random.
  @inline(__always)
  mutating func add(_ hash: Int) {
    let hash = max(1, UInt64(truncatingIfNeeded: hash))
    guard hash & ((1 << depth) - 1) == 0 else { return }
    insert(hash)
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
