package import ArgumentParser

/// A verb of the editor's one language: the program's verbs, scripts, the `:` prompt and key
/// bindings are all lines of it.
///
/// To add one: `Commands/<Group>/<Verb><Noun>.swift` and a line in `Commands.all`. Its
/// `configuration` names it (`commandName`) and describes it in a few words (`abstract`).
package protocol Command: ParsableCommand, Sendable {
  /// Runs the command. A command never prints, reads files or sleeps: it requests effects.
  ///
  /// - Throws: `EditingError`; the desk is then restored.
  func run(in desk: inout Desk) throws

  /// The command with these arguments in words, for the list of keys: the abstract unless there is
  /// more to say.
  var summary: String { get }

  /// Whether its words are names of layers, for completion.
  static var takesLayers: Bool { get }

  /// Whether its words are names of files, for completion.
  static var takesFiles: Bool { get }

  /// The words that may follow a flag, or come first (under an empty name), for completion; beside
  /// those that the type of the option lists.
  static var completions: [String: [String]] { get }

  /// The flags that take an attribute, for completion.
  static var attributeFlags: [String] { get }

  /// The word after which the rest of the line is one argument as it stands, without quotes of the
  /// language: an expression. `nil` if there is none.
  static var wordBeforeExpression: String? { get }

  /// Whether `.` repeats it.
  static var isRepeatable: Bool { get }

  /// Whether it is also a verb of the program.
  static var isVerb: Bool { get }
}

extension Command {
  package var summary: String { Self.configuration.abstract }
  package static var takesLayers: Bool { false }
  package static var takesFiles: Bool { false }
  package static var completions: [String: [String]] { [:] }
  package static var attributeFlags: [String] { [] }
  package static var wordBeforeExpression: String? { nil }
  package static var isRepeatable: Bool { false }
  package static var isVerb: Bool { false }

  /// The word that runs it.
  package static var name: String { configuration.commandName ?? _commandName }
}
