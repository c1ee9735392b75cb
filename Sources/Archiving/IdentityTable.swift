/// The nodes of objects that were archived, by the objects' identity.
///
/// Open addressing; every object in it is kept alive, so that an address cannot be used again.
struct IdentityTable {
  private struct Entry {
    var key: UInt = 0
    var node: UInt32 = 0
  }

  private var entries: [Entry] = []
  private var objects: [AnyObject] = []

  /// The node of an object, or `nil` after noting that it is `candidate`.
  mutating func find(_ object: AnyObject, orInsert candidate: UInt32) -> UInt32? {
    if objects.count &* 2 >= entries.count { grow() }
    let key = UInt(bitPattern: ObjectIdentifier(object))
    let found = entries.withUnsafeMutableBufferPointer { entries -> UInt32? in
      let mask = entries.count &- 1
      var place = Self.place(key, mask)
      while entries[place].key != 0 {
        if entries[place].key == key { return entries[place].node }
        place = (place &+ 1) & mask
      }
      entries[place] = Entry(key: key, node: candidate)
      return nil
    }
    if found == nil { objects.append(object) }
    return found
  }

  /// The node of an object, if it was noted.
  func node(of object: AnyObject) -> UInt32? {
    guard !entries.isEmpty else { return nil }
    let key = UInt(bitPattern: ObjectIdentifier(object))
    let mask = entries.count - 1
    var place = Self.place(key, mask)
    while entries[place].key != 0 {
      if entries[place].key == key { return entries[place].node }
      place = (place + 1) & mask
    }
    return nil
  }

  /// Forgets the objects from a node on.
  mutating func removeAll(from node: UInt32) {
    let old = objects
    let nodes = old.map { self.node(of: $0) ?? node }
    entries = []
    objects = []
    for (object, number) in zip(old, nodes) where number < node {
      _ = find(object, orInsert: number)
    }
  }

  private mutating func grow() {
    let old = entries
    entries = Array(repeating: Entry(), count: max(32, old.count * 4))
    let mask = entries.count - 1
    for entry in old where entry.key != 0 {
      var place = Self.place(entry.key, mask)
      while entries[place].key != 0 { place = (place + 1) & mask }
      entries[place] = entry
    }
  }

  /// Where the search for an address begins.
  ///
  /// Objects that were made one after the other lie in the same pages of memory, and are mostly
  /// archived one after the other. Their entries are put side by side, so that large graphs do not
  /// fetch a page and a cache line for each; the pages themselves are scattered over the table.
  @inline(__always)
  private static func place(_ key: UInt, _ mask: Int) -> Int {
    let page = UInt64(key >> 12).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    let start = page.high ^ page.low
    return Int(truncatingIfNeeded: start &+ UInt64(key >> 4 & 0xFF)) & mask
  }
}
