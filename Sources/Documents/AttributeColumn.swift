/// One attribute of all features of a block, packed in memory as in the archive.
///
///     kinds   one `AttributeKind` byte a row
///     ends    the end of row i's text in `bytes` (its start is the end of row i-1)
///     bytes   the UTF-8 text of numbers, strings and JSON values, back to back
package struct AttributeColumn: Hashable, Sendable {
  package let name: String
  package let kinds: [UInt8]
  package let ends: [UInt32]
  package let bytes: [UInt8]

  /// Makes a column of arrays that fit together; `nil` if they do not, if a text is not UTF-8 or
  /// if a number is none.
  package init?(name: String, kinds: [UInt8], ends: [UInt32], bytes: [UInt8]) {
    guard kinds.count == ends.count, Int(ends.last ?? 0) == bytes.count else { return nil }
    let fits = bytes.withUnsafeBufferPointer { bytes in
      guard UTF8Text.isValid(bytes) else { return false }
      var previous = 0
      for (kind, end) in zip(kinds, ends) {
        let end = Int(end)
        guard end >= previous, end <= bytes.count, kind <= AttributeKind.json.rawValue,
          end == bytes.count || !UTF8Text.isContinuation(bytes[end])
        else { return false }
        if kind < AttributeKind.number.rawValue {
          guard end == previous else { return false }
        } else if kind == AttributeKind.number.rawValue {
          guard NumberText.isValid(UnsafeBufferPointer(rebasing: bytes[previous..<end])) else {
            return false
          }
        }
        previous = end
      }
      return true
    }
    guard fits else { return nil }
    self.init(unchecked: name, kinds: kinds, ends: ends, bytes: bytes)
  }

  /// Makes a column of arrays from the builder, which are known to fit together.
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
