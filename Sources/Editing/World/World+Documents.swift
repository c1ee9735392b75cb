import Documents
import Files
import Interchange
import Synchronization

/// Documents as files.
extension World {
  /// What is known of a document's file since it was read or written.
  struct KnownFile: Sendable {
    /// The version for the next save; `nil` for a file that was not there.
    var identity: FileIdentity?
    /// Whether it is among the earlier versions already.
    var isKept = false
    /// The older format that it is in; the first save keeps it beside the new one.
    var migratedFrom: Int?
  }

  func decodeDocument(_ bytes: [UInt8], name: String) throws(Failure) -> DocumentArchive.Opened {
    do {
      return try DocumentFile.open(bytes)
    } catch {
      var what = error.what
      if !error.remedy.isEmpty { what += ": " + error.remedy }
      throw Failure(error.code == .newerVersion ? .unsupported : .input, subject: name, what: what)
    }
  }

  /// How a save ended.
  package enum SaveResult: Sendable {
    case done(notice: String?, isConfirmed: Bool)
    /// Nothing was written: another program wrote the file since it was read.
    case conflict(SaveConflict)
  }

  /// Writes a document; answers what the user should know.
  func save(_ request: SaveRequest) throws(Failure) -> SaveResult {
    let path = request.path
    let bytes: [UInt8]
    do {
      bytes = try DocumentFile.bytes(of: request.document)
    } catch {
      let what = [error.what, error.remedy].filter { !$0.isEmpty }.joined(separator: ": ")
      throw Failure(.output, subject: path, what: what)
    }
    if path == "-" {
      guard options.outputColumns() == nil else {
        throw Failure(
          .usage, subject: Self.standardOutputName,
          what: "a document is no text for a screen: name a file, or send it into one with >")
      }
      try self.write(to: path, overwrites: false) { try $0(bytes) }
      return .done(notice: nil, isConfirmed: true)
    }
    let wasLocked = locks.withLock { $0[FilePath.key(path)] != nil }
    let passing = try lockForSave(request)
    let isNewlyLocked =
      !wasLocked && (passing != nil || locks.withLock { $0[FilePath.key(path)] != nil })
    // What killed saves left is looked at before this one leaves something itself.
    let collected = isNewlyLocked ? collectLeftovers(of: path, isExclusive: true) : []
    var isDone = false
    defer {
      passing?.release()
      // What was not saved under this name is not edited under it either.
      if !isDone, !wasLocked {
        locks.withLock { $0.removeValue(forKey: FilePath.key(path)) }?.release()
      }
    }
    do {
      let result: SaveResult = try writing.withLock { _ in
        if let conflict = try conflict(of: request) { return .conflict(conflict) }
        let (outcome, notes) = try write(bytes, request)
        let notices = collected + notes + notices(of: outcome)
        return .done(
          notice: notices.isEmpty ? nil : notices.joined(separator: "; "),
          isConfirmed: outcome.isConfirmed)
      }
      isDone = true
      return result
    } catch let failure as Failure {
      throw failure
    } catch let error as FileError {
      throw .writing(path, error)
    } catch {
      throw Failure(.output, subject: path, what: "\(error)")
    }
  }

  /// Replaces the file; what was in it is kept as a version before, what is in it then afterwards.
  ///
  /// - Returns: what the save did, and what is to be told of earlier versions.
  private func write(
    _ bytes: [UInt8], _ request: SaveRequest
  ) throws -> (outcome: SaveOutcome, notes: [String]) {
    let path = request.path
    // What was open here before is another document's file by now.
    let known = request.overwrites ? known.withLock { $0[FilePath.key(path)] } : nil
    let expectation: SaveExpectation =
      if let known {
        known.identity.map { .version($0) } ?? (request.isForced ? .foreign : .absent)
      } else {
        request.overwrites ? .anything : .absent
      }
    var options = SaveOptions()
    if let version = known?.migratedFrom {
      options.formerVersionName = FilePath.name(of: path) + ".v\(version)"
    }
    if let state = self.options.state {
      options.fallbackFolder = try? state.make(.standby, in: files)
    }
    let keeper = request.isPersonal ? .person : self.keeper
    var notes: [String] = []
    if request.overwrites, request.versions != .none, known?.isKept != true {
      // The old format is kept beside the file too, where its folder takes new files.
      let keeper = known?.migratedFrom == nil ? keeper : .person
      notes = keepPresent(path, known?.identity, by: keeper)
    }
    let outcome: SaveOutcome
    do {
      outcome = try files.save(bytes, to: path, expecting: expectation, options: options)
    } catch {
      // That the save failed comes first; what became of the versions is told behind it.
      var failure = Failure.writing(path, error)
      if !notes.isEmpty { failure.what += "; besides, " + notes.joined(separator: "; ") }
      throw failure
    }
    let store = request.versions == .all ? versionStore : nil
    self.known.withLock {
      $0[FilePath.key(path)] = KnownFile(identity: outcome.identity, isKept: store != nil)
    }
    noteIdentity(outcome.identity, of: path)
    if let store {
      addChore {
        let notes = store.tryToKeep(bytes, of: outcome.path, by: keeper)
        return notes.isEmpty ? nil : "\(path) is saved; " + notes.joined(separator: "; ")
      }
    }
    return (outcome, notes)
  }

  /// What another program did to a file that we know, if it matters before saving.
  private func conflict(of request: SaveRequest) throws(Failure) -> SaveConflict? {
    guard request.overwrites, !request.isForced,
      let known = known.withLock({ $0[FilePath.key(request.path)] }),
      let present = try? files.targetStatus(request.path), present.identity != known.identity
    else { return nil }
    let time = TimeText.local(seconds: present.identity.modified / 1_000_000_000)
    guard options.guardsDocuments else {
      let what = known.identity == nil ? "was made" : "was changed"
      throw Failure(
        .output, subject: request.path,
        what: "\(what) by another program since it was opened (\(time)): save under another name, "
          + "or save --force and find theirs in \(FilePath.name(of: request.path)).theirs")
    }
    return SaveConflict(path: request.path, time: time, quits: request.quits)
  }

  private func notices(of outcome: SaveOutcome) -> [String] {
    var notices: [String] = []
    if let former = outcome.former { notices.append("the former version is kept as \(former)") }
    if let theirs = outcome.theirs {
      notices.append("another program had changed it: its version is \(theirs)")
    }
    for warning in outcome.warnings {
      switch warning {
      case .durabilityNotConfirmed(let error):
        notices.append("written, but the disk did not confirm it: \(error.what)")
      case .metadataNotKept(let error):
        notices.append("owner or permissions could not all be kept: \(error.what)")
      case .wasRemoved: notices.append("the file had been removed, and is there again")
      case .leftBehind(let path): notices.append("could not remove \(path)")
      }
    }
    return notices
  }
}
