import PortolanDocuments
import PortolanFiles
import PortolanInterchange
import PortolanKeeping

/// The store's results, in words.
extension World {
  func words(for note: StoreNote) -> String {
    switch note {
    case .interruptedSaveFinished: "a save had been interrupted and was finished"
    case .interruptedSaveLeft(let path, let error):
      "a save was interrupted; the new version is whole in \(path), "
        + "but could not be put in place: \(error.what)"
    case .leftoverKept:
      "a save had been interrupted; what it left is an earlier version now: versions"
    case .tooLargeForVersion(let path): "\(path) is too large to be kept as an earlier version"
    case .noRoomForVersion:
      "no earlier version was kept: there is no room beside what people edited"
    case .versionNotKept(let error): "the earlier version was not kept: \(error.description)"
    case .versionsRemoved(let removed): Self.words(forRemoved: removed)
    case .formerKept(let path): "the former version is kept as \(path)"
    case .theirsKept(let path): "another program had changed it: its version is \(path)"
    case .warning(.durabilityNotConfirmed(let error)):
      "written, but the disk did not confirm it: \(error.what)"
    case .warning(.metadataNotKept(let error)):
      "owner or permissions could not all be kept: \(error.what)"
    case .warning(.wasRemoved): "the file had been removed, and is there again"
    case .warning(.leftBehind(let path)): "could not remove \(path)"
    case .lost(let losses): "not in the file: " + losses.joined(separator: "; ")
    case .unreadableWork(let reason): "unsaved work was left, but cannot be read: \(reason)"
    case .fileIsReadOnly: "the file is read-only: :w NAME.doc saves under another name"
    case .noLock(let error):
      "no lock could be taken, others are not kept out: \(error.what)"
    }
  }

  /// `for room, earlier versions went: 1, 2 of a.doc; 7 of b.doc`.
  private static func words(forRemoved removed: [SavedVersion]) -> String {
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

  func words(for holder: LockHolder?) -> String {
    guard let holder else { return "another program has it open" }
    // The lock's file may hold anything.
    let (difference, isBeyond) = files.seconds.subtractingReportingOverflow(holder.since)
    let age = isBeyond ? 0 : difference
    return "\(holder.description) has had it open since \(options.clock(Double(holder.since)))"
      + (age < 120 ? "" : ", for \(TimeText.span(seconds: age))")
  }

  func failure(_ error: StoreError) -> Failure {
    var failure = bareFailure(error)
    if error.hasLeftWork, failure.code != .interrupted {
      failure.what +=
        "; unsaved work on it is left: portolan recover \(FilePath.quoted(error.path)) -o OUT.doc"
    }
    if !error.notes.isEmpty {
      let notes = error.notes.map { words(for: $0) }
      failure.what += "; besides, " + notes.joined(separator: "; ")
    }
    return failure
  }

  private func bareFailure(_ error: StoreError) -> Failure {
    let path = error.path
    switch error.code {
    case .reading(let error): return .reading(InputName.shown(path), error)
    case .writing(let error): return .writing(path, error)
    case .decoding(let error as Failure), .encoding(let error as Failure): return error
    case .decoding(let thrown):
      let isNewer = (thrown as? DocumentFileError)?.code == .newerVersion
      let isMissing = (thrown as? ToolError)?.kind == .missing
      return Failure(
        isNewer || isMissing ? .unsupported : .input, subject: InputName.shown(path),
        what: "\(thrown)")
    case .encoding(let error): return Failure(.output, subject: path, what: "\(error)")
    case .heldElsewhere(let holder):
      return Failure(
        .output, subject: path,
        what: "is open elsewhere: \(words(for: holder)): "
          + "save under another name, or save --force")
    case .writtenElsewhere(let holder):
      return Failure(
        .output, subject: path,
        what: "is open elsewhere, or being written: \(words(for: holder)): "
          + "try again, or choose another name")
    case .openHere(let open):
      return Failure(
        .output, subject: path, what: "is open here, as \(open): save under another name")
    case .noStateFolder:
      return Failure(
        .input, what: "no earlier versions are kept: set HOME or XDG_STATE_HOME to a folder")
    case .noSuchVersion(let number, let known):
      return Failure(
        .input, subject: path,
        what: "there is no version \(number): "
          + (known.isEmpty
            ? "none was kept yet" : "there are \(known.map { "\($0)" }.joined(separator: ", "))"))
    case .interrupted: return Failure(.interrupted, what: "interrupted")
    }
  }
}
