/// The scripts of argument-parser for the completion of shells, with our own way for expressions.
enum CompletionScript {
  /// The script of argument-parser in which bash takes expressions as they are.
  ///
  /// Its own function hands the words to `compgen`, which runs commands that stand in them (names
  /// of attributes are from files), and takes the quotes of a text for quotes of the shell.
  static func mended(_ script: String) -> String {
    guard script.hasPrefix("#!/bin/bash") else { return script }
    return script.replacing(
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
}
