import PortolanDocuments

/// A question to be answered before the keys do anything else.
///
/// Every answer is a line of the command language, so that all answers can be given from `:` and
/// from a script too.
package struct Question: Hashable, Sendable {
  /// One way to answer.
  package struct Choice: Hashable, Sendable {
    /// The letter of the choice; a long list has none for its later lines.
    package var key: Character?
    /// Its effect, in a few words.
    package var text: String
    /// The line to run; empty does nothing.
    package var line: String
    /// Whether the end of the text matters most.
    var isPath = false

    package init(_ key: Character?, _ text: String, line: String = "") {
      self.key = key
      self.text = text
      self.line = line
    }
  }

  package var title: String
  /// The situation, in whole sentences.
  package var text: String
  package var choices: [Choice]
  /// The choice that Enter takes.
  package var index = 0
  /// The pane of the document in question.
  package var place: PaneID?
  /// That document.
  package var document: OpenDocument.ID?
  /// The line that Escape runs; empty only closes the question.
  package var escapeLine = ""
  /// The line that asks anew once the document was edited; none of a question that holds then too.
  ///
  /// Of such questions there is one a document: the last one takes the place of the others.
  package var renewal: String?
  /// The revision of the document that the question is about, with a renewal.
  package var revision: Int?

  package init(title: String, text: String, choices: [Choice], escapeLine: String = "") {
    self.title = title
    self.text = text
    self.choices = choices
    self.escapeLine = escapeLine
  }
}

/// Answering questions.
extension Desk {
  /// Asks a question; pending questions are asked one after the other.
  package mutating func ask(_ question: Question) {
    var question = question
    question.place = pane.id
    question.document = file.id
    if question.renewal != nil { dropSaveQuestions() }
    questions.append(question)
  }

  /// The question with the focus.
  package var question: Question? { questions.first }

  /// Closes the question and runs the line of its answer.
  mutating func answer(line: String) {
    let answered = questions.first
    if !questions.isEmpty { questions.removeFirst() }
    if line.isEmpty { return }
    let isOutdated = answered?.revision != history.present.revision
    attempt(line: isOutdated ? answered?.renewal ?? line : line)
  }

  /// Drops the questions about saving the document, which another save answers or asks anew.
  mutating func dropSaveQuestions() {
    let document = file.id
    questions.removeAll { $0.document == document && $0.renewal != nil }
  }
}
