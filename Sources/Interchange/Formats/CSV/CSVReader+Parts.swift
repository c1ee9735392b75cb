import PortolanDocuments

/// A table that is read in parts.
struct TableParts {
  let text: TextSource
  let take: (FeatureBlock) throws -> Void

  /// The most bytes in memory, and of one record.
  private static let countMax = 16 << 20

  /// The first bytes: at least two records with the beginning of the next, where there are so many.
  func head() throws -> [UInt8] {
    var count = text.pieceCount
    while true {
      let bytes = try part(from: 0, count)
      if bytes.count == text.byteCount { return bytes }
      var scanner = CSVScanner(bytes, separator: CSVScanner.separator(of: bytes))
      if (try? scanner.nextRecord()) ?? nil != nil, (try? scanner.nextRecord()) ?? nil != nil,
        scanner.position < bytes.count
      {
        return bytes
      }
      count = try larger(count)
    }
  }

  fileprivate func part(from offset: Int, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: min(count, text.byteCount - offset))
    try bytes.withUnsafeMutableBytes { try text.read($0, at: offset) }
    return bytes
  }

  fileprivate func larger(_ count: Int) throws -> Int {
    guard count < Self.countMax else { throw TextParts.NeedsWhole() }
    return 2 * count
  }

  /// Throws if the first line is not UTF-8: the error of the whole table says where.
  func checkHead(_ scanner: CSVScanner) throws {
    try Self.checkUTF8(scanner.bytes[..<scanner.position])
  }

  fileprivate static func checkUTF8(_ bytes: ArraySlice<UInt8>) throws {
    guard bytes.withUnsafeBufferPointer({ JSONText.firstInvalidUTF8($0) }) == nil else {
      throw TextParts.NeedsWhole()
    }
  }

  /// Throws if the position columns depend on records that are not in memory.
  func check(_ positions: PositionColumns, _ names: [String], _ start: CSVScanner) throws {
    guard case .pair = positions, start.bytes.count < text.byteCount,
      let column = names.firstIndex(where: { $0.lowercased() == "wkt" })
    else { return }
    var scanner = start
    while let record = try scanner.nextRecord(), scanner.position < scanner.bytes.count {
      if column < record.count, !record[column].range.isEmpty { return }
    }
    throw TextParts.NeedsWhole()
  }
}

extension CSVReader {
  /// Reads a table in parts; every error of its text asks for the whole.
  init(_ parts: TableParts) throws {
    self.init(try parts.head())
    self.parts = parts
  }

  /// Calls a body with each record behind the first line, and where it begins in the table.
  mutating func eachRecord(
    from start: CSVScanner,
    _ body: (inout CSVReader, [CSVScanner.Field], CSVScanner, Int) throws -> Void
  ) throws {
    guard let parts else {
      var scanner = start
      var record: [CSVScanner.Field] = []
      while true {
        let place = scanner.position
        guard try scanner.nextRecord(into: &record) else { return }
        try body(&self, record, scanner, place)
      }
    }
    let (head, room) = (bytes, parts.text.pieceCount)
    var count = room
    var place = start.position
    while place < parts.text.byteCount {
      bytes = try parts.part(from: place, count)
      offset = place
      let isLast = place + bytes.count == parts.text.byteCount
      let read = try eachWholeRecord(separator: start.separator, isLast: isLast, body)
      try TableParts.checkUTF8(bytes[..<read])
      count = read > 0 ? room : try parts.larger(count)
      place += read
    }
    (bytes, offset) = (head, 0)
  }

  /// Calls a body with the records in memory, without the last one if it may go on.
  ///
  /// - Returns: the bytes of these records.
  private mutating func eachWholeRecord(
    separator: UInt8, isLast: Bool,
    _ body: (inout CSVReader, [CSVScanner.Field], CSVScanner, Int) throws -> Void
  ) throws -> Int {
    var scanner = CSVScanner(bytes, separator: separator)
    scanner.go(to: 0)
    var read = 0
    while true {
      let record: [CSVScanner.Field]?
      do throws(ScanFault) {
        record = try scanner.nextRecord()
      } catch {
        if isLast { throw TextParts.NeedsWhole() }
        return read
      }
      guard let record else { return isLast ? bytes.count : read }
      if scanner.position == bytes.count, !isLast { return read }
      try body(&self, record, scanner, offset + read)
      read = scanner.position
    }
  }
}
