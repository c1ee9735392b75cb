import ArgumentParser
import Glibc
import PortolanCursesTerminal
import PortolanEditing
import PortolanFiles
import PortolanTerminals
import PortolanTexts

/// The program: a verb of the command line, or the editor.
enum Program {
  /// Runs the arguments; returns the exit code.
  static func run(_ arguments: [String]) -> Int32 {
    let code = perform(arguments)
    let isDriver = arguments.first == "merge" && arguments.contains { $0.hasPrefix("--git") }
    // Git takes the codes up to 128 of a merge driver for conflicts.
    return isDriver && code > ExitCode.findings.rawValue ? 129 : code
  }

  private static func perform(_ arguments: [String]) -> Int32 {
    let arguments = StandardStreams.named(RevisionArguments.plain(arguments))
    if let usage = VerbSpelling.usage(arguments) { return tell(usage) }
    if let misspelt = VerbSpelling.failure(of: arguments) ?? VerbSpelling.helpFailure(of: arguments)
    {
      return tell(misspelt)
    }
    if let topic = VerbSpelling.helpTopic(arguments) { return tellHelp(of: topic) }
    let command: any ParsableCommand
    do {
      command = try ShellCompletion.world.withValue(World(files: RealFileSystem())) {
        try Portolan.command(arguments)
      }
    } catch {
      return tell(error, arguments)
    }
    do {
      switch command {
      case let edit as EditFiles: return try EditorProgram.run(edit)
      case let serve as ServeFiles: return try ServeProgram.run(serve)
      case let attach as AttachTerminal: return try AttachProgram.run(attach)
      case let list as ListServed: try RemoteProgram.list(list)
      case let remote as RemoteCommand: return try RemoteProgram.run(remote)
      case is PrintManual: try HeadlessProgram.write(ManualPage.text)
      case let verb as any FileCommand: try HeadlessProgram.run(verb)
      default:
        // Help of a verb: argument-parser's own command, which throws its text.
        var other = command
        do { try other.run() } catch { return tell(error, arguments) }
      }
      return ExitCode.done.rawValue
    } catch let failure as Failure {
      return tell(failure)
    } catch {
      Diagnostics.write("\(error)")
      return ExitCode.usage.rawValue
    }
  }

  /// Prints help about a command that is no verb, or about keys.
  private static func tellHelp(of topic: String) -> Int32 {
    do throws(Failure) {
      let runner = HeadlessRunner(
        world: World(files: RealFileSystem()), report: Diagnostics.write)
      try HeadlessProgram.write(try runner.help(of: topic))
      return ExitCode.done.rawValue
    } catch {
      return tell(error)
    }
  }

  private static func tell(_ failure: Failure) -> Int32 {
    if failure.isBrokenPipe {
      // Our parent sees the same as of other filters: that the reader is gone.
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    }
    // Findings are on standard output.
    if failure.code != .findings || !failure.subject.isEmpty {
      Diagnostics.write(failure.description)
    }
    return failure.code.rawValue
  }

  /// Prints a text on standard output.
  private static func tell(_ text: String) -> Int32 {
    do throws(Failure) {
      try HeadlessProgram.write(text)
      return ExitCode.done.rawValue
    } catch {
      return tell(error)
    }
  }

  /// Prints argument-parser's output: help on standard output, errors on standard error.
  private static func tell(_ error: any Error, _ arguments: [String]) -> Int32 {
    let code = Portolan.exitCode(for: error)
    if code.isSuccess {
      return tell(CompletionScript.mended(Portolan.fullMessage(for: error)) + "\n")
    }
    let verb = Portolan.verbs.first { $0.configuration.commandName == arguments.first }
    let isSharing = Portolan.sharing.contains {
      $0.configuration.commandName == arguments.first
    }
    // Without a verb the editor was meant.
    let topic = isSharing ? arguments[0] : "view"
    let advice = verb.map(VerbSpelling.form) ?? "see portolan help \(topic)"
    Diagnostics.write("\(inOneLine(Portolan.message(for: error))): \(advice)")
    return ExitCode.usage.rawValue
  }

  /// A message with a list of values as a sentence.
  private static func inOneLine(_ message: String) -> String {
    var lines = message.split(whereSeparator: \.isNewline).map(String.init)[...]
    var text = lines.popFirst() ?? ""
    for (index, line) in lines.enumerated() {
      let words = line.drop { $0 == " " }
      let isItem = words.hasPrefix("- ")
      text += (isItem && index > 0 ? ", " : " ") + (isItem ? words.dropFirst(2) : words)
    }
    return text
  }
}

/// The names of standard input and output among arguments.
enum StandardStreams {
  private static let paths: Set<String> = [
    "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  /// The arguments of a verb with `-` for each path of a standard stream.
  static func named(_ arguments: [String]) -> [String] {
    guard Portolan.verbs.contains(where: { $0.configuration.commandName == arguments.first }) else {
      return arguments
    }
    return arguments.map { argument in
      if paths.contains(argument) { return "-" }
      let parts = argument.split(separator: "=", maxSplits: 1)
      let isOutput = parts.count == 2 && parts[0] == "--output" && paths.contains(String(parts[1]))
      return isOutput ? "--output=-" : argument
    }
  }
}

/// The arguments of `review REV..REV -- FILE -o OUTPUT`, written as git's are.
enum RevisionArguments {
  /// The arguments without the `--` between the revisions and the file, behind which options would
  /// be names of files.
  static func plain(_ arguments: [String]) -> [String] {
    guard arguments.first == "review", let place = arguments.firstIndex(of: "--"),
      arguments[place - 1].contains(".."), place + 1 < arguments.count,
      !arguments[place + 1].hasPrefix("-")
    else { return arguments }
    return Array(arguments[..<place] + arguments[(place + 1)...])
  }
}

/// Lines for people on standard error.
enum Diagnostics {
  /// Writes `portolan: TEXT` as one line; nothing in it can act on a terminal.
  static func write(_ text: String) {
    let joined = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let line = "portolan: " + DisplayWidth.sanitised(joined) + "\n"
    let bytes = Array(line.utf8)
    // An error of this write cannot be reported.
    _ = bytes.withUnsafeBytes { Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
