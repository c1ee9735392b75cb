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
  /// What a record tells.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Of which document the journal is; the first record.
    case head = 0
    /// The present document was changed.
    case step = 1
    /// Versions were undone, or done again.
    case undo = 2
    case redo = 3
    /// A version before the oldest one known, told by what differs from that.
    case past = 4
    /// A part of the document that the first step begins with, and its end.
    case basePart = 5
    case baseEnd = 6
    /// A save of the present document is under way.
    case saving = 7
    /// Which content the first document's file had: how it is found where no copy of it is here.
    case baseMark = 8
    /// What was put into a draft.
    case draft = 9

    /// Whether it tells of the first document, and nothing of what was done.
    var isOfBase: Bool { self == .basePart || self == .baseEnd || self == .baseMark }
  }

  /// How a payload is coded.
  package enum Coding: UInt8, Hashable, Sendable {
    /// Plain numbers and bytes.
    case plain = 0
    /// A typedstream: what the sequential archiver writes.
    case sequential = 1
    /// A keyed archive: for what holds parts of a class that is not known, which only has keys.
    case keyed = 2
  }

  package var kind: Kind
  package var coding: Coding
  package var sequence: UInt64
  /// Where the payload stands in the journal.
  package var payload: Range<Int>

  package static let magic = Array("PORTJRNL".utf8)
  /// The version of the format that this program writes; it reads those before too.
  package static let version: UInt32 = 2
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

  /// The bytes that a journal begins with.
  package static var preamble: [UInt8] {
    var bytes = magic
    bytes.append(number: version)
    return bytes
  }

  /// The record at a place of a journal; `nil` where none stands whole and sound.
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
  /// Appends a number, the lowest byte first.
  mutating func append(number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// The number at a place; `nil` where there are too few bytes.
  func number<Number: FixedWidthInteger & UnsignedInteger>(
    at place: Int, _ type: Number.Type
  ) -> Number? {
    let size = Number.bitWidth / 8
    guard place >= 0, place <= count - size else { return nil }
    return (0..<size).reduce(0) { $0 | Number(self[place + $1]) << (8 * $1) }
  }
}
