import PropertyLists

/// A property list in the binary form of OPENSTEP, which typedstreams hold in place of objects.
///
/// Words of 32 bits, always with the least significant byte first, in streams of either order:
///
///     kind 2: count, length of each encoded element, elements        array
///     kind 4: length, bytes, zeros up to a multiple of four          data
///     kind 5: as data                                                string, NEXTSTEP encoding
///     kind 6: as data                                                string, UTF-16 with its mark
///     kind 8                                                         nothing
///
/// Dictionaries (kind 7) are refused: no file is known that tells how their lengths are ordered.
public enum OldPropertyList: Hashable, Sendable {
  /// Bytes.
  case data([UInt8])
  /// A text.
  case string(String)
  /// Elements.
  case array([OldPropertyList])
  /// Nothing.
  case none

  /// How deep arrays may be nested.
  public static let depthMax = 32

  /// Reads a property list, which must take all bytes.
  public init(_ bytes: [UInt8]) throws {
    var reader = OldPropertyListReader(ByteReader(bytes))
    self = try reader.list(upTo: bytes.count, depth: 0)
  }

  /// The encoded form.
  public func encoded() throws -> [UInt8] { try encoded(depth: 0) }

  private func encoded(depth: Int) throws -> [UInt8] {
    guard depth <= Self.depthMax else {
      throw ArchiveError(.tooDeep, "a property list nested deeper than \(Self.depthMax)")
    }
    switch self {
    case .none: return Self.word(8)
    case .data(let bytes): return Self.word(4) + Self.counted(bytes)
    case .string(let text):
      var units: [UInt8] = [0xFE, 0xFF]
      for unit in text.utf16 {
        units += [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
      }
      return Self.word(6) + Self.counted(units)
    case .array(let elements):
      let parts = try elements.map { try $0.encoded(depth: depth + 1) }
      return Self.word(2) + Self.word(parts.count) + parts.flatMap { Self.word($0.count) }
        + parts.flatMap { $0 }
    }
  }

  private static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func counted(_ bytes: [UInt8]) -> [UInt8] {
    word(bytes.count) + bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }
}

/// Reads property lists; arrays nest no deeper than `OldPropertyList.depthMax`.
private struct OldPropertyListReader {
  private let reader: ByteReader
  private var offset = 0

  init(_ reader: ByteReader) { self.reader = reader }

  private func fault(_ reason: String) -> ArchiveError {
    ArchiveError(.corrupt, offset: offset, "an old property list: " + reason)
  }

  private mutating func word() throws -> Int {
    guard let value = reader.bigEndian(at: offset, width: 4) else {
      throw fault("it ends too early")
    }
    offset += 4
    return Int(UInt32(truncatingIfNeeded: value).byteSwapped)
  }

  mutating func list(upTo end: Int, depth: Int) throws -> OldPropertyList {
    guard depth <= OldPropertyList.depthMax else {
      throw ArchiveError(
        .tooDeep, offset: offset,
        "an old property list nested deeper than \(OldPropertyList.depthMax)")
    }
    let list: OldPropertyList
    switch try word() {
    case 2: list = try array(upTo: end, depth)
    case 4: list = .data(try bytes())
    case 5:
      guard let text = try bytes().withUnsafeBytes({ NextStepText.decode($0) }) else {
        throw fault("a string that is not of the NEXTSTEP encoding")
      }
      list = .string(text)
    case 6: list = .string(try utf16())
    case 7: throw fault("a dictionary, whose form is not known")
    case 8: list = .none
    case let kind: throw fault("the kind \(kind)")
    }
    guard offset == end else { throw fault("its length does not fit") }
    return list
  }

  private mutating func bytes() throws -> [UInt8] {
    let count = try word()
    let padded = (count + 3) / 4 * 4
    guard reader.contains(offset, count: padded),
      let bytes = reader.withBytes(in: offset..<offset + count, { [UInt8]($0) })
    else {
      throw fault("a length of \(count) is announced, beyond the rest of \(reader.count - offset)")
    }
    offset += padded
    return bytes
  }

  private mutating func utf16() throws -> String {
    let bytes = try bytes()
    guard bytes.count % 2 == 0 else { throw fault("half a character") }
    var units = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    if units.first == 0xFFFE { units = units.map(\.byteSwapped) }
    if units.first == 0xFEFF { units.removeFirst() }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw fault("a string that is not valid Unicode")
    }
    return text
  }

  private mutating func array(upTo end: Int, _ depth: Int) throws -> OldPropertyList {
    let count = try word()
    guard count <= (end - offset) / 8 else {
      throw fault("an array of \(counted(count, "element"))")
    }
    let lengths = try (0..<count).map { _ in try word() }
    var elements: [OldPropertyList] = []
    for length in lengths {
      guard length <= end - offset else { throw fault("an element that is too long") }
      elements.append(try list(upTo: offset + length, depth: depth + 1))
    }
    return .array(elements)
  }
}

extension Archiver {
  /// Encodes a property list in the old binary form: a group `i`, its length, and its bytes.
  ///
  /// The counterpart of Cocoa's `encodePropertyList:`.
  public func encodePropertyList(_ list: OldPropertyList) throws {
    try encodeDataObject(list.encoded())
  }
}

extension Unarchiver {
  /// Decodes a property list in the old binary form.
  ///
  /// The counterpart of Cocoa's `decodePropertyList`.
  public func decodePropertyList() throws -> OldPropertyList {
    let data = try decodeDataObject()
    return try located { try OldPropertyList(data.bytes) }
  }
}
