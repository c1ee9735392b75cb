import PortolanTerminals

/// Something that has to be decided before the keys mean anything else again.
///
/// Every answer is a line of the command language, so that whatever a question offers can be had
/// from `:` and from a script too.
package struct Question: Hashable, Sendable {
  /// One way to answer.
  package struct Choice: Hashable, Sendable {
    /// The letter that chooses it; a long list has none for its later lines.
    package var key: Character?
    /// What it does, in a few words.
    package var text: String
    /// The line that is run; empty does nothing.
    package var line: String

    package init(_ key: Character?, _ text: String, line: String = "") {
      self.key = key
      self.text = text
      self.line = line
    }
  }

  package var title: String
  /// What happened, in whole sentences.
  package var text: String
  package var choices: [Choice]
  /// The choice that Enter takes.
  package var index = 0
  /// The pane whose document it is about.
  package var place: PaneID?
  /// The line that Escape runs; empty only puts the question away.
  package var escapeLine = ""

  package init(title: String, text: String, choices: [Choice], escapeLine: String = "") {
    self.title = title
    self.text = text
    self.choices = choices
    self.escapeLine = escapeLine
  }
}

/// How a question is answered.
extension Desk {
  /// Asks something; questions that wait are asked one after the other.
  package mutating func ask(_ question: Question) {
    var question = question
    question.place = pane.id
    questions.append(question)
  }

  /// The question that has the keys.
  package var question: Question? { questions.first }

  /// Takes a letter for an answer; says whether it was one.
  mutating func answer(with key: Key) -> Bool {
    guard mode == .question, session.pendingKeys.isEmpty, let typed = key.typedCharacter,
      let choice = question?.choices.first(where: { $0.key == typed })
    else { return false }
    answer(line: choice.line)
    return true
  }

  /// Puts the question away and runs the line of its answer.
  mutating func answer(line: String) {
    if !questions.isEmpty { questions.removeFirst() }
    if !line.isEmpty { attempt(line: line) }
  }
}
