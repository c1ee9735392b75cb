import PortolanDocuments

/// A column in progress; reused from block to block so that finished columns are exactly sized.
struct ColumnScratch {
  /// The name as UTF-8: names are compared byte by byte, since canonically equivalent strings are
  /// equal in Swift.
  let name: [UInt8]
  private var kinds: [UInt8] = []
  private var ends: [UInt32] = []
  private var bytes: [UInt8] = []

  init(name: [UInt8]) { self.name = name }

  init(_ name: String) { self.init(name: Array(name.utf8)) }

  var rowCount: Int { kinds.count }
  var byteCount: Int { bytes.count }
  /// Whether no row has a value.
  var isMissing: Bool { kinds.allSatisfy { $0 == AttributeKind.missing.rawValue } }

  /// Sets the value of the last row so far or of a later one.
  ///
  /// - Returns: whether the row had none before.
  @discardableResult
  @inline(__always)
  mutating func set(
    _ row: Int, _ kind: AttributeKind, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var isNew = true
    if kinds.count != row { isNew = makeRoom(for: row) }
    kinds.append(kind.rawValue)
    if !text.isEmpty { bytes.append(contentsOf: text) }
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    return isNew
  }

  @inline(never)
  private mutating func makeRoom(for row: Int) -> Bool {
    if kinds.count > row {
      let isNew = kinds.last == AttributeKind.missing.rawValue
      kinds.removeLast()
      ends.removeLast()
      bytes.removeLast(bytes.count - Int(ends.last ?? 0))
      return isNew
    }
    pad(toRows: row)
    return true
  }

  /// Adds missing rows until there are `rows`.
  mutating func pad(toRows rows: Int) {
    let end = UInt32(truncatingIfNeeded: bytes.count)
    while kinds.count < rows {
      kinds.append(AttributeKind.missing.rawValue)
      ends.append(end)
    }
  }

  /// Removes the value of a row, if it has one.
  mutating func clear(_ row: Int) {
    if kinds.count > row { _ = set(row, .missing, UnsafeBufferPointer(start: nil, count: 0)) }
  }

  /// Removes the first rows and returns them as a finished column; the later rows stay as first
  /// ones.
  mutating func take(rows: Int) -> AttributeColumn? {
    pad(toRows: rows)
    let split = rows == 0 ? 0 : Int(ends[rows - 1])
    let column = AttributeColumn(
      name: String(decoding: name, as: UTF8.self), kinds: kinds.exactPrefix(rows),
      ends: ends.exactPrefix(rows), bytes: bytes.exactPrefix(split))
    kinds.removeFirst(rows)
    ends.removeFirst(rows)
    bytes.removeFirst(split)
    for index in ends.indices { ends[index] &-= UInt32(truncatingIfNeeded: split) }
    return column
  }
}

extension Array {
  /// A copy of the first elements without spare capacity.
  func exactPrefix(_ count: Int) -> [Element] {
    withUnsafeBufferPointer { source in
      [Element](unsafeUninitializedCapacity: count) { target, filled in
        if count > 0 { _ = target.initialize(fromContentsOf: source[..<count]) }
        filled = count
      }
    }
  }
}

/// The columns of one kind of member, by the text of a key.
struct ColumnTable {
  private(set) var columns: [ColumnScratch] = []
  /// The key in its first spelling between quotes, one a column.
  private var keys: [[UInt8]] = []
  private var indexByKey: [[UInt8]: Int] = [:]
  private var indexByName: [[UInt8]: Int] = [:]

  var count: Int { columns.count }

  /// The column of a key, most likely `expected`.
  @inline(__always)
  func index(ofKey key: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
    if expected < keys.count, Self.isEqual(keys[expected], key) { return expected }
    return indexByKey[Array(key)]
  }

  @inline(__always)
  private static func isEqual(_ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBufferPointer { left in
      for index in 0..<left.count where left[index] != right[index] { return false }
      return true
    }
  }

  /// The column of a name, created if there is none; from now on found by this key too.
  mutating func index(ofName name: [UInt8], key: UnsafeBufferPointer<UInt8>) -> Int {
    let key = Array(key)
    let index = indexByName[name] ?? columns.count
    if index == columns.count {
      columns.append(ColumnScratch(name: name))
      keys.append(key)
      indexByName[name] = index
    }
    indexByKey[key] = index
    return index
  }

  @discardableResult
  @inline(__always)
  mutating func set(
    _ column: Int, _ row: Int, _ kind: AttributeKind, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    columns[column].set(row, kind, text)
  }

  mutating func clear(_ row: Int) {
    for index in columns.indices { columns[index].clear(row) }
  }

  /// Removes the first rows as finished columns; `nil` if one cannot be made.
  mutating func take(rows: Int) -> [AttributeColumn]? {
    var taken: [AttributeColumn] = []
    taken.reserveCapacity(columns.count)
    for index in columns.indices {
      guard let column = columns[index].take(rows: rows) else { return nil }
      taken.append(column)
    }
    return taken
  }
}
