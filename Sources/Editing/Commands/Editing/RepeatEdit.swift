package import ArgumentParser

/// Does the last edit again.
package struct RepeatEdit: FeatureCommand {
  package static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Repeat the last edit on the present selection.")

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard let line = desk.session.lastEditLine else {
      throw EditingError(.refused, "no edit to repeat yet")
    }
    try desk.run(line: line)
  }
}
