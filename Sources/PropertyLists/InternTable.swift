/// Finds an encoded string that was written before, by its bytes.
///
/// Open addressing over references; the bytes stay in the writer's pool. The seed differs from
/// process to process, so that no document can be made whose strings all collide; it does not show
/// in the output.
package struct InternTable {
  private struct Entry {
    var hash: UInt32 = 0
    var reference: PropertyListReference = 0
  }

  private var entries = [Entry]()
  private var count = 0
  private static let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  /// The reference of equal bytes, or `nil` after noting that `candidate` stands for them.
  ///
  /// Reference 0 is the top object, never a string, and so marks an empty place.
  @inline(__always)
  mutating func find(
    _ bytes: UnsafeRawBufferPointer, orInsert candidate: PropertyListReference,
    isEqual: (PropertyListReference) -> Bool
  ) -> PropertyListReference? {
    if count &* 2 >= entries.count { grow() }
    let hash = Self.hash(bytes, seed: Self.seed)
    return entries.withUnsafeMutableBufferPointer { entries in
      let mask = entries.count - 1
      var place = Int(hash) & mask
      while entries[place].reference != 0 {
        if entries[place].hash == hash, isEqual(entries[place].reference) {
          return entries[place].reference
        }
        place = (place + 1) & mask
      }
      entries[place] = Entry(hash: hash, reference: candidate)
      count += 1
      return nil
    }
  }

  private mutating func grow() {
    var grown = [Entry](repeating: Entry(), count: max(64, entries.count * 4))
    let mask = grown.count - 1
    for entry in entries where entry.reference != 0 {
      var place = Int(entry.hash) & mask
      while grown[place].reference != 0 { place = (place + 1) & mask }
      grown[place] = entry
    }
    entries = grown
  }

  /// A multiply-and-fold hash over eight bytes at a time.
  @inline(__always)
  package static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt32 {
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
    state = fold(state ^ rest)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }

  @inline(__always)
  private static func fold(_ value: UInt64) -> UInt64 {
    let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    return product.high ^ product.low
  }
}
