package import ArgumentParser

/// Reloads the document whenever another editor saves it.
package struct WatchFile: Command {
  package static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a document open in another editor: reload it after each save there.")

  @Argument(help: "on, off or toggle.")
  var state: Switch = .toggle

  package init() {}

  package func run(in desk: inout Desk) throws {
    guard desk.isReadOnly else {
      throw EditingError(.refused, "nobody else has it open: changes of the file are shown anyway")
    }
    desk.file.isWatching = state.applied(to: desk.file.isWatching)
    desk.say(desk.file.isWatching ? "watching \(desk.title)" : "not watching any more")
  }
}
