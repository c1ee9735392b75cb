import ArchiveInspection
package import ArgumentParser
import PortolanTerminals
import PortolanTexts

/// What a command takes, as its own declarations tell it: for completion, and for programs.
package struct CommandUsage: Sendable {
  /// A value or a flag of the command line.
  package struct Argument: Hashable, Sendable {
    package enum Kind: String, Sendable { case positional, option, flag }

    package var kind: Kind
    /// Such as `--output` and `-o`; empty for a positional one.
    package var names: [String]
    /// The name of its value, which tells its kind: `layer`.
    package var value: String
    package var isRequired: Bool
    package var isRepeating: Bool
    package var usual: String?
    package var choices: [String]
    package var isFile: Bool
    package var help: String
  }

  package let arguments: [Argument]
  private let type: any ParsableCommand.Type

  package init(_ type: any ParsableCommand.Type) {
    self.type = type
    arguments = (try? Declarations(type._dumpHelp()).arguments) ?? []
  }

  /// Whether a value is the name of a file.
  var takesFiles: Bool { arguments.contains { $0.isFile } }

  /// The long flags.
  var flags: [String] { arguments.flatMap(\.names).filter { $0.hasPrefix("--") } }

  /// The argument that a word after others is the value of; `nil` if they are too many.
  func argument(after words: [String]) -> Argument? {
    var isValue = false
    var count = 0
    for word in words {
      if isValue {
        isValue = false
      } else if let named = argument(named: word) {
        isValue = named.kind == .option
      } else {
        count += 1
      }
    }
    if isValue, let last = words.last { return argument(named: last) }
    let positional = arguments.filter { $0.kind == .positional }
    if count < positional.count { return positional[count] }
    return positional.last.flatMap { $0.isRepeating ? $0 : nil }
  }

  private func argument(named word: String) -> Argument? {
    arguments.first { $0.names.contains(word) }
  }

  /// What has to be written: `import <paths>`.
  package var form: String {
    let parts = arguments.compactMap { argument -> String? in
      switch argument.kind {
      case .positional where argument.isRequired: "<\(argument.value)>"
      case .positional: "[<\(argument.value)>\(argument.isRepeating ? " ..." : "")]"
      case .option where argument.isRequired:
        (argument.names.first ?? "") + " <\(argument.value)>"
      case .option, .flag: nil
      }
    }
    return ([type.configuration.commandName ?? type._commandName] + parts).joined(separator: " ")
  }

  // MARK: JSON

  /// The usage as one line of JSON, for programs.
  package var json: String {
    let command = type as? any Command.Type
    let verb = type as? any FileCommand.Type
    var members = [
      ("name", SafeJSON.string(type.configuration.commandName ?? type._commandName)),
      ("aliases", Self.list(type.configuration.aliases)),
      ("abstract", SafeJSON.string(type.configuration.abstract)),
      ("discussion", SafeJSON.string(type.configuration.discussion)),
      ("arguments", SafeJSON.array(json { $0.kind == .positional })),
      ("options", SafeJSON.array(json { $0.kind != .positional })),
    ]
    if let command { members.append(("verb", command.isVerb ? "true" : "false")) }
    if let verb {
      members.append(("json", Self.list(verb.jsonOptions)))
      members.append(("exitCodes", SafeJSON.object(ExitCode.meanings(findings: verb.findings))))
    }
    return SafeJSON.object(members.map { (name: $0.0, value: $0.1) })
  }

  private func json(_ isMeant: (Argument) -> Bool) -> [String] {
    arguments.filter(isMeant).map { argument in
      var members = [(name: "kind", value: SafeJSON.string(argument.shownKind))]
      if argument.kind == .positional {
        members.insert(("name", SafeJSON.string(argument.value)), at: 0)
      } else {
        members.insert(("names", Self.list(argument.names)), at: 0)
      }
      if argument.kind != .flag {
        members.append(("required", argument.isRequired ? "true" : "false"))
      }
      members.append(("repeats", argument.isRepeating ? "true" : "false"))
      if let usual = argument.usual { members.append(("default", SafeJSON.string(usual))) }
      if !argument.choices.isEmpty { members.append(("choices", Self.list(argument.choices))) }
      members.append(("help", SafeJSON.string(argument.help)))
      return SafeJSON.object(members)
    }
  }

  private static func list(_ texts: [String]) -> String {
    SafeJSON.array(texts.map(SafeJSON.string))
  }
}

extension CommandUsage.Argument {
  /// The kind of its value, for programs.
  fileprivate var shownKind: String { kind == .flag ? "flag" : isFile ? "file" : value }
}

/// The argument parser's own account of a command's declarations, which is JSON.
private struct Declarations {
  private let tape: JSONTape

  init(_ text: String) throws { tape = try JSONTape(Array(text.utf8)) }

  /// The arguments that people see, without the flag for help, which every command has.
  var arguments: [CommandUsage.Argument] {
    guard let command = member("command", of: 0), let list = member("arguments", of: command) else {
      return []
    }
    return tape.elements(list).compactMap { item in
      guard isTrue("shouldDisplay", of: item),
        let kind = text("kind", of: item).flatMap({ CommandUsage.Argument.Kind(rawValue: $0) })
      else { return nil }
      let names = member("names", of: item).map { tape.elements($0).map(name) } ?? []
      if names.contains("--help") { return nil }
      let completion = member("completionKind", of: item)
      let listed = completion.flatMap { member("list", of: $0) }
      return CommandUsage.Argument(
        kind: kind, names: names, value: text("valueName", of: item) ?? "",
        isRequired: !isTrue("isOptional", of: item),
        isRepeating: isTrue("isRepeating", of: item), usual: text("defaultValue", of: item),
        choices: texts("allValues", of: item) ?? listed.flatMap { texts("values", of: $0) } ?? [],
        isFile: completion.flatMap { member("file", of: $0) } != nil,
        help: text("abstract", of: item) ?? "")
    }
  }

  private func name(_ item: Int) -> String {
    (text("kind", of: item) == "long" ? "--" : "-") + (text("name", of: item) ?? "")
  }

  private func member(_ key: String, of item: Int) -> Int? {
    (try? tape.members(item))?.first { $0.key == key }?.value
  }

  private func text(_ key: String, of item: Int) -> String? {
    member(key, of: item).flatMap { try? tape.text($0) }
  }

  private func texts(_ key: String, of item: Int) -> [String]? {
    member(key, of: item).map { tape.elements($0).compactMap { try? tape.text($0) } }
  }

  private func isTrue(_ key: String, of item: Int) -> Bool {
    member(key, of: item).map { tape.entries[$0].kind == .yes } ?? false
  }
}
