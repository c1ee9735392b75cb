/// Names of members of the objects around the present place, to find one that is given twice.
struct KeyTable {
  private struct Key {
    var hash: UInt64
    var range: Range<Int>
  }

  private var keys: [Key] = []
  private var start = 0
  /// For objects of many members.
  private var table: [UInt64: Int] = [:]
  private var isTable = false

  /// The state of the object around, to be given back to `end`.
  struct Mark {
    fileprivate var start: Int
    fileprivate var table: [UInt64: Int]
    fileprivate var isTable: Bool
  }

  mutating func begin() -> Mark {
    let mark = Mark(start: start, table: table, isTable: isTable)
    start = keys.count
    table = [:]
    isTable = false
    return mark
  }

  mutating func end(_ mark: Mark) {
    keys.removeLast(keys.count - start)
    (start, table, isTable) = (mark.start, mark.table, mark.isTable)
  }

  /// Adds a name; returns the first one of the same bytes in this object.
  mutating func add(_ range: Range<Int>, in walker: JSONWalker) -> Range<Int>? {
    let hash = Self.hash(walker.bytes(range))
    defer { keys.append(Key(hash: hash, range: range)) }
    if !isTable, keys.count - start >= 32 {
      isTable = true
      for index in start..<keys.count where table[keys[index].hash] == nil {
        table[keys[index].hash] = index
      }
    }
    if isTable {
      guard let index = table[hash] else {
        table[hash] = keys.count
        return nil
      }
      return isEqual(keys[index].range, range, walker) ? keys[index].range : nil
    }
    for index in start..<keys.count where keys[index].hash == hash {
      if isEqual(keys[index].range, range, walker) { return keys[index].range }
    }
    return nil
  }

  private func isEqual(_ left: Range<Int>, _ right: Range<Int>, _ walker: JSONWalker) -> Bool {
    walker.bytes(left).elementsEqual(walker.bytes(right))
  }

  /// FNV-1a over eight bytes at a time.
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var at = 0
    let raw = UnsafeRawBufferPointer(bytes)
    while at + 8 <= bytes.count {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x100_0000_01B3
      hash ^= hash >> 29
      at += 8
    }
    while at < bytes.count {
      hash = (hash ^ UInt64(bytes[at])) &* 0x100_0000_01B3
      at += 1
    }
    return hash ^ hash >> 32
  }
}

/// The types of the values of each attribute.
struct ColumnTable {
  /// An attribute: of each of three types (number, text, true or false) how many, and the first.
  struct Column {
    var name: Range<Int>
    var hash: UInt64
    var counts = (0, 0, 0)
    var firsts = (0, 0, 0)
    var features = (0, 0, 0)
  }

  private(set) var columns: [Column] = []
  private var table: [UInt64: Int] = [:]
  private var next = 0

  /// The most attributes that are looked at.
  private static let columnsMax = 100_000

  mutating func beginFeature() { next = 0 }

  mutating func add(
    _ key: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ kind: ValueKind, at offset: Int,
    feature: Int
  ) {
    let hash = KeyTable.hash(key)
    let index: Int
    if next < columns.count, columns[next].hash == hash {
      index = next
    } else if let known = table[hash] {
      index = known
    } else {
      guard columns.count < Self.columnsMax else { return }
      index = columns.count
      table[hash] = index
      columns.append(Column(name: range, hash: hash))
    }
    next = index + 1
    switch kind {
    case .number:
      if columns[index].counts.0 == 0 {
        columns[index].firsts.0 = offset
        columns[index].features.0 = feature
      }
      columns[index].counts.0 += 1
    case .string:
      if columns[index].counts.1 == 0 {
        columns[index].firsts.1 = offset
        columns[index].features.1 = feature
      }
      columns[index].counts.1 += 1
    case .bool:
      if columns[index].counts.2 == 0 {
        columns[index].firsts.2 = offset
        columns[index].features.2 = feature
      }
      columns[index].counts.2 += 1
    default: break
    }
  }
}

/// The ids found so far, by their hashes: the bytes of the first of each.
struct IdentifierTable {
  var known: [UInt64: Range<Int>] = [:]
}

/// Attributes and ids.
extension GeoJSONCheck {
  mutating func checkProperties(_ kind: ValueKind) throws {
    guard kind == .object else {
      if kind != .null { emitWrongType(kind, "an object or null") }
      try walker.skipValue()
      return
    }
    let mark = keys.begin()
    columns.beginFeature()
    walker.position += 1
    var count = 0
    while try walker.separate(close: UInt8(ascii: "}"), isFirst: count == 0) == .next {
      let key = try walker.skipKey()
      guard let kind = walker.kindHere else { throw walker.unexpected("a value") }
      let start = walker.position
      try walker.skipValue()
      columns.add(walker.bytes(key), key, kind, at: start, feature: list.featureCount)
      if keys.add(key, in: walker) != nil {
        emit(
          .duplicateMember, "the attribute \(walker.text(key).prefix(80)) is given twice",
          at: key.lowerBound - 1)
      }
      count += 1
    }
    keys.end(mark)
  }

  mutating func checkIdentifier(_ kind: ValueKind, _ role: ObjectRole) throws {
    let start = walker.position
    let range = try walker.skipValue()
    guard kind == .string || kind == .number else {
      // An id belongs to features; elsewhere it is a foreign member.
      if role == .feature || role == .root, path.count < 2 || role == .feature {
        emit(.oddIdentifier, "\(kind.words) as an id", at: start)
      }
      return
    }
    guard role == .feature || role == .root else { return }
    let hash = KeyTable.hash(walker.bytes(range))
    guard let first = identifiers.known[hash] else {
      identifiers.known[hash] = range
      return
    }
    guard walker.bytes(first).elementsEqual(walker.bytes(range)) else { return }
    emit(
      .duplicateIdentifier, "the id \(walker.text(range).prefix(80)) is that of another feature",
      at: start)
  }

  /// Tells the attributes with values of several types.
  mutating func finishColumns() {
    for column in columns.columns {
      let kinds = [
        (column.counts.0, column.firsts.0, column.features.0, "number"),
        (column.counts.1, column.firsts.1, column.features.1, "text"),
        (column.counts.2, column.firsts.2, column.features.2, "true or false"),
      ].filter { $0.0 > 0 }.sorted { $0.0 > $1.0 }
      guard kinds.count > 1, let usual = kinds.first, let rare = kinds.last else { continue }
      let name = walker.text(column.name)
      emit(
        .mixedColumn,
        "\(name.prefix(80)) is \(rare.3) in \(rare.0) of \(kinds.reduce(0) { $0 + $1.0 }) "
          + "features, "
          + "and \(usual.3) in most",
        at: rare.1, path: "$.features[\(rare.2)].properties" + Self.keyText(name))
    }
  }
}
