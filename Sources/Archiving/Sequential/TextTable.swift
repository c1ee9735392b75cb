import PropertyLists

/// The string objects of a typedstream that is being written, found by their text.
///
/// Open addressing over places in the stream itself; no text is copied. The seed differs from
/// process to process, so that no texts can be chosen that collide; it does not show in the output.
struct TextTable {
  private struct Entry {
    var hash: UInt32 = 0
    /// The number of the object; `none` in an empty place.
    var number: UInt32 = Self.none
    var start: UInt32 = 0
    var count: UInt32 = 0

    static let none = UInt32.max
  }

  private var entries: [Entry] = []
  private var used = 0
  private let seed = UInt64(truncatingIfNeeded: Hasher().finalize())

  /// The object whose text is `text`; `nil` when there is none.
  func number(of text: UnsafeRawBufferPointer, in bytes: [UInt8]) -> Int? {
    guard !entries.isEmpty else { return nil }
    let hash = hash(text)
    return entries.withUnsafeBufferPointer { entries in
      bytes.withUnsafeBytes { bytes in
        let mask = entries.count &- 1
        var place = Int(hash) & mask
        while entries[place].number != Entry.none {
          let entry = entries[place]
          if entry.hash == hash, Int(entry.count) == text.count,
            isEqual(text, bytes, at: Int(entry.start))
          {
            return Int(entry.number)
          }
          place = (place &+ 1) & mask
        }
        return nil
      }
    }
  }

  @inline(__always)
  private func hash(_ text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = SeededHash.hash(text, seed: seed)
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  @inline(__always)
  private func isEqual(
    _ text: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer, at start: Int
  ) -> Bool {
    guard start &+ text.count <= bytes.count else { return false }
    return text.elementsEqual(UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count]))
  }

  /// Notes an object whose text was written at a place of the stream.
  mutating func add(_ number: Int, _ text: UnsafeRawBufferPointer, at start: Int) {
    if used &* 2 >= entries.count { grow() }
    insert(
      Entry(
        hash: hash(text), number: UInt32(truncatingIfNeeded: number),
        start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: text.count)))
    used += 1
  }

  /// Forgets the objects from a number on.
  mutating func removeAll(from number: Int) {
    let kept = entries.filter { $0.number < number }
    entries = [Entry](repeating: Entry(), count: entries.count)
    used = kept.count
    for entry in kept { insert(entry) }
  }

  private mutating func insert(_ entry: Entry) {
    let mask = entries.count - 1
    var place = Int(entry.hash) & mask
    while entries[place].number != Entry.none { place = (place + 1) & mask }
    entries[place] = entry
  }

  private mutating func grow() {
    let old = entries
    entries = [Entry](repeating: Entry(), count: max(64, old.count * 4))
    for entry in old where entry.number != Entry.none { insert(entry) }
  }
}
