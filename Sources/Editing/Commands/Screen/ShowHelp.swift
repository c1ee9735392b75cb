package import ArgumentParser

/// Lists keys or commands.
package struct ShowHelp: Command {
  package static let configuration = CommandConfiguration(
    commandName: "help", abstract: "List the keys, the commands, or one command's options.")

  package static let completions = [
    "topic": Completion { desk, _ in
      desk.session.kinds.commands.map { $0.name } + ["keys", "commands"]
    }
  ]

  @Argument(help: "keys, commands, or the name of a command.")
  var topic = "keys"

  package init() {}

  package var summary: String { topic == "commands" ? "List the commands." : "List the keys." }

  package func run(in desk: inout Desk) throws {
    try desk.openHelp(topic)
    guard desk.isHeadless, let help = desk.help else { return }
    desk.help = nil
    desk.send(.print(help.lines))
  }
}
