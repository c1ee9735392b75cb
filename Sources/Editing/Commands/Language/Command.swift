package import ArgumentParser

/// A verb of the editor's one language: the program's verbs, scripts, the `:` prompt and key
/// bindings are all lines of it.
///
/// To add one: `Commands/<Verb><Noun>.swift` and a line in `Commands.all`. Its `configuration` has
/// to name it (`commandName`) and to say in a few words what it does (`abstract`).
package protocol Command: ParsableCommand, Sendable {
  /// Does it. A command never prints, reads files or sleeps: it asks for effects.
  ///
  /// - Throws: `EditingError`; the desk is then put back as it was.
  func run(in desk: inout Desk) throws

  /// What this command does with these arguments, for the list of keys: the abstract unless more
  /// can be said.
  var summary: String { get }

  /// Whether its words are names of layers, for completion.
  static var takesLayers: Bool { get }

  /// Whether `.` repeats it.
  static var isRepeatable: Bool { get }
}

extension Command {
  package var summary: String { Self.configuration.abstract }
  package static var takesLayers: Bool { false }
  package static var isRepeatable: Bool { false }

  /// The word that calls it.
  package static var name: String { configuration.commandName ?? _commandName }
}
