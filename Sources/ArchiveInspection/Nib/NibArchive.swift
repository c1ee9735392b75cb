import PropertyLists

/// A compiled nib of Interface Builder: `Docs/formats/nibarchive.md` describes the bytes.
///
///     0    10   "NIBArchive"
///     10   8    version of the format, version of the coder
///     18   32   for objects, keys, values, class names: how many, and where they begin
///
/// Numbers of the header are little-endian, those of the tables have seven bits a byte. Opening
/// goes once through the tables and keeps where each entry begins; a table that is cut ends early.
struct NibArchive: Sendable {
  /// An object: the place of its class, and its values among all values.
  struct Object: Sendable {
    var classNumber: Int
    var firstValue: Int
    var valueCount: Int
  }

  /// A value: the byte of its type and the place of its payload.
  enum Value: Hashable, Sendable {
    case integer(Int64)
    case bool(Bool)
    case float(Float)
    case double(Double)
    case data(Range<Int>)
    case none
    /// An object by its number.
    case object(Int)
  }

  /// Where a table stops before its last entry, and why.
  struct Damage: Hashable, Sendable {
    var offset: Int
    var reason: String
  }

  /// The tables in the order of the header.
  enum Table: Int, CaseIterable, Sendable {
    case objects, keys, values, classNames

    var words: String {
      switch self {
      case .objects: "objects"
      case .keys: "keys"
      case .values: "values"
      case .classNames: "class names"
      }
    }

    /// The fewest bytes of an entry.
    fileprivate var entrySize: Int {
      switch self {
      case .objects: 3
      case .keys: 1
      case .values, .classNames: 2
      }
    }
  }

  static let signature = "NIBArchive"
  static let headerSize = 50

  let reader: ByteReader
  let formatVersion: UInt32
  let coderVersion: UInt32
  /// How many entries the header names, and where they begin.
  private(set) var counts: [Int] = []
  private(set) var starts: [Int] = []
  /// Where the entries that could be read end.
  private(set) var ends: [Int] = []
  private(set) var objects: [Object] = []
  /// The texts of the keys.
  private(set) var keys: [Range<Int>] = []
  /// Where each value begins, and where the last one ends.
  private(set) var valueStarts: [UInt32] = []
  /// The names of the classes, without the zero byte behind them, and the numbers of the classes
  /// to take in their place.
  private(set) var classNames: [(name: Range<Int>, fallbacks: Range<Int>)] = []
  private(set) var damage: [Damage] = []

  /// Whether bytes begin as such an archive does.
  static func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature.utf8) }

  /// - Throws: `InspectionError` when the header is cut, or asks for far more than is there.
  init(_ bytes: [UInt8]) throws {
    reader = ByteReader(bytes)
    guard bytes.count >= Self.headerSize, bytes.count < UInt32.max else {
      throw InspectionError(.unreadable, "a NIBArchive whose header is cut")
    }
    formatVersion = Self.number(reader, 10)
    coderVersion = Self.number(reader, 14)
    for table in Table.allCases {
      counts.append(Int(Self.number(reader, 18 + 8 * table.rawValue)))
      starts.append(Int(Self.number(reader, 22 + 8 * table.rawValue)))
    }
    ends = starts
    try checkSize()
    readObjects()
    readKeys()
    readValues()
    readClassNames()
  }

  private static func number(_ reader: ByteReader, _ offset: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: reader.bigEndian(at: offset, width: 4) ?? 0).byteSwapped
  }

  /// The approximate memory of an entry in the tables, in bytes.
  private static func keptSize(of table: Table) -> Int {
    switch table {
    case .objects: MemoryLayout<Object>.stride + MemoryLayout<InspectedNode>.stride
    case .keys: MemoryLayout<Range<Int>>.stride
    case .values: MemoryLayout<UInt32>.stride
    case .classNames: 32 + 200
    }
  }

  /// Refuses tables of tiny entries that would take far more memory than the file.
  private func checkSize() throws {
    let most = 20 << 20 + 8 * reader.count
    var sum = 0
    for table in Table.allCases { sum += readableCount(table) * Self.keptSize(of: table) }
    guard sum <= most else {
      throw InspectionError(
        .unsupported,
        "holds so many tiny entries that they would take far more memory than its "
          + "\(reader.count) bytes")
    }
  }

  /// How many entries there may be at most in the bytes behind the start of a table.
  private func readableCount(_ table: Table) -> Int {
    let bytes = max(0, reader.count - starts[table.rawValue])
    return min(counts[table.rawValue], bytes / table.entrySize)
  }

  // MARK: Tables

  /// Goes through the entries of a table as far as they can be read.
  ///
  /// - Parameter read: reads an entry at an offset; gives the offset behind it, or `nil`.
  private mutating func readTable(
    _ table: Table, _ read: (inout NibArchive, Int) -> Int?
  ) {
    var offset = starts[table.rawValue]
    let count = counts[table.rawValue]
    for number in 0..<count {
      guard let next = read(&self, offset), next <= reader.count else {
        damage.append(
          Damage(
            offset: offset,
            reason: "\(table.words) end at number \(number) of \(count) (byte \(offset))"))
        break
      }
      offset = next
    }
    ends[table.rawValue] = offset
  }

  private mutating func readObjects() {
    objects.reserveCapacity(readableCount(.objects))
    readTable(.objects) { archive, offset in
      guard let (classNumber, second) = archive.variable(offset),
        let (first, third) = archive.variable(second), let (count, end) = archive.variable(third)
      else { return nil }
      archive.objects.append(
        Object(classNumber: classNumber, firstValue: first, valueCount: count))
      return end
    }
  }

  private mutating func readKeys() {
    keys.reserveCapacity(readableCount(.keys))
    readTable(.keys) { archive, offset in
      guard let (count, start) = archive.variable(offset),
        archive.reader.contains(start, count: count)
      else { return nil }
      archive.keys.append(start..<start + count)
      return start + count
    }
  }

  private mutating func readValues() {
    valueStarts.reserveCapacity(readableCount(.values) + 1)
    readTable(.values) { archive, offset in
      guard let end = archive.valueEnd(offset), end <= archive.reader.count else { return nil }
      archive.valueStarts.append(UInt32(truncatingIfNeeded: offset))
      return end
    }
    valueStarts.append(UInt32(truncatingIfNeeded: ends[Table.values.rawValue]))
  }

  private mutating func readClassNames() {
    readTable(.classNames) { archive, offset in
      guard let (count, second) = archive.variable(offset),
        let (others, start) = archive.variable(second), others <= archive.reader.count / 4,
        archive.reader.contains(start, count: 4 * others),
        archive.reader.contains(start + 4 * others, count: count)
      else { return nil }
      let end = start + 4 * others + count
      let hasZero = count > 0 && archive.reader.byte(at: end - 1) == 0
      archive.classNames.append(
        (start + 4 * others..<end - (hasZero ? 1 : 0), start..<start + 4 * others))
      return end
    }
  }

  // MARK: Entries

  /// A number of seven bits a byte, the least significant first, the last byte with its high bit
  /// set; and the offset behind it.
  func variable(_ offset: Int) -> (value: Int, end: Int)? {
    var value = 0
    for place in 0..<5 {
      guard let byte = reader.byte(at: offset + place) else { return nil }
      value |= Int(byte & 0x7F) << (7 * place)
      if byte & 0x80 != 0 { return (value, offset + place + 1) }
    }
    return nil
  }

  /// The offset behind a value; `nil` when it is cut or its type is not known.
  private func valueEnd(_ offset: Int) -> Int? {
    guard let (_, typeOffset) = variable(offset), let type = reader.byte(at: typeOffset) else {
      return nil
    }
    let start = typeOffset + 1
    switch type {
    case 0: return start + 1
    case 1: return start + 2
    case 2, 6, 10: return start + 4
    case 3, 7: return start + 8
    case 4, 5, 9: return start
    case 8: return variable(start).map { $0.end + $0.value }
    default: return nil
    }
  }

  /// How many values could be read.
  var valueCount: Int { max(0, valueStarts.count - 1) }

  /// The number of the key of a value; `nil` where there is no such value.
  func keyNumber(ofValue number: Int) -> Int? {
    guard number >= 0, number < valueCount else { return nil }
    return variable(Int(valueStarts[number]))?.value
  }

  /// A value; `nil` where there is no such.
  func value(_ number: Int) -> Value? {
    guard number >= 0, number < valueCount,
      let (_, typeOffset) = variable(Int(valueStarts[number])),
      let type = reader.byte(at: typeOffset)
    else { return nil }
    let start = typeOffset + 1
    func bits(_ width: Int) -> UInt64 {
      (reader.bigEndian(at: start, width: width) ?? 0).byteSwapped >> UInt64(64 - 8 * width)
    }
    switch type {
    case 0: return .integer(Int64(Int8(truncatingIfNeeded: bits(1))))
    case 1: return .integer(Int64(Int16(truncatingIfNeeded: bits(2))))
    case 2: return .integer(Int64(Int32(truncatingIfNeeded: bits(4))))
    case 3: return .integer(Int64(bitPattern: bits(8)))
    case 4, 5: return .bool(type == 5)
    case 6: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits(4))))
    case 7: return .double(Double(bitPattern: bits(8)))
    case 8: return variable(start).map { .data($0.end..<$0.end + $0.value) }
    case 9: return Value.none
    case 10: return .object(Int(bits(4)))
    default: return nil
    }
  }

  /// The text of a key; bytes that are no UTF-8 are repaired.
  func key(_ number: Int) -> String {
    guard number >= 0, number < keys.count else { return "?" }
    return text(keys[number], atMost: 1_024)
  }

  /// Whether a key is exactly this text.
  func isKey(_ number: Int, _ text: String) -> Bool {
    guard number >= 0, number < keys.count, keys[number].count == text.utf8.count else {
      return false
    }
    return reader.withBytes(in: keys[number]) { $0.elementsEqual(text.utf8) } ?? false
  }

  /// The name of a class and those of its fallbacks.
  func chain(ofClass number: Int) -> [String] {
    guard number >= 0, number < classNames.count else { return [] }
    let (name, others) = classNames[number]
    var chain = [text(name, atMost: Self.nameMax)]
    for offset in stride(from: others.lowerBound, to: others.upperBound, by: 4).prefix(31) {
      let other = Int(Self.number(reader, offset))
      guard other < classNames.count, other != number else { continue }
      chain.append(text(classNames[other].name, atMost: Self.nameMax))
    }
    return chain
  }

  /// How many bytes of the name of a class are kept.
  private static let nameMax = 1_024

  private func text(_ range: Range<Int>, atMost count: Int) -> String {
    let end = range.lowerBound + min(range.count, count)
    return reader.withBytes(in: range.lowerBound..<end) { String(decoding: $0, as: UTF8.self) }
      ?? ""
  }
}
