import PortolanDocuments
import PortolanFiles
import PortolanKeeping

/// Changes of the document's file by others, and its earlier versions.
extension Desk {
  /// Asks about saving a document whose file another program has written since it was read.
  ///
  /// - Parameter revision: of the document that was to be saved.
  mutating func take(_ conflict: SaveConflict, revision: Int) throws {
    file.quitsAfterSave = false
    file.trouble = "changed on disk"
    let name = FilePath.name(of: conflict.path)
    if isInScript {
      throw Failure(
        .output, subject: conflict.path,
        what: "another program wrote it since: save --force keeps both")
    }
    send(.beep)
    let save =
      "save --force" + (conflict.acceptsLosses ? " --lossy" : "")
      + (conflict.quits ? " --quit" : "")
    askAboutSaving(
      revision, again: "save" + (conflict.quits ? " --quit" : ""),
      Question(
        title: "\(name) changed on disk",
        text: "Another program wrote \(name) since it was opened here (\(conflict.time))"
          + (conflict.isOutdated ? ", and these edits began before that. " : ". ")
          + "Nothing was saved yet.",
        choices: [
          .init("b", "merge both; ]c goes to conflicts, :w then saves", line: "revert --merge"),
          .init("m", "keep mine, and theirs as \(name).theirs", line: save),
          .init("o", "open theirs; u brings mine back", line: "revert"),
          .init("s", "save mine under another name", line: "prompt command 'save '"),
          .init("c", "cancel: decide later"),
        ]))
  }

  /// Asks about saving a document whose format does not keep all of it.
  ///
  /// - Parameter revision: of the document that was to be saved.
  mutating func take(_ loss: SaveLoss, revision: Int) throws {
    file.quitsAfterSave = false
    if isInScript { throw loss.failure }
    send(.beep)
    let name = FilePath.name(of: loss.path)
    let flags = (loss.isForced ? " --force" : "") + (loss.quits ? " --quit" : "")
    let other = FilePath.isSame(loss.path, file.path) ? "" : " " + FilePath.quoted(loss.path)
    let document = FilePath.join(
      FilePath.folder(of: loss.path), FilePath.stem(of: loss.path) + ".doc")
    let lines = loss.losses.prefix(6).joined(separator: "; ")
    let more = loss.losses.count > 6 ? "; \(loss.losses.count - 6) more" : ""
    askAboutSaving(
      revision, again: "save" + flags + other,
      Question(
        title: "\(name) cannot hold all",
        text: "\(name) has no place for \(lines)\(more). Nothing was saved yet.",
        choices: [
          .init(
            "d", "save all of it as a document, \(FilePath.stem(of: loss.path)).doc",
            line: "prompt command \(FilePath.quoted("save " + FilePath.quoted(document)))"),
          .init("l", "save the file without that", line: "save --lossy" + flags + other),
          .init("c", "cancel: decide later"),
        ]))
  }

  /// Asks a question about saving a revision; after an edit its answer is to ask again.
  private mutating func askAboutSaving(
    _ revision: Int, again line: String, _ question: Question
  ) {
    var question = question
    question.revision = revision
    question.renewal = line
    ask(question)
  }

  /// Handles another program's change of the document's file; never discards an edit.
  mutating func noteChange(of path: String, _ change: FileChange) {
    guard FilePath.isSame(path, file.path) else { return }
    switch change {
    case .removed:
      file.trouble = Self.isGone
      say("\(title) was removed or renamed by another program: :w writes it again", .warning)
    case .written where !isBusy && (!isReadOnly || file.isWatching):
      readAgain(path, isAutomatic: true)
    case .written:
      file.trouble = "changed on disk"
      let advice = isReadOnly ? ":revert shows it" : ":revert takes theirs, :w asks"
      say("\(title) was changed by another program: \(advice)", .warning)
    }
  }

  /// Notes that nobody else has the document open any more.
  mutating func noteFreed(_ path: String) {
    guard file.isFile(path), file.isHeldElsewhere else { return }
    file.isHeldElsewhere = false
    file.readOnlyReason = "it was open elsewhere and is free now; :revert opens it for editing"
    say("\(title) is free now: :revert opens it for editing", .warning)
  }

  /// Requests a reload of the file.
  mutating func revert() throws {
    try requireTakingPart()
    guard let path = file.path else {
      throw EditingError(.refused, "there is no file to go back to: u undoes")
    }
    try requireNoPendingEdit()
    readAgain(path, isAutomatic: false)
  }

  mutating func readAgain(_ path: String, isAutomatic: Bool) {
    if file.isPart { file.restJob = freshJob }
    request(
      ReloadRequest(
        path: path, title: title, serial: history.present.serial, isAutomatic: isAutomatic))
  }

  private static let isGone = "gone from disk"
  private static let isUnreadable = "unreadable on disk"

  /// Whether a reload would lose something: edits or an operation under way.
  var isBusy: Bool {
    isEdited || isEditPending || draft != nil || work.overlay != nil
  }

  /// Notes that the reload of the document's file failed.
  mutating func noteUnreadable() {
    if file.trouble != Self.isGone { file.trouble = Self.isUnreadable }
  }

  /// The work that quitting now would lose, and advice; `nil` if there is none.
  var unsavedWork: String? {
    let save = file.path == nil ? ":w NAME.doc saves them" : ":wq saves them"
    // What stays open for another person is not lost.
    let isKept = !session.endsWorkspace && outlives(file.id)
    if isEditPending, !isKept { return "\(Self.pendingEdit), :q! gives it up" }
    let other = others.first { $0.hasUnsavedWork && (session.endsWorkspace || !outlives($0.id)) }
    if isEdited, !isKept {
      guard let other else { return "unsaved edits: :q! gives them up, \(save)" }
      return "unsaved edits here and in \(other.title): :q! gives them up, :wqa saves all"
    }
    if let describedDraft {
      return "\(describedDraft) is being drawn: i goes on with it, :q! gives it up"
    }
    if let other {
      let way = other.path.map { ", :open \(FilePath.quoted($0)) shows it" } ?? ""
      let save = other.isEdited && other.path != nil ? ", :wqa saves it" : ""
      return "\(other.title) has unsaved work: :q! gives it up\(save)\(way)"
    }
    // A read-only session has nothing to write.
    if isReadOnly || isKept { return nil }
    switch file.trouble {
    case Self.isGone: return "\(title) is gone from the disk: :w writes it again, :q! leaves it so"
    case Self.isUnreadable:
      return "\(title) cannot be read on the disk any more: :w writes it again, :q! leaves it so"
    default: return nil
    }
  }

  /// Takes the document of a reload: as one undoable step, or none if it is the same document.
  ///
  /// - Parameter isAutomatic: whether nobody asked for it; saving an earlier version asks then.
  mutating func takeAgain(_ opened: OpenedFile, isAutomatic: Bool) {
    accept(opened)
    let wasPart = isPart
    let isHere = opened.isUnchanged && !isEdited && !wasPart
    let wasReadOnly = isReadOnly
    let step = "read \(title) again"
    let former = document
    if !isHere, wasPart || !(opened.isUnchanged && history.goBackToSaved(title: step)) {
      history.record(opened.document, title: step)
      history.markSaved(history.present.revision)
    }
    if wasPart {
      // No step may lead back to a part.
      history.forgetOthers()
    }
    file.isPart = false
    if !isAutomatic {
      file.basis = .any
    } else if !isHere {
      file.basis = .version(history.present.serial)
    }
    // Left work stays to be decided on before anything is edited.
    if file.leftWork.isEmpty { file.readOnlyReason = opened.readOnlyReason }
    file.isHeldElsewhere = opened.isHeldElsewhere
    migration = opened.migration
    file.trouble = nil
    if file.readOnlyReason == nil { file.isWatching = false }
    draft = nil
    carry = nil
    map.box = nil
    let gone = work.filters.dropGone(from: former, to: document)
    forgetWhatIsGone(since: former)
    defer {
      for name in gone {
        warn("the filter of “\(name)” is off: the file has no such layer any more")
      }
      settleFilters()
    }
    if let notice = opened.notices.first {
      say("\(title): \(isHere ? "" : "read again from the disk; ")\(notice)", .warning)
    } else if isHere {
      say(
        wasReadOnly && !isReadOnly
          ? "\(title) can be edited now" : "nothing to revert: \(title) is as it is on the disk")
    } else {
      let mark = isReadOnly || wasPart ? "" : "; u brings the former content back"
      say("\(title): read again from the disk\(mark)")
    }
  }

  /// Makes the document a copy without a name.
  mutating func duplicate() throws {
    try requireTakingPart()
    try requireRead()
    let former = title
    forgetLeftWork()
    if let path = file.path { request(ReleaseRequest(path: path)) }
    file.source = nil
    file.path = nil
    file.isData = false
    file.readOnlyReason = nil
    file.isWatching = false
    file.trouble = nil
    history.markUnsaved()
    say("a copy of \(former), without a name yet: :w NAME.doc saves it")
  }

  /// Replaces the document by an earlier version: one undoable step.
  mutating func take(version number: Int, _ earlier: Document) throws {
    try edit("restore version \(number)") { $0 = earlier }
    say("version \(number) of \(title) is here, not saved yet: :w keeps it, u goes back")
  }

  /// Shows lines as a page over the map.
  mutating func show(_ lines: [String], title: String) { help = Help(title: title, lines: lines) }

  /// Shows lines: on standard output without an editor.
  mutating func showPage(_ lines: [String], title: String) {
    if isHeadless {
      send(.print(lines))
    } else {
      show(lines, title: title)
    }
  }
}

extension Question {
  /// The question about a document that somebody else has open.
  ///
  /// - Parameter isJoinable: whether that editor lets other terminals in.
  static func openElsewhere(
    _ name: String, holder: String, isJoinable: Bool = false
  ) -> Question {
    let join = Question.Choice(
      "j", "join: edit it together, in panes of your own", line: "join-editor")
    return Question(
      title: "\(name) is open elsewhere",
      text: "\(holder). They were told that you want it.",
      choices: (isJoinable ? [join] : []) + [
        .init("r", "read only: look at it, change nothing"),
        .init("d", "work on a copy of it, under another name", line: "duplicate"),
        .init("w", "watch: show each of their saves as it comes", line: "watch on"),
        .init("q", "leave", line: "quit"),
      ])
  }
}
