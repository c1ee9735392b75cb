import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping
import PortolanPrinting
import PortolanTerminals

/// Documents in files: the store does the work, the words for people are here.
extension World {
  static func makeStore(
    _ files: any FileSystem, _ options: Options, _ readings: Readings
  ) -> DocumentStore {
    var wanted = DocumentStore.Options()
    wanted.codec = { path, head in
      let reading = readings[path]
      switch try FoundFormat(head, path, reading, among: options.importers) {
      case .document: return DocumentCodec()
      case .data(let importer):
        let title = InputName.stem(of: path == "-" ? path : files.knownPath(of: path))
        return ImportCodec(
          importer, path: path, title: title, reading: readings.wished(path), files: files)
      }
    }
    let beginsNew = options.beginsNewDocuments
    wanted.beginsNew = { beginsNew && InputName.isDocument($0) }
    wanted.state = options.state
    wanted.keepsEdits = options.keepsEdits
    wanted.guardsDocuments = options.guardsDocuments
    wanted.readsPipes = options.readsPipes
    wanted.partialReading = options.partialReading
    wanted.holder = options.holder
    wanted.versionsBytesMax = options.versionsBytesMax
    return DocumentStore(files: files, options: wanted)
  }

  // MARK: Opening

  func open(
    _ path: String, _ work: Progress, isReload: Bool = false, isSource: Bool = false,
    reading: (any FormatOptions)? = nil, needs: DocumentNeeds = .all,
    wishes: SourceWishes = SourceWishes()
  ) throws(Failure) -> OpenedFile {
    if let source = EngineSource(path) {
      return try self.open(source, reading, wishes: wishes, work)
    }
    try Self.checkFile(path, reading)
    let opened: StoredDocument
    // An open table is read again as it was opened.
    if !isReload, reading != nil || store.openPath(of: path) == nil {
      readings[path] = reading
    }
    readings.wish(wishes.ofFile, of: path)
    defer { readings.wish(nil, of: path) }
    do {
      opened =
        needs == .all || needs == .allLater
        ? try store.open(
          path, isReload: isReload, isSource: isSource, isLater: needs == .allLater
        ) { try work.report($0) }
        : try store.open(path, for: needs) { try work.report($0) }
    } catch {
      throw failure(error)
    }
    if !isReload { noteRecent(opened.path) }
    let document = opened.contents.document.mappingOrigins {
      OriginPaths.absolute($0, besides: store.realPath(of: opened.path))
    }
    var notices = opened.notes.map { words(for: $0) }
    if opened.isNew { notices.append("new document") }
    if !FilePath.isSame(opened.path, path) {
      notices.append("\(FilePath.shown(path)) is another name of it")
    }
    if let version = opened.contents.migration.first?.version {
      notices.append(
        "was written in version \(version) of the format; "
          + "the first save keeps it beside the new file")
    }
    if opened.isArchive { notices += Self.misnamedLayers(in: document) }
    var file = OpenedFile(
      path: opened.path, document: document, isDocumentFile: opened.isWritable,
      readOnlyReason: Self.readOnlyReason(of: opened.contents),
      migration: opened.contents.migration, notices: notices + opened.contents.notices)
    file.warnings = opened.contents.warnings
    if document.mayHaveConflicts {
      let count = document.conflictPlaces.count
      let words = CountText.text(count, "conflict", "conflicts")
      if count > 0 { file.notices.insert("\(words) of a merge to be decided: ]c", at: 0) }
    }
    file.version = opened.pendingVersion
    file.isData = !opened.isArchive
    file.isPart = needs == .allLater && !document.hasSoundCoordinates
    if file.isData { file.bookmarks = bookmarks(of: opened.path) }
    file.isOneOfSeveral = isSource
    file.isUnchanged = opened.isUnchanged
    file.leftWork = opened.leftWork.map { leftWork($0) }
    if case .held(let process) = opened.lock {
      let holder = words(for: process)
      file.holder = holder
      file.holderSocket = process.flatMap { options.socket($0) }
      file.isHeldElsewhere = file.readOnlyReason == nil
      file.readOnlyReason =
        file.readOnlyReason
        ?? "it is open elsewhere: \(holder); "
        + (file.holderSocket == nil ? "" : ":join-editor joins it, ")
        + ":duplicate makes a copy to edit, :watch follows it"
    }
    return file
  }

  /// Notes a file of an editor as opened or saved last, after the reply; it is not worth an error.
  private func noteRecent(_ path: String) {
    guard options.guardsDocuments, let state = options.state, path != "-" else { return }
    let path = store.realPath(of: path)
    addChore { [files] in
      try? RecentFiles(in: state, files).note(path)
      return nil
    }
  }

  /// Reloads the file of the open document.
  func reload(_ path: String, _ work: Progress) throws(Failure) -> OpenedFile {
    do {
      let file = try open(path, work, isReload: true)
      if file.isDocumentFile { return file }
    } catch {
      if error.isNoSuchFile {
        throw Failure(.input, subject: path, what: "is gone from the disk: :w writes it again")
      }
      var failure = error
      failure.what += "; :w writes the open document"
      throw failure
    }
    throw Failure(.input, subject: path, what: "is not a document any more")
  }

  /// The reason why an opened document is read-only.
  private static func readOnlyReason(of opened: DecodedFile) -> String? {
    if let version = opened.document.newerVersion {
      return
        "version \(version) of the format, newer than this Portolan: some of it may not be shown; "
        + Desk.exportAdvice
    }
    return opened.damage.map {
      "a part that this Portolan does not know is damaged, so that it cannot be saved (\($0)): "
        + Desk.exportAdvice
    }
  }

  /// Releases the lock of a document, and stops watching its file.
  func letGo(_ path: String) { store.close(path) }

  /// Releases all locks.
  package func letGoOfAll() { store.closeAll() }

  /// Checks the files and locks of the open documents; returns the changes that others made.
  package func look() -> [Event] {
    store.look().map { event in
      switch event {
      case .changed(let path, let change): .changedOnDisk(path: path, change)
      case .wanted(let path, let holder): .wanted(path: path, by: holder)
      case .freed(let path): .freed(path: path)
      }
    }
  }

  // MARK: Saving

  /// The result of a save.
  package enum SaveResult: Sendable {
    case done(notice: String?, isConfirmed: Bool)
    /// Nothing was written: another program has written the file since it was read.
    case conflict(SaveConflict)
    /// Nothing was written: the file's format does not keep all of the document.
    case lossy(SaveLoss)
  }

  /// Writes a document; returns the notes for the user.
  func save(_ request: SaveRequest) throws(Failure) -> SaveResult {
    let path = request.path
    let document = request.document.mappingOrigins { source in
      let source = OriginPaths.absolute(source, besides: request.openPath.map(store.realPath))
      return OriginPaths.kept(source, besides: store.realPath(of: path))
    }
    var order = SaveOrder(document, to: path)
    order.codec = codec(for: request)
    order.acceptsLosses = request.acceptsLosses
    order.openPath = request.openPath
    order.overwrites = request.overwrites
    order.isForced = request.isForced
    order.isOutdated = request.isOutdated
    order.versions = request.versions
    order.isPersonal = request.isPersonal
    if path == "-" { return try print(request.document) }
    let result: PortolanKeeping.SaveResult
    do {
      result = try store.save(order)
    } catch {
      throw failure(error)
    }
    switch result {
    case .saved(let notes, let isConfirmed):
      noteRecent(path)
      let notices = notes.map { words(for: $0) }
      return .done(
        notice: notices.isEmpty ? nil : notices.joined(separator: "; "), isConfirmed: isConfirmed)
    case .changed(let found, let wasThere):
      let time = TimeText.local(seconds: found.modified / 1_000_000_000)
      if options.guardsDocuments {
        return .conflict(
          SaveConflict(
            path: path, time: time, quits: request.quits, acceptsLosses: request.acceptsLosses,
            isOutdated: request.isOutdated))
      }
      throw Failure(
        .output, subject: path,
        what:
          "was \(wasThere ? "changed" : "made") by another program since it was opened (\(time))"
          + ": save under another name, or save --force and find theirs in "
          + "\(FilePath.name(of: path)).theirs")
    case .lossy(let losses):
      let loss = SaveLoss(
        path: path, losses: losses, isForced: request.isForced, quits: request.quits)
      if options.guardsDocuments { return .lossy(loss) }
      throw loss.failure
    }
  }

  /// The codec of a document: that of the data that it was read from, or the archive's.
  private func codec(for request: SaveRequest) -> any FileCodec {
    guard let open = request.openPath, let own = store.codec(of: open), !own.isArchive,
      FilePath.isSame(request.path, open) || ImportCodec.isSameFormat(request.path, open)
    else { return DocumentCodec() }
    return own
  }

  /// Writes a document to standard output.
  private func print(_ document: Document) throws(Failure) -> SaveResult {
    let bytes: [UInt8]
    do {
      bytes = try DocumentFile.bytes(of: document)
    } catch {
      throw Failure(.output, subject: Self.standardOutputName, what: error.description)
    }
    try write(to: "-", overwrites: false, as: .binary) { try $0(bytes) }
    return .done(notice: nil, isConfirmed: true)
  }

  // MARK: Versions

  /// The versions of a document, the newest first.
  func versions(of path: String) throws(Failure) -> [SavedVersion] {
    let versions: [SavedVersion]
    do {
      versions = try store.versions(of: path).reversed()
    } catch {
      throw failure(error)
    }
    if versions.isEmpty, !files.exists(path), !store.knows(path) {
      var failure = Failure(
        .input, subject: path, what: "there is no such file, and no earlier version of it is kept")
      failure.isNoSuchFile = true
      throw failure
    }
    return versions
  }

  func use(_ request: VersionRequest) throws(Failure) -> VersionRequest.Answer {
    let name = "version \(request.number) of \(FilePath.name(of: request.path))"
    do {
      let bytes = try store.bytes(ofVersion: request.number, of: request.path)
      func document() throws(Failure) -> Document {
        let document: Document
        do throws(StoreError) {
          document = try store.decode(bytes, of: request.path).document
        } catch {
          throw failure(StoreError(error.code, name))
        }
        return document.mappingOrigins {
          OriginPaths.absolute($0, besides: store.realPath(of: request.path))
        }
      }
      switch request.use {
      case .restore: return .restored(try document())
      case .compare(let present):
        let lines = DocumentDifference.lines(from: try document(), to: present)
        return .differences(lines.isEmpty ? ["nothing differs"] : lines, title: "Since \(name)")
      case .write("-", _):
        let isText = String(validating: bytes, as: UTF8.self) != nil
        try write(to: "-", overwrites: false, as: isText ? .text : .binary) { try $0(bytes) }
        return .written(notice: "")
      case .write(let path, let overwrites):
        let notes = try store.put(
          bytes, at: path, overwrites: overwrites, isForced: request.isForced)
        let notice = ["\(path): \(name) is back"] + notes.map { words(for: $0) }
        return .written(notice: notice.joined(separator: "; "))
      }
    } catch {
      throw error as? Failure ?? (error as? StoreError).map { failure($0) }
        ?? Failure(.input, subject: request.path, what: "\(error)")
    }
  }
}
