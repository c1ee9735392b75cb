import ArgumentParser

/// Commands, found by their names and aliases: each line that is typed or run asks several times.
package struct CommandList: Sequence, Sendable {
  package static let all = CommandList(Commands.all)

  private let types: [any Command.Type]
  private let byName: [String: any Command.Type]
  /// Shared by all sessions, as the command of a line depends on the list alone.
  private let parsed = ParsedLines()

  /// - Parameter types: the first one of a name counts.
  package init(_ types: [any Command.Type]) {
    self.types = types
    byName = Dictionary(
      types.flatMap { type in ([type.name] + type.configuration.aliases).map { ($0, type) } },
      uniquingKeysWith: { first, _ in first })
  }

  package func makeIterator() -> IndexingIterator<[any Command.Type]> { types.makeIterator() }

  /// The command of a line; `nil` for an empty one. Lines are parsed once.
  ///
  /// - Throws: `EditingError` with the column.
  func command(for line: String) throws -> (any Command)? {
    try parsed.command(for: line) { try Commands.parse($0, among: self) }
  }

  /// A command by its name or alias.
  package func named(_ name: String) -> (any Command.Type)? { byName[name] }
}
