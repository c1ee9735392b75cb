package import Archiving
package import PortolanDocuments

/// A version of a document, told by what differs from the one before it (or, for versions from
/// before the journal, after it).
package struct JournalStep: Sendable {
  /// How the version came to be, in the words of the history.
  package var title: String
  /// When, in seconds since 1970.
  package var time: Double
  package var change: DocumentChange

  package init(title: String, time: Double, change: DocumentChange) {
    self.title = title
    self.time = time
    self.change = change
  }
}

extension JournalStep: Coding {
  package static var archivedClass: ArchivedClass { "PortolanJournalStep" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeDouble(time, forKey: "time")
    try coder.encodeObject(change, forKey: "change")
  }

  package init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    time = try coder.decodeDouble(forKey: "time")
    change = try coder.decodeObject(DocumentChange.self, forKey: "change")
  }
}

/// Payloads of records.
enum JournalCoding {
  /// What an object is in a record.
  ///
  /// A typedstream has no keys: what keeps unknown parts by their keys goes into a keyed archive.
  static func encode(
    _ object: some Coding
  ) throws -> (coding: JournalRecord.Coding, payload: [UInt8]) {
    do {
      return (.sequential, try Archiver.archive(object))
    } catch {
      return (.keyed, try KeyedArchiver.archive(object))
    }
  }

  /// The object of a record.
  static func decode<Object: Coding>(
    _ type: Object.Type, _ coding: JournalRecord.Coding, _ payload: [UInt8]
  ) throws -> Object {
    switch coding {
    case .sequential: return try Unarchiver.unarchive(type, from: payload)
    case .keyed: return try KeyedUnarchiver.unarchive(type, from: payload)
    case .plain:
      throw ArchiveError(.misuse, "a record that is not coded as an object")
    }
  }
}
