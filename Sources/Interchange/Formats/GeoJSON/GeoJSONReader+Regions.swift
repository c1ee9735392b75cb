import Dispatch
import PortolanDocuments
import Synchronization

/// How a long text is divided among processors.
///
/// The first item of each region begins a block, whether one reader reads all items or several
/// readers: the blocks depend on the text alone.
struct TextRegions {
  /// The bytes of a region.
  var size = 4 << 20
  /// How many regions are read at once: between two reports of progress.
  var count = 16
  /// How far a reader goes beyond its region to the end of an item, in bytes.
  var reach = 32 << 20

  /// The end of the region of an offset.
  func end(of offset: Int) -> Int { (offset / size + 1) * size }
}

/// A copy of a reader for another thread: it shares the text alone, which nothing changes.
struct ReaderCopy: @unchecked Sendable {
  let reader: GeoJSONReader
}

/// Items that were read before the reader arrived at them.
struct ItemsAhead {
  /// The items of one region.
  struct Region {
    let start: Int
    /// The reader after these items, with what is theirs alone.
    let copy: ReaderCopy
    /// Whether more items follow.
    let isMore: Bool
  }

  /// How many regions may be read in vain: what looks like an item stands within others there.
  static let wasteMax = 4

  /// What was read, by rising starts.
  var regions: ArraySlice<Region> = []
  /// What was known of escapes when the copies began.
  var escapes = EscapeLearner()
  /// The end of the last region that was read ahead.
  var end = 0
  /// How many regions were taken over, and how many were read in vain.
  private(set) var taken = 0
  private(set) var waste = 0

  /// The next region, which begins at an offset or before it.
  mutating func next(upTo offset: Int) -> Region? {
    guard let region = regions.first, region.start <= offset else { return nil }
    return regions.removeFirst()
  }

  mutating func count(isTaken: Bool) {
    if isTaken { taken += 1 } else { waste += 1 }
  }
}

/// Reading ahead: copies of the reader read the items of further regions on other processors, each
/// from a place where an item seems to begin.
///
/// The reader takes such items over if it arrives at that very place, and if its state lets the
/// copy have read what it would have read itself. Otherwise it reads the region: the result is that
/// of one reader, in all details. A fault in a region is met by the reader itself.
extension GeoJSONReader {
  /// Takes over the items from here on that are read ahead; reads ahead if that is due.
  ///
  /// - Returns: whether an item stands at the position.
  mutating func takeItemsAhead(_ items: TextParts.Items) -> Bool {
    guard parts == nil else { return true }
    if ahead.regions.isEmpty, scanner.position >= ahead.end { readAhead(items) }
    while let region = ahead.next(upTo: scanner.position) {
      let isTaken = region.start == scanner.position && take(region)
      ahead.count(isTaken: isTaken)
      if isTaken, !region.isMore { return false }
    }
    return true
  }

  /// Reads the region at the position and those behind it, on all processors.
  private mutating func readAhead(_ items: TextParts.Items) {
    guard ahead.waste < ItemsAhead.wasteMax, !systems.hasItems else { return }
    let first = scanner.position / regions.size
    let last = (scanner.count - 1) / regions.size
    let count = min(regions.count, last + 1 - first)
    guard count > 1 else { return }
    (ahead.escapes, ahead.end) = (escapes, (first + count) * regions.size)
    let copy = readerAhead()
    let found = Mutex([ItemsAhead.Region?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { number in
      let reader = copy.reader
      let end = (first + number + 1) * reader.regions.size
      let start =
        number == 0
        ? reader.scanner.position : reader.itemStart(items, in: end - reader.regions.size..<end)
      let region = start.flatMap { reader.region(items, from: $0, to: end) }
      found.withLock { $0[number] = region }
    }
    ahead.regions = found.withLock { $0.compactMap { $0 } }[...]
  }

  /// A copy with nothing of the items so far.
  private func readerAhead() -> ReaderCopy {
    var reader = self
    reader.builder = FeatureBlockBuilder()
    reader.shapes = ShapeTable()
    reader.notes = NoteCollector()
    reader.systems = SystemEvidence()
    reader.itemGaps = [:]
    reader.ahead = ItemsAhead()
    return ReaderCopy(reader: reader)
  }

  /// The items of a region by a copy of this reader; `nil` if it finds a fault.
  private func region(
    _ items: TextParts.Items, from start: Int, to end: Int
  ) -> ItemsAhead.Region? {
    var reader = self
    reader.scanner.position = start
    reader.scanner.count = min(scanner.count, end + regions.reach)
    guard let isMore = try? reader.readItems(items, to: end) else { return nil }
    // The end of what it may read is no end of the text.
    if reader.scanner.isAtEnd, reader.scanner.count < scanner.count { return nil }
    reader.scanner.count = scanner.count
    _ = reader.builder.finish()
    return ItemsAhead.Region(start: start, copy: ReaderCopy(reader: reader), isMore: isMore)
  }

  // MARK: Places

  /// The first place in a region where an item seems to begin.
  private func itemStart(_ items: TextParts.Items, in region: Range<Int>) -> Int? {
    let text = scanner.bytes(0..<min(scanner.count, region.upperBound))
    var place = region.lowerBound
    // A few that are none are common only where the text is made to mislead.
    for _ in 0..<32 {
      guard let brace = ByteSearch.first(UInt8(ascii: "{"), in: text, from: place) else { break }
      if items == .array ? isFeature(at: brace) : scanner.byte(at: brace - 1) == 0x0A {
        return brace
      }
      place = brace + 1
    }
    return nil
  }

  /// Whether the brace behind another object and a comma opens a feature.
  private func isFeature(at brace: Int) -> Bool {
    func before(_ offset: Int) -> Int {
      var offset = offset - 1
      while offset > 0, [0x20, 0x0A, 0x0D, 0x09].contains(scanner.base[offset]) { offset -= 1 }
      return offset
    }
    let comma = before(brace)
    guard scanner.byte(at: comma) == UInt8(ascii: ","),
      scanner.byte(at: before(comma)) == UInt8(ascii: "}")
    else { return false }
    var probe = self
    probe.scanner.position = brace
    // The type stands before or behind the values; most are short.
    probe.scanner.count = min(scanner.count, brace + 1 << 20)
    return (try? probe.isFeature()) ?? false
  }

  // MARK: Taking over

  /// Adds the items of a region that begins at the position, and goes to their end.
  ///
  /// - Returns: `false` if this reader would have read them in another way.
  private mutating func take(_ region: ItemsAhead.Region) -> Bool {
    let other = region.copy.reader
    guard !systems.hasItems, !other.systems.hasItems, escapes.readsOn(as: ahead.escapes),
      learner.take(other.learner)
    else { return false }
    let former = builder.nextFeatureID - 1
    builder.append(closed: other.builder.blocks)
    notes.append(other.notes, featuresBefore: Int(truncatingIfNeeded: former))
    for (number, gap) in other.itemGaps { itemGaps[number &+ former] = gap }
    systems.append(other.systems)
    decimals = max(decimals, other.decimals)
    (escapes, item, lastGap) = (other.escapes, other.item, other.lastGap)
    scanner.position = other.scanner.position
    return true
  }
}
