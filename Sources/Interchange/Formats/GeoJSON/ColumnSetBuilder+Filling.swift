import PortolanDocuments

/// The work for every value of a file: here and not beside the columns, since a call into another
/// module would cost more than the work itself.
extension ColumnSetBuilder {
  /// The index of the column with a key, most likely `expected`; `nil` if the key is new.
  @inline(__always)
  func place(ofKey key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
    if expected < keys.count, Self.isEqual(keys[expected], key) { return expected }
    return placesByKey[Array(key)]
  }

  @inline(__always)
  private static func isEqual(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBufferPointer { left in
      for index in 0..<left.count where left[index] != right[index] { return false }
      return true
    }
  }

  /// Sets a value of a row, most likely the next one.
  ///
  /// - Returns: whether it had none before.
  @inline(__always)
  mutating func fill(
    _ place: Int, row: Int, _ kind: AttributeKind, _ utf8: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard columns[place].kinds.count == row else {
      return set(place, row: row, kind, utf8: utf8)
    }
    columns[place].kinds.append(kind.rawValue)
    if !utf8.isEmpty { columns[place].bytes.append(contentsOf: utf8) }
    columns[place].ends.append(UInt32(truncatingIfNeeded: columns[place].bytes.count))
    valueCount += 1
    return true
  }
}
