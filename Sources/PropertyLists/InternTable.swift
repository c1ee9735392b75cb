import PortolanMemory

/// The strings of a list that is being written, numbered in the order in which they came.
///
/// Open addressing over entries of a hash and a number; all that tells a string from others
/// stands in one small record, so that large lists with many strings fetch few cache lines. Long
/// strings are compared with the writer's pool. The seed differs from process to process, so that
/// no document can be made whose strings all collide; it does not show in the output.
struct InternTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    var hash: UInt32 = 0
    /// The number of the string plus one; 0 for an empty place.
    var number: UInt32 = 0
  }

  /// A string that was written.
  struct Text: BitwiseCopyable {
    var key: TextKey
    /// The property-list object of the string.
    var reference: PropertyListReference
    /// The note of the writer's owner on the string; 0 at first.
    var note: UInt32 = 0
  }

  private var entries: GrowingRow<Entry>
  var texts: GrowingRow<Text>
  private static let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  init() {
    entries = GrowingRow()
    texts = GrowingRow()
  }

  /// An empty table with room for some strings in a block, which must live as long.
  init(capacity: Int, in block: inout RowBlock) {
    texts = GrowingRow(capacity: capacity, in: &block)
    entries = GrowingRow(capacity: Self.firstEntries, in: &block)
    entries.append(repeating: Entry(), count: Self.firstEntries)
  }

  private static let firstEntries = 64

  /// The number of the string with a key, or `nil` after adding it with the next number.
  ///
  /// A long string's key tells its hash and where it would be written; `isEqual` tells whether the
  /// one that was written at a position is the same.
  @inline(__always)
  mutating func find(
    _ key: TextKey, orInsert candidate: PropertyListReference, isEqual: (Int) -> Bool
  ) -> Int? {
    if texts.count &* 2 >= entries.count { grow() }
    let hash = key.hash
    let mask = entries.count &- 1
    var place = Int(hash) & mask
    while entries[place].number != 0 {
      if entries[place].hash == hash {
        let number = Int(entries[place].number &- 1)
        if texts[number].key.matches(key, isEqual) { return number }
      }
      place = (place &+ 1) & mask
    }
    texts.append(Text(key: key, reference: candidate))
    entries[place] = Entry(hash: hash, number: UInt32(truncatingIfNeeded: texts.count))
    return nil
  }

  private mutating func grow() {
    let count = max(Self.firstEntries, entries.count * 4)
    var grown = GrowingRow<Entry>(repeating: Entry(), count: count)
    let mask = grown.count - 1
    for former in 0..<entries.count where entries[former].number != 0 {
      let entry = entries[former]
      var place = Int(entry.hash) & mask
      while grown[place].number != 0 { place = (place + 1) & mask }
      grown[place] = entry
    }
    entries = grown
  }

  /// A multiply-and-fold hash over eight bytes at a time.
  @inline(__always)
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    SeededHash.hash(bytes, seed: seed)
  }

  @inline(__always)
  static func hash(_ low: UInt64, _ high: UInt64) -> UInt32 {
    let state = SeededHash.fold(SeededHash.fold(seed ^ low) ^ high)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }
}

/// The identity of a string: up to fifteen bytes of ASCII, or a hash and a place.
struct TextKey: BitwiseCopyable {
  /// The words of a short text; or the hash.
  private var low: UInt64
  /// For a long string `isLong`, and where it stands in the writer's pool.
  private var high: UInt64

  private static let isLong: UInt64 = 0xFF << 56

  /// The key of a short string.
  @inline(__always)
  init(_ text: ShortText) { (low, high) = (text.low, text.high) }

  /// The key of any other string.
  init(long bytes: UnsafeRawBufferPointer, at position: Int) {
    low = InternTable.hash(bytes)
    high = Self.isLong | UInt64(truncatingIfNeeded: position)
  }

  @inline(__always)
  var hash: UInt32 {
    high >= Self.isLong
      ? UInt32(truncatingIfNeeded: low ^ low >> 32) : InternTable.hash(low, high)
  }

  /// Whether another key is of the same string; `isEqual` compares a long one with that at a place.
  @inline(__always)
  func matches(_ other: TextKey, _ isEqual: (Int) -> Bool) -> Bool {
    guard low == other.low else { return false }
    if high == other.high { return true }
    return high >= Self.isLong && other.high >= Self.isLong
      && isEqual(Int(truncatingIfNeeded: high & ~Self.isLong))
  }
}

/// A multiply-and-fold hash over eight bytes at a time, seeded against chosen collisions.
package enum SeededHash {
  @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var state = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var place = 0
    while place + 8 <= bytes.count {
      state = fold(state ^ bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var rest: UInt64 = 0
    while place < bytes.count {
      rest = rest &<< 8 | UInt64(bytes[place])
      place += 1
    }
    return fold(state ^ rest)
  }

  @inline(__always)
  package static func fold(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return product.high ^ product.low
  }
}
