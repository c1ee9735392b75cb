import PortolanDocuments

/// The items of a text: features or geometries in an array, on lines, or in a sequence.
extension GeoJSONReader {
  /// Reads the array of a collection.
  mutating func readItemArray(_ progress: (Double) throws -> Void) throws {
    guard scanner.current == UInt8(ascii: "[") else {
      throw scanner.wrongType("an array of features expected")
    }
    scanner.position += 1
    if learner.stepIn(&scanner, .items, close: UInt8(ascii: "]")) {
      scanner.position += 1
      return
    }
    // The part of the text in memory ends within the white space before the first item.
    if scanner.isAtEnd, let parts, !parts.isLast { throw ScanFault(.cut, at: scanner.count) }
    try readItems(.array, progress)
  }

  /// Reads a single feature or geometry, or one after the other (ndjson).
  mutating func readLines(_ progress: (Double) throws -> Void) throws {
    try readItems(.lines, progress)
    rootGaps.append(Array(scanner.bytes(lastGap)))
    if root != .lines { root = key.members.isEmpty ? .geometry : .feature }
  }

  /// Reads the items of an array or of lines; the position is at the first one.
  private mutating func readItems(
    _ items: TextParts.Items, _ progress: (Double) throws -> Void
  ) throws {
    var next = 0
    var end = regions.end(of: scanner.position)
    var isMore = true
    while isMore {
      if scanner.position >= next { next = try advance(items, progress) }
      isMore = try readItems(items, to: min(next, end))
      if isMore, scanner.position >= end {
        _ = builder.finish()
        isMore = try takeItemsAhead(items, progress)
        end = regions.end(of: scanner.position)
      }
    }
  }

  /// Reads the items from here to the first one that begins at an offset or behind it.
  ///
  /// - Returns: whether there is one.
  mutating func readItems(_ items: TextParts.Items, to end: Int) throws(ScanFault) -> Bool {
    repeat {
      if let chosen, !chosen.contains(builder.nextFeatureID &+ skipped) {
        skipLine()
      } else {
        try readItem()
      }
      let isMore = try items == .array ? stepToNextItem() : stepToNextLine()
      guard isMore else { return false }
    } while scanner.position < end
    return true
  }

  private mutating func stepToNextItem() throws(ScanFault) -> Bool {
    let start = scanner.position
    let mismatches = learner.mismatches
    let isMore = try learner.stepOn(&scanner, .items, close: UInt8(ascii: "]"))
    if isMore, learner.mismatches != mismatches {
      let parts = scanner.bytes(start..<scanner.position).split(
        separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      keepItemGap(Array(parts[0]), Array(parts[1]))
    }
    return isMore
  }

  private mutating func stepToNextLine() throws(ScanFault) -> Bool {
    let start = scanner.position
    scanner.skipWhitespace()
    let gap = start..<scanner.position
    lastGap = gap
    noteLine(gap)
    if scanner.isAtEnd { return false }
    guard scanner.current == UInt8(ascii: "{"), !gap.isEmpty else {
      // A further line is one of features.
      throw scanner.bytes(gap).contains(UInt8(ascii: "\n"))
        ? scanner.unexpected("a feature expected")
        : ScanFault(.moreAfterEnd, at: scanner.position)
    }
    root = .lines
    // Between chosen lines stand others, and their gaps have all been seen before.
    if chosen == nil {
      let mismatches = learner.mismatches
      learner.compare(scanner, start, gap.count, GeoJSONLayout.place(.items, .afterComma))
      if learner.mismatches != mismatches { keepItemGap([], Array(scanner.bytes(gap))) }
    }
    return true
  }

  /// Keeps the white space around the item read last.
  private mutating func keepItemGap(_ first: [UInt8], _ second: [UInt8]) {
    itemGaps[UInt64(featureNumber - 1)] = GeoJSONLayout.ItemGap(first: first, second: second)
  }

  /// Goes to the end of the line, over a feature that was read before.
  private mutating func skipLine() {
    let bytes = scanner.bytes(scanner.position..<scanner.count)
    scanner.position += ByteSearch.first(0x0A, in: bytes, from: 0) ?? bytes.count
    skipped &+= 1
  }

  /// Notes a feature that shares its line, or has several.
  private mutating func noteLine(_ gap: Range<Int>) {
    guard parts != nil, chosen == nil, areOnLines else { return }
    let end = scanner.bytes(item.start..<gap.upperBound)
    let line = ByteSearch.first(0x0A, in: end, from: 0)
    areOnLines = line.map { $0 >= gap.lowerBound - item.start } ?? scanner.isAtEnd
  }

  // MARK: Sequences

  /// Reads an RFC 8142 sequence: each text after a record separator.
  ///
  /// Separators without a text between them are allowed (RFC 7464, section 2.1); they count as
  /// white space before the next text.
  mutating func readSequence(_ progress: (Double) throws -> Void) throws {
    root = .sequence
    var next = 0
    let start = scanner.position
    scanner.skipWhitespace()
    rootGaps.append(Array(scanner.bytes(start..<scanner.position)))
    while !scanner.isAtEnd {
      guard scanner.current == 0x1E else { throw ScanFault(.moreAfterEnd, at: scanner.position) }
      if scanner.position >= next { next = try advance(.sequence, progress) }
      let separator = scanner.position
      skipSeparators()
      if scanner.isAtEnd {
        rootGaps.append(Array(scanner.bytes(separator..<scanner.position)))
        break
      }
      guard scanner.current == UInt8(ascii: "{") else {
        throw scanner.unexpected("a feature expected")
      }
      try readText(opening: separator + 1..<scanner.position)
    }
  }

  private mutating func skipSeparators() {
    while scanner.current == 0x1E {
      scanner.position += 1
      scanner.skipWhitespace()
    }
  }

  /// Reads one text of a sequence with the white space around it.
  private mutating func readText(opening: Range<Int>) throws {
    let container = GeoJSONLayout.Container.items
    var mismatches = learner.mismatches
    learner.compare(
      scanner, opening.lowerBound, opening.count, GeoJSONLayout.place(container, .afterOpen))
    var isOdd = learner.mismatches != mismatches
    try readItem()
    let start = scanner.position
    scanner.skipWhitespace()
    let closing = start..<scanner.position
    mismatches = learner.mismatches
    learner.compare(
      scanner, start, closing.count, GeoJSONLayout.place(container, .beforeComma))
    if learner.mismatches != mismatches || closing.isEmpty { isOdd = true }
    if isOdd { keepItemGap(Array(scanner.bytes(opening)), Array(scanner.bytes(closing))) }
  }
}
