import ArgumentParser

/// The list of all commands.
package enum Commands {
  /// In the order of `Docs/commands.md`.
  package static let all: [any Command.Type] = [
    Quit.self
  ]

  /// A command by its name or alias.
  package static func named(_ name: String) -> (any Command.Type)? {
    all.first { $0.name == name || $0.configuration.aliases.contains(name) }
  }

  /// Parses a line; `nil` for an empty one or a comment.
  ///
  /// - Throws: `EditingError` with the column.
  package static func parse(_ line: String) throws -> (any Command)? {
    let words = try CommandWord.split(line)
    guard let first = words.first else { return nil }
    guard let type = named(first.text) else {
      throw EditingError(
        .usage, "no command “\(first.text)”: see :help commands", column: first.column)
    }
    return try parse(type, words.dropFirst().map(\.text))
  }

  private static func parse<C: Command>(
    _ type: C.Type, _ arguments: [String]
  ) throws -> any Command {
    do {
      return try type.parse(arguments)
    } catch {
      throw EditingError(.usage, type.message(for: error))
    }
  }
}
