import ArgumentParser
import PortolanTerminals

/// The lists of keys and commands.
extension Desk {
  mutating func openHelp(_ topic: String) throws {
    switch topic {
    case "keys":
      let mode = help == nil ? keyMode : .normal
      help = Help(title: "Keys: \(mode.title)", lines: keyLines(of: mode))
      help?.hasGroups = true
    case "commands":
      help = Help(title: "Commands", lines: session.kinds.commands.map { Self.commandLine(of: $0) })
    default:
      guard let command = Commands.named(topic, among: session.kinds.commands) else {
        throw EditingError(.notFound, "no command “\(topic)”: \(Commands.advice(for: topic))")
      }
      // The page breaks long lines itself.
      let text = command.helpMessage(includeHidden: false, columns: 10_000)
      help = Help(
        title: command.name,
        lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
    prompt = nil
  }

  /// The keys of a mode, one line each, under the headings of the key map.
  mutating func keyLines(of mode: Mode) -> [String] {
    var lines: [String] = []
    for section in keyMap.sections(of: mode) {
      if !section.heading.isEmpty { lines += (lines.isEmpty ? [] : [""]) + [section.heading] }
      for binding in section.bindings {
        let keys = binding.notation
        let padding = String(repeating: " ", count: max(2, 12 - keys.count))
        lines.append(
          keys + padding + keyMap.summary(of: binding, among: session.kinds.commands))
      }
    }
    return lines
  }

  private static func commandLine(of command: any Command.Type) -> String {
    let names = ([command.name] + command.configuration.aliases).joined(separator: ", ")
    let padding = String(repeating: " ", count: max(2, 18 - names.count))
    return names + padding + command.configuration.abstract
  }
}
