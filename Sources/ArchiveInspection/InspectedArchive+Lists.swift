import PropertyLists

/// Property lists in all notations, whole or with other bytes around them.
extension InspectedArchive {
  /// Reads a property list, or an archive in one.
  static func list(_ bytes: [UInt8]) throws -> InspectedArchive {
    switch PropertyListNotation(bytes) {
    case .xml:
      return try list(XMLPropertyListReader().readStart(bytes), of: bytes) { $0.isXML = true }
    case .openStep:
      return try list(StartedPropertyList(text: bytes), of: bytes) { $0.isText = true }
    case .binary, nil: return try binaryList(bytes)
    }
  }

  /// A list in text, with what could not be read of it.
  private static func list(
    _ started: StartedPropertyList, of bytes: [UInt8], _ tell: (inout InspectionHeader) -> Void
  ) throws -> InspectedArchive {
    var header = InspectionHeader(format: .propertyList, byteCount: bytes.count)
    tell(&header)
    var archive = try PropertyListSurvey.archive(started.list, header, started.faults)
    if let rest = started.rest { archive.header.tellRest(of: bytes, from: rest) }
    return archive
  }

  /// A binary list; where it is not the whole file, the last one in it.
  private static func binaryList(_ bytes: [UInt8]) throws -> InspectedArchive {
    var header = InspectionHeader(format: .propertyList, byteCount: bytes.count)
    let isBinary = bytes.starts(with: BinaryPropertyList.magic.prefix(6))
    do {
      return try PropertyListSurvey.archive(BinaryPropertyList(bytes), header)
    } catch let error as PropertyListError {
      guard let range = listRange(in: bytes), range.count < bytes.count,
        let list = try? BinaryPropertyList(Array(bytes[range]))
      else { throw isBinary ? error : noArchive(bytes) }
      header.tellStart(of: bytes, at: range.lowerBound)
      if range.upperBound < bytes.count { header.tellRest(of: bytes, from: range.upperBound) }
      return try PropertyListSurvey.archive(list, header)
    }
  }

  /// Where a binary list lies among other bytes: from the beginning of the file if it can, else the
  /// last one.
  ///
  /// A trailer tells how many bytes stand before it, so that each place is looked at once.
  private static func listRange(in bytes: [UInt8]) -> Range<Int>? {
    var last: Range<Int>?
    let reader = ByteReader(bytes)
    let trailerCount = 32
    // The shortest list has a magic, an object, an offset and a trailer.
    var end = bytes.count
    while end >= 42 {
      defer { end -= 1 }
      let trailer = end - trailerCount
      guard let widths = reader.bigEndian(at: trailer + 6, width: 2), widths >> 8 &- 1 < 8,
        widths & 0xFF &- 1 < 8, let count = reader.bigEndian(at: trailer + 8, width: 8), count > 0,
        count <= UInt64(end), let table = reader.bigEndian(at: trailer + 24, width: 8), table >= 9,
        table <= UInt64(end)
      else { continue }
      let start = trailer - Int(table) - Int(count) * Int(widths >> 8)
      guard start >= 0, last == nil || start == 0,
        bytes[start...].starts(with: BinaryPropertyList.magic)
      else { continue }
      if start == 0 { return 0..<end }
      last = start..<end
    }
    return last
  }
}

extension InspectionHeader {
  /// Tells what follows the end of a list.
  fileprivate mutating func tellRest(of bytes: [UInt8], from rest: Int) {
    restCount = bytes.count - rest
    notes.append(
      "\(InspectionText.count(restCount, "byte")) from byte \(rest) on follow the end "
        + "of the list: " + InspectionText.hexadecimal(bytes[rest...].prefix(16), groups: 4)
        + (restCount > 16 ? " …" : ""))
  }

  /// Tells what stands before a list.
  fileprivate mutating func tellStart(of bytes: [UInt8], at start: Int) {
    guard start > 0 else { return }
    startCount = start
    notes.append(
      "the list begins at byte \(start), from which offsets are counted; before it: "
        + InspectionText.hexadecimal(bytes.prefix(min(start, 16)), groups: 4)
        + (start > 16 ? " …" : ""))
  }
}
