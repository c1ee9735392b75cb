package import ArgumentParser
import PortolanTexts

/// Says something to the other people here.
package struct SayWords: Command {
  package static let configuration = CommandConfiguration(
    commandName: "say",
    abstract: "Send a message to the other people in this editor.",
    discussion: """
      It appears in their message line. Without words, say lists the last messages to you. \
      Messages are not saved.
      """)

  // What people say to each other is kept in no file.
  package static let isKept = false

  @Argument(parsing: .remaining, help: "The words.")
  var words: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    let text = words.joined(separator: " ")
    if text.isEmpty {
      let heard = desk.session.heard
      if heard.isEmpty { return desk.answer("nothing was said") }
      return desk.showPage(heard, title: "Said here, the newest last")
    }
    guard text.count <= SaidWords.most else {
      throw EditingError(.refused, "\(text.count) characters: at most \(SaidWords.most) are sent")
    }
    let others = desk.company.filter { $0.isPresent && !$0.isRemote }.map(\.name)
    guard !others.isEmpty else { throw EditingError(.notFound, "nobody else is here") }
    desk.session.said.append(text)
    desk.answer("said to \(others.joined(separator: ", "))")
  }
}

/// What people say to each other.
enum SaidWords {
  /// The most characters of one message.
  static let most = 500
  /// The most messages that a person keeps.
  static let kept = 100

  /// A message with the name of its author, without anything that acts on a terminal.
  static func line(_ text: String, of name: String) -> String {
    DisplayWidth.sanitised("\(name): \(text)")
  }
}
