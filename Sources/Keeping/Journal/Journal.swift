import Archiving
import PortolanDocuments
import PortolanFiles

/// The records of a journal, up to the first that is not whole.
///
/// Reading is a function of the bytes; the records are not decoded yet.
package struct Journal: Sendable {
  package let head: JournalHead
  /// Steps, undos, redos and earlier versions, in the order of the file.
  package let records: [JournalRecord]
  /// The offset behind the last whole record, where appending goes on.
  package let soundCount: Int
  /// Whether bytes follow that offset: a record that was being written, or damage.
  package let isTorn: Bool
  /// The sequence number of the next record.
  package let nextSequence: UInt64
  /// The base document, a document file, if all of it is in the journal.
  package let base: [UInt8]?
  /// The SHA-256 of the base document's file, if recorded.
  package let baseDigest: [UInt8]?
  /// The mark of the base document's content, if recorded.
  package let baseMark: BaseMark?
  /// Whether the last record says that a save was under way.
  package let endsSaving: Bool
  /// Whether the journal has an earlier version of the format, which lacks some kinds of records.
  let isOfEarlierVersion: Bool
  private let bytes: [UInt8]

  /// Identifies the content of a file by its length and its `ContentDigest`.
  package struct BaseMark: Hashable, Sendable {
    package let count: Int
    package let digest: String
  }

  /// Reads a journal.
  ///
  /// - Throws: `JournalError` if there is no whole head.
  package init(_ bytes: [UInt8]) throws(JournalError) {
    guard bytes.starts(with: JournalRecord.magic),
      let version = bytes.number(at: JournalRecord.magic.count, UInt32.self)
    else { throw JournalError(.notAJournal, "not a journal") }
    guard (1...JournalRecord.version).contains(version) else {
      throw JournalError(.newerVersion, "a journal of version \(version) needs a newer Portolan")
    }
    isOfEarlierVersion = version < JournalRecord.version
    var place = JournalRecord.preambleCount
    var sequence: UInt64 = 0
    var found: [JournalRecord] = []
    while let record = JournalRecord(bytes, at: place, sequence: sequence) {
      guard (record.kind == .head) == found.isEmpty else { break }
      found.append(record)
      place = record.payload.upperBound
      sequence += 1
    }
    guard let first = found.first,
      let head = try? JournalCoding.decode(
        JournalHead.self, first.coding, Array(bytes[first.payload]))
    else {
      throw Self.isUnfinished(bytes)
        ? JournalError(.notAJournal, "the journal ends in its head")
        : JournalError(.damaged, "the head of the journal is damaged")
    }
    self.head = head
    self.bytes = bytes
    soundCount = place
    isTorn = place < bytes.count
    nextSequence = sequence
    endsSaving = found.last { !$0.kind.isOfBase }?.kind == .saving
    (base, baseDigest) = Self.base(found, bytes)
    baseMark = found.last { $0.kind == .baseMark }.flatMap { Self.mark(bytes[$0.payload]) }
    records = found.filter { [.step, .undo, .redo, .past, .draft].contains($0.kind) }
  }

  /// Whether the head was still being written: what is there is short, and less than that.
  private static func isUnfinished(_ bytes: [UInt8]) -> Bool {
    let place = JournalRecord.preambleCount
    guard bytes.count < unfinishedMax else { return false }
    guard let length = bytes.number(at: place, UInt32.self) else { return true }
    return Int(length) > bytes.count - place - JournalRecord.headCount
  }

  /// Journals of more bytes hold something behind their head.
  private static let unfinishedMax = 1024

  /// The number of journalled steps, those of drafts included.
  package var stepCount: Int { records.count { $0.kind == .step || $0.kind == .draft } }

  /// The time of the last step, or of the journal's beginning, in seconds since 1970.
  ///
  /// - Complexity: decodes one step.
  package var lastTime: Double {
    let last = records.last { $0.kind == .step || $0.kind == .draft }
    let time = last.flatMap { record in
      record.kind == .step
        ? try? object(JournalStep.self, of: record).time
        : try? object(JournalDraft.self, of: record).time
    }
    return time ?? head.begun
  }

  /// Whether this is the content of the base document's file.
  package func isBase(_ content: [UInt8]) -> Bool {
    if let baseMark {
      return content.count == baseMark.count && ContentDigest(content).text == baseMark.digest
    }
    return baseDigest.map { SHA256.digest(of: content) == $0 } ?? false
  }

  private static func mark(_ payload: ArraySlice<UInt8>) -> BaseMark? {
    guard payload.count == 40, let total = Array(payload).number(at: 0, UInt64.self),
      let count = Int(exactly: total),
      let digest = String(validating: payload.dropFirst(8), as: UTF8.self)
    else { return nil }
    return BaseMark(count: count, digest: digest)
  }

  /// Joins the parts of the base document, if they are all there.
  private static func base(
    _ records: [JournalRecord], _ bytes: [UInt8]
  ) -> (base: [UInt8]?, digest: [UInt8]?) {
    guard let end = records.last(where: { $0.kind == .baseEnd }), end.payload.count == 40,
      let total = bytes.number(at: end.payload.lowerBound, UInt64.self)
    else { return (nil, nil) }
    let digest = Array(bytes[end.payload.dropFirst(8)])
    var base: [UInt8] = []
    for record in records where record.kind == .basePart {
      guard record.payload.count >= 8,
        let offset = bytes.number(at: record.payload.lowerBound, UInt64.self),
        offset == UInt64(base.count)
      else { return (nil, digest) }
      base += bytes[record.payload.dropFirst(8)]
    }
    return (UInt64(base.count) == total ? base : nil, digest)
  }

  /// The object in a record.
  func object<Object: Coding>(_ type: Object.Type, of record: JournalRecord) throws -> Object {
    try JournalCoding.decode(type, record.coding, Array(bytes[record.payload]))
  }

  /// The number in an undo or redo.
  func count(of record: JournalRecord) -> Int? {
    guard record.payload.count == 4 else { return nil }
    return bytes.number(at: record.payload.lowerBound, UInt32.self).map { Int($0) }
  }
}

/// A fault of a journal.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case notAJournal, newerVersion, damaged
    /// The base document is neither in its file nor in the journal.
    case baseIsGone
  }

  package var code: Code
  package var what: String

  package init(_ code: Code, _ what: String) {
    self.code = code
    self.what = what
  }

  package var description: String { what }
}
