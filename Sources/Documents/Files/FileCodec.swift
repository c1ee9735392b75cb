/// How a document is a file of one format: bytes to a document and back.
///
/// Whoever keeps documents in files is handed codecs and knows no format. A codec may remember the
/// file that it read or wrote, so that what was not edited stays as it is there.
package protocol FileCodec: Sendable {
  /// Whether documents are saved in this format; a format that is only read leaves its file alone.
  var isWritable: Bool { get }
  /// Whether the file is an archive of the document, so that its bytes stand for all of it.
  var isArchive: Bool { get }
  /// Makes the document of a file.
  ///
  /// - Parameter progress: told the part that is done, from 0 to 1; what it throws ends the work.
  func decode(_ bytes: [UInt8], progress: (Double) throws -> Void) throws -> DecodedFile
  /// The file of a document, the same for the same document, and what it does not keep.
  ///
  /// - Throws: if the format has no place for the document at all.
  func encode(_ document: Document) throws -> EncodedFile
}

/// A document as it was read, and what is to be known of its file.
package struct DecodedFile: Sendable {
  package var document: Document
  /// How it was lifted from an older version of the format; empty for other formats.
  package var migration: [Migrations.Step] = []
  /// Why the document cannot be written again as it is; `nil` if it can, or is a newer one's.
  package var damage: String?
  /// What was odd, one sentence each.
  package var notices: [String] = []
  /// How the document is written over its own file; `nil` is the codec that read it.
  package var codec: (any FileCodec)?

  package init(_ document: Document, notices: [String] = []) {
    self.document = document
    self.notices = notices
  }
}

/// A document as the bytes of a file.
package struct EncodedFile: Sendable {
  package var bytes: [UInt8]
  /// What of the document is not in them, one sentence each.
  package var losses: [String] = []
  /// How the document is written over these bytes; `nil` is the codec that made them.
  package var codec: (any FileCodec)?

  package init(_ bytes: [UInt8], losses: [String] = []) {
    self.bytes = bytes
    self.losses = losses
  }
}

/// The codec of `.doc`: nothing is lost.
package struct DocumentCodec: FileCodec {
  package init() {}

  package var isWritable: Bool { true }
  package var isArchive: Bool { true }

  package func decode(
    _ bytes: [UInt8], progress: (Double) throws -> Void
  ) throws -> DecodedFile {
    let opened = try DocumentFile.open(bytes)
    var file = DecodedFile(opened.document)
    file.migration = opened.steps
    file.damage = opened.damage
    return file
  }

  package func encode(_ document: Document) throws -> EncodedFile {
    EncodedFile(try DocumentFile.bytes(of: document))
  }
}
