import ArgumentParser

/// The reference of all commands, made from their own help: `Docs/commands.md`.
package enum CommandReference {
  /// The page as Markdown.
  package static var markdown: String {
    var lines = preface
    for command in Commands.all {
      let names = [command.name] + command.configuration.aliases
      lines.append(
        "| \(names.map { "`\($0)`" }.joined(separator: ", ")) "
          + "| \(command.configuration.abstract) |")
    }
    for command in Commands.all { lines += ["", "## \(command.name)", ""] + section(command) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let preface = """
    # Commands

    One language serves the `:` prompt, scripts, key bindings and the program's verbs. A line is
    split as a shell does: `'…'` and `"…"` quote, `\\` takes the next character as it is, `#` and
    a blank begin a comment. `$'lat\\xE9.doc'` is a file whose name is not UTF-8. `NAME!` is
    `NAME --force`. In a script, one command a line, `\\` at the end goes on in the next line.

    This page is what the program prints; do not edit it.

    | command | what it does |
    | --- | --- |
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

  private static func section(_ command: any Command.Type) -> [String] {
    var text = command.helpMessage(includeHidden: false, columns: 90)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    // Every command has the flag for help.
    text.removeAll { $0.hasPrefix("  -h, --help") }
    if let options = text.firstIndex(of: "OPTIONS:"),
      !text[(options + 1)...].contains(where: { $0.hasPrefix("  ") })
    {
      text.remove(at: options)
    }
    while text.last?.isEmpty == true { text.removeLast() }
    return ["```"] + text + ["```"]
  }
}
