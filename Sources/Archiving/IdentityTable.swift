/// The nodes of objects that were archived, by the objects' identity.
///
/// Open addressing; every object in it is kept alive, so that an address cannot be used again.
struct IdentityTable {
  private var keys = [UInt](repeating: 0, count: 64)
  private var nodes = [UInt32](repeating: 0, count: 64)
  private var objects: [AnyObject] = []

  /// The node of an object, or `nil` after noting that it is `candidate`.
  mutating func find(_ object: AnyObject, orInsert candidate: UInt32) -> UInt32? {
    if objects.count &* 2 >= keys.count { grow() }
    let key = UInt(bitPattern: ObjectIdentifier(object).hashValueOfAddress)
    let mask = keys.count - 1
    var place = Self.place(key, mask)
    while keys[place] != 0 {
      if keys[place] == key { return nodes[place] }
      place = (place + 1) & mask
    }
    keys[place] = key
    nodes[place] = candidate
    objects.append(object)
    return nil
  }

  private mutating func grow() {
    let (oldKeys, oldNodes) = (keys, nodes)
    keys = Array(repeating: 0, count: oldKeys.count * 4)
    nodes = Array(repeating: 0, count: oldKeys.count * 4)
    let mask = keys.count - 1
    for (key, node) in zip(oldKeys, oldNodes) where key != 0 {
      var place = Self.place(key, mask)
      while keys[place] != 0 { place = (place + 1) & mask }
      keys[place] = key
      nodes[place] = node
    }
  }

  @inline(__always)
  private static func place(_ key: UInt, _ mask: Int) -> Int {
    let product = UInt64(key).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low) & mask
  }
}

extension ObjectIdentifier {
  /// The address behind the identity.
  fileprivate var hashValueOfAddress: Int { Int(bitPattern: self) }
}
