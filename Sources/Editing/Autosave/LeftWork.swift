import PortolanDocuments
import PortolanFiles
package import PortolanKeeping

/// Left work of an editor that crashed or was killed, described for people.
@dynamicMemberLookup
package struct LeftWork: Sendable {
  package var work: RecoveredWork
  /// The time of the last edit.
  package var time: String
  /// Why the file must not be changed in any case; `nil` if it may be.
  package var readOnlyReason: String?

  package subscript<Value>(dynamicMember path: KeyPath<RecoveredWork, Value>) -> Value {
    work[keyPath: path]
  }

  /// A sentence that describes the work.
  package var summary: String {
    var text = counted
    if work.isSeparate { text += "; the file was changed since" }
    switch work.origin {
    case .version(let number)?: text += "; what it was then is version \(number)"
    case .file(let name)?: text += "; what it was then is \(name)"
    case nil: break
    }
    if let problem { text += "; \(problem)" }
    return text
  }

  /// Why some of it cannot be recovered; `nil` if all can.
  var problem: String? {
    switch work.problem {
    case .damaged(let reason)?: return reason
    case .baseIsGone(let identity, let path, let isFileThere)?:
      let time = TimeText.local(seconds: identity.modified / 1_000_000_000)
      return "the file \(isFileThere ? "was changed since" : "is gone"), and what it was then "
        + "(\(identity.size) bytes, written \(time)) is neither in the journal nor among the "
        + "earlier versions; a copy of that beside the file, as "
        + "\(FilePath.name(of: path)).before, is found when the file is opened next"
    case nil: return nil
    }
  }

  /// The summary, and why the work cannot be recovered if so.
  var sentence: String {
    work.history == nil
      ? "\(counted), which cannot be recovered now: \(problem ?? "")" : summary
  }

  /// The number of edits, and the time.
  var counted: String {
    let count = work.journal.journal.stepCount
    return "\(count) \(count == 1 ? "edit" : "edits"), the last \(time)"
  }
}

/// Recovering in the editor.
extension Desk {
  /// Asks whether to recover left work, newest first.
  mutating func offer(_ works: [LeftWork]) {
    file.leftWork = works
    for index in file.leftWork.indices { file.leftWork[index].readOnlyReason = file.readOnlyReason }
    offerFirst()
  }

  private mutating func offerFirst() {
    guard let left = file.leftWork.first else { return }
    guard left.history != nil else {
      // The file has changed since, and may be edited.
      file.readOnlyReason = left.readOnlyReason
      ask(strandedQuestion(left))
      return
    }
    file.readOnlyReason = "unsaved work is left: :recover brings it back"
    var text = "The editor ended before this document was saved: \(left.summary)."
    if left.isSeparate {
      text +=
        isForFile(left)
        ? " Recovered, it is still to be saved into \(title): :w asks first, :w! replaces it."
        : " Recovered, it is a document of its own."
    }
    if let first = left.differences.first {
      let more = left.differences.count - 1
      text += " It changes " + first + (more > 0 ? " and \(more) more." : ".")
    }
    if left.differences.count > 1, let recovered = left.history, let draft = recovered.present.draft
    {
      text += " Being drawn: \(draft.summary(in: recovered.value))."
    }
    ask(question(text, of: left, showsDifferences: left.differences.count > 1))
  }

  private func question(
    _ text: String, of left: LeftWork, showsDifferences: Bool
  ) -> Question {
    var choices = [
      Question.Choice("r", "Recover it", line: "recover"),
      Question.Choice(
        "o", isUnnamed ? "Begin without it, decide later" : "Open the file read-only, decide later",
        line: "recover --later"),
      Question.Choice("x", "Discard it for good", line: "recover --discard --ask"),
    ]
    if showsDifferences {
      choices.insert(
        Question.Choice("d", "Show all that differs", line: "recover --differences"), at: 1)
    }
    return Question(
      title: leftWorkTitle, text: text, choices: choices + nextChoice,
      escapeLine: "recover --later")
  }

  /// The question about work whose base document is lost.
  private func strandedQuestion(_ left: LeftWork) -> Question {
    Question(
      title: leftWorkTitle,
      text: "The editor ended before this document was saved: \(left.sentence).",
      choices: [
        .init("o", "Keep them, go on with the file as it is", line: "recover --later"),
        .init("x", "Discard them for good", line: "recover --discard --ask"),
      ] + nextChoice, escapeLine: "recover --later")
  }

  /// Whether recovered work stays with a file that was changed since: one of map data, which no
  /// document can be saved into.
  private func isForFile(_ left: LeftWork) -> Bool {
    left.isSeparate && file.isData && file.path != nil && left.readOnlyReason == nil
  }

  private var isUnnamed: Bool { file.path == nil && file.source == nil }

  private var leftWorkTitle: String {
    file.leftWork.count > 1 ? "Unsaved work: \(file.leftWork.count) were left" : "Unsaved work"
  }

  private var nextChoice: [Question.Choice] {
    file.leftWork.count > 1
      ? [Question.Choice("n", "Show the next of \(file.leftWork.count)", line: "recover --next")]
      : []
  }

  /// Replaces the document by the recovered work; other left work waits for the next start.
  mutating func recover() throws {
    try requireTakingPart()
    let left = try requireLeftWork()
    guard let recovered = left.history else {
      throw EditingError(.refused, left.problem ?? "the work cannot be recovered")
    }
    if isEdited && !history.past.isEmpty || file.history.present.draft != nil {
      throw EditingError(
        .refused, "the document was edited since: save it under another name first, then :recover")
    }
    file.leftWork.removeFirst()
    let otherCount = file.leftWork.count
    forgetLeftWork()
    file.recovered = RecoveredJournal(left.journal, history: recovered)
    let former = document
    file.replaceHistory(by: recovered)
    file.readOnlyReason = left.isSeparate ? nil : left.readOnlyReason
    let isForFile = isForFile(left)
    if isForFile {
      history.markUnsaved()
      file.basis = .noVersion
      file.trouble = "changed on disk"
    } else if left.isSeparate {
      history.markUnsaved()
      if let path = file.path { request(ReleaseRequest(path: path)) }
      file.source = nil
      file.path = nil
      file.isData = false
    }
    activeLayer = document.layers.last?.id
    draft = history.present.after?.draft
    forgetWhatIsGone(since: former)
    var text = "recovered \(left.summary); "
    text +=
      isForFile
      ? ":w asks before it replaces \(title), :w! keeps theirs beside it"
      : file.path == nil ? ":w NAME.doc saves that" : ":w saves that"
    if let draft, !draft.isEmpty {
      text += "; \(draft.summary(in: document)) is being drawn: i goes on with it"
    }
    if otherCount > 0 {
      text += "; \(otherCount) more left for the next start: portolan recover --list shows them"
    }
    say(text, left.problem == nil ? .note : .warning)
    let data = file.addedData + file.waitingData
    file.addedData = []
    file.waitingData = []
    for part in data { try take(part) }
    if !data.isEmpty { say("\(text); the other files were added again", .warning) }
  }

  /// Asks about the next left work.
  mutating func offerNextWork() throws {
    let left = try requireLeftWork()
    file.leftWork.removeFirst()
    file.leftWork.append(left)
    offerFirst()
  }

  /// Shows the changes that recovering would make, and asks again.
  mutating func showLeftWork() throws {
    let left = try requireLeftWork()
    let most = 8
    var text = left.differences.prefix(most).joined(separator: "; ")
    if text.isEmpty { text = "nothing that can be seen" }
    let more = left.differences.count - most
    if more > 0 { text += "; and \(more) more, which portolan recover FILE lists" }
    ask(question("Recovering changes: \(text).", of: left, showsDifferences: false))
  }

  /// Leaves the work for the next start.
  mutating func leaveWork() throws {
    let left = try requireLeftWork()
    try addWaitingData()
    if isUnnamed {
      // Nothing keeps another document from being edited.
      file.readOnlyReason = left.readOnlyReason
      forgetLeftWork()
      say("the unsaved work is left for the next start; portolan recover --list shows it")
    } else if left.history == nil,
      let recoverable = file.leftWork.firstIndex(where: { $0.history != nil })
    {
      // Other left work is asked about before the file is edited.
      file.leftWork.swapAt(0, recoverable)
      offerFirst()
    } else if let reason = file.readOnlyReason {
      say("read-only: \(reason)", .warning)
    } else {
      say("the unsaved work stays; portolan recover --list shows it", .warning)
    }
  }

  /// Asks once more before the work is discarded: a letter may have been typed before the question.
  mutating func confirmDiscarding() throws {
    let left = try requireLeftWork()
    ask(
      Question(
        title: "Discard unsaved work?", text: "\(left.counted): gone for good, if you say so.",
        choices: [
          .init("o", "Keep it, decide later", line: "recover --later"),
          .init("d", "Discard it for good", line: "recover --discard"),
        ], escapeLine: "recover --later"))
  }

  /// Discards the work, and asks about other left work.
  mutating func discardLeftWork() throws {
    try requireTakingPart()
    let left = try requireLeftWork()
    file.leftWork.removeFirst()
    file.readOnlyReason = left.readOnlyReason
    request(DiscardWorkRequest(journal: left.journal))
    if file.leftWork.isEmpty { try addWaitingData() }
    say("the unsaved work is discarded")
    offerFirst()
  }

  /// Releases the left work, so that others can take it over.
  mutating func forgetLeftWork() {
    if !file.leftWork.isEmpty { request(LeaveWorkRequest(journals: file.leftWork.map(\.journal))) }
    file.leftWork = []
  }

  private func requireLeftWork() throws -> LeftWork {
    guard let left = file.leftWork.first else {
      throw EditingError(.refused, "no unsaved work was left")
    }
    return left
  }
}
