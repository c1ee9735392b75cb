import PortolanMemory

/// The nodes of objects that were archived, by the objects' identity.
///
/// Every object in it is kept alive, so that an address cannot be used again. A few are searched
/// one by one, more by open addressing.
struct IdentityTable: ~Copyable {
  private struct Entry: BitwiseCopyable {
    /// Retained by the table.
    var object: Unmanaged<AnyObject>
    var node: UInt32

    @inline(__always)
    var address: UInt { UInt(bitPattern: object.toOpaque()) }
  }

  private var entries: GrowingRow<Entry>
  /// Where an object stands in `entries`, plus one; 0 for an empty place. Empty for a few.
  private var places = GrowingRow<UInt32>()
  private static let listedObjects = 8

  init() { entries = GrowingRow() }

  /// An empty table with room for a few objects in a block; remove all before the block ends.
  init(in block: inout RowBlock) { entries = GrowingRow(capacity: 4, in: &block) }

  deinit { for index in 0..<entries.count { entries[index].object.release() } }

  /// Lets go of all objects.
  mutating func removeAll() { self = IdentityTable() }

  /// The node of an object, or `nil` after noting that it is `candidate`.
  mutating func find(_ object: AnyObject, orInsert candidate: UInt32) -> UInt32? {
    find(Unmanaged.passUnretained(object), orInsert: candidate)
  }

  /// The same of an object that is alive.
  @inline(__always)
  mutating func find(_ object: Unmanaged<AnyObject>, orInsert candidate: UInt32) -> UInt32? {
    let entry = Entry(object: object, node: candidate)
    if entries.count < Self.listedObjects {
      for index in 0..<entries.count where entries[index].address == entry.address {
        return entries[index].node
      }
    } else {
      if entries.count &* 2 >= places.count { grow() }
      let place = place(of: entry.address)
      if places[place] != 0 { return entries[Int(places[place]) &- 1].node }
      places[place] = UInt32(truncatingIfNeeded: entries.count &+ 1)
    }
    _ = entry.object.retain()
    entries.append(entry)
    return nil
  }

  /// The node of an object, if it was noted.
  func node(of object: AnyObject) -> UInt32? {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    guard places.isEmpty else {
      let place = place(of: address)
      return places[place] == 0 ? nil : entries[Int(places[place]) &- 1].node
    }
    for index in 0..<entries.count where entries[index].address == address {
      return entries[index].node
    }
    return nil
  }

  /// Another table of the same objects.
  func copy() -> IdentityTable { objects(before: .max) }

  /// Forgets the objects from a node on.
  mutating func removeAll(from node: UInt32) { self = objects(before: node) }

  private func objects(before node: UInt32) -> IdentityTable {
    var table = IdentityTable()
    for index in 0..<entries.count where entries[index].node < node {
      _ = table.find(entries[index].object.takeUnretainedValue(), orInsert: entries[index].node)
    }
    return table
  }

  private mutating func grow() {
    places = GrowingRow(repeating: 0, count: max(32, places.count * 4))
    for index in 0..<entries.count {
      places[place(of: entries[index].address)] = UInt32(truncatingIfNeeded: index + 1)
    }
  }

  /// The place of an address, or the empty one where it would stand.
  @inline(__always)
  private func place(of address: UInt) -> Int {
    let mask = places.count &- 1
    var place = Self.start(address, mask)
    while places[place] != 0, entries[Int(places[place]) &- 1].address != address {
      place = (place &+ 1) & mask
    }
    return place
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
