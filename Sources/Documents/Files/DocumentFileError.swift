/// Why bytes are no document, or a document cannot be encoded: the problem and its remedy.
package struct DocumentFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The file is something else.
    case notADocument(FileKind)
    /// The file is a document that breaks a rule of the format.
    case corrupt
    /// The document was written by a newer version of the program.
    case newerVersion
    /// The document in memory cannot be archived.
    case notArchivable
  }

  package var code: Code
  /// The problem, without the file's name.
  package var what: String
  /// The remedy; empty if there is none.
  package var remedy: String

  package init(_ code: Code, what: String, remedy: String = "") {
    self.code = code
    self.what = what
    self.remedy = remedy
  }

  /// Both in one line.
  package var description: String { remedy.isEmpty ? what : "\(what): \(remedy)" }

  /// An error of decoding, in terms of the file.
  static func decoding(_ error: any Error) -> DocumentFileError {
    if let error = error as? DocumentError, error.code == .newerVersion {
      return DocumentFileError(
        .newerVersion, what: error.message, remedy: "open it with a newer Portolan")
    }
    return DocumentFileError(
      .corrupt, what: "the document is damaged: \(error)",
      remedy: "take an earlier version of the file or a backup")
  }
}
