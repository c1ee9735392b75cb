package import ArgumentParser

/// Does the last edit again.
package struct RepeatEdit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Repeat the last edit on what is selected now.")

  package init() {}

  package func run(in session: inout Session) throws {
    guard let line = session.lastEditLine else {
      throw EditingError(.refused, "no edit to repeat yet")
    }
    try session.run(line: line)
  }
}
