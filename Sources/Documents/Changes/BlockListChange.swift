import Archiving

/// The difference between the blocks of a layer before and after: runs of unchanged blocks, changed
/// blocks, and new ones.
struct BlockListChange: Sendable {
  private enum Entry {
    static let kept: UInt32 = 0
    static let changed: UInt32 = 1
    static let new: UInt32 = 2
  }

  /// The layer's place in the new document.
  var layer = 0
  let nextFeatureID: UInt64
  /// How many blocks the former layer has.
  private var formerCount: Int
  /// Three numbers each: 0, first, count: unchanged blocks of the former layer; 1, place, n: the
  /// former block with change n applied; 2, 0, n: new block n.
  private var entries: [UInt32] = []
  private var changes: [BlockChange] = []
  private var blocks: [FeatureBlock] = []

  /// Finds the difference; `nil` if there is none.
  ///
  /// - Parameter formerNextFeatureID: `nil` for a new layer, which differs even without features.
  init?(
    from old: [FeatureBlock], to new: [FeatureBlock], nextFeatureID: UInt64,
    formerNextFeatureID: UInt64?
  ) {
    self.nextFeatureID = nextFeatureID
    formerCount = old.count
    let shared = min(old.count, new.count)
    var first = 0
    while first < shared, old[first] === new[first] { first += 1 }
    var last = 0
    while last < shared - first, old[old.count - 1 - last] === new[new.count - 1 - last] {
      last += 1
    }
    if first == old.count, first == new.count, nextFeatureID == formerNextFeatureID { return nil }
    keep(0, first)
    let middle = first..<old.count - last
    var places: [ObjectIdentifier: Int] = [:]
    for place in middle { places[ObjectIdentifier(old[place])] = place }
    var next = middle.lowerBound
    for block in new[first..<new.count - last] {
      if let place = places[ObjectIdentifier(block)] {
        keep(place, 1)
        next = place + 1
      } else {
        add(block, old, middle, from: &next)
      }
    }
    keep(old.count - last, last)
  }

  private mutating func keep(_ place: Int, _ count: Int) {
    guard count > 0 else { return }
    let end = entries.count
    if end >= 3, entries[end - 3] == Entry.kept,
      Int(entries[end - 2]) + Int(entries[end - 1]) == place
    {
      entries[end - 1] += UInt32(truncatingIfNeeded: count)
    } else {
      addEntry(Entry.kept, place, count)
    }
  }

  /// Adds a block by its former one, which is searched for from the last one on.
  private mutating func add(
    _ block: FeatureBlock, _ old: [FeatureBlock], _ middle: Range<Int>, from next: inout Int
  ) {
    let source = Self.source(of: block, old, middle, from: next)
    if let source, let change = BlockChange(from: old[source], to: block) {
      addEntry(Entry.changed, source, changes.count)
      changes.append(change)
      next = source
    } else {
      addEntry(Entry.new, 0, blocks.count)
      blocks.append(block)
    }
  }

  private mutating func addEntry(_ kind: UInt32, _ place: Int, _ number: Int) {
    entries.append(kind)
    entries.append(UInt32(truncatingIfNeeded: place))
    entries.append(UInt32(truncatingIfNeeded: number))
  }

  /// The former block that has a feature in common with a block.
  private static func source(
    of block: FeatureBlock, _ old: [FeatureBlock], _ middle: Range<Int>, from next: Int
  ) -> Int? {
    let samples = [block.featureIDs.first, block.featureIDs.last].compactMap { $0 }
    for place in [next..<middle.upperBound, middle.lowerBound..<next].joined() {
      for id in samples where old[place].row(of: id) != nil { return place }
    }
    return nil
  }

  /// The blocks after the change.
  ///
  /// - Throws: `DocumentError` if the change does not belong to these blocks.
  func blocks(after old: [FeatureBlock]) throws -> [FeatureBlock] {
    guard old.count == formerCount, entries.count % 3 == 0 else {
      throw BlockArrays.misfit("a change and its layer")
    }
    var new: [FeatureBlock] = []
    // Every block is listed once, but one that grew too large may have become several.
    let countMax = old.count + changes.count + blocks.count
    for index in stride(from: 0, to: entries.count, by: 3) {
      let (place, number) = (Int(entries[index + 1]), Int(entries[index + 2]))
      switch entries[index] {
      case Entry.kept where place <= old.count && number <= old.count - place:
        new += old[place..<place + number]
      case Entry.changed where place < old.count && number < changes.count:
        new.append(try changes[number].applied(to: old[place]))
      case Entry.new where number < blocks.count:
        new.append(blocks[number])
      default: throw BlockArrays.misfit("places of blocks")
      }
      guard new.count <= countMax else { throw BlockArrays.misfit("places of blocks") }
    }
    for block in new where block.rowCount == 0 || block.idBounds.last >= nextFeatureID {
      throw BlockArrays.misfit("numbers of features")
    }
    return new
  }
}

extension BlockListChange: Coding {
  static var archivedClass: ArchivedClass { "PortolanBlockListChange" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(layer, forKey: "layer")
    try coder.encodeInt(Int(clamping: nextFeatureID), forKey: "nextFeatureID")
    try coder.encodeInt(formerCount, forKey: "formerCount")
    try coder.encodePacked(entries, forKey: "entries")
    try coder.encodeObjects(changes, forKey: "changes")
    try coder.encodeObjects(blocks, forKey: "blocks")
  }

  init(coder: any DecodingCoder) throws {
    layer = try coder.decodeInt(forKey: "layer")
    nextFeatureID = try coder.decodeNumber(forKey: "nextFeatureID")
    formerCount = try coder.decodeInt(forKey: "formerCount")
    entries = try coder.decodePacked(UInt32.self, forKey: "entries")
    changes = try coder.decodeObjects(BlockChange.self, forKey: "changes")
    blocks = try coder.decodeObjects(FeatureBlock.self, forKey: "blocks")
  }
}
