/// The bytes of a document's file, of any kind.
package enum DocumentFile {
  /// Opens a document from bytes.
  package static func open(
    _ bytes: [UInt8]
  ) throws(DocumentFileError) -> DocumentArchive.Opened {
    let kind = FileKind.of(bytes)
    switch kind {
    case .document, .binaryPropertyList: break
    default: throw notADocument(kind)
    }
    do {
      return try DocumentArchive.open(bytes)
    } catch {
      throw DocumentFileError.decoding(error)
    }
  }

  /// The document's bytes: the same for the same document.
  package static func bytes(of document: Document) throws(DocumentFileError) -> [UInt8] {
    do {
      return try DocumentArchive.bytes(of: document)
    } catch {
      let isNewer = (error as? DocumentError)?.code == .newerVersion
      throw DocumentFileError(
        .notArchivable, what: "the document cannot be saved: \(error)",
        remedy: isNewer ? "save it with a newer Portolan, or export its layers" : "")
    }
  }

  private static func notADocument(_ kind: FileKind) -> DocumentFileError {
    let what = kind == .empty ? "the file is empty" : "not a Portolan document but \(kind.words)"
    return DocumentFileError(.notADocument(kind), what: what, remedy: kind.remedy)
  }
}
