package import Documents
package import Interchange

/// Work that an editor which ended too early has left, as it would be recovered.
package struct LeftWork: Sendable {
  /// The journal, which is ours until it is decided on.
  package var journal: LeftJournal
  /// The document with its past and future; `nil` where what the work begins with is nowhere.
  package var history: History<Document>?
  /// What recovering would change, one sentence each.
  package var differences: [String] = []
  /// Whether the file was changed since: the work becomes a document of its own.
  package var isSeparate = false
  /// Where the document was found that the work begins with, if neither in its file nor in the
  /// journal.
  package var origin: String?
  /// What could not be recovered; `nil` if all was.
  package var problem: String?
  /// When it was edited last, for people.
  package var time: String
  /// Why the file must not be changed in any case; `nil` if it may.
  package var readOnlyReason: String?

  /// A sentence that says what there is.
  package var summary: String {
    var text = counted
    if isSeparate { text += "; the file was changed since" }
    if let origin { text += "; what it was then is \(origin)" }
    if let problem { text += "; \(problem)" }
    return text
  }

  /// What there is, and why it cannot be recovered if that is so.
  var sentence: String {
    history == nil ? "\(counted), which cannot be recovered now: \(problem ?? "")" : summary
  }

  /// How much was done, and when.
  var counted: String {
    let count = journal.journal.stepCount
    return "\(count) \(count == 1 ? "edit" : "edits"), the last \(time)"
  }
}

/// Recovering in the editor.
extension Session {
  /// Asks what is to become of work that was left, the newest first.
  mutating func offer(_ works: [LeftWork]) {
    leftWork = works
    for index in leftWork.indices { leftWork[index].readOnlyReason = readOnlyReason }
    offerFirst()
  }

  private mutating func offerFirst() {
    guard let work = leftWork.first else { return }
    guard work.history != nil else {
      // The file is another one by now, and may be worked on.
      readOnlyReason = work.readOnlyReason
      ask(strandedQuestion(work))
      return
    }
    readOnlyReason = "unsaved work is left: :recover brings it back"
    var text = "The editor ended before this document was saved: \(work.summary)."
    text += work.isSeparate ? " Recovered, it is a document of its own." : ""
    if let first = work.differences.first {
      let more = work.differences.count - 1
      text += " It changes " + first + (more > 0 ? " and \(more) more." : ".")
    }
    ask(question(text, of: work, showsDifferences: work.differences.count > 1))
  }

  private func question(
    _ text: String, of work: LeftWork, showsDifferences: Bool
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

  /// What is asked where the work cannot be put onto anything.
  private func strandedQuestion(_ work: LeftWork) -> Question {
    Question(
      title: leftWorkTitle,
      text: "The editor ended before this document was saved: \(work.sentence).",
      choices: [
        .init("o", "Keep them, go on with the file as it is", line: "recover --later"),
        .init("x", "Discard them for good", line: "recover --discard --ask"),
      ] + nextChoice, escapeLine: "recover --later")
  }

  private var isUnnamed: Bool { filePath == nil && sourcePath == nil }

  private var leftWorkTitle: String {
    leftWork.count > 1 ? "Unsaved work: \(leftWork.count) were left" : "Unsaved work"
  }

  private var nextChoice: [Question.Choice] {
    leftWork.count > 1
      ? [Question.Choice("n", "Show the next of \(leftWork.count)", line: "recover --next")] : []
  }

  /// Puts the recovered work in place of the document; what else was left is for the next start.
  mutating func recover() throws {
    let work = try requireLeftWork()
    guard let recovered = work.history else {
      throw EditingError(.refused, work.problem ?? "the work cannot be recovered")
    }
    leftWork.removeFirst()
    let otherCount = leftWork.count
    forgetLeftWork()
    self.recovered = work.journal
    documentNumber += 1
    let former = document
    history = recovered
    readOnlyReason = work.isSeparate ? nil : work.readOnlyReason
    if work.isSeparate {
      history.markUnsaved()
      sourcePath = nil
      filePath = nil
    }
    activeLayer = document.layers.last?.id
    forgetWhatIsGone(since: former)
    var text = "recovered \(work.summary); "
    text += filePath == nil ? ":w NAME.doc saves that" : ":w saves that"
    if otherCount > 0 {
      text += "; \(otherCount) more left for the next start: portolan recover --list shows them"
    }
    say(text, work.problem == nil ? .note : .warning)
  }

  /// Asks about the next of several that were left.
  mutating func offerNextWork() throws {
    let work = try requireLeftWork()
    leftWork.removeFirst()
    leftWork.append(work)
    offerFirst()
  }

  /// Shows what recovering would change, and asks again.
  mutating func showLeftWork() throws {
    let work = try requireLeftWork()
    let most = 8
    var text = work.differences.prefix(most).joined(separator: "; ")
    if text.isEmpty { text = "nothing that can be seen" }
    let more = work.differences.count - most
    if more > 0 { text += "; and \(more) more, which portolan recover FILE lists" }
    ask(question("Recovering changes: \(text).", of: work, showsDifferences: false))
  }

  /// Leaves the work where it is.
  mutating func leaveWork() throws {
    let work = try requireLeftWork()
    if isUnnamed {
      // Nothing is in the way of another document.
      readOnlyReason = work.readOnlyReason
      forgetLeftWork()
      say("the unsaved work is left for the next start; portolan recover --list shows it")
    } else if work.history == nil,
      let recoverable = leftWork.firstIndex(where: { $0.history != nil })
    {
      // Another one still waits; it is asked about before the file is worked on.
      leftWork.swapAt(0, recoverable)
      offerFirst()
    } else if let readOnlyReason {
      say("read-only: \(readOnlyReason)", .warning)
    } else {
      say("the unsaved work stays; portolan recover --list shows it", .warning)
    }
  }

  /// Asks once more before the work is given up: a letter may have been typed before the question.
  mutating func confirmDiscarding() throws {
    let work = try requireLeftWork()
    ask(
      Question(
        title: "Discard unsaved work?", text: "\(work.counted): gone for good, if you say so.",
        choices: [
          .init("o", "Keep it, decide later", line: "recover --later"),
          .init("d", "Discard it for good", line: "recover --discard"),
        ], escapeLine: "recover --later"))
  }

  /// Gives the work up, and asks about what else was left.
  mutating func discardLeftWork() throws {
    let work = try requireLeftWork()
    leftWork.removeFirst()
    readOnlyReason = work.readOnlyReason
    request(.discardWork(work.journal))
    say("the unsaved work is discarded")
    offerFirst()
  }

  /// Lets others have the work that was left here.
  mutating func forgetLeftWork() {
    if !leftWork.isEmpty { request(.leaveWork(leftWork.map(\.journal))) }
    leftWork = []
  }

  private func requireLeftWork() throws -> LeftWork {
    guard let work = leftWork.first else {
      throw EditingError(.refused, "no unsaved work was left")
    }
    return work
  }
}
