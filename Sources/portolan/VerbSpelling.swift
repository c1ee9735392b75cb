import ArgumentParser
import PortolanEditing
import PortolanFiles

/// The spelling of the program's verbs.
enum VerbSpelling {
  /// The error if the first word is neither a file nor a verb.
  ///
  /// A word with an ending or a folder is a file's name, even if the file does not exist.
  static func failure(of arguments: [String]) -> Failure? {
    guard let word = arguments.first, !word.isEmpty, !word.hasPrefix("-"),
      word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }),
      !names.contains(word), !RealFileSystem().exists(word)
    else { return nil }
    let meant = Spelling.nearest(to: word, among: names) + (meanings[word.lowercased()] ?? [])
    let ways = meant.prefix(3).map { "portolan \($0)" }
    let way =
      if ways.isEmpty {
        Commands.named(word) == nil
          ? "see portolan help"
          : "it is a command of the editor and of scripts: portolan run SCRIPT"
      } else {
        Spelling.question(ways) + "See portolan help"
      }
    return Failure(.usage, what: "no file and no verb “\(word)”: \(way)")
  }

  /// The error for help about an unknown topic; `nil` if argument-parser has the answer.
  static func helpFailure(of arguments: [String]) -> Failure? {
    guard let topic = helpTopic(arguments), Commands.named(topic) == nil,
      !["keys", "commands"].contains(topic)
    else { return nil }
    let known = names + Commands.all.map { $0.name }
    let meant = Spelling.nearest(to: topic, among: Array(Set(known)).sorted())
    let ways =
      meant.map { "portolan help \($0)" }
      + (meanings[topic.lowercased()] ?? []).map {
        "portolan \($0)"
      }
    return Failure(
      .usage,
      what: "no verb and no command “\(topic)”: " + Spelling.question(ways)
        + "portolan help lists the verbs, portolan help commands the commands")
  }

  /// The topic of `portolan help`, if it is no verb.
  static func helpTopic(_ arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "help", !arguments[1].hasPrefix("-"),
      !names.contains(arguments[1])
    else { return nil }
    return arguments[1]
  }

  private static let names =
    Portolan.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

  /// The names of our verbs in other programs.
  private static let meanings = [
    "open": ["FILE"], "edit": ["FILE"], "new": ["NAME.doc"], "create": ["NAME.doc"],
    "check": ["info --verbose"], "validate": ["info --verbose"],
    "filter": ["query", "export --where"], "count": ["query"], "sort": ["query"],
    "show": ["render", "info"], "print": ["render"], "draw": ["render"], "cat": ["export"],
    "save": ["import"], "add": ["import"], "write": ["export"], "dump": ["inspect"],
    "layers": ["info"], "compare": ["diff"], "list": ["info"], "select": ["query"],
  ]

  /// The form of a verb, without optional options.
  static func form(of verb: any ParsableCommand.Type) -> String {
    let name = verb.configuration.commandName ?? ""
    return "write portolan \(CommandUsage(verb).form), or see portolan help \(name)"
  }

  /// What `portolan VERB --json-usage` prints, of any command; without one, all of them.
  static func usage(_ arguments: [String]) -> String? {
    guard arguments.last == "--json-usage", arguments.count < 3 else { return nil }
    if arguments.count == 1 {
      let all = Portolan.verbs + Commands.all.filter { !$0.isVerb }
      return all.map { CommandUsage($0).json + "\n" }.joined()
    }
    let known = Portolan.configuration.subcommands + Commands.all
    return known.first { $0.configuration.commandName == arguments[0] }.map {
      CommandUsage($0).json + "\n"
    }
  }
}
