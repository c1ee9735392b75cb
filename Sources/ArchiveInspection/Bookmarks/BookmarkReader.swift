import PropertyLists

/// Makes a property list in memory of a bookmark, the data by which `NSURL` finds a file again:
/// `Docs/formats/bookmark.md` describes the bytes.
///
///     0    16   "book" or "alis", size, version, size of the header
///     48   4    offset of the first table of contents, behind the header as all offsets are
///
/// A table leads from numbers to items; each item becomes one value, however often it is named.
struct BookmarkReader: ~Copyable {
  private let reader: ByteReader
  /// Where offsets are counted from: the end of the header.
  private let base: Int
  private var writer = BinaryPropertyListWriter()
  private var known: [Int: PropertyListReference] = [:]
  private var containers: [(item: Item, reference: PropertyListReference)] = []
  /// How many bytes of items may still be read.
  private var bytesLeft: Int
  private var problems: [String] = []

  private struct Item {
    var type: UInt32
    var bytes: Range<Int>
  }

  /// The kinds of item: a type without its last byte.
  private enum Kind: UInt32 {
    case string = 0x100
    case data = 0x200
    case number = 0x300
    case date = 0x400
    case bool = 0x500
    case array = 0x600
    case dictionary = 0x700
    case uuid = 0x800
    case url = 0x900
    case null = 0xA00
  }

  /// Whether bytes begin as a bookmark does; 16 of them are enough.
  static func recognises(_ head: some Collection<UInt8>) -> Bool {
    let head = Array(head.prefix(16))
    guard head.count == 16, head.starts(with: "book".utf8) || head.starts(with: "alis".utf8) else {
      return false
    }
    if isAliasFile(head) { return true }
    return head[13...].allSatisfy { $0 == 0 } && headerSizes.contains(Int(head[12]))
  }

  /// The header of an alias file of the Finder has a longer beginning.
  private static func isAliasFile(_ head: [UInt8]) -> Bool {
    head.count >= 12 && head[8..<12].elementsEqual("mark".utf8)
  }

  private static let headerSizes = 16...200

  /// The graph of a bookmark: one dictionary of its entries.
  ///
  /// - Throws: `InspectionError` when it has no table of contents, or uses its bytes over and over.
  static func archive(_ bytes: [UInt8]) throws -> InspectedArchive {
    var bookmark = try BookmarkReader(bytes)
    let list = try bookmark.list()
    var archive = try PropertyListSurvey.archive(
      list, InspectionHeader(format: .propertyList, byteCount: bytes.count))
    archive.header.format = .bookmark
    archive.brokenCount += bookmark.problems.count
    archive.firstBroken = archive.firstBroken ?? bookmark.problems.first
    return archive
  }

  private init(_ bytes: [UInt8]) throws {
    reader = ByteReader(bytes)
    bytesLeft = 4 * bytes.count + 1_024
    let isAliasFile = Self.isAliasFile(Array(bytes.prefix(16)))
    base = Int(Self.number(reader, isAliasFile ? 16 : 12) ?? 0)
    guard Self.headerSizes.contains(base) else {
      throw InspectionError(.unreadable, "a bookmark with a header of \(base) bytes")
    }
  }

  /// A number of four bytes, the least significant first.
  private static func number(_ reader: ByteReader, _ offset: Int) -> UInt32? {
    reader.bigEndian(at: offset, width: 4).map { UInt32(truncatingIfNeeded: $0).byteSwapped }
  }

  private func number(_ offset: Int) -> Int? { Self.number(reader, offset).map { Int($0) } }

  // MARK: Tables of contents

  private mutating func list() throws -> BinaryPropertyList {
    guard let first = number(base), number(base + first + 4) == 0xFFFF_FFFE else {
      throw InspectionError(.unreadable, "a bookmark without a table of contents")
    }
    let top = writer.reserve()
    var (keys, values): ([PropertyListReference], [PropertyListReference]) = ([], [])
    var next = first
    var isFirst = true
    // A table stands behind the one before, or it is not gone to.
    while next > 0, number(base + next + 4) == 0xFFFF_FFFE {
      let table = base + next
      let members = try self.members(of: table)
      if isFirst {
        (keys, values) = members
      } else {
        let dictionary = writer.reserve()
        writer.setDictionary(dictionary, keys: members.keys, values: members.values)
        keys.append(writer.addString("table \(number(table + 8) ?? 0)"))
        values.append(dictionary)
      }
      isFirst = false
      let following = number(table + 12) ?? 0
      guard following == 0 || following > next else {
        problems.append("a table of contents at byte \(base + following) in front of its own")
        break
      }
      next = following
    }
    try fillContainers()
    writer.setDictionary(top, keys: keys, values: values)
    return try BinaryPropertyList(reading: writer.finish(top: top))
  }

  private mutating func members(
    of table: Int
  ) throws -> (keys: [PropertyListReference], values: [PropertyListReference]) {
    var (keys, values): ([PropertyListReference], [PropertyListReference]) = ([], [])
    let count = number(table + 16) ?? 0
    for index in 0..<count {
      let entry = table + 20 + 12 * index
      guard let key = number(entry), let offset = number(entry + 4) else {
        problems.append("a table of contents ends at entry \(index) of \(count)")
        break
      }
      try charge(12)
      let code = UInt32(truncatingIfNeeded: key)
      keys.append(writer.addString(try name(code)))
      values.append(try value(code, offset))
    }
    return (keys, values)
  }

  /// The name of an entry: that of its number, or a text that is an item.
  private mutating func name(_ key: UInt32) throws -> String {
    guard key & 0x8000_0000 != 0 else { return BookmarkKeys.name(key) }
    guard let item = item(Int(key & 0x7FFF_FFFF)), let text = text(item) else {
      return BookmarkKeys.name(key)
    }
    try charge(item.bytes.count)
    return text.hasPrefix("$") ? "$" + text : text
  }

  /// The value of an entry: some are numbers that stand for more.
  private mutating func value(_ key: UInt32, _ offset: Int) throws -> PropertyListReference {
    if let names = BookmarkKeys.flags(key), let item = item(offset), item.type == 0x201,
      let bits = reader.bigEndian(at: item.bytes.lowerBound, width: 8)?.byteSwapped,
      item.bytes.count >= 8
    {
      // As many bytes as the names of all flags may take.
      try charge(200)
      let list = writer.reserve()
      let set = (0..<64).filter { bits >> UInt64($0) & 1 == 1 }
      writer.setArray(list, set.map { writer.addString(names[$0] ?? "bit \($0)") })
      return list
    }
    if key == BookmarkKeys.bookmarkDate, let item = item(offset), item.type == 0x306,
      item.bytes.count == 8
    {
      return writer.addDate(Double(bitPattern: bits(item)))
    }
    return try reference(offset)
  }

  // MARK: Items

  /// The item at an offset; `nil` where none can be.
  private func item(_ offset: Int) -> Item? {
    let start = base + offset
    guard let count = number(start), let type = number(start + 4),
      reader.contains(start + 8, count: count)
    else { return nil }
    return Item(
      type: UInt32(truncatingIfNeeded: type), bytes: start + 8..<start + 8 + count)
  }

  private mutating func charge(_ count: Int) throws {
    bytesLeft -= count
    guard bytesLeft >= 0 else {
      throw InspectionError(
        .unreadable, "a bookmark that uses the same bytes over and over")
    }
  }

  private func text(_ item: Item) -> String? {
    reader.withBytes(in: item.bytes) { String(validating: $0, as: UTF8.self) } ?? nil
  }

  /// The bits of a number of up to eight bytes.
  private func bits(_ item: Item) -> UInt64 {
    let width = item.bytes.count
    guard (1...8).contains(width),
      let value = reader.bigEndian(at: item.bytes.lowerBound, width: width)
    else { return 0 }
    return value.byteSwapped >> UInt64(64 - 8 * width)
  }

  /// The value of the item at an offset; a container is filled later.
  private mutating func reference(_ offset: Int) throws -> PropertyListReference {
    if let known = known[offset] { return known }
    guard let item = item(offset) else {
      problems.append("no item at byte \(base + offset)")
      return null()
    }
    try charge(8 + item.bytes.count)
    let value = leaf(item)
    let reference = value ?? writer.reserve()
    if value == nil { containers.append((item, reference)) }
    known[offset] = reference
    return reference
  }

  private mutating func null() -> PropertyListReference {
    [UInt8(0)].withUnsafeBytes { writer.addEncodedLeaf($0) }
  }

  /// A value without parts; `nil` for containers, among which are items of unknown types.
  private mutating func leaf(_ item: Item) -> PropertyListReference? {
    switch Kind(rawValue: item.type & 0xFFFF_FF00) {
    case .string?: return text(item).map { writer.addString($0) }
    case .url? where item.type & 0xFF == 1: return text(item).map { writer.addString($0) }
    case .data?: return writer.addData(bytes(item))
    case .number?: return number(item)
    case .date? where item.bytes.count == 8:
      return writer.addDate(Double(bitPattern: bits(item).byteSwapped))
    case .bool?: return writer.addBool(item.type & 0xFF == 1)
    case .uuid? where item.bytes.count == 16:
      return writer.addString(InspectedArchive.uuid(bytes(item)))
    case .null?: return null()
    default: return nil
    }
  }

  private func bytes(_ item: Item) -> [UInt8] {
    reader.withBytes(in: item.bytes) { [UInt8]($0) } ?? []
  }

  /// A number, whose last byte of the type is that of Core Foundation.
  private mutating func number(_ item: Item) -> PropertyListReference? {
    let bits = bits(item)
    switch (item.type & 0xFF, item.bytes.count) {
    case (5, 4), (12, 4), (16, 4):
      return writer.addFloat(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case (6, 8), (13, 8), (16, 8): return writer.addDouble(Double(bitPattern: bits))
    case (1...4, 1), (7...11, 1): return writer.addInteger(Int64(Int8(truncatingIfNeeded: bits)))
    case (1...4, 2), (7...11, 2): return writer.addInteger(Int64(Int16(truncatingIfNeeded: bits)))
    case (1...4, 4), (7...11, 4), (14...15, 4):
      return writer.addInteger(Int64(Int32(truncatingIfNeeded: bits)))
    case (1...4, 8), (7...11, 8), (14...15, 8): return writer.addInteger(Int64(bitPattern: bits))
    default: return nil
    }
  }

  // MARK: Containers

  private mutating func fillContainers() throws {
    while let (item, reference) = containers.popLast() {
      switch Kind(rawValue: item.type & 0xFFFF_FF00) {
      case .array?:
        var elements: [PropertyListReference] = []
        for offset in offsets(item) { elements.append(try self.reference(offset)) }
        writer.setArray(reference, elements)
      case .dictionary?:
        let offsets = offsets(item)
        var (keys, values): ([PropertyListReference], [PropertyListReference]) = ([], [])
        for index in stride(from: 0, to: offsets.count - 1, by: 2) {
          keys.append(writer.addString(try keyText(offsets[index])))
          values.append(try self.reference(offsets[index + 1]))
        }
        writer.setDictionary(reference, keys: keys, values: values)
      case .url? where offsets(item).count == 2:
        let parts = try offsets(item).map { try self.reference($0) }
        setDictionary(reference, ["base", "relative"], parts)
      default:
        let type = writer.addString("0x" + String(item.type, radix: 16))
        setDictionary(reference, ["type", "data"], [type, writer.addData(bytes(item))])
      }
    }
  }

  private mutating func setDictionary(
    _ reference: PropertyListReference, _ names: [String], _ values: [PropertyListReference]
  ) {
    let keys = names.map { writer.addString($0) }
    writer.setDictionary(reference, keys: keys, values: values)
  }

  private func offsets(_ item: Item) -> [Int] {
    stride(from: item.bytes.lowerBound, to: item.bytes.upperBound - 3, by: 4).compactMap {
      number($0)
    }
  }

  /// The text of a key of a dictionary, or where it stands if it is none.
  private mutating func keyText(_ offset: Int) throws -> String {
    guard let item = item(offset), item.type & 0xFFFF_FF00 == Kind.string.rawValue,
      let text = text(item)
    else { return "item at byte \(base + offset)" }
    try charge(item.bytes.count)
    return text
  }
}
