import PortolanFiles

/// One record of a journal as it stands in the file: `Docs/formats/journal.md`.
///
///     0   4  length of the payload
///     4   4  CRC-32C of bytes 0..<4, 8..<20 and the payload
///     8   8  sequence number: 0 for the head, then one more each
///     16  1  kind
///     17  1  how the payload is coded
///     18  2  zero
package struct JournalRecord: Hashable, Sendable {
  /// The kinds of records.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// The head, which names the document; the first record.
    case head = 0
    /// An edit of the present document.
    case step = 1
    /// Versions were undone, or redone.
    case undo = 2
    case redo = 3
    /// A version before the oldest recorded one, as its difference from that.
    case past = 4
    /// A part of the base document, and its end.
    case basePart = 5
    case baseEnd = 6
    /// A save of the present document is under way.
    case saving = 7
    /// The mark of the base document's content, which finds it where no copy is in the journal.
    case baseMark = 8
    /// A change of a draft.
    case draft = 9

    /// Whether it belongs to the base document and not to the edits.
    var isOfBase: Bool { self == .basePart || self == .baseEnd || self == .baseMark }
  }

  /// How a payload is coded.
  package enum Coding: UInt8, Hashable, Sendable {
    /// Plain integers and bytes.
    case plain = 0
    /// A typedstream, by the sequential archiver.
    case sequential = 1
    /// A keyed archive: for objects that hold parts of an unknown class, which only has keys.
    case keyed = 2
  }

  package var kind: Kind
  package var coding: Coding
  package var sequence: UInt64
  /// The range of the payload in the journal.
  package var payload: Range<Int>

  package static let magic = Array("PORTJRNL".utf8)
  /// The format version that this program writes; it reads earlier ones too.
  package static let version: UInt32 = 3
  /// The bytes before the first record: magic and version.
  package static let preambleCount = 12
  package static let headCount = 20

  /// The bytes of a record.
  package static func bytes(
    _ kind: Kind, _ coding: Coding, sequence: UInt64, payload: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headCount + payload.count)
    bytes.append(number: UInt32(truncatingIfNeeded: payload.count))
    bytes.append(number: UInt32(0))
    bytes.append(number: sequence)
    bytes += [kind.rawValue, coding.rawValue, 0, 0]
    let checksum = checksum(head: bytes, payload: payload)
    bytes += payload
    for place in 0..<4 {
      bytes[4 + place] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * place))
    }
    return bytes
  }

  /// The first bytes of a journal.
  package static var preamble: [UInt8] {
    var bytes = magic
    bytes.append(number: version)
    return bytes
  }

  /// The record at an offset of a journal; `nil` where there is no whole, sound one.
  init?(_ bytes: [UInt8], at place: Int, sequence: UInt64) {
    guard place <= bytes.count - Self.headCount,
      let length = bytes.number(at: place, UInt32.self),
      let checksum = bytes.number(at: place + 4, UInt32.self),
      bytes.number(at: place + 8, UInt64.self) == sequence,
      Int(length) <= bytes.count - place - Self.headCount,
      let kind = Kind(rawValue: bytes[place + 16]),
      let coding = Coding(rawValue: bytes[place + 17])
    else { return nil }
    let start = place + Self.headCount
    let payload = start..<start + Int(length)
    let sum = bytes.withUnsafeBytes { buffer in
      var sum = Checksum.crc32c(UnsafeRawBufferPointer(rebasing: buffer[place..<place + 4]))
      sum = Checksum.crc32c(
        UnsafeRawBufferPointer(rebasing: buffer[place + 8..<start]), after: sum)
      return Checksum.crc32c(UnsafeRawBufferPointer(rebasing: buffer[payload]), after: sum)
    }
    guard sum == checksum else { return nil }
    self.kind = kind
    self.coding = coding
    self.sequence = sequence
    self.payload = payload
  }

  private static func checksum(head: [UInt8], payload: [UInt8]) -> UInt32 {
    let sum = Checksum.crc32c(Array(head[8...]), after: Checksum.crc32c(Array(head[..<4])))
    return Checksum.crc32c(payload, after: sum)
  }
}

extension [UInt8] {
  /// Appends an integer, lowest byte first.
  mutating func append(number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The integer at an offset; `nil` where there are too few bytes.
  func number<Number: FixedWidthInteger & UnsignedInteger>(
    at place: Int, _ type: Number.Type
  ) -> Number? {
    let size = Number.bitWidth / 8
    guard place >= 0, place <= count - size else { return nil }
    return (0..<size).reduce(0) { $0 | Number(self[place + $1]) << (8 * $1) }
  }
}
