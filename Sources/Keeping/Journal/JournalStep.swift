package import Archiving
package import PortolanDocuments

/// A version of a document as its difference from the one before it (or, for versions before the
/// journal's base, after it).
package struct JournalStep: Sendable {
  /// The title of the version in the history.
  package var title: String
  /// The time, in seconds since 1970.
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
  /// Encodes the object of a record.
  ///
  /// A typedstream has no keys: objects that keep unknown parts by key go into a keyed archive.
  static func encode(
    _ object: some Coding
  ) throws -> (coding: JournalRecord.Coding, payload: [UInt8]) {
    do {
      return (.sequential, try Archiver.archive(object))
    } catch {
      return (.keyed, try KeyedArchiver.archive(object))
    }
  }

  /// Decodes the object of a record.
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
