/// A binary property list (`bplist00`), read where it lies.
///
/// Opening checks the header, the trailer and the size of the offset table; each object is checked
/// when it is asked for. No tree is built: objects are numbered, and a number is looked up in the
/// file's own offset table. `validate()` looks at everything that can be reached.
///
///     0       "bplist00"
///     8       objects, each starting with a marker byte
///     T       offset table: one big-endian offset an object
///     end-32  5 unused, sort version, offset width, reference width, count (8), top (8), T (8)
public struct BinaryPropertyList: Sendable {
  /// The file.
  public let reader: ByteReader

  /// How many objects the offset table lists; at least one.
  public let count: Int

  /// The number of the top object.
  public let top: PropertyListReference

  /// How many bytes a reference takes, 1 to 8.
  public let referenceWidth: Int

  /// How many bytes an entry of the offset table takes, 1 to 8.
  public let offsetWidth: Int

  /// Where the offset table begins, which is where the objects end.
  public let tableOffset: Int

  /// The eight bytes that every list begins with.
  public static let magic: [UInt8] = Array("bplist00".utf8)

  /// The first offset behind those at which eight bytes of the array can be read at once.
  @usableFromInline let wordEnd: UInt

  /// Opens a list; the bytes are kept, not copied.
  ///
  /// Throws when they are no property list, of another version, or their trailer is wrong.
  public init(_ bytes: [UInt8]) throws(PropertyListError) { try self.init(ByteReader(bytes)) }

  /// The same of the bytes of a reader; those of a source are read where they are looked at.
  ///
  /// - Throws: `unreadable` too, where bytes of a source could not be read.
  public init(_ reader: ByteReader) throws(PropertyListError) {
    do {
      try self.init(checking: reader)
    } catch {
      guard let failure = reader.failure else { throw error }
      throw PropertyListError(unreadable: failure)
    }
  }

  private init(checking reader: ByteReader) throws(PropertyListError) {
    // The eight bytes of `magic`.
    guard reader.bigEndian(at: 0, width: 8) == 0x6270_6C69_7374_3030 else {
      guard Self.isBinary(reader) else {
        throw PropertyListError(
          .notAPropertyList, at: 0, "not a binary property list: it does not begin with bplist00")
      }
      throw PropertyListError(
        .unsupportedVersion, at: 6, "a binary property list of a version other than 00")
    }
    let trailer = reader.count - 32
    guard trailer >= 9, let offsetWidth = reader.byte(at: trailer + 6),
      let referenceWidth = reader.byte(at: trailer + 7),
      let count = reader.bigEndian(at: trailer + 8, width: 8),
      let top = reader.bigEndian(at: trailer + 16, width: 8),
      let tableOffset = reader.bigEndian(at: trailer + 24, width: 8)
    else {
      throw PropertyListError(
        .badLength, at: reader.count, "the property list ends before its trailer")
    }
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth) else {
      throw PropertyListError(
        .badTrailer, at: trailer + 6,
        "offsets of \(counted(offsetWidth, "byte")) and references of "
          + "\(counted(referenceWidth, "byte")); 1 to 8 are possible")
    }
    guard tableOffset >= 9, tableOffset < UInt64(trailer) else {
      throw PropertyListError(
        .badTrailer, at: trailer + 24, "the offset table at \(tableOffset) is outside the file")
    }
    let tableSize = UInt64(trailer) - tableOffset
    let (needed, overflow) = count.multipliedReportingOverflow(by: UInt64(offsetWidth))
    guard count >= 1, count <= UInt64(UInt32.max), !overflow, needed == tableSize else {
      throw PropertyListError(
        .badTrailer, at: trailer + 8,
        "an offset table of \(counted(tableSize, "byte")) does not fit \(counted(count, "object"))")
    }
    guard top < count else {
      throw PropertyListError(
        .badTrailer, at: trailer + 16, "top object \(top) of \(counted(count, "object"))")
    }
    guard Self.holds(count, width: referenceWidth), Self.holds(tableOffset, width: offsetWidth)
    else {
      throw PropertyListError(
        .badTrailer, at: trailer + 6, "offsets or references are too narrow for the file")
    }
    self.reader = reader
    wordEnd = UInt(max(0, reader.bytes.count - 7))
    self.count = Int(count)
    self.top = PropertyListReference(top)
    self.referenceWidth = Int(referenceWidth)
    self.offsetWidth = Int(offsetWidth)
    self.tableOffset = Int(tableOffset)
  }

  /// Whether a file begins with the six letters that lists of every version begin with.
  package static func isBinary(_ reader: ByteReader) -> Bool {
    reader.bigEndian(at: 0, width: 6) == 0x6270_6C69_7374
  }

  /// Whether numbers below 2^(8·width) reach beyond `value`.
  private static func holds(_ value: UInt64, width: UInt8) -> Bool {
    width >= 8 || value < 1 << (UInt64(width) * 8)
  }

  // MARK: Objects

  /// Where an object begins.
  @inline(__always)
  public func offset(of reference: PropertyListReference) throws(PropertyListError) -> Int {
    guard Int(reference) < count,
      let raw = reader.bigEndian(
        at: tableOffset + Int(reference) * offsetWidth, width: offsetWidth)
    else { throw badReference(reference) }
    guard raw >= 8, raw < UInt64(tableOffset) else { throw badOffset(reference, raw) }
    return Int(raw)
  }

  /// The reference at a place of a row.
  @inline(__always)
  public func reference(
    _ index: Int, of row: PropertyListReferences
  ) throws(PropertyListError) -> PropertyListReference {
    guard index >= 0, index < row.count,
      let raw = reader.bigEndian(at: row.start + index * referenceWidth, width: referenceWidth),
      raw < UInt64(count)
    else {
      throw PropertyListError(
        .badReference, at: row.start,
        "reference \(index) leads outside of the list of \(counted(count, "object"))")
    }
    return PropertyListReference(truncatingIfNeeded: raw)
  }

  /// An object, checked to lie wholly inside the objects' area.
  public func object(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> PropertyListObject {
    try object(at: offset(of: reference))
  }

  /// The object that begins at an offset.
  public func object(at offset: Int) throws(PropertyListError) -> PropertyListObject {
    guard offset < tableOffset, let marker = reader.byte(at: offset) else {
      throw PropertyListError(.badOffset, at: offset, "an object outside the objects' area")
    }
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    case 0x10...0x14: return try integer(at: offset, width: 1 << low)
    case 0x22: return .float(Float(bitPattern: UInt32(try bits(offset, width: 4))))
    case 0x23: return .double(Double(bitPattern: try bits(offset, width: 8)))
    case 0x33: return .date(Double(bitPattern: try bits(offset, width: 8)))
    case 0x40...0x4F: return .data(try payload(offset, unit: 1))
    case 0x50...0x5F: return .ascii(try payload(offset, unit: 1))
    case 0x60...0x6F: return .utf16(try payload(offset, unit: 2))
    case 0x80...0x8F: return .uid(try uid(at: offset, width: low + 1))
    case 0xA0...0xAF: return .array(try references(offset, rows: 1))
    case 0xC0...0xCF: return .set(try references(offset, rows: 1))
    case 0xD0...0xDF:
      let keys = try references(offset, rows: 2)
      let values = PropertyListReferences(
        start: keys.start + keys.count * referenceWidth, count: keys.count)
      return .dictionary(keys: keys, values: values)
    default:
      throw PropertyListError(
        .badMarker, at: offset, "unknown marker 0x" + String(marker, radix: 16))
    }
  }

  /// The bytes of a whole leaf, marker and count included; `nil` for containers.
  package func encodedLeaf(
    _ reference: PropertyListReference
  ) throws(PropertyListError)
    -> Range<Int>?
  {
    let start = try offset(of: reference)
    let end: Int
    switch try object(at: start) {
    case .null, .bool: end = start + 1
    case .float: end = start + 5
    case .double, .date: end = start + 9
    case .integer, .unsigned, .uid:
      let marker = reader.byte(at: start) ?? 0
      let low = Int(marker & 0x0F)
      end = start + 1 + (marker & 0xF0 == 0x10 ? 1 << low : low + 1)
    case .data(let range), .ascii(let range), .utf16(let range): end = range.upperBound
    case .array, .set, .dictionary: return nil
    }
    return start..<end
  }

  // MARK: Helpers

  private func bits(_ offset: Int, width: Int) throws(PropertyListError) -> UInt64 {
    guard offset + 1 + width <= tableOffset,
      let value = reader.bigEndian(at: offset + 1, width: width)
    else { throw cut(offset) }
    return value
  }

  private func integer(at offset: Int, width: Int) throws(PropertyListError) -> PropertyListObject {
    guard width == 16 else {
      // One, two and four bytes are unsigned; eight bytes are signed.
      return .integer(Int64(bitPattern: try bits(offset, width: width)))
    }
    let high = try bits(offset, width: 8)
    let low = try bits(offset + 8, width: 8)
    let isNegative = Int64(bitPattern: low) < 0
    if high == 0 { return isNegative ? .unsigned(low) : .integer(Int64(low)) }
    guard high == UInt64.max, isNegative else {
      throw PropertyListError(.badNumber, at: offset, "a whole number of more than 64 bits")
    }
    return .integer(Int64(bitPattern: low))
  }

  private func uid(at offset: Int, width: Int) throws(PropertyListError) -> UInt32 {
    var value: UInt64 = 0
    guard offset + 1 + width <= tableOffset else { throw cut(offset) }
    for place in 1...width {
      guard value <= 0xFF_FFFF, let byte = reader.byte(at: offset + place) else {
        throw PropertyListError(.badNumber, at: offset, "a reference of more than 32 bits")
      }
      value = value << 8 | UInt64(byte)
    }
    guard let uid = UInt32(exactly: value) else { throw cut(offset) }
    return uid
  }

  /// The count of an object and where its payload begins.
  @inline(__always)
  private func header(_ offset: Int) throws(PropertyListError) -> (count: Int, start: Int) {
    let low = Int((reader.byte(at: offset) ?? 0) & 0x0F)
    if low < 15 { return (low, offset + 1) }
    return try longHeader(offset)
  }

  private func longHeader(_ offset: Int) throws(PropertyListError) -> (count: Int, start: Int) {
    guard let marker = reader.byte(at: offset + 1), (0x10...0x13).contains(marker) else {
      throw PropertyListError(.badCount, at: offset, "a count that is not a whole number")
    }
    let width = 1 << Int(marker & 0x0F)
    guard let count = Int(exactly: try bits(offset + 1, width: width)) else {
      throw PropertyListError(.badCount, at: offset, "a count beyond every file")
    }
    return (count, offset + 2 + width)
  }

  private func payload(_ offset: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
    let (count, start) = try header(offset)
    guard start <= tableOffset, count <= (tableOffset - start) / unit else {
      throw PropertyListError(
        .badCount, at: offset, "a length of \(count), more than the bytes that are there")
    }
    return start..<start + count * unit
  }

  private func references(
    _ offset: Int, rows: Int
  ) throws(PropertyListError) -> PropertyListReferences {
    let (count, start) = try header(offset)
    guard start <= tableOffset, count <= (tableOffset - start) / (rows * referenceWidth) else {
      throw PropertyListError(
        .badCount, at: offset, "a count of \(count), more than the bytes that are there")
    }
    return PropertyListReferences(start: start, count: count)
  }

  private func cut(_ offset: Int) -> PropertyListError {
    PropertyListError(.badCount, at: offset, "an object that runs into the offset table")
  }

  private func badReference(_ reference: PropertyListReference) -> PropertyListError {
    PropertyListError(.badReference, "reference \(reference) of \(counted(count, "object"))")
  }

  private func badOffset(_ reference: PropertyListReference, _ raw: UInt64) -> PropertyListError {
    PropertyListError(
      .badOffset, at: tableOffset + Int(reference) * offsetWidth,
      "object \(reference) is said to be at \(raw), outside the objects' area")
  }
}
