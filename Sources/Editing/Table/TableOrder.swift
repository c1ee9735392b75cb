import PortolanDocuments
import PortolanExpressions

/// A key of the order of a table's rows.
struct TableKey: Hashable, Sendable {
  var source: TableColumn.Source
  /// Whether the greatest values come first.
  var isFalling = false
}

/// Sorts the rows of blocks as `query --sort` does: numbers by their exact value, then texts by
/// their code points, then false and true; null and missing last both ways; equal rows keep their
/// order.
///
/// Rows are sorted by the first 64 bits of a value, which are in the order of the values. Those
/// with the same bits are a tie, which the next bytes of a text decide, or the next key.
struct TableOrder {
  /// A value as its kind and as bits that rise with it, both turned round for a falling key.
  private struct Rank {
    var kind: UInt8
    var bits: UInt64
  }

  private enum Kind {
    static let number: UInt8 = 0
    static let text: UInt8 = 1
    static let truth: UInt8 = 2
    static let null: UInt8 = 3
  }

  /// Entries that are equal as far as they were compared.
  private struct Tie {
    var range: Range<Int>
    /// The key that decides next.
    var key: Int
    /// The number of pieces of its texts that are known to be equal.
    var pieces: Int
  }

  private let rows: TableRows
  private let keys: [TableKey]
  /// The columns of each block, for each key.
  private let columns: [[AttributeColumn?]]
  /// The block of each row.
  private let blocks: [UInt32]
  private var entries: [RankedRow]

  /// The rows in order.
  ///
  /// - Parameters:
  ///   - rows: the rows in the order of the layer.
  ///   - report: takes the part that is done; what it throws ends the work.
  /// - Complexity: O(rows · keys + the bytes that equal texts begin with).
  static func sorted(
    _ rows: TableRows, by keys: [TableKey], report: (Double) throws -> Void
  ) rethrows -> [UInt32] {
    var order = TableOrder(rows, keys)
    try order.sort(report)
    return order.entries.map(\.row)
  }

  private init(_ rows: TableRows, _ keys: [TableKey]) {
    self.rows = rows
    self.keys = keys
    columns = keys.map { key in rows.blocks.map { key.source.column(of: $0) } }
    blocks = rows.blocks.enumerated().flatMap { index, block in
      repeatElement(UInt32(truncatingIfNeeded: index), count: block.rowCount)
    }
    entries = (0..<rows.count).map { RankedRow(row: UInt32(truncatingIfNeeded: $0)) }
  }

  private mutating func sort(_ report: (Double) throws -> Void) rethrows {
    var ties = [Tie(range: entries.indices, key: 0, pieces: 0)]
    var settled = 0
    while let tie = ties.popLast() {
      guard tie.key < keys.count, tie.range.count > 1 else {
        settled += tie.range.count
        continue
      }
      let part = Double(settled) / Double(entries.count)
      try load(tie) { try report(part) }
      try RankedRow.sort(&entries, tie.range) { try report(part) }
      let left = self.ties(in: tie)
      settled += tie.range.count - left.reduce(0) { $0 + $1.range.count }
      ties += left
    }
  }

  /// Gives the entries of a tie the ranks that decide next.
  private mutating func load(_ tie: Tie, _ report: () throws -> Void) rethrows {
    let isFalling = keys[tie.key].isFalling
    for (index, place) in tie.range.enumerated() {
      if index & 0xFFFF == 0xFFFF { try report() }
      let row = Int(entries[place].row)
      let block = Int(blocks[row])
      let column = columns[tie.key][block]
      var rank = Rank(kind: Kind.null, bits: 0)
      if let column, let found = Self.rank(column, row - rows.starts[block], tie.pieces) {
        rank = isFalling ? Rank(kind: Self.turned(found.kind), bits: ~found.bits) : found
      }
      (entries[place].kind, entries[place].bits) = (rank.kind, rank.bits)
    }
  }

  /// The ties that are left in sorted entries.
  private mutating func ties(in tie: Tie) -> [Tie] {
    var found: [Tie] = []
    var start = tie.range.lowerBound
    while start < tie.range.upperBound {
      var end = start + 1
      let first = entries[start]
      while end < tie.range.upperBound, entries[end].hasRank(of: first) { end += 1 }
      if end > start + 1 { found += next(start..<end, of: tie) }
      start = end
    }
    return found
  }

  /// What decides between entries of one rank.
  private mutating func next(_ range: Range<Int>, of tie: Tie) -> [Tie] {
    let following = Tie(range: range, key: tie.key + 1, pieces: 0)
    let isFalling = keys[tie.key].isFalling
    let (kind, bits) = (entries[range.lowerBound].kind, entries[range.lowerBound].bits)
    switch isFalling ? (Self.turned(kind), ~bits) : (kind, bits) {
    // Short texts are whole in their bits, numbers below 2^53 in their doubles.
    case (Kind.text, let bits) where bits & 0xFF > Self.bytesInBits:
      return [Tie(range: range, key: tie.key, pieces: tie.pieces + 1)]
    case (Kind.number, let bits) where Self.double(bits).magnitude >= 0x1p53:
      return exactTies(range, following, isFalling)
    default: return [following]
    }
  }

  /// Sorts great numbers of one double by their exact values; returns what the next key decides.
  private mutating func exactTies(
    _ range: Range<Int>, _ following: Tie, _ isFalling: Bool
  ) -> [Tie] {
    let key = following.key - 1
    let values = entries[range].map { entry in
      (entry: entry, number: number(key, Int(entry.row)) ?? .real(0))
    }
    let sorted = values.sorted { left, right in
      let order = Number.order(left.number, right.number)
      return order == 0 ? left.entry.row < right.entry.row : (order < 0) != isFalling
    }
    var found: [Tie] = []
    var start = 0
    for (index, value) in sorted.enumerated() {
      entries[range.lowerBound + index] = value.entry
      let isLast = index + 1 == sorted.count
      guard isLast || Number.order(value.number, sorted[index + 1].number) != 0 else { continue }
      var tie = following
      tie.range = range.lowerBound + start..<range.lowerBound + index + 1
      found.append(tie)
      start = index + 1
    }
    return found
  }

  private func number(_ key: Int, _ row: Int) -> Number? {
    let block = Int(blocks[row])
    return columns[key][block].flatMap { Self.number($0, row - rows.starts[block]) }
  }

  // MARK: Ranks

  /// The kind where the greatest come first.
  private static func turned(_ kind: UInt8) -> UInt8 {
    kind == Kind.null ? kind : Kind.truth - kind
  }

  /// The rank of a value, of a text behind some pieces; `nil` for null, missing values and numbers
  /// beyond all doubles.
  private static func rank(_ column: AttributeColumn, _ row: Int, _ pieces: Int) -> Rank? {
    switch column.kind(row) {
    case .missing, .null: nil
    case .no: Rank(kind: Kind.truth, bits: 0)
    case .yes: Rank(kind: Kind.truth, bits: 1)
    case .number: number(column, row).map { Rank(kind: Kind.number, bits: bits($0.double)) }
    case .string, .json:
      Rank(
        kind: Kind.text,
        bits: bits(column.bytes[column.textRange(row)].dropFirst(pieces * bytesInBits)))
    }
  }

  private static let bytesInBits = 7

  /// The first seven bytes of a text, and behind them its length, 8 for all longer ones.
  private static func bits(_ text: ArraySlice<UInt8>) -> UInt64 {
    var bits: UInt64 = 0
    for byte in text.prefix(bytesInBits) { bits = bits << 8 | UInt64(byte) }
    bits <<= UInt64(8 * max(0, bytesInBits - text.count))
    return bits << 8 | UInt64(min(text.count, bytesInBits + 1))
  }

  private static func number(_ column: AttributeColumn, _ row: Int) -> Number? {
    let range = column.textRange(row)
    return column.bytes.withUnsafeBufferPointer {
      Number(UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  /// The bits of a double, rising with it; both zeros are one.
  private static func bits(_ double: Double) -> UInt64 {
    let bits = double == 0 ? 0 : double.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func double(_ bits: UInt64) -> Double {
    Double(bitPattern: bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits)
  }
}
