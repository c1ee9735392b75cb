package import Documents
package import Interchange

/// Work that an editor which ended too early has left, as it would be recovered.
package struct LeftWork: Sendable {
  /// The journal, which is ours until it is decided on.
  package var journal: LeftJournal
  package var history: History<Document>
  /// What recovering would change, one sentence each.
  package var differences: [String]
  /// Whether the file was changed since: the work becomes a document of its own.
  package var isSeparate: Bool
  /// What could not be recovered; `nil` if all was.
  package var problem: String?
  /// When it was edited last, for people.
  package var time: String
  /// Why the file must not be changed in any case; `nil` if it may.
  package var readOnlyReason: String?

  /// A sentence that says what there is.
  package var summary: String {
    let count = journal.journal.stepCount
    var text = "\(count) \(count == 1 ? "edit" : "edits"), the last \(time)"
    if isSeparate { text += "; the file was changed since" }
    if let problem { text += "; \(problem)" }
    return text
  }
}

/// Recovering in the editor.
extension Session {
  /// Asks what is to become of work that was left.
  mutating func offer(_ work: LeftWork) {
    leftWork = work
    leftWork?.readOnlyReason = readOnlyReason
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
      Question.Choice("o", "Open the file read-only, decide later", line: "recover --later"),
      Question.Choice("x", "Discard it for good", line: "recover --discard"),
    ]
    if showsDifferences {
      choices.insert(
        Question.Choice("d", "Show all that differs", line: "recover --differences"), at: 1)
    }
    return Question(
      title: "Unsaved work", text: text, choices: choices, escapeLine: "recover --later")
  }

  /// Puts the recovered work in place of the document.
  mutating func recover() throws {
    let work = try requireLeftWork()
    leftWork = nil
    recovered = work.journal
    documentNumber += 1
    history = work.history
    readOnlyReason = work.isSeparate ? nil : work.readOnlyReason
    if work.isSeparate {
      history.markUnsaved()
      sourcePath = filePath ?? sourcePath
      filePath = nil
    }
    activeLayer = document.layers.last?.id
    forgetWhatIsGone()
    let name = work.isSeparate ? ":w NAME.doc saves them beside the file" : ":w saves them"
    if let problem = work.problem {
      say("recovered: \(work.summary): \(problem); \(name)", .warning)
    } else {
      say("recovered \(work.summary); \(name)")
    }
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
    _ = try requireLeftWork()
    say("read-only: \(readOnlyReason ?? "")", .warning)
  }

  /// Gives the work up.
  mutating func discardLeftWork() throws {
    let work = try requireLeftWork()
    leftWork = nil
    readOnlyReason = work.readOnlyReason
    request(.discardWork(work.journal))
    say("the unsaved work is discarded")
  }

  private func requireLeftWork() throws -> LeftWork {
    guard let leftWork else { throw EditingError(.refused, "no unsaved work was left") }
    return leftWork
  }
}
