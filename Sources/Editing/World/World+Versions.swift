import Documents
import Files
import Interchange
import Synchronization
import Terminals

/// Earlier versions of documents, and what interrupted saves left behind.
extension World {
  var versionStore: VersionStore? {
    options.state.map { VersionStore(in: $0, bytesMax: options.versionsBytesMax, files) }
  }

  /// Who has versions kept here: an editor's saves are somebody's work, a script's are not.
  var keeper: SavedVersion.Keeper { options.guardsDocuments ? .person : .script }

  // MARK: Keeping

  /// Notes something to be done when the answer was given.
  func addChore(_ chore: @escaping @Sendable () -> String?) {
    chores.withLock { $0.append(chore) }
  }

  /// Does what was left for later; answers what there is to tell.
  package func doChores() -> [String] {
    let due = chores.withLock { chores in
      defer { chores = [] }
      return chores
    }
    return due.compactMap { $0() }
  }

  /// Keeps what stands in a file before it is replaced, if no version has it; returns what is to
  /// be told of that.
  func keepPresent(
    _ path: String, _ known: FileIdentity?, by keeper: SavedVersion.Keeper
  ) -> [String] {
    guard let store = versionStore,
      let loaded = try? files.load(path, limit: store.bytesMax)
    else { return [] }
    let isForeign = known != nil && loaded.identity != known
    let reason = isForeign ? SavedVersion.Reason.foreign : .before
    return store.tryToKeep(loaded.bytes, of: path, reason: reason, by: keeper)
  }

  /// Finishes a save in place that was cut off; answers what the user should know.
  func settleInterrupted(_ path: String) -> [String] {
    guard path != "-" else { return [] }
    let standby = options.state?.path(of: .standby)
    guard
      let interrupted = InterruptedSave.find(for: path, fallbackFolder: standby, in: files)
    else { return [] }
    if let store = versionStore, let torn = try? files.load(path, limit: store.bytesMax) {
      // What stands there may be torn, or written by another program since.
      _ = store.tryToKeep(torn.bytes, of: path, reason: .interrupted, by: .person)
    }
    do {
      try interrupted.finish(in: files)
      return ["a save had been interrupted and was finished"]
    } catch {
      return [
        "a save was interrupted; the new version is whole in \(interrupted.intentPath), "
          + "but could not be put in place: \(error.what)"
      ]
    }
  }

  /// Removes what killed saves left; what may be the only copy of something becomes a version.
  ///
  /// - Parameter isExclusive: whether the lock is here; without, only old ones are collected.
  func collectLeftovers(of path: String, isExclusive: Bool) -> [String] {
    let store = versionStore
    var notes: [String] = []
    AtomicSave.removeLeftovers(of: path, now: files.time, isExclusive: isExclusive, in: files) {
      leftover in
      guard let bytes = try? files.load(leftover, limit: Self.inputBytesMax).bytes else {
        return false
      }
      // Half a document is of no use to anybody.
      guard (try? DocumentFile.open(bytes)) != nil else { return true }
      guard let store else { return false }
      if store.isNewest(bytes, of: path) { return true }
      var isKept = false
      notes += store.tryToKeep(
        bytes, of: path, reason: .interrupted, by: .person, isKept: &isKept)
      let note = "a save had been interrupted; what it left is an earlier version now: versions"
      if isKept, !notes.contains(note) { notes.insert(note, at: 0) }
      return isKept
    }
    return notes
  }

  // MARK: Using

  /// The versions as a list for people or programs, the newest first.
  func versionList(of path: String, isJSON: Bool) throws(Failure) -> String {
    let store = try requireStore()
    let versions = Array(store.versions(of: path).reversed())
    if versions.isEmpty { try requirePresent(path) }
    if isJSON {
      let items = versions.map { version in
        "{\"number\":\(version.number),\"time\":\(version.time),\"size\":\(version.size),"
          + "\"reason\":\"\(version.reason.rawValue)\",\"digest\":\"\(version.digest)\"}"
      }
      return "[" + items.joined(separator: ",") + "]\n"
    }
    if versions.isEmpty {
      return "no earlier versions of \(DisplayWidth.sanitised(InputName.shown(path)))\n"
    }
    return versions.map { version in
      let number = "\(version.number)"
      let size = "\(version.size)"
      return String(repeating: " ", count: max(0, 4 - number.count)) + number + "  "
        + TimeText.local(seconds: version.time)
        + String(repeating: " ", count: max(1, 13 - size.count)) + size + " bytes  "
        + version.reason.words + "\n"
    }.joined()
  }

  /// Throws for a document that is neither there nor begun here.
  private func requirePresent(_ path: String) throws(Failure) {
    guard !files.exists(path), known.withLock({ $0[FilePath.key(path)] == nil }) else { return }
    var failure = Failure(
      .input, subject: path, what: "there is no such file, and no earlier version of it is kept")
    failure.isNoSuchFile = true
    throw failure
  }

  func use(_ request: VersionRequest) throws(Failure) -> VersionRequest.Answer {
    let bytes = try bytes(of: request)
    let name = "version \(request.number) of \(FilePath.name(of: request.path))"
    switch request.use {
    case .restore:
      return .restored(try decodeDocument(bytes, name: name).document)
    case .compare(let document):
      let earlier = try decodeDocument(bytes, name: name).document
      let lines = DocumentDifference.lines(from: earlier, to: document)
      let text = lines.isEmpty ? ["nothing differs"] : lines
      return .differences(text.map { $0 + "\n" }.joined(), title: "Since \(name)")
    case .write(let path, let overwrites):
      return .written(notice: try write(bytes, named: name, to: path, request, overwrites))
    }
  }

  /// Writes a version byte by byte; the content that it replaces becomes a version first.
  private func write(
    _ bytes: [UInt8], named name: String, to path: String, _ request: VersionRequest,
    _ overwrites: Bool
  ) throws(Failure) -> String {
    if path == "-" {
      try writeOutput(bytes)
      return ""
    }
    let save = SaveRequest(
      path: path, document: Document(), revision: 0, overwrites: overwrites,
      isForced: request.isForced)
    let passing = try lockForSave(save)
    defer { passing?.release() }
    var notes = passing == nil ? [] : collectLeftovers(of: path, isExclusive: true)
    do {
      _ = try writing.withLock { _ in
        // Somebody asked for this very version: what goes for it is somebody's too.
        notes += keepPresent(path, nil, by: .person)
        return try files.save(bytes, to: path, expecting: overwrites ? .anything : .absent)
      }
    } catch let error as FileError {
      throw .writing(path, error)
    } catch {
      throw Failure(.output, subject: path, what: "\(error)")
    }
    return (["\(path): \(name) is back"] + notes).joined(separator: "; ")
  }

  private func bytes(of request: VersionRequest) throws(Failure) -> [UInt8] {
    let store = try requireStore()
    let versions = store.versions(of: request.path)
    guard let version = versions.first(where: { $0.number == request.number }) else {
      let known = versions.map { "\($0.number)" }.joined(separator: ", ")
      throw Failure(
        .input, subject: request.path,
        what: "there is no version \(request.number): "
          + (known.isEmpty ? "none was kept yet" : "there are \(known)"))
    }
    do {
      return try store.bytes(of: version, of: request.path)
    } catch {
      throw .reading(error.path, error)
    }
  }

  private func requireStore() throws(Failure) -> VersionStore {
    if let store = versionStore { return store }
    throw Failure(
      .input, what: "no earlier versions are kept: set HOME or XDG_STATE_HOME to a folder")
  }
}

extension VersionStore {
  /// Keeps a version; returns what is to be told: why it was not kept, and what had to go for it.
  func tryToKeep(
    _ bytes: [UInt8], of path: String, reason: SavedVersion.Reason = .saved,
    by keeper: SavedVersion.Keeper
  ) -> [String] {
    var isKept = false
    return tryToKeep(bytes, of: path, reason: reason, by: keeper, isKept: &isKept)
  }

  /// As above, and tells whether it is kept.
  func tryToKeep(
    _ bytes: [UInt8], of path: String, reason: SavedVersion.Reason,
    by keeper: SavedVersion.Keeper, isKept: inout Bool
  ) -> [String] {
    var removed: [SavedVersion] = []
    var notes: [String] = []
    do {
      isKept = try keep(bytes, of: path, reason: reason, by: keeper) { removed = $0 } != nil
      if !isKept {
        notes.append(
          bytes.count > bytesMax
            ? "\(path) is too large to be kept as an earlier version"
            : "no earlier version was kept: there is no room beside what people edited"
        )
      }
    } catch {
      notes.append("the earlier version was not kept: \(error.description)")
    }
    if !removed.isEmpty { notes.append(words(forRemoved: removed)) }
    return notes
  }

  /// `for room, earlier versions went: 1, 2 of a.doc; 7 of b.doc`.
  private func words(forRemoved removed: [SavedVersion]) -> String {
    var documents: [String] = []
    var numbers: [String: [String]] = [:]
    for version in removed {
      if numbers[version.document] == nil { documents.append(version.document) }
      numbers[version.document, default: []].append("\(version.number)")
    }
    let shown = documents.prefix(3).map { document in
      let name = document.isEmpty ? "another document" : FilePath.name(of: document)
      return "\((numbers[document] ?? []).joined(separator: ", ")) of \(name)"
    }
    let more = documents.count > shown.count ? " and of \(documents.count - shown.count) more" : ""
    return "for room, earlier versions went: " + shown.joined(separator: "; ") + more
  }
}
