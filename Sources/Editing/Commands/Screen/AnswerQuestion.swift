package import ArgumentParser

/// Answers the editor's question.
package struct AnswerQuestion: Command {
  package enum Answer: String, ExpressibleByArgument, CaseIterable, Sendable {
    case chosen, up, down, none
  }

  package static let configuration = CommandConfiguration(
    commandName: "answer", abstract: "Answer a question: move between its choices, take one.")

  package static let isForKeys = true

  @Argument(help: "chosen, up, down or none.")
  var answer: Answer

  package init() {}

  package var summary: String {
    switch answer {
    case .chosen: "Take the choice."
    case .up: "The choice above."
    case .down: "The choice below."
    case .none: "Decide nothing."
    }
  }

  package func run(in desk: inout Desk) throws {
    guard let question = desk.question else {
      throw EditingError(.refused, "there is no question to answer")
    }
    let count = max(1, question.choices.count)
    switch answer {
    case .up: desk.questions[0].index = (question.index + count - 1) % count
    case .down: desk.questions[0].index = (question.index + 1) % count
    case .chosen:
      let choice = question.choices.indices.contains(question.index)
      desk.answer(line: choice ? question.choices[question.index].line : "")
    case .none: desk.answer(line: question.escapeLine)
    }
  }
}
