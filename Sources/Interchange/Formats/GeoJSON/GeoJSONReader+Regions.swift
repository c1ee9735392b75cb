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
  var atOnce = 16
  /// How far a reader goes beyond its region to the end of an item, in bytes.
  var reach = 32 << 20

  /// The end of the region of an offset.
  func end(of offset: Int) -> Int { (offset / size + 1) * size }
}

/// A copy of a reader for another thread: it shares the text alone, which nothing changes.
struct ReaderCopy: @unchecked Sendable {
  let reader: GeoJSONReader
}

/// Regions that were read before the reader arrived at them.
struct RegionsAhead {
  /// The items of one region.
  struct Region {
    let start: Int
    /// A reader at the end of these items, with their blocks and notes and no others.
    let copy: ReaderCopy
    /// Whether more items follow.
    let isMore: Bool
  }

  /// The result of reading a region.
  enum Outcome {
    /// No item seems to begin there.
    case none
    case read(Region)
    /// A fault: no item begins at the place, or the copy could not read one.
    case failed
  }

  /// The regions read ahead, in reverse order: the next one is the last element.
  private var regions: [Region] = []
  /// The end of the last region that was read ahead.
  private(set) var end = 0
  /// The escape learner that the copies began with.
  private(set) var escapes = EscapeLearner()
  /// How many regions were taken over, and how many were read in vain.
  private(set) var taken = 0
  private(set) var waste = 0

  /// Whether so little is read in vain that more may be read ahead.
  var isWorthwhile: Bool { waste < 4 + taken / 8 }

  /// Adds the outcomes of regions up to an offset, in order.
  mutating func add(_ outcomes: [Outcome], to end: Int, _ escapes: EscapeLearner) {
    (self.end, self.escapes) = (end, escapes)
    for outcome in outcomes.reversed() {
      switch outcome {
      case .none: break
      case .read(let region): regions.append(region)
      case .failed: waste += 1
      }
    }
  }

  /// The region that begins at an offset; those before it are dropped.
  mutating func next(at offset: Int) -> Region? {
    while let region = regions.last, region.start <= offset {
      regions.removeLast()
      if region.start == offset { return region }
      waste += 1
    }
    return nil
  }

  mutating func note(isTaken: Bool) {
    if isTaken { taken += 1 } else { waste += 1 }
  }

  /// Drops all regions, so that reading ahead begins again at an offset.
  mutating func beginAgain(at offset: Int) {
    (regions, end, waste) = ([], offset, 0)
  }
}

/// Reading ahead: copies of the reader read the items of further regions on other processors, each
/// from a place where an item seems to begin.
///
/// The reader takes such items over if it arrives at that very place, and if its state lets the
/// copy have read what it would have read itself. Otherwise it reads the region: the result is that
/// of one reader, in all details. A fault in a region is met by the reader itself.
extension GeoJSONReader {
  /// Takes over the items from here on that are read ahead; reads ahead where that is due.
  ///
  /// - Returns: whether an item stands at the position.
  mutating func takeItemsAhead(
    _ items: TextParts.Items, _ progress: (Double) throws -> Void
  ) throws -> Bool {
    guard parts == nil else { return true }
    while true {
      if scanner.position >= ahead.end {
        try reportProgress(to: progress)
        readAhead(items)
      }
      if let region = ahead.next(at: scanner.position) {
        let isTaken = take(region)
        ahead.note(isTaken: isTaken)
        if isTaken {
          if !region.isMore { return false }
          continue
        }
      }
      // A choice about escapes was made since the copies began: three times at most.
      guard ahead.end > scanner.position, escapes.choices != ahead.escapes.choices else {
        return true
      }
      ahead.beginAgain(at: scanner.position)
    }
  }

  /// Reads the region at the position and those behind it, on several processors.
  private mutating func readAhead(_ items: TextParts.Items) {
    guard ahead.isWorthwhile, !systems.hasMembers, root != .geometryCollection,
      learner.byteCount <= Self.gapBytesMax
    else { return }
    let size = regions.size
    let first = scanner.position / size
    let number = min(regions.atOnce, (scanner.count - 1) / size + 1 - first)
    guard number > 1 else { return }
    let copy = copyAhead()
    let found = Mutex([RegionsAhead.Outcome](repeating: .none, count: number))
    DispatchQueue.concurrentPerform(iterations: number) { place in
      let start = (first + place) * size
      let outcome = copy.reader.region(items, start..<start + size, isFirst: place == 0)
      found.withLock { $0[place] = outcome }
    }
    ahead.add(found.withLock { $0 }, to: (first + number) * size, escapes)
  }

  /// The most white space that a reader has learned whose copies read ahead, in bytes: each copy
  /// has its own.
  private static let gapBytesMax = 64 << 10

  /// A copy with the learned layout and escapes, without blocks, notes and gaps.
  private func copyAhead() -> ReaderCopy {
    var reader = self
    reader.builder = FeatureBlockBuilder()
    reader.shapes = ShapeTable()
    reader.notes = NoteCollector()
    reader.systems = SystemEvidence()
    reader.itemGaps = [:]
    reader.text = []
    reader.ahead = RegionsAhead()
    // One search of the text before is enough for all readers.
    reader.escapes.leavesOpen = true
    return ReaderCopy(reader: reader)
  }

  /// The items of a region by a copy of this reader.
  ///
  /// - Parameter isFirst: whether the first item stands at the position.
  private func region(
    _ items: TextParts.Items, _ range: Range<Int>, isFirst: Bool
  ) -> RegionsAhead.Outcome {
    guard let start = isFirst ? scanner.position : itemStart(items, in: range) else {
      return .none
    }
    var reader = self
    reader.scanner.position = start
    reader.scanner.count = min(scanner.count, range.upperBound + regions.reach)
    guard let isMore = try? reader.readItems(items, to: range.upperBound),
      // The end of what it may read is no end of the text.
      !reader.scanner.isAtEnd || reader.scanner.count == scanner.count,
      !reader.escapes.hasLeftOpen, reader.learner.byteCount <= Self.gapBytesMax
    else { return .failed }
    reader.scanner.count = scanner.count
    _ = reader.builder.finish()
    return .read(
      RegionsAhead.Region(start: start, copy: ReaderCopy(reader: reader), isMore: isMore))
  }

  // MARK: Places

  /// How many objects of a region are looked at, and how far, to find a feature.
  private static let probesMax = 8
  private static let probeCount = 256 << 10

  /// The first place in a region where an item seems to begin.
  private func itemStart(_ items: TextParts.Items, in region: Range<Int>) -> Int? {
    let text = scanner.bytes(0..<min(scanner.count, region.upperBound))
    var probes = 0
    var place = region.lowerBound
    while let brace = ByteSearch.first(UInt8(ascii: "{"), in: text, from: place) {
      if items == .lines {
        if scanner.byte(at: brace - 1) == 0x0A { return brace }
      } else if isBehindObject(brace) {
        if isFeature(at: brace) { return brace }
        probes += 1
        if probes == Self.probesMax { return nil }
      }
      place = brace + 1
    }
    return nil
  }

  /// Whether an object and a comma stand before a brace.
  private func isBehindObject(_ brace: Int) -> Bool {
    let comma = lastOfText(before: brace)
    return scanner.byte(at: comma) == UInt8(ascii: ",")
      && scanner.byte(at: lastOfText(before: comma)) == UInt8(ascii: "}")
  }

  /// The last offset before another one that is no white space; -1 at the beginning.
  private func lastOfText(before offset: Int) -> Int {
    var offset = offset - 1
    while offset >= 0 {
      let byte = scanner.byte(at: offset)
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      offset -= 1
    }
    return offset
  }

  /// Whether the brace opens a feature, as far as its type is near.
  private func isFeature(at brace: Int) -> Bool {
    var probe = self
    probe.scanner.position = brace
    probe.scanner.count = min(scanner.count, brace + Self.probeCount)
    return (try? probe.isFeature()) ?? false
  }

  // MARK: Taking over

  /// Adds the items of a region that begins at the position, and goes to their end.
  ///
  /// - Returns: `false` if this reader would have read them in another way.
  private mutating func take(_ region: RegionsAhead.Region) -> Bool {
    let other = region.copy.reader
    guard !systems.hasMembers, !other.systems.hasMembers, escapes.reads(like: ahead.escapes),
      learner.take(other.learner)
    else { return false }
    let former = builder.nextFeatureID - 1
    builder.append(closed: other.builder.blocks)
    notes.append(other.notes, featuresBefore: Int(truncatingIfNeeded: former))
    for (number, gap) in other.itemGaps { itemGaps[number &+ former] = gap }
    systems.append(other.systems)
    decimals = max(decimals, other.decimals)
    escapes.append(other.escapes)
    (item, lastGap) = (other.item, other.lastGap)
    scanner.position = other.scanner.position
    return true
  }
}
