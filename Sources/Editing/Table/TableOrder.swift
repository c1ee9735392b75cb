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
/// Each value is read once, from the packed bytes of its column, as 64 bits in the same order; only
/// where the bits are equal the values themselves are compared.
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

  private struct Entry {
    var bits: UInt64
    var row: UInt32
    var kind: UInt8
  }

  private let rows: TableRows
  private let keys: [TableKey]
  /// The columns of each block, for each key.
  private let columns: [[AttributeColumn?]]
  private let ranks: [[Rank]]

  /// The rows in order.
  ///
  /// - Parameters:
  ///   - rows: the rows in the order of the layer.
  ///   - report: takes the part that is done; what it throws ends the work.
  /// - Complexity: O(rows log rows).
  static func sorted(
    _ rows: TableRows, by keys: [TableKey], report: (Double) throws -> Void
  ) rethrows -> [UInt32] {
    let order = try TableOrder(rows, keys, report)
    return try order.sorted(report)
  }

  private init(
    _ rows: TableRows, _ keys: [TableKey], _ report: (Double) throws -> Void
  ) rethrows {
    self.rows = rows
    self.keys = keys
    columns = keys.map { key in rows.blocks.map { key.source.column(of: $0) } }
    var ranks: [[Rank]] = []
    for (key, columns) in zip(keys, columns) {
      var made: [Rank] = []
      made.reserveCapacity(rows.count)
      for (block, column) in zip(rows.blocks, columns) {
        try report(0.3 * Double(made.count) / Double(max(1, rows.count)))
        Self.append(column, rowCount: block.rowCount, isFalling: key.isFalling, to: &made)
      }
      ranks.append(made)
    }
    self.ranks = ranks
  }

  private func sorted(_ report: (Double) throws -> Void) rethrows -> [UInt32] {
    guard let first = ranks.first else { return (0..<rows.count).map { UInt32($0) } }
    var entries = first.enumerated().map { row, rank in
      Entry(bits: rank.bits, row: UInt32(truncatingIfNeeded: row), kind: rank.kind)
    }
    let steps = Double(entries.count) * Double(Int.bitWidth - entries.count.leadingZeroBitCount)
    var count = 0
    try entries.sort { left, right in
      count &+= 1
      if count & 0xFFFF == 0 { try report(min(0.3 + 0.7 * Double(count) / steps, 1)) }
      if left.kind != right.kind { return left.kind < right.kind }
      if left.bits != right.bits { return left.bits < right.bits }
      return comes(Int(left.row), before: Int(right.row))
    }
    return entries.map(\.row)
  }

  /// Whether a row comes before another whose first ranks are equal.
  private func comes(_ left: Int, before right: Int) -> Bool {
    for key in keys.indices {
      let (first, second) = (ranks[key][left], ranks[key][right])
      if first.kind != second.kind { return first.kind < second.kind }
      if first.bits != second.bits { return first.bits < second.bits }
      let order = exact(key, first, left, right)
      if order != 0 { return (order < 0) != keys[key].isFalling }
    }
    return left < right
  }

  /// The order of two values with equal ranks.
  private func exact(_ key: Int, _ rank: Rank, _ left: Int, _ right: Int) -> Int {
    let isFalling = keys[key].isFalling
    let kind = isFalling ? Self.turned(rank.kind) : rank.kind
    let bits = isFalling ? ~rank.bits : rank.bits
    switch kind {
    // Short texts are whole in their bits, numbers below 2^53 in their doubles.
    case Kind.text where bits & 0xFF > Self.bytesInBits: break
    case Kind.number where Self.double(bits).magnitude >= 0x1p53: break
    default: return 0
    }
    guard let (first, firstRow) = value(key, left), let (second, secondRow) = value(key, right)
    else { return 0 }
    if kind == Kind.text {
      return Self.order(
        first.bytes[first.textRange(firstRow)], second.bytes[second.textRange(secondRow)])
    }
    guard let number = Self.number(first, firstRow), let other = Self.number(second, secondRow)
    else { return 0 }
    return Number.order(number, other)
  }

  private func value(_ key: Int, _ row: Int) -> (AttributeColumn, Int)? {
    let block = rows.block(of: row)
    return columns[key][block].map { ($0, row - rows.starts[block]) }
  }

  // MARK: Ranks

  private static func append(
    _ column: AttributeColumn?, rowCount: Int, isFalling: Bool, to ranks: inout [Rank]
  ) {
    let null = Rank(kind: Kind.null, bits: 0)
    guard let column else {
      ranks.append(contentsOf: repeatElement(null, count: rowCount))
      return
    }
    for row in 0..<rowCount {
      let rank = rank(column, row) ?? null
      ranks.append(
        isFalling && rank.kind != Kind.null
          ? Rank(kind: turned(rank.kind), bits: ~rank.bits) : rank)
    }
  }

  /// The kind where the greatest come first.
  private static func turned(_ kind: UInt8) -> UInt8 {
    kind == Kind.null ? kind : Kind.truth - kind
  }

  /// `nil` for null, missing values and numbers beyond all doubles.
  private static func rank(_ column: AttributeColumn, _ row: Int) -> Rank? {
    switch column.kind(row) {
    case .missing, .null: nil
    case .no: Rank(kind: Kind.truth, bits: 0)
    case .yes: Rank(kind: Kind.truth, bits: 1)
    case .number: number(column, row).map { Rank(kind: Kind.number, bits: bits($0.double)) }
    case .string, .json:
      Rank(kind: Kind.text, bits: bits(column.bytes[column.textRange(row)]))
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

  private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    if left.lexicographicallyPrecedes(right) { return -1 }
    return left.count == right.count && left.elementsEqual(right) ? 0 : 1
  }
}
