/// One attribute of all features of a block, packed: it stands in the archive as in memory.
///
///     kinds   one `AttributeKind` byte a row
///     ends    the end of row i's text in `bytes` (its start is the end of row i-1)
///     bytes   the UTF-8 text of numbers, strings and JSON values, back to back
package struct AttributeColumn: Hashable, Sendable {
  package let name: String
  package let kinds: [UInt8]
  package let ends: [UInt32]
  package let bytes: [UInt8]

  /// Makes a column of arrays that fit together; `nil` if they do not, or if a text is not UTF-8.
  package init?(name: String, kinds: [UInt8], ends: [UInt32], bytes: [UInt8]) {
    guard kinds.count == ends.count, kinds.allSatisfy({ $0 <= 6 }) else { return nil }
    var previous: UInt32 = 0
    for (kind, end) in zip(kinds, ends) {
      guard end >= previous, kind >= AttributeKind.number.rawValue || end == previous else {
        return nil
      }
      previous = end
    }
    guard Int(previous) == bytes.count else { return nil }
    self.init(unchecked: name, kinds: kinds, ends: ends, bytes: bytes)
  }

  /// Makes a column of arrays that are known to fit: those of the builder.
  init(unchecked name: String, kinds: [UInt8], ends: [UInt32], bytes: [UInt8]) {
    self.name = name
    self.kinds = kinds
    self.ends = ends
    self.bytes = bytes
  }

  package var rowCount: Int { kinds.count }

  /// The kind of a row's value; `.missing` outside the column.
  package func kind(_ row: Int) -> AttributeKind {
    kinds.indices.contains(row) ? AttributeKind(rawValue: kinds[row]) ?? .missing : .missing
  }

  /// The bytes of a row's text within `bytes`.
  ///
  /// - Precondition: `row` is below `rowCount`.
  package func textRange(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }

  /// A row's value; `.missing` outside the column.
  package func value(_ row: Int) -> AttributeValue {
    switch kind(row) {
    case .missing: .missing
    case .null: .null
    case .no: .bool(false)
    case .yes: .bool(true)
    case .number: .number(text(row))
    case .string: .string(text(row))
    case .json: .json(text(row))
    }
  }

  private func text(_ row: Int) -> String {
    String(decoding: bytes[textRange(row)], as: UTF8.self)
  }
}

/// Builds a column row by row.
package struct AttributeColumnBuilder: Sendable {
  package let name: String
  private var kinds: [UInt8] = []
  private var ends: [UInt32] = []
  private var bytes: [UInt8] = []

  /// Starts a column whose first `rows` rows are missing.
  package init(name: String, missingRows rows: Int = 0) {
    self.name = name
    kinds = [UInt8](repeating: AttributeKind.missing.rawValue, count: rows)
    ends = [UInt32](repeating: 0, count: rows)
  }

  package var rowCount: Int { kinds.count }

  package mutating func append(_ value: AttributeValue) {
    switch value {
    case .number(let text), .string(let text), .json(let text):
      bytes.append(contentsOf: text.utf8)
    case .missing, .null, .bool: break
    }
    kinds.append(value.kind.rawValue)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Appends a row whose text is already UTF-8, without making a string of it.
  package mutating func append(_ kind: AttributeKind, utf8: some Collection<UInt8>) {
    bytes.append(contentsOf: utf8)
    kinds.append(kind.rawValue)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Appends missing rows until there are `rows`.
  package mutating func pad(toRows rows: Int) {
    while kinds.count < rows {
      kinds.append(AttributeKind.missing.rawValue)
      ends.append(UInt32(truncatingIfNeeded: bytes.count))
    }
  }

  /// The bytes of text so far; a block is closed well before 2^32.
  package var byteCount: Int { bytes.count }

  package func column() -> AttributeColumn {
    AttributeColumn(unchecked: name, kinds: kinds, ends: ends, bytes: bytes)
  }
}
