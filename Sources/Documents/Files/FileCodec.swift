/// The conversion between a document and a file of one format.
///
/// The document store is handed codecs and knows no format. A codec may remember the file that it
/// read or wrote, so that unedited parts stay unchanged there.
package protocol FileCodec: Sendable {
  /// Whether documents are saved in this format; a format that is only read leaves its file alone.
  var isWritable: Bool { get }
  /// Whether the file is an archive of the document, so that its bytes stand for all of it.
  var isArchive: Bool { get }
  /// Decodes the document of a file.
  ///
  /// - Parameter progress: called with the part done, from 0 to 1; an error it throws ends the
  ///   work.
  func decode(_ bytes: [UInt8], progress: (Double) throws -> Void) throws -> DecodedFile
  /// Encodes a document, equal documents to equal bytes, and lists its losses.
  ///
  /// - Throws: if the format cannot hold the document at all.
  func encode(_ document: Document) throws -> EncodedFile
}

/// A document from a file, with its notices.
package struct DecodedFile: Sendable {
  package var document: Document
  /// The migrations from an older version of the format; empty for other formats.
  package var migration: [Migrations.Step] = []
  /// Why the document cannot be written again unchanged; `nil` if it can, or if it is of a newer
  /// version.
  package var damage: String?
  /// Oddities of the file, one sentence each.
  package var notices: [String] = []
  /// Those of them that are told without being asked.
  package var warnings: [String] = []
  /// The codec for writing over the document's own file; `nil` is the one that read it.
  package var codec: (any FileCodec)?

  package init(_ document: Document, notices: [String] = []) {
    self.document = document
    self.notices = notices
  }
}

/// A document encoded as the bytes of a file.
package struct EncodedFile: Sendable {
  package var bytes: [UInt8]
  /// The parts of the document that are not in the bytes, one sentence each.
  package var losses: [String] = []
  /// The codec for writing over these bytes; `nil` is the one that made them.
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
