/// Collects the columns of one kind of a block, its attributes or its foreign members, in order of
/// first appearance.
package struct ColumnSetBuilder: Sendable {
  package var columns: [AttributeColumnBuilder] = []
  /// The key of each column in its first spelling, as in its source.
  package private(set) var keys: [[UInt8]] = []
  package private(set) var placesByKey: [[UInt8]: Int] = [:]
  private var placesByName: [ExactText: Int] = [:]
  /// The number of cells with a value.
  package var valueCount = 0

  var count: Int { columns.count }
  /// The number of columns with a value.
  var usedCount: Int { columns.count { $0.rowCount > 0 } }
  /// The bytes of text so far.
  var byteCount: Int { columns.reduce(0) { $0 + $1.byteCount } }

  /// The index of the column with a name, added if it is new; from now on found by this key too.
  package mutating func place(ofName name: [UInt8], key: UnsafeBufferPointer<UInt8>) -> Int {
    let key = Array(key)
    let name = ExactText(String(decoding: name, as: UTF8.self))
    let place = placesByName[name] ?? append(name, key)
    placesByKey[key] = place
    return place
  }

  /// The index of the column with a name, added if it is new.
  package mutating func place(of name: String) -> Int {
    placesByName[ExactText(name)] ?? append(ExactText(name), Array(name.utf8))
  }

  private mutating func append(_ name: ExactText, _ key: [UInt8]) -> Int {
    placesByName[name] = columns.count
    columns.append(AttributeColumnBuilder(name: name.text))
    keys.append(key)
    return columns.count - 1
  }

  /// Sets a value of the last row so far or of a later one.
  ///
  /// - Returns: whether it had none before.
  @discardableResult
  package mutating func set(
    _ place: Int, row: Int, _ kind: AttributeKind, utf8: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let isNew = columns[place].set(row, kind, utf8: utf8)
    if isNew { valueCount += 1 }
    return isNew
  }

  /// Removes the values of the last row.
  package mutating func clear(row: Int) {
    for place in columns.indices where columns[place].clear(row) { valueCount -= 1 }
  }

  /// Appends a run of rows; returns the index here of each given column.
  mutating func append(_ source: [AttributeColumn], rows: Range<Int>, at row: Int) -> [UInt16] {
    source.map { column in
      let place = place(of: column.name)
      columns[place].append(column, rows: rows, at: row)
      return UInt16(truncatingIfNeeded: place)
    }
  }

  /// The columns with a value, each of `rows` rows, and the new index of every column.
  func finish(rows: Int, isExact: Bool) -> (columns: [AttributeColumn], places: [UInt16?]) {
    var made: [AttributeColumn] = []
    let places = columns.map { column -> UInt16? in
      if column.isEmpty { return nil }
      made.append(column.column(rows: rows, isExact: isExact))
      return UInt16(truncatingIfNeeded: made.count - 1)
    }
    return (made, places)
  }
}
