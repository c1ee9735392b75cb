/// The scripts of argument-parser for the completion of shells, with mends.
enum CompletionScript {
  static func mended(_ script: String) -> String {
    if script.hasPrefix("#!/bin/bash") { return bash(script) }
    if script.hasPrefix("#compdef") { return zsh(script) }
    return fish(script)
  }

  // MARK: bash

  /// The script in which bash takes expressions as they are.
  ///
  /// Its own function hands the words to `compgen`, which runs commands that stand in them (names
  /// of attributes are from files), and takes the quotes of a text for quotes of the shell.
  private static func bash(_ script: String) -> String {
    script.replacing(
      "__portolan_add_completions -W \"$(__portolan_custom_complete",
      with: "__portolan_add_expressions \"$(__portolan_custom_complete"
    ).replacing("\n_portolan() {", with: "\n" + function + "\n_portolan() {")
  }

  private static let function = """
    __portolan_add_expressions() {
        local completion
        while IFS='' read -r completion; do
            [[ "${completion}" == "${cur}"* ]] && COMPREPLY+=("${completion}")
        done <<<"${1}"
    }

    """

  // MARK: zsh

  /// The script in which zsh tells how much of the word stands before the cursor: its own splits
  /// the line again, and gives 1 for a word in open quotes.
  private static func zsh(_ script: String) -> String {
    let begin = "__portolan_cursor_index_in_current_word() {\n"
    guard let start = script.firstRange(of: begin),
      let end = script[start.upperBound...].firstRange(of: "\n}\n")
    else { return script }
    let body = """
          local -r word="${QIPREFIX}${IPREFIX}${PREFIX}"
          printf %s "${#word}"
      """
    return script[..<start.upperBound] + body + script[end.lowerBound...]
  }

  // MARK: fish

  /// The script in which fish comes to an end.
  ///
  /// fish reads `x-column` as a letter and a name, and finds the name twice; then argparse fails,
  /// and a loop waits for it in vain. The length of the word before the cursor is asked for in a
  /// way that fish has without a terminal too.
  private static func fish(_ script: String) -> String {
    let parse = "argparse -sn \"$commands\" $option_specs -- $unparsed_tokens 2> /dev/null"
    let lines = script.replacing(parse, with: parse + "; or break")
      .replacing("(__portolan_tokens -tC)", with: "(string length -- \"$(commandline -ct)\")")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let isOfOptions = "__portolan_parse_subcommand "
    return lines.map { line in
      guard line.contains(isOfOptions) else { return String(line) }
      // A short name keeps the letter of the long one from being taken for it.
      return line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        let letters = Array(word.prefix(3))
        guard letters.count == 3, letters[0] == "'", letters[1].isLetter, letters[2] == "-" else {
          return String(word)
        }
        return "'" + letters[1].uppercased() + "/" + word.dropFirst()
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
