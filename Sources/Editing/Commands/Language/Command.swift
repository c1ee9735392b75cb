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

  /// Changes what a failure changes nevertheless.
  func failed(in desk: inout Desk)

  /// The command with these arguments in words, for the list of keys: the abstract unless there is
  /// more to say.
  var summary: String { get }

  /// What completes its values, by their names, beside `Completion.usual`, the choices of their
  /// types and names of files.
  static var completions: [String: Completion] { get }

  /// Where the rest of the line is one argument as it stands, without quotes of the language.
  static var expressionPlace: ExpressionPlace { get }

  /// Whether `.` repeats it.
  static var isRepeatable: Bool { get }

  /// Whether it is also a verb of the program.
  static var isVerb: Bool { get }

  /// Whether only keys have a use for it: the palette does not show it.
  static var isForKeys: Bool { get }

  /// Whether the history file of the prompt keeps its lines.
  static var isKept: Bool { get }
}

/// A command that acts on what a map shows: its view, cursor, selection or draft.
package protocol MapCommand: Command {}

/// A command that acts on features and needs no place: it acts wherever a pane lists them, too.
package protocol FeatureCommand: MapCommand {}

/// A command that moves the camera alone: it acts on a map beside its pane too.
package protocol CameraCommand: MapCommand {}

/// A command that writes, copies or asks about all features: in the editor it waits until a large
/// document is read to its end.
package protocol WholeMapCommand: Command {}

extension Command {
  package func failed(in desk: inout Desk) {}
  package var summary: String { Self.configuration.abstract }
  package static var completions: [String: Completion] { [:] }
  package static var expressionPlace: ExpressionPlace { .nowhere }
  package static var isForKeys: Bool { false }
  package static var isKept: Bool { true }
  package static var isRepeatable: Bool { false }
  package static var isVerb: Bool { false }

  /// The word that runs it.
  package static var name: String { configuration.commandName ?? _commandName }
}

/// Where the rest of a command's line is an expression.
package enum ExpressionPlace: Hashable, Sendable {
  case nowhere
  /// After a word.
  case after(String)
  /// After the name and its flags.
  case afterFlags
}
