/// Writes bookmarks of files by hand, sound or broken as a test wants them.
package struct BookmarkWriter: Sendable {
  /// A value of a bookmark.
  package indirect enum Item: Hashable, Sendable {
    case string(String)
    case data([UInt8])
    case int32(Int32)
    case int64(Int64)
    case float(UInt32)
    case double(UInt64)
    case date(UInt64)
    case bool(Bool)
    case uuid([UInt8])
    case url(String)
    case relativeURL(Item, Item)
    case array([Item])
    case dictionary([Item])
    case null
    /// Any type with any bytes.
    case other(UInt32, [UInt8])
  }

  /// The tables of contents: a number, and entries.
  package var tables: [(number: UInt32, entries: [(key: UInt32, item: Item)])]
  /// Whether it is an alias file of the Finder, with a header of its own.
  package var isAliasFile = false

  private var body: [UInt8] = []

  package init(_ entries: [(key: UInt32, item: Item)]) { tables = [(1, entries)] }

  /// The file.
  package var bytes: [UInt8] {
    var writer = self
    return writer.write()
  }

  private mutating func write() -> [UInt8] {
    body = Self.little(0, 4)
    var next = 0
    for table in tables {
      let rows = table.entries.map { (key: $0.key, offset: add($0.item)) }
      let start = body.count
      replace(at: next, with: start)
      let size = 12 + 12 * rows.count
      body += Self.little(UInt64(size), 4) + Self.little(0xFFFF_FFFE, 4)
      body += Self.little(UInt64(table.number), 4)
      next = body.count
      body += Self.little(0, 4) + Self.little(UInt64(rows.count), 4)
      for row in rows {
        body += Self.little(UInt64(row.key), 4) + Self.little(UInt64(row.offset), 4)
        body += Self.little(0, 4)
      }
    }
    if isAliasFile {
      let head = Array("book".utf8) + [0, 0, 0, 0] + Array("mark".utf8) + [0, 0, 0, 0]
      return head + [56, 0, 0, 0, 56, 0, 0, 0] + Array(repeating: 0, count: 32) + body
    }
    let head = Array("book".utf8) + Self.little(UInt64(48 + body.count), 4)
    return head + [0, 0, 4, 16, 48, 0, 0, 0] + Array(repeating: 0, count: 32) + body
  }

  private mutating func replace(at place: Int, with offset: Int) {
    body.replaceSubrange(place..<place + 4, with: Self.little(UInt64(offset), 4))
  }

  /// Adds an item behind those that it is made of; returns its offset.
  private mutating func add(_ item: Item) -> Int {
    var payload: [UInt8] = []
    let type: UInt32
    switch item {
    case .string(let text): (type, payload) = (0x101, Array(text.utf8))
    case .data(let bytes): (type, payload) = (0x201, bytes)
    case .int32(let value):
      (type, payload) = (0x303, Self.little(UInt64(truncatingIfNeeded: value), 4))
    case .int64(let value): (type, payload) = (0x304, Self.little(UInt64(bitPattern: value), 8))
    case .float(let bits): (type, payload) = (0x305, Self.little(UInt64(bits), 4))
    case .double(let bits): (type, payload) = (0x306, Self.little(bits, 8))
    case .date(let bits): (type, payload) = (0x400, Self.little(bits, 8).reversed())
    case .bool(let value): type = value ? 0x501 : 0x500
    case .uuid(let bytes): (type, payload) = (0x801, bytes)
    case .url(let text): (type, payload) = (0x901, Array(text.utf8))
    case .relativeURL(let base, let rest):
      (type, payload) = (0x902, [base, rest].flatMap { Self.little(UInt64(add($0)), 4) })
    case .array(let items):
      (type, payload) = (0x601, items.flatMap { Self.little(UInt64(add($0)), 4) })
    case .dictionary(let items):
      (type, payload) = (0x701, items.flatMap { Self.little(UInt64(add($0)), 4) })
    case .null: type = 0xA01
    case .other(let code, let bytes): (type, payload) = (code, bytes)
    }
    let offset = body.count
    body += Self.little(UInt64(payload.count), 4) + Self.little(UInt64(type), 4) + payload
    while body.count % 4 != 0 { body.append(0) }
    return offset
  }

  private static func little(_ number: UInt64, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  // MARK: Samples

  /// A document in a folder, with all that such a bookmark has.
  package static var document: BookmarkWriter {
    func flags(_ first: UInt64) -> Item {
      .data(little(first, 8) + little(0x3FF, 8) + little(0, 8))
    }
    var writer = BookmarkWriter([
      (0x1004, .array([.string("Users"), .string("zoë"), .string("europe.doc")])),
      (0x1005, .array([.int64(23_307), .int64(564_764), .int64(54_838_727)])),
      (0x1010, flags(0x3001)), (0x1040, .date((757_339_200.25).bitPattern)),
      (0x2002, .array([.string("/")])), (0x2005, .url("file:///")),
      (0x2010, .string("Macintosh HD")), (0x2011, .string("F0B2E2C4-1D7C-4F0A-8C39-1F9E8E2D7A11")),
      (0x2012, .int64(494_384_795_648)), (0x2013, .date((600_000_000.0).bitPattern)),
      (0x2020, flags(0x81 | 1 << 40)), (0x2030, .bool(true)), (0xC001, .int32(1)),
      (0xC011, .string("zoë")), (0xD010, .int32(1_024)),
      (0xF030, .double((757_339_201.5).bitPattern)),
    ])
    writer.tables.append((2, [(0x1054, .null), (0x2040, .uuid(Array(0..<16)))]))
    return writer
  }
}
