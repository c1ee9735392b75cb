package import Documents
package import Files

/// A document's file: opening it, whatever it turns out to be, and saving it atomically.
///
///     let file = try DocumentFile.open("europe.doc", in: fileSystem)
///     …
///     let outcome = try DocumentFile.save(
///       document, to: "europe.doc", expecting: .version(file.identity), in: fileSystem)
package struct DocumentFile: Sendable {
  package var document: Document
  /// The version of the file that was read, for a later save.
  package var identity: FileIdentity
  /// The version of the format, if it is an older one and was lifted: the next save keeps the
  /// former file beside the new one.
  package var migratedFrom: Int?

  /// The most bytes of a document that are read unless the caller says otherwise.
  package static let byteLimit = 4 << 30

  /// Opens a document.
  ///
  /// - Throws: `DocumentFileError`.
  package static func open(
    _ path: String, in fileSystem: any FileSystem, limit: Int = byteLimit
  ) throws(DocumentFileError) -> DocumentFile {
    let loaded: LoadedFile
    do {
      loaded = try fileSystem.load(path, limit: limit)
    } catch {
      throw DocumentFileError(error)
    }
    do {
      let opened = try open(loaded.bytes)
      return DocumentFile(
        document: opened.document, identity: loaded.identity,
        migratedFrom: opened.migratedFrom)
    } catch {
      var named = error
      named.path = path
      throw named
    }
  }

  /// Opens a document out of bytes.
  ///
  /// - Throws: `DocumentFileError` without a path.
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

  /// Whether these bytes are a document, sound or not, and no other kind of file.
  package static func recognizes(_ bytes: [UInt8]) -> Bool { FileKind.of(bytes) == .document }

  /// Saves a document, atomically and durably; the former version stays if anything fails.
  ///
  /// - Throws: `DocumentFileError`.
  package static func save(
    _ document: Document, to path: String, expecting expectation: SaveExpectation,
    options: SaveOptions = SaveOptions(), in fileSystem: any FileSystem
  ) throws(DocumentFileError) -> SaveOutcome {
    let bytes = try bytes(of: document)
    do {
      return try fileSystem.save(bytes, to: path, expecting: expectation, options: options)
    } catch {
      throw DocumentFileError(error)
    }
  }

  /// The document's bytes: the same for the same document.
  ///
  /// - Throws: `DocumentFileError` without a path.
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
