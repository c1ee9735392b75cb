/// Builds a column row by row, or from runs of other columns.
package struct AttributeColumnBuilder: Sendable {
  package let name: String
  package var kinds: [UInt8] = []
  package var ends: [UInt32] = []
  package var bytes: [UInt8] = []

  package init(name: String) { self.name = name }

  package var rowCount: Int { kinds.count }
  /// The bytes of text so far; a block is closed well before 2^32.
  var byteCount: Int { bytes.count }
  /// Whether no row has a value.
  var isEmpty: Bool { kinds.allSatisfy { $0 == AttributeKind.missing.rawValue } }

  package mutating func append(_ value: AttributeValue) {
    if value.kind.rawValue >= AttributeKind.number.rawValue {
      bytes.append(contentsOf: value.text.utf8)
    }
    kinds.append(value.kind.rawValue)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Sets the value of the last row so far or of a later one; rows between are missing.
  ///
  /// - Parameter utf8: the text of a number, a string or a JSON value, else nothing.
  /// - Returns: whether the row had none before.
  @discardableResult
  package mutating func set(
    _ row: Int, _ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var isNew = true
    if kinds.count != row { isNew = makeRoom(for: row) }
    kinds.append(kind.rawValue)
    if !utf8.isEmpty { bytes.append(contentsOf: utf8) }
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    return isNew
  }

  private mutating func makeRoom(for row: Int) -> Bool {
    pad(toRows: row)
    guard kinds.count > row else { return true }
    let isNew = kinds.last == AttributeKind.missing.rawValue
    kinds.removeLast()
    ends.removeLast()
    bytes.removeLast(bytes.count - Int(ends.last ?? 0))
    return isNew
  }

  /// Removes the value of the last row.
  ///
  /// - Returns: whether it had one.
  mutating func clear(_ row: Int) -> Bool {
    kinds.count > row && !set(row, .missing, utf8: UnsafeBufferPointer(start: nil, count: 0))
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

  /// Appends a run of rows of another column, if there is one, from a row on.
  mutating func append(_ column: AttributeColumn?, rows: Range<Int>, at row: Int) {
    guard let column else { return }
    pad(toRows: row)
    append(column, rows: rows)
  }

  /// Appends missing rows until there are `rows`.
  package mutating func pad(toRows rows: Int) {
    let lacking = rows - kinds.count
    guard lacking > 0 else { return }
    kinds.append(contentsOf: repeatElement(AttributeKind.missing.rawValue, count: lacking))
    ends.append(
      contentsOf: repeatElement(UInt32(truncatingIfNeeded: bytes.count), count: lacking))
  }

  /// The column; a text that is not UTF-8 is repaired, a number that is none becomes a string.
  ///
  /// - Parameters:
  ///   - rows: how many rows it has at least.
  ///   - isExact: whether its arrays are copied to their exact size.
  package func column(rows: Int = 0, isExact: Bool = false) -> AttributeColumn {
    var builder = self
    builder.pad(toRows: rows)
    return AttributeColumn(
      name: name, kinds: builder.kinds.sized(isExact), ends: builder.ends.sized(isExact),
      bytes: bytes.sized(isExact)) ?? builder.repaired()
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
    replacing(rows: rows, with: Array(repeating: value, count: rows.count))
  }

  /// The same with a value for each row.
  func replacing(rows: [Int], with values: [AttributeValue]) -> AttributeColumn {
    var builder = AttributeColumnBuilder(name: name)
    var next = 0
    for (row, value) in zip(rows, values) {
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
  package static func missing(name: String, rows: Int) -> AttributeColumn {
    AttributeColumnBuilder(name: name).column(rows: rows)
  }
}

extension Array {
  /// The same array, or a copy of it without spare capacity.
  func sized(_ isExact: Bool) -> [Element] {
    isExact
      ? [Element](unsafeUninitializedCapacity: count) { $1 = $0.initialize(fromContentsOf: self) }
      : self
  }
}
