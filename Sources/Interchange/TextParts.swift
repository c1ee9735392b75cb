package import PortolanDocuments

/// A format that can be read in parts: the memory does not depend on the size of the file.
package protocol PartImporter: Importer {
  /// Reads a file, and hands over its features in blocks.
  ///
  /// The blocks and the result are those of `read`, but the features are not in the result.
  ///
  /// - Parameters:
  ///   - memory: that of the first reading of the text, for the second one.
  ///   - take: called with each block in order; it ends the reading by throwing.
  /// - Throws: as `read`, the error of `take`, or `TextParts.NeedsWhole`.
  func readParts(
    of text: TextSource, options: ImportOptions, memory: PartMemory,
    progress: (Double) throws -> Void, take: (FeatureBlock) throws -> Void
  ) throws -> ImportResult
}

/// What the first reading of a text leaves to the second one, which may skip features then.
package final class PartMemory {
  /// The numbers of the features that the second reading is for; `nil` for all.
  package var chosen: FeatureNumbers?
  /// What the first reading learned; `nil` where features cannot be skipped.
  var learned: (layout: LayoutLearner, escapes: EscapeLearner)?

  package init() {}

  /// Whether the second reading skips the features that are not chosen; those that it hands over
  /// have other numbers then.
  package var skips: Bool { chosen != nil && learned != nil }
}

/// Some numbers of features, a bit each.
package struct FeatureNumbers {
  private var words: [UInt64] = []

  package init() {}

  package mutating func insert(_ number: UInt64) {
    guard let index = Int(exactly: number >> 6) else { return }
    while index >= words.count { words.append(0) }
    words[index] |= 1 << (number & 63)
  }

  package func contains(_ number: UInt64) -> Bool {
    guard let index = Int(exactly: number >> 6), index < words.count else { return false }
    return words[index] >> (number & 63) & 1 == 1
  }
}

/// A format that can be written from blocks that come one after the other.
package protocol PartExporter: Exporter {
  /// Writes the features of one layer in degrees on WGS 84.
  ///
  /// - Parameters:
  ///   - layer: the layer without its features; its source has a root of many features.
  ///   - features: calls its argument with each block, as often as it is called itself.
  func write(
    _ layer: any FeatureHolding, options: ExportOptions, to sink: ([UInt8]) throws -> Void,
    features: @escaping ((FeatureBlock) throws -> Void) throws -> Void
  ) throws -> ExportReport
}

/// The bytes of a file that is read in parts, as often as wanted.
package struct TextSource {
  package let byteCount: Int
  /// How many bytes are read at once.
  let pieceCount: Int
  /// Fills memory with the bytes from an offset on.
  private let fill: (Int, UnsafeMutableRawBufferPointer) throws -> Void

  /// - Parameter fill: fills memory with the bytes from an offset on, which are there.
  package init(
    byteCount: Int, pieceCount: Int,
    fill: @escaping (Int, UnsafeMutableRawBufferPointer) throws -> Void
  ) {
    (self.byteCount, self.pieceCount, self.fill) = (byteCount, max(1, pieceCount), fill)
  }

  func read(_ memory: UnsafeMutableRawBufferPointer, at offset: Int) throws {
    try fill(offset, memory)
  }

  /// The lines and columns of offsets, which rise; the text is read up to the last one.
  func places(of offsets: [Int]) throws -> [Int: (line: Int, column: Int)] {
    guard let last = offsets.last else { return [:] }
    var places: [Int: (line: Int, column: Int)] = [:]
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var rest = offsets[...]
    var (offset, line, column) = (0, 1, 1)
    while offset < min(last, byteCount) {
      let count = min(piece.count, byteCount - offset)
      try piece.withUnsafeMutableBytes { try read(.init(rebasing: $0[..<count]), at: offset) }
      for byte in piece[..<count] {
        while let next = rest.first, next <= offset {
          places[next] = (line, column)
          rest = rest.dropFirst()
        }
        if byte == 0x0A {
          (line, column) = (line + 1, 1)
        } else if byte & 0xC0 != 0x80 {
          column += 1
        }
        offset += 1
      }
    }
    for next in rest { places[next] = (line, column) }
    return places
  }
}

/// The part of a text that is in memory: whole items, and the beginning of the next one.
package final class TextParts {
  /// The text cannot be read in parts: an item is too large, or what comes first depends on what
  /// comes last.
  package struct NeedsWhole: Error {}

  /// How the items of a text stand.
  enum Items {
    /// In an array of JSON.
    case array
    /// Each at the beginning of a line.
    case lines
    /// Each behind a record separator.
    case sequence
  }

  /// How many bytes may be in memory.
  private static let countMax = 16 << 20
  /// How much white space may differ from that of its place.
  static let oddGapsMax = 1000

  let byteCount: Int
  let take: (FeatureBlock) throws -> Void
  let memory: PartMemory
  private let text: TextSource
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The offset of the first byte in memory, and their number.
  private var offset = 0
  private var count = 0
  /// The offset before which all items are whole.
  private var limit = 0

  /// Begins with so many bytes.
  init(
    _ text: TextSource, first: Int, _ memory: PartMemory,
    take: @escaping (FeatureBlock) throws -> Void
  ) throws {
    (self.text, self.memory, self.take) = (text, memory, take)
    byteCount = text.byteCount
    capacity = 2 * text.pieceCount
    start = .allocate(capacity: capacity)
    repeat { try load() } while count < min(first, byteCount)
  }

  deinit { start.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Whether the end of the text is in memory.
  var isLast: Bool { offset + count == byteCount }

  /// Whether a fault is one of the text, and not of a part cut off.
  func isCertain(_ fault: ScanFault) -> Bool {
    isLast || fault.code != .cut && fault.offset < limit
  }

  /// Whether the first items are still to be found.
  var isAtStart: Bool { limit == 0 && !isLast }

  /// Goes on: drops what is read, and loads more.
  ///
  /// - Returns: the offset of the last item in memory, before which all are whole, beyond the text
  ///   at its end.
  func advance(
    _ scanner: inout JSONScanner, _ escapes: inout EscapeLearner, _ items: Items
  ) throws -> Int {
    drop(&scanner, &escapes)
    limit = byteCount + 1
    while !isLast {
      try load()
      guard !isLast, let last = lastItem(items) else { continue }
      limit = offset + last
      break
    }
    scanner.enter(bytes, from: offset)
    return limit
  }

  /// Loads the rest of the text, in which there are no items.
  func loadRest(_ scanner: inout JSONScanner, _ escapes: inout EscapeLearner) throws {
    if isLast { return }
    drop(&scanner, &escapes)
    while !isLast { try load() }
    limit = byteCount + 1
    scanner.enter(bytes, from: offset)
  }

  private func drop(_ scanner: inout JSONScanner, _ escapes: inout EscapeLearner) {
    let read = min(scanner.position - offset, count)
    escapes.leave(UnsafeBufferPointer(rebasing: bytes[..<read]), from: offset)
    start.update(from: start + read, count: count - read)
    offset += read
    count -= read
  }

  private func load() throws {
    let room = min(text.pieceCount, byteCount - offset - count)
    if count + room > capacity {
      guard capacity < Self.countMax else { throw NeedsWhole() }
      capacity = max(2 * capacity, count + room)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      larger.update(from: start, count: count)
      start.deallocate()
      start = larger
    }
    try text.read(
      UnsafeMutableRawBufferPointer(start: start + count, count: room), at: offset + count)
    count += room
  }

  /// Where the last item begins, if it is not the first in memory.
  private func lastItem(_ items: Items) -> Int? {
    switch items {
    case .array: return lastInArray()
    case .lines:
      let brace = UInt8(ascii: "{")
      return (1..<count).last { start[$0] == brace && start[$0 - 1] == 0x0A }
    case .sequence: return (1..<count).last { start[$0] == 0x1E }
    }
  }

  /// The same in an array: where the last object begins that is not within another value.
  private func lastInArray() -> Int? {
    var (depth, place) = (0, 0)
    var last: Int?
    while place < count {
      switch start[place] {
      case UInt8(ascii: "\""):
        place += 1
        while place < count, start[place] != UInt8(ascii: "\"") {
          place += start[place] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"):
        if depth == 0, place > 0 { last = place }
        depth += 1
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        // The end of the array.
        if depth < 0 { return last }
      default: break
      }
      place += 1
    }
    return last
  }
}
