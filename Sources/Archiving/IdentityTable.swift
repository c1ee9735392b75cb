/// The nodes of objects that were archived, by the objects' identity.
///
/// Open addressing; every object in it is kept alive, so that an address cannot be used again.
struct IdentityTable {
  /// Where an object stands in `objects`, plus one; 0 for an empty place.
  private var places: [UInt32] = []
  private var objects: [AnyObject] = []
  private var nodes: [UInt32] = []

  /// The node of an object, or `nil` after noting that it is `candidate`.
  mutating func find(_ object: AnyObject, orInsert candidate: UInt32) -> UInt32? {
    if objects.count &* 2 >= places.count { grow() }
    let place = place(of: object)
    if places[place] != 0 { return nodes[Int(places[place]) &- 1] }
    objects.append(object)
    nodes.append(candidate)
    places[place] = UInt32(truncatingIfNeeded: objects.count)
    return nil
  }

  /// The node of an object, if it was noted.
  func node(of object: AnyObject) -> UInt32? {
    guard !places.isEmpty else { return nil }
    let place = place(of: object)
    return places[place] == 0 ? nil : nodes[Int(places[place]) &- 1]
  }

  /// Forgets the objects from a node on.
  mutating func removeAll(from node: UInt32) {
    let old = self
    self = IdentityTable()
    for (object, number) in zip(old.objects, old.nodes) where number < node {
      _ = find(object, orInsert: number)
    }
  }

  private mutating func grow() {
    places = Array(repeating: 0, count: max(32, places.count * 4))
    for index in objects.indices {
      places[place(of: objects[index])] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  /// The place of an object, or the empty one where it would stand.
  @inline(__always)
  private func place(of object: AnyObject) -> Int {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    return objects.withUnsafeBytes { objects in
      places.withUnsafeBufferPointer { places in
        let mask = places.count &- 1
        var place = Self.start(address, mask)
        while places[place] != 0 {
          // An element is one word, the address.
          let offset = (Int(places[place]) &- 1) &* MemoryLayout<UInt>.size
          if objects.load(fromByteOffset: offset, as: UInt.self) == address { break }
          place = (place &+ 1) & mask
        }
        return place
      }
    }
  }

  /// Where the search for an address begins.
  ///
  /// Objects that were made one after the other lie in the same pages of memory, and are mostly
  /// archived one after the other. Their entries are put side by side, so that large graphs do not
  /// fetch a page and a cache line for each; the pages themselves are scattered over the table.
  @inline(__always)
  private static func start(_ address: UInt, _ mask: Int) -> Int {
    let page = UInt64(address >> 12).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    let start = page.high ^ page.low
    return Int(truncatingIfNeeded: start &+ UInt64(address >> 4 & 0xFF)) & mask
  }
}
