/// Builds a column row by row, or from runs of other columns.
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
  package mutating func append(_ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>) {
    if kind.rawValue >= AttributeKind.number.rawValue { bytes.append(contentsOf: utf8) }
    kinds.append(kind.rawValue)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Appends a run of rows of another column.
  ///
  /// - Precondition: `rows` lies within the column.
  mutating func append(_ column: AttributeColumn, rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    let start = rows.lowerBound == 0 ? 0 : Int(column.ends[rows.lowerBound - 1])
    let end = Int(column.ends[rows.upperBound - 1])
    let shift = UInt32(truncatingIfNeeded: bytes.count &- start)
    kinds.append(contentsOf: column.kinds[rows])
    ends.append(contentsOf: column.ends[rows].lazy.map { $0 &+ shift })
    bytes.append(contentsOf: column.bytes[start..<end])
  }

  /// Appends missing rows until there are `rows`.
  package mutating func pad(toRows rows: Int) {
    let lacking = rows - kinds.count
    guard lacking > 0 else { return }
    kinds.append(contentsOf: repeatElement(AttributeKind.missing.rawValue, count: lacking))
    ends.append(
      contentsOf: repeatElement(UInt32(truncatingIfNeeded: bytes.count), count: lacking))
  }

  /// The bytes of text so far; a block is closed well before 2^32.
  package var byteCount: Int { bytes.count }

  /// The column; a text that is not UTF-8 is repaired, a number that is none becomes a string.
  package func column() -> AttributeColumn {
    AttributeColumn(name: name, kinds: kinds, ends: ends, bytes: bytes) ?? repaired()
  }

  private func repaired() -> AttributeColumn {
    var builder = AttributeColumnBuilder(name: name)
    var start = 0
    for (kind, end) in zip(kinds, ends) {
      let text = String(decoding: bytes[start..<Int(end)], as: UTF8.self)
      start = Int(end)
      switch AttributeKind(rawValue: kind) ?? .missing {
      case .missing: builder.append(.missing)
      case .null: builder.append(.null)
      case .no: builder.append(.bool(false))
      case .yes: builder.append(.bool(true))
      case .number: builder.append(NumberText.isValid(text) ? .number(text) : .string(text))
      case .string: builder.append(.string(text))
      case .json: builder.append(.json(text))
      }
    }
    return AttributeColumn(
      unchecked: name, kinds: builder.kinds, ends: builder.ends, bytes: builder.bytes)
  }
}

extension AttributeColumn {
  /// This column with other values in some rows.
  ///
  /// - Precondition: the rows rise and lie within the column.
  func replacing(rows: [Int], with value: AttributeValue) -> AttributeColumn {
    var builder = AttributeColumnBuilder(name: name)
    var next = 0
    for row in rows {
      builder.append(self, rows: next..<row)
      builder.append(value)
      next = row + 1
    }
    builder.append(self, rows: next..<rowCount)
    return builder.column()
  }

  /// Whether no row has a value.
  var isEmpty: Bool { kinds.allSatisfy { $0 == AttributeKind.missing.rawValue } }
}

extension AttributeColumn {
  /// A column without any value.
  static func missing(name: String, rows: Int) -> AttributeColumn {
    AttributeColumnBuilder(name: name, missingRows: rows).column()
  }
}
