import PortolanDocuments

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
    var members = walker.beginObject()
    columns.beginFeature()
    walker.position += 1
    while try walker.separate(close: UInt8(ascii: "}"), isFirst: members.count == 0) == .next {
      let key = try walker.skipKey()
      guard let kind = walker.kindHere else { throw walker.unexpected("a value") }
      walker.beginMember(key, &members)
      try skipForeign(key)
      walker.withName(key) {
        columns.add($0, key, kind, at: members.valueStart, feature: list.featureCount)
      }
      tellDuplicate(walker.endMember(&members), "attribute")
    }
    walker.endObject(members)
  }

  /// Skips the value of a member without a meaning in GeoJSON.
  mutating func skipForeign(_ key: Range<Int>) throws {
    let kind = walker.kindHere
    try walker.skipValue()
    if kind == .object || kind == .array, !walker.faults.isEmpty {
      path.append(.key(key))
      takeTextFaults()
      path.removeLast()
    }
  }

  /// Tells a member that is given twice.
  mutating func tellDuplicate(_ second: SecondMember?, _ word: String) {
    guard let second else { return }
    emit(
      .duplicateMember, "the \(word) \(second.name) is given twice", at: second.offset,
      edits: second.edit.map { [$0] } ?? [])
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
    let hash = withIdentifier(range) { KeyTable.hash($0) }
    guard let first = identifiers.known[hash] else {
      identifiers.known[hash] = range
      return
    }
    let isSame = withIdentifier(first) { first in
      withIdentifier(range) { first.elementsEqual($0) }
    }
    guard isSame else { return }
    emit(
      .duplicateIdentifier, "the id \(walker.text(range).prefix(80)) is that of another feature",
      at: start)
  }

  /// Calls a body with bytes that are equal where ids are: texts without escapes, numbers by their
  /// value.
  private func withIdentifier<Result>(
    _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let bytes = walker.bytes(range)
    let isPlain = bytes.allSatisfy { $0 &- 0x30 <= 9 } && bytes.last != 0x30
    if isPlain || bytes.first == UInt8(ascii: "\"") { return walker.withName(range, body) }
    return ExactNumber.spelling(Array(bytes)[...]).withUnsafeBufferPointer(body)
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
