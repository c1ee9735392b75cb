package import PortolanDocuments
import PortolanFiles

/// Opening a part of a document.
extension DocumentStore {
  /// Opens as much of a document as a question needs, without reading the rest of its file.
  ///
  /// What is not a large and sound document of the present version is opened whole, and so is a
  /// file that another program writes meanwhile. Where documents are edited they always are.
  ///
  /// - Parameters:
  ///   - path: `-` is standard input.
  ///   - progress: called with the part done, from 0 to 1; an error it throws ends the opening.
  package func open(
    _ path: String, for needs: DocumentNeeds, progress: (Double) throws -> Void = { _ in }
  ) throws(StoreError) -> StoredDocument {
    guard needs != .all, path != "-", !options.guardsDocuments, !options.keepsEdits else {
      return try open(path, progress: progress)
    }
    let settled = settleInterrupted(path)
    let source = StoredBytes(path, in: files, options.partialReading)
    if let source, let opened = openPart(of: source, path, needs, settled) { return opened }
    var opened = try open(path, progress: progress)
    opened.notes = settled + opened.notes
    if let source, (try? source.checkUnchanged()) == nil {
      let notice = "was changed by another program while it was read, and was read again"
      opened.contents.notices.append(notice)
      opened.contents.warnings.append(notice)
    }
    return opened
  }

  private func openPart(
    of source: StoredBytes, _ path: String, _ needs: DocumentNeeds, _ settled: [StoreNote]
  ) -> StoredDocument? {
    guard let head = try? source.head(), let codec = try? options.codec(path, head[...]),
      codec is DocumentCodec, let document = DocumentArchive.open(source, for: needs)
    else { return nil }
    var opened = StoredDocument(path: path, contents: DecodedFile(document), notes: settled)
    (opened.isWritable, opened.isArchive) = (true, true)
    return keep(
      opened, FileVersion(identity: source.identity, codec: codec), bytes: [], isReload: false)
  }
}
